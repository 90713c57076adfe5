"""Replays and audits keep nobody waiting but those who asked for them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from fogline.server.settings import Settings
from fogline.server.tables.table import Table, Viewer
from fogline.server.workers import archive as archives
from fogline.server.workers.archive import AT_ONCE, Archive
from tests.server.arrange import OFFER, finished, play_some, refuses, started
from tests.server.fake_worker import FakeWorker, turns
from tests.server.nursery import Forked
from tests.server.processes import children, wait_until
from tests.server.serving import PATIENCE, Person

SPECTATOR = Viewer(None, None, host=False)


def with_archive(scenario: Callable[[Archive, FakeWorker], Coroutine[Any, Any, None]]) -> None:
    """Its worker goes on as soon as it is told to."""

    async def run() -> None:
        worker = FakeWorker()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(archives, "Worker", lambda *_: worker)
            await scenario(Archive(Settings(OFFER)), worker)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def ask(archive: Archive, who: str, table: Table, viewer: Viewer = SPECTATOR, at: int = 2) -> asyncio.Task[bytes]:
    return asyncio.create_task(archive.replay(who, table, viewer, "public", at))


def test_a_replay_that_was_made_is_not_made_again() -> None:
    async def scenario(archive: Archive, worker: FakeWorker) -> None:
        table = started("Ann", "Ben", map="tiny")
        play_some(table, 4)
        worker.go_on(10)
        first = await ask(archive, "ann", table)
        assert await ask(archive, "ben", table) == first
        assert len(worker.done) == 1
        assert await ask(archive, "ann", table, Viewer(0, 0, host=True)) != first  # it tells whose it is
        assert await ask(archive, "ann", table, at=3) != first
        play_some(table, 1)
        await ask(archive, "ann", table)
        assert len(worker.done) == 4

    with_archive(scenario)


def test_people_come_in_turn_and_nobody_waits_for_many_at_once() -> None:
    async def scenario(archive: Archive, worker: FakeWorker) -> None:
        table = finished("Ann", "Ben", map="tiny")
        many = [ask(archive, "ann", table, at=step) for step in range(AT_ONCE)]
        await turns()
        one = ask(archive, "ben", table, at=AT_ONCE)
        await turns()
        with refuses("too_many", f"you wait for {AT_ONCE} replays or records already"):
            await ask(archive, "ann", table, at=9)
        worker.go_on(AT_ONCE + 1)
        await asyncio.gather(one, *many)
        assert [reel.at for reel in worker.done] == [0, 1, AT_ONCE, *range(2, AT_ONCE)]
        worker.go_on(1)
        await ask(archive, "ann", table, at=9)

    with_archive(scenario)


def test_a_record_that_is_nested_too_deeply_is_refused() -> None:
    async def scenario(archive: Archive) -> None:
        record = b"[" * 100_000 + b"]" * 100_000
        with refuses("invalid", "record: it is nested too deeply"):
            await archive.audit("ann", b'{"record":' + record + b"}", OFFER.boards)

    async def run() -> None:
        archive = Archive(Settings(OFFER))
        await scenario(archive)
        await archive.close()

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


# In a server.


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Forked]:
    with Forked(f"sqlite:///{tmp_path}/tables.db", tmp_path) as server:
        yield server


class Asking:
    """Somebody who has asked for a replay, and waits."""

    def __init__(self, served: Forked, person: Person, table: str, eyes: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
        self.connection.request("GET", f"/api/tables/{table}/replay?eyes={eyes}", headers=person.headers)

    def answer(self) -> Any:
        with closing(self.connection):
            return json.loads(self.connection.getresponse().read())

    def leave(self) -> None:
        self.connection.close()


def stop_worker(served: Forked, person: Person) -> tuple[int, str]:
    """The archive's worker, which stands still, and a game that is over."""
    table = person.open_table("racer", "planner", map="tiny")["table"]["id"]
    wait_until(lambda: person.get(f"/tables/{table}")["table"]["status"] == "over")
    person.get(f"/tables/{table}/replay")
    assert served.pid is not None
    (worker,) = children(served.pid)
    os.kill(worker, signal.SIGSTOP)
    return worker, str(table)


def jobs(person: Person, state: str) -> int:
    found = re.search(rf'^fogline_jobs_{state}{{pool="archive"}} (\S+)$', person.http.get("/metrics").text, re.M)
    assert found is not None
    return int(float(found[1]))


def test_games_go_on_while_a_replay_is_made(served: Forked) -> None:
    ann = Person(served.url)
    worker, table = stop_worker(served, ann)
    asking = Asking(served, ann, table, "public")
    wait_until(lambda: jobs(ann, "running") == 1)
    game = ann.open_table("racer", "racer", map="tiny")["table"]["id"]
    wait_until(lambda: ann.get(f"/tables/{game}")["table"]["status"] == "over")
    assert ann.http.get("/health").status_code == 200
    os.kill(worker, signal.SIGCONT)
    replay = asking.answer()
    assert replay["eyes"] == "public"
    assert len(replay["frames"]) == replay["steps"]


def test_who_has_gone_is_waited_on_no_longer(served: Forked) -> None:
    ann, ben = Person(served.url), Person(served.url)
    worker, table = stop_worker(served, ann)
    first = Asking(served, ann, table, "0")
    wait_until(lambda: jobs(ann, "running") == 1)
    others = [Asking(served, ann, table, "1"), Asking(served, ben, table, "public")]
    wait_until(lambda: jobs(ann, "waiting") == 2)
    others[0].leave()
    wait_until(lambda: jobs(ann, "waiting") == 1)
    first.leave()
    os.kill(worker, signal.SIGCONT)
    assert others[1].answer()["eyes"] == "public"
    assert served.troubles() == []
