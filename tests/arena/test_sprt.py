"""The sequential test: right about 95 times in 100, by simulation, and the same however the games come in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fogline.arena.faults import ArenaError
from fogline.arena.sprt import HIGH, LOW, Sprt, Verdict
from tests.tier import pick

RUNS = 300


def pairs_of_games(generator: np.random.Generator, share: float, blocks: int) -> np.ndarray:
    """Two games a block, on the same cards: the better cards win more often than the better player."""
    split = min(share, 1 - share)
    luck = generator.random(blocks)
    return np.where(luck < share - split / 2, 1.0, np.where(luck < share + split / 2, 0.5, 0.0))


def run(sprt: Sprt, generator: np.random.Generator, share: float) -> Verdict:
    """Fifty blocks at a time, as games come in."""
    shares = np.zeros(0)
    while len(shares) < 5000:
        known = len(shares)
        shares = np.concatenate([shares, pairs_of_games(generator, share, 50)])
        verdict = sprt.judge(shares, known)
        if verdict.accepted:
            return verdict
    raise AssertionError("it never decides")


@pytest.mark.parametrize(("low", "high"), pick([(0.9, 0.95)], [(0.5, 0.6), (0.9, 0.95), (0.25, 0.35)]))
def test_either_error_happens_about_once_in_twenty(low: float, high: float) -> None:
    generator = np.random.default_rng(1)
    for truth, wrong in ((low, HIGH), (high, LOW)):
        errors = sum(run(Sprt(low, high), generator, truth).accepted == wrong for _ in range(RUNS)) / RUNS
        assert 0.015 < errors < 0.085, (truth, errors)


def test_a_clear_case_takes_few_games_and_one_in_the_middle_takes_more() -> None:
    generator = np.random.default_rng(2)
    blocks = {
        share: np.mean([run(Sprt(0.5, 0.6), generator, share).blocks for _ in range(60)]) for share in (0.4, 0.55, 0.8)
    }
    assert blocks[0.4] < blocks[0.55] / 2
    assert blocks[0.8] < blocks[0.55] / 2


def test_the_ratio_of_single_games_is_the_one_of_the_textbook() -> None:
    """Blocks that are won or lost: log((h/l)^wins * ((1-h)/(1-l))^losses), by Wald."""
    shares = np.random.default_rng(3).integers(0, 2, size=50).astype(float)
    wins, losses = np.cumsum(shares), np.cumsum(1 - shares)
    expected = wins * math.log(0.6 / 0.5) + losses * math.log(0.4 / 0.5)
    assert Sprt(0.5, 0.6).ratios(shares) == pytest.approx(expected, abs=0.01)


def test_it_makes_no_difference_how_many_blocks_come_at_a_time() -> None:
    generator = np.random.default_rng(4)
    sprt = Sprt(0.5, 0.6)
    shares = pairs_of_games(generator, 0.57, 3000)
    whole = sprt.judge(shares)
    assert whole.accepted
    for size in (1, 7, 64):
        known = 0
        while True:
            verdict = sprt.judge(shares[: known + size], since=known)
            if verdict.accepted:
                break
            known += size
        assert (verdict.accepted, verdict.blocks) == (whole.accepted, whole.blocks)
        assert verdict.ratio == pytest.approx(whole.ratio)


def test_who_wins_everything_is_accepted_at_the_first_block_that_may_decide() -> None:
    assert Sprt(0.5, 0.55).judge(np.ones(100)).accepted == HIGH
    assert Sprt(0.5, 0.55).judge(np.zeros(100)).accepted == LOW
    assert Sprt(0.5, 0.9).judge(np.ones(100)).blocks == 20
    assert Sprt(0.5, 0.9).judge(np.ones(19)) == Verdict(None, 19, 0.0)


def test_the_bounds_are_those_of_wald() -> None:
    assert Sprt(0.5, 0.6).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0.5, 0.6, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


@pytest.mark.parametrize(("low", "high"), [(0.6, 0.5), (0.5, 0.5), (0.0, 0.5), (0.5, 1.0), (float("nan"), 0.5)])
def test_two_shares_must_differ_and_lie_between_0_and_1(low: float, high: float) -> None:
    with pytest.raises(ArenaError, match="0 < LOW < HIGH < 1"):
        Sprt(low, high)
