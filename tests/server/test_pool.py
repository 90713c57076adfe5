"""A pool does the jobs of different owners in turn, on workers that may die."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

import pytest

from fogline.server.metrics import METRICS
from fogline.server.workers.pool import ATTEMPTS, Job, Pool
from fogline.server.workers.remote_worker import RemoteWorker
from fogline.server.workers.worker import JobFailed, Worker, WorkerDied
from tests.server.fake_worker import FakeWorker, turns
from tests.server.serving import PATIENCE


def pool_of(*workers: FakeWorker) -> Pool:
    return Pool("tests", cast(Sequence[Worker], workers))


async def ask(pool: Pool, *words: str) -> list[asyncio.Task[str]]:
    """Jobs that return their words, loudly; the owner of each is its first letter."""
    asking = [asyncio.create_task(pool.do(word[0], partial(_loudly, word))) for word in words]
    await turns()
    return asking


def _loudly(word: str, _waited: float) -> Job[str]:
    return str.upper, (word,)


def played(scenario: Callable[[], Any]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), PATIENCE))


def test_one_owner_s_many_keep_nobody_else_s_few_waiting() -> None:
    async def scenario() -> None:
        worker = FakeWorker()
        pool = pool_of(worker)
        many = await ask(pool, *(f"a{number}" for number in range(30)))
        few = await ask(pool, "b0", "b1", "c0")
        worker.go_on(33)
        answers = await asyncio.gather(*many, *few)
        assert worker.done[:7] == ["a0", "a1", "b0", "c0", "a2", "b1", "a3"]  # a0 was begun before anybody came
        assert answers[-4:] == ["A29", "B0", "B1", "C0"]

    played(scenario)


def test_workers_work_side_by_side_and_the_others_rest() -> None:
    async def scenario() -> None:
        workers = [FakeWorker() for _ in range(3)]
        pool = pool_of(*workers)
        asking = await ask(pool, "a0", "b0")
        for worker in workers:
            worker.go_on(5)
        await asyncio.gather(*asking)
        asking = await ask(pool, "c0")
        await asyncio.gather(*asking)
        assert [len(worker.done) for worker in workers] == [1, 2, 0]

    played(scenario)


def test_who_waits_no_longer_leaves_the_queue() -> None:
    async def scenario() -> None:
        worker = FakeWorker()
        pool = pool_of(worker)
        asking = await ask(pool, "a0", "b0", "b1", "c0")
        for gone in (asking[0], asking[2]):
            gone.cancel()
        await turns()
        assert pool.share("b") == 1 / 2  # only c waits beside it
        worker.go_on(4)
        assert [await asking[1], await asking[3]] == ["B0", "C0"]
        assert worker.done == ["a0", "b0", "c0"]  # what is begun is finished

    played(scenario)


def test_owners_share_alike_and_so_do_the_jobs_of_each() -> None:
    async def scenario() -> None:
        workers = [FakeWorker(), FakeWorker()]
        pool = pool_of(*workers)
        asking = await ask(pool, "a0", "a1", "a2", "b0")
        assert (pool.share("a"), pool.share("b")) == (1 / 3, 1)
        for worker in workers:
            worker.go_on(4)
        await asyncio.gather(*asking)
        assert pool.share("c") == 2  # who asked before counts no more

    played(scenario)


def test_a_job_is_made_when_its_turn_has_come() -> None:
    async def scenario() -> None:
        worker = FakeWorker()
        pool = pool_of(worker)
        made: list[float] = []

        def make(waited: float) -> Job[str]:
            made.append(waited)
            return str, ("a",)

        asking = [asyncio.create_task(pool.do("a", make)) for _ in range(2)]
        await turns()
        assert len(made) == 1
        worker.go_on(2)
        await asyncio.gather(*asking)
        assert 0 <= made[0] <= made[1]  # the second has waited for the first

    played(scenario)


@pytest.mark.parametrize("deaths", range(ATTEMPTS + 1))
def test_a_job_is_done_again_when_its_worker_has_died(deaths: int, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        worker = FakeWorker(deaths)
        pool = pool_of(worker)
        asking = await ask(pool, "a0", "b0")
        worker.go_on(9)
        answers = await asyncio.gather(*asking, return_exceptions=True)
        assert answers[1] == "B0"
        assert answers[0] == "A0" if deaths < ATTEMPTS else isinstance(answers[0], WorkerDied)
        assert caplog.messages == ["a worker has died"] * deaths

    played(scenario)


def test_a_worker_that_joins_takes_what_waits_and_counts_until_it_leaves() -> None:
    async def scenario() -> None:
        here, there = FakeWorker(), FakeWorker()
        pool = pool_of(here)
        asking = await ask(pool, "a0", "b0")
        with pool.joined_by(cast(RemoteWorker, there)):
            assert (pool.share("a"), count_workers()) == (2 / 2, 2)
            there.go_on(1)
            assert await asking[1] == "B0"
        assert (pool.share("a"), count_workers()) == (1, 1)
        here.go_on(2)
        asking += await ask(pool, "c0")
        assert await asyncio.gather(*asking) == ["A0", "B0", "C0"]
        assert (here.done, there.done) == (["a0", "c0"], ["b0"])

    played(scenario)


def count_workers() -> float | None:
    return METRICS.registry.get_sample_value("fogline_workers", {"pool": "tests"})


@pytest.mark.parametrize("losses", [1, ATTEMPTS + 1])
def test_a_job_whose_worker_is_lost_is_the_next_of_another_worker(
    losses: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        here = FakeWorker()
        pool = pool_of(here)
        asking = await ask(pool, "a0")
        for number in range(losses):
            there = FakeWorker()
            with pool.joined_by(cast(RemoteWorker, there)):
                asking += await ask(pool, *(["b0", "c0"] if number == 0 else []))
                there.lost = True
                there.go_on(9)
                await turns()
        here.go_on(9)
        assert await asyncio.gather(*asking) == ["A0", "B0", "C0"]
        assert (here.done, caplog.messages) == (["a0", "b0", "c0"], [])

    played(scenario)


def test_a_worker_that_leaves_while_it_works_is_given_nothing_more() -> None:
    async def scenario() -> None:
        here, there = FakeWorker(), FakeWorker()
        pool = pool_of(here)
        asking = await ask(pool, "a0")
        with pool.joined_by(cast(RemoteWorker, there)):
            asking += await ask(pool, "b0")
        there.go_on(9)
        assert await asking[1] == "B0"
        asking += await ask(pool, "c0")
        here.go_on(9)
        assert await asyncio.gather(*asking) == ["A0", "B0", "C0"]
        assert there.done == ["b0"]

    played(scenario)


def test_a_job_that_fails_fails_alone() -> None:
    async def scenario() -> None:
        worker = FakeWorker()
        pool = pool_of(worker)
        asking = [asyncio.create_task(pool.do("a", lambda _: (_fail, ("what",))))] + await ask(pool, "b0")
        worker.go_on(2)
        with pytest.raises(JobFailed, match="what"):
            await asking[0]
        assert await asking[1] == "B0"

    played(scenario)


def _fail(what: str) -> str:
    raise JobFailed(what)


def test_a_pool_that_closes_closes_its_workers_in_the_middle_of_a_job() -> None:
    async def scenario() -> None:
        workers = [FakeWorker(), FakeWorker()]
        pool = pool_of(*workers)
        asking = await ask(pool, "a0")
        await pool.close()
        assert all(worker.closed for worker in workers)
        asking[0].cancel()

    played(scenario)
