"""A worker is a process that answers, may fail, may die, and never stays behind."""

from __future__ import annotations

import asyncio
import functools
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from fogline.game.game import Game
from fogline.server.refused import Refused
from fogline.server.workers import worker as workers
from fogline.server.workers.worker import JobFailed, Worker, WorkerDied
from tests.server.arrange import OFFER
from tests.server.chores import has_board, refuse, speak
from tests.server.processes import gone
from tests.server.serving import PATIENCE

Scenario = Callable[[Worker], Coroutine[Any, Any, None]]


def with_worker(test: Scenario) -> Callable[[], None]:
    @functools.wraps(test, assigned=("__module__", "__name__", "__qualname__", "__doc__"))
    def run() -> None:
        asyncio.run(asyncio.wait_for(_scenario(test), PATIENCE))

    del run.__wrapped__  # pytest would look for a fixture
    return run


async def _scenario(test: Scenario) -> None:
    worker = Worker(OFFER.boards.values(), 1)
    try:
        await test(worker)
    finally:
        await worker.close()


@with_worker
async def test_a_job_is_done_in_another_process(worker: Worker) -> None:
    process = await worker.do(os.getpid)
    assert process != os.getpid()
    assert await worker.do(os.getpid) == process
    assert await worker.do(os.nice, 0) == os.nice(0) + 1
    assert await worker.do(len, b"x" * 5_000_000) == 5_000_000
    assert len(await worker.do(bytes, 5_000_000)) == 5_000_000


@with_worker
async def test_what_it_prints_is_no_answer(worker: Worker) -> None:
    assert await worker.do(speak, "hello") == "hello"
    assert await worker.do(speak, "again") == "again"


@with_worker
async def test_boards_do_not_travel_with_every_job(worker: Worker) -> None:
    board = OFFER.boards["san_francisco"]
    assert await worker.do(has_board, Game(board, seed=1).view(0), board)


@with_worker
async def test_what_goes_wrong_in_a_job_is_told_and_ends_nothing(worker: Worker) -> None:
    process = await worker.do(os.getpid)
    with pytest.raises(JobFailed, match=r"Traceback[^$]*ZeroDivisionError"):
        await worker.do(divmod, 1, 0)
    with pytest.raises(Refused) as caught:
        await worker.do(refuse)
    assert (caught.value.code, caught.value.reason, caught.value.rule) == ("illegal", "not now", "4.1")
    assert await worker.do(os.getpid) == process


@with_worker
async def test_a_worker_that_was_killed_starts_anew(worker: Worker) -> None:
    process = await worker.do(os.getpid)
    os.kill(process, signal.SIGKILL)
    with pytest.raises(WorkerDied):
        await worker.do(os.getpid)
    assert await worker.do(os.getpid) not in (process, os.getpid())


@with_worker
async def test_a_worker_that_does_not_answer_is_taken_for_dead(worker: Worker) -> None:
    process = await worker.do(os.getpid)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "LONGEST", 0.0)
        with pytest.raises(WorkerDied):
            await worker.do(os.getpid)
    assert gone(process)
    assert await worker.do(os.getpid) != process


@with_worker
async def test_a_worker_does_not_hear_ctrl_c_nor_being_asked_to_end(worker: Worker) -> None:
    process = await worker.do(os.getpid)
    assert os.getsid(process) != os.getsid(0)
    for ending in (signal.SIGINT, signal.SIGTERM):
        os.kill(process, ending)
    assert await worker.do(os.getpid) == process


def test_a_worker_that_is_closed_is_gone() -> None:
    async def scenario() -> int:
        worker = Worker((), 0)
        process = await worker.do(os.getpid)
        await worker.close()
        await worker.close()
        return process

    assert gone(asyncio.run(asyncio.wait_for(scenario(), PATIENCE)))
