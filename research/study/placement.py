"""Where the second of two seats places its tokens (2.8), and how often the first then wins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from fogline.arena.bootstrap import Estimate
from fogline.maps.board import Board
from fogline.maps.mapfile import SET_ASIDE
from research.study.played import Played
from research.study.series import RANDOM_PLACES, Places, Series, free_locations
from research.study.workers import Workers

AS_IT_WISHES, AT_RANDOM, BEST_PAIR = "as the player wishes", "at random", "the best pair found"

TRIED_PAIRS = 6
"""Pairs of locations that get games of their own: those that look best for seat 1 in random placements."""
RANDOM_BY = 2
"""Random placements get this many times the games of other policies, because all locations share them."""


@dataclass(frozen=True)
class Placement:
    """All shares are win shares of seat 0."""

    games: int  # by each policy
    anywhere: Estimate  # with both tokens placed at random
    locations: dict[str, Estimate]  # with a token on this location, the other anywhere
    tried: dict[tuple[str, str], Estimate]  # the pairs that looked best for seat 1
    best: tuple[str, str]  # of those tried, the best for seat 1
    policies: dict[str, Estimate]  # on fresh seeds, the same for all


def study_placement(series: Series, workers: Workers) -> Placement:
    """Plays random placements, then the likeliest pairs, then the best pair on fresh seeds against other policies."""
    board, games = series.board, series.games

    def play(places: Places, first: int, count: int) -> Played:
        part = replace(series, places=places, seed=series.game_seed(first), games=count)
        return Played(board, 2, workers.play(part))

    random = play(RANDOM_PLACES, 0, RANDOM_BY * games)
    fresh = RANDOM_BY * games
    tried = {pair: _first_seat(play(pair, fresh, _trial(games))) for pair in promising_pairs(board, random)}
    best = min(tried, key=lambda pair: tried[pair].value)
    fresh += _trial(games)
    policies: dict[str, Places] = {AS_IT_WISHES: None, AT_RANDOM: RANDOM_PLACES, BEST_PAIR: best}
    return Placement(
        games=games,
        anywhere=_first_seat(random),
        locations=location_shares(board, random),
        tried={_names(board, pair): share for pair, share in tried.items()},
        best=_names(board, best),
        policies={name: _first_seat(play(places, fresh, games)) for name, places in policies.items()},
    )


def placement_games(games: int) -> int:
    """How many games that takes at most."""
    return (RANDOM_BY + 3) * games + TRIED_PAIRS * _trial(games)


def _trial(games: int) -> int:
    return max(1, games // TRIED_PAIRS)


def placed_tokens(board: Board, played: Played) -> np.ndarray:
    """(games, locations) -> whether one of the two set-aside kinds was placed there."""
    return np.asarray(played.records["souvenir"] >= len(board.souvenirs) - SET_ASIDE)


def location_shares(board: Board, played: Played) -> dict[str, Estimate]:
    """By location: the win share of seat 0 in games with a token placed there."""
    placed, shares = placed_tokens(board, played), {}
    for number in free_locations(board):
        games = placed[:, number]
        if games.any():
            shares[board.locations[number].id] = _first_seat(Played(board, 2, played.records[games]))
    return shares


def promising_pairs(board: Board, played: Played) -> list[tuple[int, int]]:
    """The pairs with which seat 0 should win least, if the effects of two locations add up; most promising first."""
    free = free_locations(board)
    placed = placed_tokens(board, played)[:, free].astype(float)
    effects = np.linalg.lstsq(placed, played.victory[:, 0], rcond=None)[0]
    effect = dict(zip(free, effects.tolist(), strict=True))
    return sorted(combinations(free, 2), key=lambda pair: effect[pair[0]] + effect[pair[1]])[:TRIED_PAIRS]


def _first_seat(played: Played) -> Estimate:
    return played.seat_shares()[0]


def _names(board: Board, pair: tuple[int, int]) -> tuple[str, str]:
    return board.locations[pair[0]].id, board.locations[pair[1]].id
