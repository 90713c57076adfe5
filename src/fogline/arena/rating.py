"""Elo ratings by Bradley and Terry: one number a player. Differences say how often one player finishes above another.

Every pair gets one drawn game more than it played. It keeps the rating of a player who wins everything finite, and
stops mattering as soon as there are many games.
"""

from __future__ import annotations

import math

import numpy as np

ELO = 400 / math.log(10)
_MOST_STEPS = 500
_ENOUGH = 1e-6
"""The search ends when a step is shorter than a thousandth of an Elo point."""


def elo(wins: np.ndarray, anchor: int, drawn: np.ndarray | float = 1.0) -> np.ndarray:
    """(…, players, players) -> (…, players): ratings from how often one stood above another. The anchor has 0.

    `drawn` is how many drawn games each pair gets in addition, half a win for either.

    >>> elo(np.array([[0, 30], [10, 0]]), anchor=1).round().tolist()
    [185.0, 0.0]
    """
    players = wins.shape[-1]
    wins = wins + 0.5 * drawn * (1 - np.eye(players))
    free = [player for player in range(players) if player != anchor]
    strengths = np.zeros(wins.shape[:-1])
    for _ in range(_MOST_STEPS):
        step = _newton(wins, strengths, free)
        strengths += step
        if np.abs(step).max(initial=0) < _ENOUGH:
            return ELO * strengths
    raise ArithmeticError("the ratings do not settle")


def _newton(wins: np.ndarray, strengths: np.ndarray, free: list[int]) -> np.ndarray:
    """A step towards the greatest likelihood, shortened so that it always comes closer.

    Along any line the third derivative of the logarithm is at most the second times the spread of the step. Newton's
    own step, shortened to log(1 + spread) / spread of its length, then never fails (Sun and Tran-Dinh 2019).
    """
    games = wins + np.swapaxes(wins, -1, -2)
    chances = _logistic(strengths[..., :, None] - strengths[..., None, :])
    slope = (wins - games * chances).sum(axis=-1)
    bend = games * chances * (1 - chances)
    bends = -bend
    diagonal = np.arange(bend.shape[-1])
    bends[..., diagonal, diagonal] += bend.sum(axis=-1)
    rows, columns = np.ix_(free, free)
    step = np.zeros_like(strengths)
    step[..., free] = np.linalg.solve(bends[..., rows, columns], slope[..., free, None])[..., 0]
    spread = np.maximum(np.ptp(step, axis=-1, keepdims=True), 1e-12)
    return np.asarray(step * np.log1p(spread) / spread)


def _logistic(x: np.ndarray) -> np.ndarray:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)))
