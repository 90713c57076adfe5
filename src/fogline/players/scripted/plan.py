"""The record of a plan."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numba.extending import overload

from fogline.maps.board import Board
from fogline.rules.state import CARD_COUNT

NONE = -1
FAR = 1000.0


@lru_cache
def plan_dtype(board: Board) -> np.dtype:
    locations, routes = len(board.locations), len(board.routes)
    fields = [
        ("worth", "f8", (CARD_COUNT,)),  # of one more card of each kind
        ("value", "f8"),  # points at the end, if all goes well
        ("turns", "f8"),  # that the plan takes
        ("time", "f8"),  # turns before the game ends, roughly
        ("cost", "f8", (routes,)),  # turns; 0 for what is owned or planned, FAR for what is closed
        ("gain", "f8", (routes,)),  # points of each route, its token included
        ("pressure", "f8", (routes,)),  # how much others seem to need a route
        ("touched", "u1", (locations,)),  # by routes of another seat
        ("distance", "f8", (locations,)),  # turns, from where a way begins
        ("came_by", "i2", (locations,)),  # the route by which a location was reached
        ("order", "i2", (routes,)),  # the planned routes
        ("count", "i2"),  # how many
        ("colour", "i1", (routes,)),  # the payment that the plan means for each route of `order`
        ("cards", "i1", (routes,)),
        ("ferries", "i1", (routes,)),
        ("missing", "i1", (routes,)),  # cards of it that are not in the hand
        ("cars", "i2"),  # left after the plan
        ("tokens", "u1"),  # kinds of souvenir owned after the plan
        ("ticket", "i2"),  # the first one worked on
        ("spare", "i2", (CARD_COUNT,)),  # cards of the hand that the plan leaves
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new_plans(board: Board, count: int) -> np.ndarray:
    return np.zeros(count, plan_dtype(board))


def times(one: float, other: float) -> float:
    """A product to which something is added, rounded by itself on every device (see `cuda.py`).

    Every one is written so, unless it is exact anyhow: else a plan could be another on a GPU.
    """
    return float(one) * float(other)


@overload(times)
def _compiled_times(one: float, other: float) -> Callable[..., float]:
    def product(one: float, other: float) -> float:
        return one * other

    return product
