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
    """The mean of a number for each game; None without games."""
    if len(values) == 0:
        return None
    mean = float(values.mean())
    reach = _REACH * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Estimate(mean, mean - reach, mean + reach)


def estimate_share(parts: np.ndarray, wholes: np.ndarray, drawn: float = 0.5) -> Estimate | None:
    """(games,), (games,) -> the sum of the parts against that of the wholes; None where there is no whole.

    Whoever won all of ten games would seem certain to win for ever, so one game with the share `drawn` is added to the
    error, as the arena does; the value itself is what was seen.
    """
    whole = float(wholes.sum())
    if whole == 0:
        return None
    share = float(parts.sum()) / whole
    errors = float(((parts - share * wholes) ** 2).sum()) + (drawn - share) ** 2
    reach = _REACH * math.sqrt(errors) / whole
    return Estimate(share, max(0.0, share - reach), min(1.0, share + reach))


def side(estimate: Estimate | None, fair: float) -> int:
    """1 where all of the interval lies above the fair value, -1 where below, 0 where no difference was seen."""
    if estimate is None:
        return 0
    return int(estimate.low > fair) - int(estimate.high < fair)
