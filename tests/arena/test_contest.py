"""Contests: whole blocks count, a verdict ends them, and so does Ctrl-C, with what was played so far."""

from __future__ import annotations

import numpy as np
import pytest

from fogline.arena.contest import Contest, hold
from fogline.arena.match import Match
from fogline.arena.outcome import new_outcomes
from fogline.arena.playing import play, work_of
from fogline.arena.pool import Alone, play_pieces
from fogline.arena.sprt import HIGH, LOW, Sprt
from tests.arena.arrange import match_of, same_games, simulate


class Scripted:
    """A pool that plays nothing: its outcomes are known."""

    workers = 2

    def __init__(self, outcomes: np.ndarray) -> None:
        self.outcomes = outcomes
        self.taken = 0

    def hand_out(self, packed: bytes, first: int, last: int) -> np.ndarray:
        return self.outcomes[first:last]

    def take_back(self, piece: np.ndarray) -> np.ndarray:
        self.taken += len(piece)
        return piece

    def leave(self) -> None:
        pass


def test_a_contest_holds_the_games_of_its_match() -> None:
    match = match_of("racer", "random", games=600)
    contest = hold(Contest(match), Alone())
    assert same_games(contest.outcomes, play(match, 0, 600))
    assert contest.share == pytest.approx(contest.blocks.shares[:, 0].mean())
    assert not contest.interrupted


def test_only_whole_blocks_count() -> None:
    match = match_of("racer", "random", "planner", games=18)
    contest, outcomes = Contest(match), play(match, 0, 18)
    assert (len(contest.outcomes), contest.share) == (0, None)
    for played, counted in ((5, 0), (6, 6), (11, 6), (17, 12), (18, 18)):
        contest.add(outcomes[contest.played : played])
        assert same_games(contest.outcomes, outcomes[:counted])


def test_progress_hears_of_every_piece() -> None:
    match = match_of("racer", "random", games=600)
    heard: list[int] = []
    hold(Contest(match), Alone(), lambda contest: heard.append(contest.played))
    assert heard == [256, 512, 600]


def interrupted_after(match: Match, games: int) -> Contest:
    def interrupt(contest: Contest) -> None:
        if contest.played >= games:
            raise KeyboardInterrupt

    return hold(Contest(match, Sprt(0.5, 0.9)), Alone(), interrupt)


def test_an_interrupted_contest_keeps_what_was_played() -> None:
    match = match_of("search@2", "random", games=20)
    contest = interrupted_after(match, 7)
    assert contest.interrupted
    assert same_games(contest.outcomes, play(match, 0, 6))
    assert len(interrupted_after(match, 1).outcomes) == 0


@pytest.mark.parametrize(("strength", "accepted"), [(2.0, HIGH), (0.0, LOW)])
def test_a_verdict_ends_a_contest_and_later_games_do_not_count(strength: float, accepted: str) -> None:
    match = match_of("racer", "random", games=10_000)
    outcomes = simulate(match, [strength, 0.0], np.random.default_rng(1))
    contest = hold(Contest(match, Sprt(0.5, 0.6)), pool := Scripted(outcomes))
    assert contest.verdict is not None
    assert contest.verdict.accepted == accepted
    assert len(contest.outcomes) == 2 * contest.verdict.blocks < 2000
    assert pool.taken < 10_000
    one_by_one = Contest(match, Sprt(0.5, 0.6))
    while not one_by_one.decided:
        one_by_one.add(outcomes[one_by_one.played : one_by_one.played + 1])
    assert same_games(one_by_one.outcomes, contest.outcomes)


def test_a_test_that_runs_out_of_games_is_undecided() -> None:
    match = match_of("racer", "random", games=60)
    contest = hold(Contest(match, Sprt(0.5, 0.51)), Scripted(simulate(match, [0, 0], np.random.default_rng(1))))
    assert contest.verdict is not None
    assert (contest.verdict.accepted, contest.verdict.blocks) == (None, 30)
    assert len(contest.outcomes) == 60


def test_pieces_come_back_in_order_however_they_are_played() -> None:
    match = match_of("racer", "random", games=1000)
    outcomes = new_outcomes(2, 1000)
    outcomes["actions"] = np.arange(1000)
    found = np.concatenate(list(play_pieces(work_of(match), Scripted(outcomes))))
    assert found["actions"].tolist() == list(range(1000))
