"""Intervals: they hold the truth about 95 times in 100, and are never without width for who won everything."""

from __future__ import annotations

import numpy as np
import pytest

from fogline.arena.blocks import Blocks, sum_blocks
from fogline.arena.bootstrap import RESAMPLES, Estimate, estimates, resample, resample_drawn
from fogline.arena.rating import ELO, elo
from tests.arena.arrange import match_of, simulate
from tests.tier import pick

EXPERIMENTS = 300


def intervals(blocks: Blocks) -> tuple[Estimate, Estimate]:
    """The first entrant's win share and rating."""
    shares, pairs = resample(blocks)
    share = estimates(blocks.shares.mean(axis=0), shares)
    rating = estimates(elo(blocks.pairs.sum(axis=0) / 2, 1), elo(pairs / 2, 1, resample_drawn(2)))
    return share[0], rating[0]


@pytest.mark.parametrize(("players", "strength"), pick([(2, 4.0)], [(2, 0.4), (2, 4.0), (4, 1.0)]))
def test_the_truth_lies_in_about_95_of_100_intervals(players: int, strength: float) -> None:
    """Also of those of a player who wins 98 in 100."""
    match = match_of("racer", "random", players=players, games=100 * players)
    truth = np.exp(strength) / (np.exp(strength) + players - 1)
    generator = np.random.default_rng(7)
    held = np.zeros((EXPERIMENTS, 2))
    for experiment in range(EXPERIMENTS):
        share, rating = intervals(sum_blocks(match, simulate(match, [strength, 0.0], generator)))
        held[experiment] = share.low <= truth <= share.high, rating.low <= ELO * strength <= rating.high
    assert (held.mean(axis=0) > 0.91).all()
    assert (held.mean(axis=0) < 0.99).all()


def test_games_of_a_block_that_are_all_alike_count_as_one() -> None:
    """Blocks are drawn again, not games: what the cards decide must not look like certainty."""
    match = match_of("racer", "random", players=2, games=400)
    apart = sum_blocks(match, simulate(match, [0.0, 0.0], np.random.default_rng(8)))
    wins = np.where(np.random.default_rng(9).random(200) < 0.5, 24, 0)
    alike = Blocks(np.stack([wins, 24 - wins], axis=1), apart.pairs, apart.seats, apart.drawn_wins, apart.drawn_pairs)
    widths = [share.high - share.low for share, _ in (intervals(apart), intervals(alike))]
    assert widths[1] / widths[0] == pytest.approx(2**0.5, rel=0.15)


def test_who_won_everything_is_not_certain_to_go_on() -> None:
    match = match_of("racer", "random", games=200)
    share, rating = intervals(sum_blocks(match, simulate(match, [100.0, 0.0], np.random.default_rng(1))))
    assert share.value == 1.0
    assert share.high > 0.999
    assert 0.97 < share.low < 0.99  # between 3 in 100 games and 3 in 100 blocks, as the rule of three has it
    assert rating.low < rating.value - 100
    assert rating.value + 300 < rating.high < 3000


def test_the_same_blocks_give_the_same_intervals_and_another_stream_others() -> None:
    match = match_of("racer", "random", games=200)
    blocks = sum_blocks(match, simulate(match, [0.3, 0.0], np.random.default_rng(2)))
    first, again, other = resample(blocks), resample(blocks), resample(blocks, stream=1)
    assert len(first[0]) == len(first[1]) == RESAMPLES
    assert all(np.array_equal(one, two) for one, two in zip(first, again, strict=True))
    assert not np.array_equal(first[0], other[0])
