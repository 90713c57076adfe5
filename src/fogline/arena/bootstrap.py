"""How far chance may have moved a result: the blocks are drawn a thousand times, with replacement.

Blocks are the unit because the games of a block share their cards. A player who won everything would win everything in
each drawing too, and look certain to go on for ever. So one drawn block is added to the win shares, as one drawn game a
pair is added in the ratings. Its weight is also drawn each time, from an exponential distribution of mean one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fogline.arena.blocks import Blocks
from fogline.arena.outcome import VICTORY

RESAMPLES = 1000
LEVEL = 0.95
_SEED = 0xB00
_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and the interval in which it lies with 95 % certainty."""

    value: float
    low: float
    high: float


def resample(blocks: Blocks, stream: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Win shares (RESAMPLES, entrants) and pairs (RESAMPLES, entrants, entrants); another stream draws other blocks."""
    count, entrants = blocks.wins.shape
    rows = np.concatenate([blocks.wins, blocks.pairs.reshape(count, -1)], axis=1)
    # Few kinds of blocks exist, and drawing the number of each kind is the same as drawing them one by one.
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    generator = np.random.default_rng([_SEED, stream])
    draws = (generator.multinomial(count, counts / count, size=_AT_ONCE) for _ in range(RESAMPLES // _AT_ONCE))
    sums = np.concatenate([drawn @ kinds for drawn in draws])
    weight = generator.exponential(size=(RESAMPLES, 1))
    shares = (sums[:, :entrants] + weight * blocks.drawn_wins) / (VICTORY * blocks.seats * (count + weight))
    return shares, sums[:, entrants:].reshape(-1, entrants, entrants)


def resample_drawn(entrants: int) -> np.ndarray:
    """(RESAMPLES, entrants, entrants): the weight of the drawn game that each pair gets in a rating."""
    upper = np.triu(np.random.default_rng(_SEED).exponential(size=(RESAMPLES, entrants, entrants)))
    return np.asarray(upper + upper.swapaxes(1, 2))


def estimates(values: np.ndarray, resampled: np.ndarray) -> list[Estimate]:
    """The values (entrants,) with intervals from (RESAMPLES, entrants)."""
    outside = (1 - LEVEL) / 2
    low, high = np.quantile(resampled, [outside, 1 - outside], axis=0)
    return [Estimate(*map(float, three)) for three in zip(values, low, high, strict=True)]
