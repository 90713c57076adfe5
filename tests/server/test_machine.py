"""Bots think on other machines for as long as these are there, and games go on whatever becomes of them."""

from __future__ import annotations

import asyncio
import os
import pickle
import re
import shutil
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import httpx
import pytest

from fogline.game.game import Game
from fogline.game.record import audit
from fogline.maps.board import Board
from fogline.server.run import make_offer
from fogline.server.settings import Settings
from fogline.server.workers import machine
from fogline.server.workers.bots import Bots, prepare, think
from fogline.server.workers.jobs import _Unpacker, version
from fogline.server.workers.remote_worker import RemoteWorker, WorkerLost
from fogline.server.workers.thinkers import ThinkersAt
from tests.conformance import ROOT
from tests.openssh import Computer
from tests.server.nursery import Forked
from tests.server.processes import wait_until
from tests.server.serving import PATIENCE, Person

OFFER = make_offer([Board.load("tiny")])


@pytest.fixture
def computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Computer]:
    with Computer(tmp_path) as computer:
        monkeypatch.setenv("PATH", f"{computer.bin}:{os.environ['PATH']}")
        yield computer


def played(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, PATIENCE))


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


# Bots in this process.


def test_a_bot_decides_on_another_machine(computer: Computer) -> None:
    async def scenario() -> None:
        bots = Bots(Settings(OFFER, thinkers=1, thinkers_at=(ThinkersAt(computer.name, 1, sys.executable),)))
        bots.start()
        await until(lambda: bots._pool.share("ann") == 2)
        assert await bots._pool.do("ann", lambda _: (os.getenv, ("SSH_CONNECTION",))) is not None
        view = Game("tiny", seed=1).view(0)
        assert await bots.choose("ann", "neural", 1, view) == str(think("neural", 1, view))
        await bots.close()

    played(scenario())


def change_version(folder: Path) -> str:
    """Starts a Python there whose Fogline has other sources."""
    shutil.copytree(ROOT / "src", folder, ignore=shutil.ignore_patterns("__pycache__", "client"))
    with (folder / "fogline/rules/turns.py").open("a") as file:
        file.write("# another rule\n")
    return f"env PYTHONPATH={folder} {sys.executable}"


@pytest.mark.thorough
def test_what_is_wrong_with_a_machine_is_told_in_a_line(computer: Computer, tmp_path: Path) -> None:
    other = change_version(tmp_path / "other")
    reasons = {
        ("nobody.invalid", sys.executable): "ssh: Could not resolve hostname nobody.invalid: .*",
        (computer.name, f"{sys.executable} -I -S"): r".*ModuleNotFoundError.*|.*No module named .*fogline.*",
        (computer.name, "no-such-python"): "env: .no-such-python.: No such file or directory",
        (computer.name, "sh -c exit"): "the connection has ended",
        (computer.name, other): rf"it has version \S+, sources \w+; the server has {re.escape(version())}",
    }

    async def scenario() -> None:
        for (host, python), reason in reasons.items():
            assert re.fullmatch(reason, await why_lost(host, python))
        computer.forget_keys()
        assert "Permission denied" in await why_lost(computer.name, sys.executable)
        computer.switch_off()
        assert "Connection refused" in await why_lost(computer.name, sys.executable)

    played(scenario())


async def why_lost(host: str, python: str) -> str:
    worker = RemoteWorker(ThinkersAt(host, 1, python), (), 5)
    with pytest.raises(WorkerLost) as lost:
        await worker.start(version())
    await worker.close()
    return str(lost.value)


@pytest.mark.thorough
def test_a_machine_that_is_of_no_use_costs_one_line_and_holds_up_nobody(
    computer: Computer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(machine, "LONGEST_PAUSE", 0.02)
    tries = computer.bin / "tries"
    (computer.bin / "python3").write_text(f"#!/bin/sh\necho >>{tries}\n")
    (computer.bin / "python3").chmod(0o755)

    async def scenario() -> None:
        at = ThinkersAt(computer.name, 1, str(computer.bin / "python3"))
        bots = Bots(Settings(OFFER, thinkers=1, thinkers_at=(at,)))
        bots.start()
        view = Game("tiny", seed=1).view(0)
        assert await bots.choose("ann", "neural", 1, view) == str(think("neural", 1, view))
        await until(lambda: tries.exists() and len(tries.read_text()) > 5)
        await bots.close()

    played(scenario())
    assert caplog.messages == ["no bot thinks there"]


@pytest.mark.thorough
def test_another_machine_is_told_what_the_seat_may_know_and_no_more(computer: Computer) -> None:
    """Of all bytes that leave: they are the map, and what bots are asked."""
    heard = computer.listen_in()
    game, views = Game("tiny", seed=1), []

    async def scenario() -> None:
        bots = Bots(Settings(OFFER, thinkers=1, thinkers_at=(ThinkersAt(computer.name, 1, sys.executable),)))
        bots.start()
        await until(lambda: bots._pool.share("ann") == 2)
        for _ in range(4):
            views.append(game.view(game.seat))
            game.play(await bots.choose("ann", "master", 1, views[-1]))
        await bots.close()

    played(scenario())
    boards = tuple(OFFER.boards.values())
    with heard.open("rb") as file:
        assert [board.map_file for board in pickle.load(file)] == [board.map_file for board in boards]
        assert _Unpacker(file, boards).load() == (prepare, (boards,))
        for view in views:
            assert _Unpacker(file, boards).load() == (think, ("master", 1, view, ANY))
        assert file.read() == b""


# A server.


@pytest.fixture
def computers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Computer]]:
    with Computer(tmp_path, "one") as one, Computer(tmp_path, "other") as other:
        monkeypatch.setenv("PATH", f"{one.bin}:{os.environ['PATH']}")
        yield [one, other]


@pytest.fixture
def served(computers: list[Computer], tmp_path: Path) -> Iterator[Forked]:
    elsewhere = [f"--thinkers-at={computer.name}=1:{sys.executable}" for computer in computers]
    with Forked(f"sqlite:///{tmp_path}/tables.db", tmp_path, "--thinkers=1", *elsewhere) as server:
        yield server


def lines(served: Forked, event: str) -> list[str]:
    return [entry["host"] for entry in served.entries() if entry["event"] == event]


def sample(served: Forked, name: str) -> float:
    text = httpx.get(f"{served.url}/metrics", timeout=PATIENCE, verify=False).text
    return float(re.findall(rf"^{re.escape(name)} (\S+)$", text, re.M)[0])


def lose_connections(computer: Computer) -> AbstractContextManager[None]:
    computer.lose_connections()
    return nullcontext()


@pytest.mark.thorough
@pytest.mark.parametrize("trouble", [lose_connections, Computer.frozen])
def test_games_go_on_when_a_machine_is_lost(
    served: Forked, computers: list[Computer], trouble: Callable[[Computer], AbstractContextManager[None]]
) -> None:
    wait_until(lambda: len(lines(served, "bots think elsewhere, too")) == 2)
    ann = Person(served.url)
    tables = [ann.open_table("search", "neural", map="tiny")["table"]["id"] for _ in range(6)]
    wait_until(lambda: sample(served, 'fogline_jobs_running{pool="bots"}') == 3)
    with trouble(computers[0]):
        wait_until(lambda: all(ann.get(f"/tables/{table}")["table"]["status"] == "over" for table in tables))
    assert all(audit(ann.get(f"/tables/{table}/record")).finished for table in tables)
    wait_until(lambda: sample(served, 'fogline_workers{pool="bots"}') == 3)
    assert served.troubles() == []
    assert set(lines(served, "no bot thinks there")) == {"one"}
    assert len(lines(served, "no bot thinks there")) <= 3
    assert lines(served, "bots think elsewhere, too").count("one") == 2
    in_time = sample(served, 'fogline_thinking_seconds_bucket{le="2.5"}')
    assert in_time > 0.95 * sample(served, "fogline_thinking_seconds_count")
