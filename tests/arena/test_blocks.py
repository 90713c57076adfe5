"""Blocks: sums over the seatings, by hand."""

from __future__ import annotations

import numpy as np

from fogline.arena.blocks import sum_blocks
from fogline.arena.outcome import VICTORY, new_outcomes
from tests.arena.arrange import match_of, simulate


def test_two_games_of_a_block_are_summed() -> None:
    match = match_of("racer", "random", games=4)
    outcomes = new_outcomes(2, 4)
    outcomes["entrant"] = [[0, 1], [1, 0], [0, 1], [1, 0]]
    outcomes["routes"] = [[9, 1], [1, 9], [5, 5], [9, 1]]  # the racer wins twice; a shared victory and a defeat
    blocks = sum_blocks(match, outcomes)
    assert blocks.wins.tolist() == [[24, 0], [6, 18]]
    assert blocks.shares.tolist() == [[1.0, 0.0], [0.25, 0.75]]
    assert blocks.pairs.tolist() == [[[0, 4], [0, 0]], [[0, 1], [3, 0]]]
    assert blocks.seats.tolist() == [2, 2]


def test_seats_of_one_player_are_not_compared_with_each_other() -> None:
    match = match_of("racer", "random", players=3, games=3)
    outcomes = new_outcomes(3, 3)
    outcomes["entrant"] = match.seatings
    outcomes["routes"] = np.where(outcomes["entrant"] == 0, 5, [9, 7, 1])  # the racer between two of the others
    blocks = sum_blocks(match, outcomes)
    assert blocks.seats.tolist() == [3, 6]
    assert blocks.pairs[0, 0, 0] == blocks.pairs[0, 1, 1] == 0
    assert blocks.pairs[0, 0, 1] + blocks.pairs[0, 1, 0] == 2 * 6


def test_every_victory_is_someones_and_a_drawn_block_is_fair() -> None:
    for names, players in ((("racer", "random"), 4), (("racer", "random", "planner"), 3)):
        match = match_of(*names, players=players, games=48)
        blocks = sum_blocks(match, simulate(match, [0.5] * len(names), np.random.default_rng(1)))
        assert (blocks.wins.sum(axis=1) == VICTORY * len(match.seatings)).all()
        assert (blocks.drawn_wins / (VICTORY * blocks.seats) == 1 / players).all()
        assert (blocks.drawn_pairs == blocks.drawn_pairs.T).all()
        assert (blocks.pairs + blocks.pairs.swapaxes(1, 2) == 2 * blocks.drawn_pairs).all()
