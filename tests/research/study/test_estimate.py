"""Figures and their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from fogline.arena.bootstrap import Estimate
from research.study.estimate import differ, estimate_mean, estimate_share, side


def test_a_share_has_the_interval_of_wilson() -> None:
    """8 of 10: the interval that tables of statistics give."""
    share = estimate_share(np.array([1.0] * 8 + [0.0] * 2), np.ones(10))
    assert share is not None
    assert (share.value, round(share.low, 4), round(share.high, 4)) == (0.8, 0.4902, 0.9433)


def test_who_won_all_of_few_games_is_not_certain_to_win() -> None:
    share = estimate_share(np.ones(6), np.ones(6))
    assert share is not None
    assert (share.value, share.high) == (1.0, 1.0)
    assert share.low == pytest.approx(0.61, abs=0.005)


def test_two_seats_that_share_a_game_are_no_two_games() -> None:
    """The same share from as many games has the same interval, whether a game has one part or two alike."""
    single = estimate_share(np.array([1.0, 0.0] * 20), np.ones(40))
    double = estimate_share(np.array([2.0, 0.0] * 20), np.full(40, 2.0))
    assert single == double


def test_seats_that_balance_each_other_in_every_game_leave_less_to_chance() -> None:
    balanced = estimate_share(np.ones(40), np.full(40, 2.0))
    single = estimate_share(np.array([1.0, 0.0] * 20), np.ones(40))
    assert balanced is not None
    assert single is not None
    assert balanced.high - balanced.low < single.high - single.low


def test_games_without_the_thing_do_not_count() -> None:
    with_others = estimate_share(np.array([1.0, 0.0, 0.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0]))
    assert with_others == estimate_share(np.array([1.0, 0.0]), np.ones(2))


def test_nothing_is_said_of_what_was_never_seen() -> None:
    assert estimate_share(np.zeros(5), np.zeros(5)) is None
    assert estimate_mean(np.zeros(0)) is None
    assert estimate_mean(np.ones(1)) is None


def test_a_mean_has_two_standard_errors_on_either_side() -> None:
    mean = estimate_mean(np.array([0.0, 2.0] * 50))
    assert mean is not None
    assert mean.value == 1.0
    assert mean.high - mean.value == pytest.approx(1.96 * np.sqrt(100 / 99) / 10, abs=1e-4)
    assert mean.high - mean.value == pytest.approx(mean.value - mean.low)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        share = estimate_share((generator.random(60) < 0.1).astype(float), np.ones(60))
        assert share is not None
        covered += share.low <= 0.1 <= share.high
    assert 368 <= covered <= 396


@pytest.mark.parametrize(("low", "high", "expected"), [(0.51, 0.6, 1), (0.4, 0.49, -1), (0.45, 0.55, 0)])
def test_a_difference_is_seen_when_the_whole_interval_lies_on_one_side(low: float, high: float, expected: int) -> None:
    assert side(Estimate((low + high) / 2, low, high), 0.5) == expected
    assert side(None, 0.5) == 0


@pytest.mark.parametrize(("second", "seen"), [(0.56, False), (0.58, True)])
def test_two_figures_differ_by_more_than_both_errors_together(second: float, seen: bool) -> None:
    """Each has an error of 0.05, both have 0.0707."""
    assert differ(Estimate(0.5, 0.45, 0.55), Estimate(second, second - 0.05, second + 0.05)) == seen
