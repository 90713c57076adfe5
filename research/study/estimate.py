"""Figures with their 95 % intervals.

Games are the unit: those of a series have a seed each and are independent, while the seats of one game are not.
"""

from __future__ import annotations

import math

import numpy as np

from fogline.arena.bootstrap import Estimate

_REACH = 1.959963984540054
"""Standard errors on either side that hold 95 % of a normal distribution."""


def estimate_mean(values: np.ndarray) -> Estimate | None:
    """The mean of a number for each game; None with fewer than two games, which say nothing about chance."""
    if len(values) < 2:
        return None
    mean = float(values.mean())
    reach = _REACH * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Estimate(mean, mean - reach, mean + reach)


def estimate_share(parts: np.ndarray, wholes: np.ndarray) -> Estimate | None:
    """(games,), (games,) -> the sum of the parts against that of the wholes; None without a whole.

    The interval is Wilson's, which is honest with few games and near 0 and 1; its variance is that between games.
    """
    games, whole = int(np.count_nonzero(wholes)), float(wholes.sum())
    if games == 0:
        return None
    share = float(parts.sum()) / whole
    variance = float(((parts - share * wholes) ** 2).sum()) / whole**2
    pull = _REACH**2 / games  # towards one half
    centre = (share + pull / 2) / (1 + pull)
    reach = _REACH * math.sqrt(variance + pull / (4 * games)) / (1 + pull)
    return Estimate(share, max(0.0, min(share, centre - reach)), min(1.0, max(share, centre + reach)))


def differ(first: Estimate, second: Estimate) -> bool:
    """Whether two independent figures differ: the squares of their errors add up."""
    reach = math.hypot(first.high - first.low, second.high - second.low) / 2
    return abs(first.value - second.value) > reach


def side(estimate: Estimate | None, fair: float) -> int:
    """1 if the whole interval lies above the fair value, -1 if below, 0 if no difference was seen."""
    if estimate is None:
        return 0
    return int(estimate.low > fair) - int(estimate.high < fair)
