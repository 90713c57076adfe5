"""Where the spaces of every route lie on the character grid: rows of little boxes that avoid each other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from fogline.maps.board import Board, Route
from fogline.terminal.grid import Cell, Grid, Point, cell_of, walk

SPACE = 3
"""Columns of a space: a letter and its two sides."""

FLAT = 3.0
"""A line with this many columns to a row is flat: twins lie one above the other, not side by side."""

ROOM = 1
"""Columns to keep free between the spaces of two routes."""

Row = tuple[Cell, ...]
"""The middle cells of a route's spaces, from its first location to its second."""


def body(middle: Cell) -> Iterator[Cell]:
    """The cells of one space."""
    return ((middle[0] + side, middle[1]) for side in range(-(SPACE // 2), SPACE // 2 + 1))


def place_spaces(board: Board, grid: Grid, dots: dict[str, Cell]) -> dict[str, Row]:
    """Every row starts in the middle of its line; then rows that collide slide and shift a little."""
    lines = [_Line(routes, grid, board) for routes in connections(board)]
    rows = [line.rows(_WAYS[0]) for line in lines]
    taken = Counter(cell for pair in rows for cell in _cells(pair))
    taken.update({cell: 4 for dot in dots.values() for cell in body(dot)})
    for _ in range(4):
        for number, line in enumerate(lines):
            taken.subtract(_cells(rows[number]))
            rows[number] = _least_crowded(line, taken, grid)
            taken.update(_cells(rows[number]))
    pairs = zip(lines, rows, strict=True)
    return {route.id: row for line, pair in pairs for route, row in zip(line.routes, pair, strict=True)}


def connections(board: Board) -> list[list[Route]]:
    """Routes with the same two ends: single ones, and twins together."""
    joined: dict[tuple[str, str], list[Route]] = {}
    for route in board.routes:
        joined.setdefault((route.first, route.second), []).append(route)
    return list(joined.values())


class _Way(NamedTuple):
    """One way to lay the spaces of a line, and the cost of leaving its middle."""

    price: float
    slide: float  # along the line
    spread: float  # of the spaces from dot to dot
    shift: Cell  # off the line


def _ways() -> Iterator[_Way]:
    for slide, spread, dx, dy in product((0.0, -0.25, 0.25, -0.5, 0.5), (1.0, 0.85, 1.12), range(-3, 4), (0, -1, 1)):
        price = 2 * abs(slide) + 3 * abs(1 - spread) + 0.6 * abs(dx) + 1.2 * abs(dy)
        yield _Way(price, slide, spread, (dx, dy))


_WAYS = sorted(_ways(), key=lambda way: way.price)


class _Line:
    """The line of a connection; both routes of a double route lie along it."""

    def __init__(self, routes: list[Route], grid: Grid, board: Board) -> None:
        self.routes = routes
        points = grid.curve(board, routes[0])
        (x0, y0), (x1, y1) = points[0], points[-1]
        self.flat = abs(x1 - x0) > FLAT * abs(y1 - y0)
        self.points = cache(lambda slide, spread: walk(points, self._parts(slide, spread)))

    def rows(self, way: _Way) -> list[Row]:
        points = self.points(way.slide, way.spread)
        if len(self.routes) == 1:
            return [_row(points, (0, 0), way.shift)]
        # Twins lie on both sides of the line.
        lean, (dx, dy) = ((0, -0.45), (0, 1)) if self.flat else ((-SPACE / 2, 0), (SPACE, 0))
        first = _row(points, lean, way.shift)
        return [first, tuple((x + dx, y + dy) for x, y in first)]

    def _parts(self, slide: float, spread: float) -> list[float]:
        length = self.routes[0].length
        return [0.5 + slide / (2 * length) + spread * ((i + 0.5) / length - 0.5) for i in range(length)]


def _row(points: list[Point], lean: Point, shift: Cell) -> Row:
    return tuple(cell_of((x + lean[0] + shift[0], y + lean[1] + shift[1])) for x, y in points)


def _least_crowded(line: _Line, taken: Counter[Cell], grid: Grid) -> list[Row]:
    best, least = line.rows(_WAYS[0]), math.inf
    for way in _WAYS:
        if way.price >= least:
            break
        rows = line.rows(way)
        price = way.price + _crowding(rows, taken, grid)
        if price < least:
            best, least = rows, price
    return best


def _cells(rows: Iterable[Row]) -> Iterator[Cell]:
    return (cell for row in rows for middle in row for cell in body(middle))


def _crowding(rows: list[Row], taken: Counter[Cell], grid: Grid) -> float:
    """The cost of spaces here: others in the same cells or close beside, overlaps, the edge."""
    cells = list(_cells(rows))
    price = 20.0 * sum(taken[cell] for cell in cells) + 20.0 * (len(cells) - len(set(cells)))
    price += 50.0 * sum(not grid.holds(cell) for cell in cells)
    reach = SPACE // 2 + ROOM
    return price + 3.0 * sum(taken[x + side, y] > 0 for row in rows for x, y in row for side in (-reach, reach))
