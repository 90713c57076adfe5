"""The coasts of a drawn board: smooth curves through a map's `land`, or made-up islands for a map without it."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from fogline.drawing.geometry import CANVAS_BOX, Box, Point
from fogline.maps.board import Board

_ISLAND = 88.0
"""How far the land of a map without `land` reaches beyond its outermost dots."""


def coasts_of(board: Board) -> list[Coast]:
    return [Coast(corners) for corners in board.map_file.land or _islands(board)]


class Coast:
    """A smooth closed curve through some corners: Catmull-Rom, with each tangent limited to its own step.

    Corners out of sight stay corners: they only close the shape, and rounding them would show at the edge.
    """

    def __init__(self, corners: Iterable[Point], seen: Box = CANVAS_BOX) -> None:
        around = list(corners)
        if _area(around) < 0:  # all in the same direction, or two that overlap would cut a hole into each other
            around.reverse()
        pulls = [
            _direction(before, after) if seen.distance(corner) == 0 else (0.0, 0.0)
            for before, corner, after in zip(around[-1:] + around, around, around[1:] + around[:1], strict=False)
        ]
        ends = zip(around, pulls, around[1:] + around[:1], pulls[1:] + pulls[:1], strict=True)
        self.pieces = [_bezier(*end) for end in ends]

    @property
    def path(self) -> str:
        curves = ("C" + " ".join(f"{x:.1f} {y:.1f}" for x, y in piece[1:]) for piece in self.pieces)
        return "M{:.1f} {:.1f}".format(*self.pieces[0][0]) + "".join(curves) + "Z"

    @property
    def steps(self) -> np.ndarray:
        """Points along it, close together: [step, 2]."""
        t = np.linspace(0, 1, 12, endpoint=False)[:, None]
        weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3])  # [t, 4]
        return np.concatenate([weights @ np.array(piece) for piece in self.pieces])


def _direction(start: Point, end: Point) -> Point:
    far = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / far, (end[1] - start[1]) / far


def _bezier(start: Point, leaving: Point, end: Point, arriving: Point) -> tuple[Point, Point, Point, Point]:
    pull = math.dist(start, end) / 3
    first = (start[0] + leaving[0] * pull, start[1] + leaving[1] * pull)
    second = (end[0] - arriving[0] * pull, end[1] - arriving[1] * pull)
    return start, first, second, end


def _area(corners: list[Point]) -> float:
    """Twice the signed area."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1], strict=True))


def _islands(board: Board) -> list[list[Point]]:
    """A map without `land` stands on made-up islands: locations that can be reached without a ferry share one."""
    island = {location.id: location.id for location in board.locations}
    for route in board.routes:
        if not route.ferries:
            old, new = island[route.second], island[route.first]
            island = {key: new if stands == old else stands for key, stands in island.items()}
    groups: dict[str, list[Point]] = {}
    for location in board.locations:
        groups.setdefault(island[location.id], []).append((location.x, location.y))
    return [_shore(group) for group in groups.values()]


def _shore(places: list[Point]) -> list[Point]:
    """A coast around some points: their hull, widened and made uneven."""
    around = [
        (x + _ISLAND * math.cos(i * math.tau / 12), y + _ISLAND * math.sin(i * math.tau / 12))
        for x, y in places
        for i in range(12)
    ]
    hull = _hull(around)
    shore = []
    for (x0, y0), (x1, y1) in zip(hull, hull[1:] + hull[:1], strict=True):
        steps = max(1, round(math.dist((x0, y0), (x1, y1)) / 90))
        for i in range(steps):
            x, y = x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps
            inwards = (
                13 * (math.sin(x / 37 + y / 53) + math.sin(y / 29 - x / 71)) / max(math.hypot(y1 - y0, x1 - x0), 1)
            )
            shore.append((x + (y0 - y1) * inwards, y + (x1 - x0) * inwards))
    return shore


def _hull(points: Iterable[Point]) -> list[Point]:
    """The convex hull, by Andrew's monotone chain."""
    ordered = sorted(set(points))

    def chain(walk: Iterable[Point]) -> list[Point]:
        kept: list[Point] = []
        for point in walk:
            while len(kept) >= 2 and _turn(kept[-2], kept[-1], point) <= 0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return chain(ordered) + chain(reversed(ordered))


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
