"""Ratings: against cases worked out by hand, against known strengths, and never without an answer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fogline.arena.blocks import sum_blocks
from fogline.arena.rating import ELO, elo
from tests.arena.arrange import match_of, simulate


@pytest.mark.parametrize(("won", "lost"), [(1, 1), (30, 10), (5.5, 94.5), (1000, 0), (0, 0)])
def test_two_players_differ_by_the_logarithm_of_their_odds(won: float, lost: float) -> None:
    """With one drawn game more, by hand."""
    found = elo(np.array([[0, won], [lost, 0]]), anchor=1)
    assert found[1] == 0
    assert found[0] == pytest.approx(400 * math.log10((won + 0.5) / (lost + 0.5)))


def test_three_players_by_hand() -> None:
    """With the odds 4 : 2 : 1, each pair's 300 games, the drawn one included, are split as those odds say."""
    odds = np.array([4.0, 2.0, 1.0])
    wins = 300 * odds[:, None] / (odds[:, None] + odds)
    found = elo((wins - 0.5) * (1 - np.eye(3)), anchor=2)
    assert found == pytest.approx([400 * math.log10(4), 400 * math.log10(2), 0])


def test_the_anchor_only_moves_the_scale() -> None:
    wins = np.array([[0, 7, 9], [3, 0, 8], [1, 2, 0]])
    found = [elo(wins, anchor) for anchor in range(3)]
    assert all(ratings[anchor] == 0 for anchor, ratings in enumerate(found))
    assert found[1] == pytest.approx(found[0] - found[0][1])


def test_who_wins_everything_gets_a_finite_rating_and_more_games_raise_it() -> None:
    ratings = [elo(np.array([[0, games], [0, 0]]), anchor=1)[0] for games in (1, 10, 100, 10**6, 10**9)]
    assert np.isfinite(ratings).all()
    assert ratings == sorted(ratings)


def test_a_fit_settles_whatever_the_results_and_is_where_the_likelihood_is_greatest() -> None:
    """Hostile ones: all pairs lopsided, circles, some never met, a million games beside one."""
    generator = np.random.default_rng(3)
    wins = generator.choice([0, 1, 3, 1000, 10**6], size=(2000, 5, 5)) * (1 - np.eye(5))
    ratings = elo(wins, anchor=0)
    strengths = ratings / ELO
    wins = wins + 0.5 * (1 - np.eye(5))
    games = wins + wins.swapaxes(1, 2)
    chances = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
    slope = (wins - games * chances).sum(axis=2)
    assert np.abs(slope / games.sum(axis=2)).max() < 1e-7


def test_many_fits_at_once_are_the_fits_one_by_one() -> None:
    wins = np.random.default_rng(4).integers(0, 50, size=(20, 4, 4))
    together = elo(wins, anchor=3)
    assert all(np.allclose(elo(one, anchor=3), ratings) for one, ratings in zip(wins, together, strict=True))


@pytest.mark.parametrize(("names", "players"), [(("racer", "random"), 2), (("racer", "random", "planner"), 3)])
def test_known_strengths_are_found_again(names: tuple[str, ...], players: int) -> None:
    match = match_of(*names, players=players, games=40_000)
    strengths = [1.0, 0.0, -0.5][: len(names)]
    blocks = sum_blocks(match, simulate(match, strengths, np.random.default_rng(5)))
    found = elo(blocks.pairs.sum(axis=0) / 2, anchor=1)
    assert found == pytest.approx(ELO * np.array(strengths), abs=6)


def test_known_strengths_are_found_again_when_one_sits_among_three_of_the_other() -> None:
    match = match_of("racer", "random", players=4, games=40_000)
    blocks = sum_blocks(match, simulate(match, [0.7, 0.0], np.random.default_rng(6)))
    assert elo(blocks.pairs.sum(axis=0) / 2, anchor=1)[0] == pytest.approx(ELO * 0.7, abs=6)
