"""The sequential test: play until it is clear which of two win shares fits better.

After every block it compares the likelihoods of the two, each under the distribution of block results with that mean
that fits best. This is the generalised test with which chess engines are tested on pairs of games. It needs no
independence within a block, and keeps its error rates near win shares of 0 and 1, where normal approximations fail.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fogline.arena.faults import ArenaError

LOW, HIGH = "low", "high"
_FEWEST = 20
"""Blocks before the first decision: fewer say too little about the spread of results."""
_UNSEEN = 1e-3
"""How often the worst and the best result count as seen before the first block."""
_HALVINGS = 45


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a sequential test says."""

    accepted: str | None  # LOW, HIGH, or None while it is undecided
    blocks: int  # how many blocks it took
    ratio: float  # the logarithm of the likelihood ratio at that moment


@dataclass(frozen=True, slots=True)
class Sprt:
    """Tests whether a win share is `low` or `high`; either error has a chance of about one in twenty."""

    low: float
    high: float
    alpha: float = 0.05  # of accepting `high` when `low` is so
    beta: float = 0.05  # of accepting `low` when `high` is so

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high < 1:
            raise ArenaError(f"a sequential test needs 0 < LOW < HIGH < 1, not {self.low:g} and {self.high:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which the test decides for `low` and for `high`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratios(self, shares: np.ndarray, since: int = 0) -> np.ndarray:
        """The log likelihood ratio after each block, from number `since` on."""
        kinds, found = np.unique(np.concatenate([[0.0, 1.0], shares]), return_inverse=True)
        known = np.bincount(found[2 : 2 + since], minlength=len(kinds))
        counts = known + np.cumsum(found[2 + since :, None] == np.arange(len(kinds)), axis=0)
        counts = counts + _UNSEEN * ((kinds == 0) | (kinds == 1))
        return np.asarray(_log_likelihood(counts, kinds, self.high) - _log_likelihood(counts, kinds, self.low))

    def judge(self, shares: np.ndarray, since: int = 0) -> Verdict:
        """The verdict at the first block that decides; the first `since` blocks are known to decide nothing."""
        start = max(since, _FEWEST - 1)
        if len(shares) <= start:
            return Verdict(None, len(shares), 0.0)
        ratios = self.ratios(shares, start)
        low, high = self.bounds
        decided = (ratios <= low) | (ratios >= high)
        if not decided.any():
            return Verdict(None, len(shares), float(ratios[-1]))
        first = int(np.argmax(decided))
        return Verdict(HIGH if ratios[first] >= high else LOW, start + first + 1, float(ratios[first]))


def _log_likelihood(counts: np.ndarray, kinds: np.ndarray, mean: float) -> np.ndarray:
    """(blocks, kinds) -> (blocks,): the log likelihood, up to a term that is the same for all means.

    Of all distributions with this mean, the likeliest has probabilities in proportion to counts / (1 + tilt * (kind -
    mean)). The tilt must make the mean right. Bisection finds it, because the excess falls from plus to minus infinity.
    """
    away = kinds - mean
    left = np.full(len(counts), -1 / away.max())
    right = np.full(len(counts), -1 / away.min())
    for _ in range(_HALVINGS):
        tilt = (left + right) / 2
        excess = (counts * away / (1 + tilt[:, None] * away)).sum(axis=1)
        left, right = np.where(excess > 0, tilt, left), np.where(excess > 0, right, tilt)
    return np.asarray(-(counts * np.log1p(((left + right) / 2)[:, None] * away)).sum(axis=1))
