"""One style among planners: whether racing, or another habit with tickets, wins more than its fair share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fogline.arena.bootstrap import Estimate
from research.study.estimate import estimate_mean, estimate_share
from research.study.played import Played
from research.study.series import Series
from research.study.workers import Workers

OTHERS = "planner"
CONTENDERS = {
    "racer": "the racer: claims the longest route that it can, and keeps the cheaper ticket",
    "keeps one": "a planner that always keeps one ticket of two, the one of which its plan promises more",
    "keeps both": "a planner that always keeps both tickets",
    "draws more": "a planner that draws tickets first, until it holds three",
}
"""Styles, in words."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one did among planners, over all its seats."""

    style: str
    players: int
    won: Estimate
    points: Estimate  # more than a planner's mean in the same game


def study_contests(series: Series, workers: Workers) -> list[Standing]:
    """Each contender in turn takes one seat of the series; planners have the others."""
    return [_contest(series, style, workers) for style in CONTENDERS]


def contest_games(players: int, seeds: int) -> int:
    return len(CONTENDERS) * players * seeds


def _contest(series: Series, style: str, workers: Workers) -> Standing:
    """Plays every seed once with the style in each seat, so that neither cards nor seats can favour anyone."""
    players, won, lead = series.players, np.zeros(series.games), np.zeros(series.games)
    for seat in range(players):
        seats = tuple(style if other == seat else OTHERS for other in range(players))
        played = Played(series.board, players, workers.play(replace(series, seats=seats)))
        scores = played.records["score"][:, :players].astype(float)
        won += played.victory[:, seat] / players
        lead += (scores[:, seat] - np.delete(scores, seat, axis=1).mean(axis=1)) / players
    share, points = estimate_share(won, np.ones(series.games)), estimate_mean(lead)
    assert share is not None
    assert points is not None
    return Standing(style, players, share, points)
