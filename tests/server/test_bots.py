"""Bots think in workers, for as long as their queue allows, and a game goes on whatever becomes of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from fogline.game.game import Game
from fogline.game.record import audit
from fogline.players.player import PLAYERS
from fogline.server.workers.bots import SHORTEST, SOON, budget, think, usual_seconds
from fogline.server.workers.jobs import pack, unpack
from fogline.server.workers.thinkers import usable_cores, usual_thinkers
from tests.server.arrange import OFFER
from tests.server.nursery import Forked
from tests.server.processes import children, gone, wait_until
from tests.server.serving import Person


def test_a_decision_may_take_its_usual_time_while_workers_are_free() -> None:
    for share in (1.0, 2.0, 64.0):
        assert budget(1.0, 0.0, share) == 1.0
        assert budget(5.0, 0.0, share) == SOON


def test_the_longer_the_queue_the_shorter_the_thoughts() -> None:
    budgets = [budget(2.0, 0.0, 1 / waiting) for waiting in range(1, 500)]
    assert budgets == sorted(budgets, reverse=True)
    assert budgets[-1] == SHORTEST


def test_who_has_waited_thinks_for_less() -> None:
    assert budget(2.0, SOON / 2, 1.0) == SOON / 2
    assert budget(2.0, 10 * SOON, 1.0) == SHORTEST


@pytest.mark.parametrize("waiting", [1, 2, 5, 20])
def test_all_who_wait_are_answered_soon(waiting: int) -> None:
    """One worker thinks for one after the other, and each leaves the queue."""
    now = 0.0
    for left in range(waiting, 0, -1):
        now += budget(2.0, now, 1 / left)
    assert now == pytest.approx(SOON)


@pytest.mark.parametrize(("cores", "thinkers"), [(1, 1), (2, 1), (3, 2), (64, 63)])
def test_bots_leave_a_core_to_the_server(cores: int, thinkers: int) -> None:
    assert usual_thinkers(cores) == thinkers


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system ties no program to cores")
def test_bots_count_on_no_core_that_the_system_keeps_from_the_server() -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert usable_cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_only_those_who_think_by_the_clock_are_hurried() -> None:
    assert {name: usual_seconds(name) for name in PLAYERS if usual_seconds(name)} == {"search": 1.0, "master": 2.0}


def test_a_worker_is_given_the_view_of_the_seat_and_no_more() -> None:
    game = Game(OFFER.boards["san_francisco"], players=4, seed=7)
    while not game.over:
        view = game.view(game.seat)
        packed = pack(think, ("master", 1, view, 0.5))
        assert len(packed) < 30_000
        assert unpack(packed, OFFER.boards.values()) == (think, ("master", 1, view, 0.5))
        game.play(PLAYERS["planner"](1).choose(view))


# In a server.


def over(person: Person, table: str) -> bool:
    return bool(person.get(f"/tables/{table}")["table"]["status"] == "over")


def open_slow_table(person: Person) -> str:
    """Its bots need a worker for every decision."""
    return str(person.open_table("neural", "local", map="tiny")["table"]["id"])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Forked]:
    with Forked(f"sqlite:///{tmp_path}/tables.db", tmp_path, "--thinkers=1") as server:
        yield server


def workers_of(served: Forked) -> list[int]:
    assert served.pid is not None
    return children(served.pid)


def stop_worker(served: Forked, person: Person) -> tuple[int, str]:
    """The worker, which stands still, and a table that waits for it."""
    first = open_slow_table(person)
    wait_until(lambda: over(person, first))
    (worker,) = workers_of(served)
    os.kill(worker, signal.SIGSTOP)
    return worker, open_slow_table(person)


def test_a_server_whose_bots_are_quick_needs_no_worker(served: Forked) -> None:
    ann = Person(served.url)
    table = ann.open_table("racer", "planner", map="tiny")["table"]["id"]
    wait_until(lambda: over(ann, table))
    assert workers_of(served) == []


def test_a_worker_that_is_stuck_keeps_only_its_own_queue_waiting(served: Forked) -> None:
    ann, bob = Person(served.url), Person(served.url)
    worker, slow = stop_worker(served, ann)
    quick = bob.open_table("racer", "planner", map="tiny")["table"]["id"]
    wait_until(lambda: over(bob, quick))
    assert bob.http.get("/health").status_code == 200
    assert not over(ann, slow)
    os.kill(worker, signal.SIGCONT)
    wait_until(lambda: over(ann, slow))
    assert served.troubles() == []


def test_a_game_goes_on_when_its_worker_is_killed(served: Forked) -> None:
    ann = Person(served.url)
    worker, table = stop_worker(served, ann)
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: over(ann, table))
    assert audit(ann.get(f"/tables/{table}/record")).finished
    assert worker not in workers_of(served)
    assert {entry["event"] for entry in served.troubles()} == {"a worker has died"}


def test_a_worker_that_was_killed_while_it_had_nothing_to_do_is_replaced(served: Forked) -> None:
    ann = Person(served.url)
    first = open_slow_table(ann)
    wait_until(lambda: over(ann, first))
    (worker,) = workers_of(served)
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: worker not in workers_of(served))
    second = open_slow_table(ann)
    wait_until(lambda: over(ann, second))
    assert {entry["event"] for entry in served.troubles()} == {"a worker has died"}


@pytest.mark.parametrize("how", ["kill", "stop"])
def test_workers_end_with_the_server_however_it_ends(served: Forked, how: str) -> None:
    worker, _ = stop_worker(served, Person(served.url))
    if how == "kill":
        os.kill(worker, signal.SIGCONT)  # who stands still hears of nothing
    getattr(served, how)()
    wait_until(lambda: gone(worker))
