"""Pools: the same numbers on one core and on two, and no pool leaves anyone waiting."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from fogline.arena.contest import Contest, hold
from fogline.arena.faults import ArenaError
from fogline.arena.playing import work_of
from fogline.arena.pool import Alone, Processes, open_pool
from tests.arena.arrange import FIRST, match_of, same_games, write_player


def test_the_number_of_cores_changes_nothing(tmp_path: Path) -> None:
    """For compiled players and for one of one's own: players are made in the workers."""
    own = f"{write_player(tmp_path)}:First"
    matches = [match_of("racer", "random", games=600), match_of("racer", own, "random", games=12)]
    with open_pool(2) as two:
        assert isinstance(two, Processes)
        both = [hold(Contest(match), two).outcomes for match in matches]
    with open_pool(1) as one:
        assert isinstance(one, Alone)
        alone = [hold(Contest(match), one).outcomes for match in matches]
    assert all(same_games(*pair) for pair in zip(both, alone, strict=True))


def test_what_goes_wrong_in_a_worker_is_told_here(tmp_path: Path) -> None:
    failing = write_player(tmp_path, FIRST.replace("return view", "return view.nothing"))
    dying = write_player(tmp_path, FIRST.replace("return view", "__import__('os')._exit(1)"), "dying.py")
    with open_pool(2) as pool:
        with pytest.raises(ArenaError, match="first failed in seat 0 of the game of 2 with seed 5"):
            hold(Contest(match_of(f"{failing}:First", "random")), pool)
        with pytest.raises(ArenaError, match="a process that played games has died"):
            hold(Contest(match_of(f"{dying}:First", "random")), pool)


def test_a_pool_that_leaves_stops_what_it_was_playing(tmp_path: Path) -> None:
    """A player that thinks for an hour must not keep anyone."""
    slow = write_player(tmp_path, FIRST.replace("return view", "__import__('time').sleep(3600) or view"))
    with open_pool(2) as pool:
        assert isinstance(pool, Processes)
        piece = pool.hand_out(pickle.dumps(work_of(match_of(f"{slow}:First", "random"))), 0, 1)
        processes = list(pool.executor._processes.values())
    assert all(process.exitcode is not None for process in processes)
    assert piece.done()
