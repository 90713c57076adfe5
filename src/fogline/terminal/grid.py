"""The character grid of a board's picture: from the map's canvas to columns and rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from fogline.maps.board import Board, Route

Cell = tuple[int, int]
"""A column and a row, from the top left."""

Point = tuple[float, float]

ROW_HEIGHT = 2.0
"""A character is about twice as high as it is wide."""

SIDE, TOP = 3, 1
"""Cells left free around the outermost dots, for spaces and labels beside them."""

FEWEST_ROWS, MOST_ROWS = 11, 46


@dataclass(frozen=True, slots=True)
class Grid:
    width: int
    height: int
    left: float  # of the locations on the canvas, as are the three below
    top: float
    across: float
    down: float

    @staticmethod
    def of(board: Board, width: int) -> Grid:
        """Rows in proportion to the map's width."""
        xs = [location.x for location in board.locations]
        ys = [location.y for location in board.locations]
        across, down = max(max(xs) - min(xs), 1), max(max(ys) - min(ys), 1)
        rows = round(down / across * (width - 2 * SIDE) / ROW_HEIGHT) + 2 * TOP
        return Grid(width, max(FEWEST_ROWS, min(MOST_ROWS, rows)), min(xs), min(ys), across, down)

    def at(self, x: float, y: float) -> Point:
        """A point of the canvas in columns and rows."""
        column = SIDE + (x - self.left) / self.across * (self.width - 1 - 2 * SIDE)
        return column, TOP + (y - self.top) / self.down * (self.height - 1 - 2 * TOP)

    def back(self, cell: Cell) -> Point:
        """A cell as a point of the canvas."""
        x = (cell[0] - SIDE) / (self.width - 1 - 2 * SIDE) * self.across + self.left
        return x, (cell[1] - TOP) / (self.height - 1 - 2 * TOP) * self.down + self.top

    def holds(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def curve(self, board: Board, route: Route) -> list[Point]:
        """The route's line from dot to dot: a parabola whose top is `bend` to the right of the straight line."""
        first, second = board.location(route.first), board.location(route.second)
        dx, dy = second.x - first.x, second.y - first.y
        far = math.hypot(dx, dy) or 1.0
        points = []
        for t in (i / 32 for i in range(33)):
            bulge = 4 * t * (1 - t) * route.bend / far
            points.append(self.at(first.x + t * dx - bulge * dy, first.y + t * dy + bulge * dx))
        return points


def cell_of(point: Point) -> Cell:
    return round(point[0]), round(point[1])


def walk(points: list[Point], parts: list[float]) -> list[Point]:
    """The points at these parts (from 0 to 1) of a line's length, as the eye sees it."""
    lengths = [math.hypot(b[0] - a[0], ROW_HEIGHT * (b[1] - a[1])) for a, b in pairwise(points)]
    total = sum(lengths)
    found = []
    for part in parts:
        left = min(max(part, 0.0), 1.0) * total
        step = 0
        while step < len(lengths) - 1 and left > lengths[step]:
            left -= lengths[step]
            step += 1
        share = left / lengths[step] if lengths[step] else 0.0
        (x0, y0), (x1, y1) = points[step], points[step + 1]
        found.append((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
    return found


def cells_between(first: Cell, second: Cell) -> Iterator[Cell]:
    """The cells of a straight line, without its ends."""
    dx, dy = second[0] - first[0], second[1] - first[1]
    steps = max(abs(dx), abs(dy))
    for i in range(1, steps):
        yield first[0] + round(dx * i / steps), first[1] + round(dy * i / steps)
