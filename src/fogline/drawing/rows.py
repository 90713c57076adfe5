"""The rows of spaces of a drawn board: along the line of their route, and apart from each other where possible."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise, product

from fogline.drawing.geometry import Box, Point, crowding
from fogline.maps.board import Board, Route

# Sizes at scale 1.
SPACE_LENGTH, SPACE_WIDTH, SPACE_GAP = 53.0, 21.0, 4.0
TWIN_OFFSET = SPACE_WIDTH / 2 + 1.8
DOT_CLEARANCE = 5.0
SMALLEST_SPACE = 10.0

Row = tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    spaces: dict[str, Row]  # by route, from its first location to its second
    tracks: dict[str, list[Point]]  # by route, dot to dot; twins share the track of the first


def lay_rows(board: Board, dots: dict[str, Box], scale: float) -> Rows:
    """Rows start in the middle of their lines; rows that collide slide and shrink a little."""
    lines = _lines(board, dots, scale)
    rows = [line.rows() for line in lines]
    for _ in range(3):
        for number, line in enumerate(lines):
            others = [box for other, pair in enumerate(rows) if other != number for row in pair for box in row]
            rows[number] = _least_crowded(line, [*others, *dots.values()])
    pairs = [pair for line, row in zip(lines, rows, strict=True) for pair in zip(line.routes, row, strict=True)]
    return Rows({route.id: row for route, row in pairs}, {line.routes[0].id: line.points for line in lines})


# How far a row slides within its slack, and what part of its length it keeps: small changes first.
_WAYS = sorted(
    product((0.0, -0.5, 0.5, -1.0, 1.0), (1.0, 0.9, 0.8, 0.7)), key=lambda way: abs(way[0]) + 4 * (1 - way[1])
)


def _least_crowded(line: _Line, others: list[Box]) -> list[Row]:
    best, least = line.rows(), math.inf
    for way in _WAYS:
        rows = line.rows(*way)
        crowded = sum(crowding(row, others, 2.5) for row in rows)
        if crowded < least - 0.01:
            best, least = rows, crowded
        if crowded == 0:
            break
    return best


class _Line:
    """The drawn line between two locations, measured along its length; both routes of a double route lie along it."""

    def __init__(self, routes: list[Route], first: Box, second: Box, scale: float) -> None:
        self.routes = routes
        self.scale = scale
        self.points = _bent(first, second, routes[0].bend)
        self.walked = [0.0]
        for here, there in pairwise(self.points):
            self.walked.append(self.walked[-1] + math.dist(here, there))
        rims = [end.width / 2 + DOT_CLEARANCE * scale for end in (first, second)]
        # Dots that nearly touch leave no room, but spaces must be somewhere.
        room = max(self.walked[-1] - sum(rims), SMALLEST_SPACE * routes[0].length)
        self.pitch = min((SPACE_LENGTH + SPACE_GAP) * scale, room / routes[0].length)
        self.middle = (self.walked[-1] + rims[0] - rims[1]) / 2
        self.slack = (room - self.pitch * routes[0].length) / 2

    def at(self, distance: float, sideways: float = 0.0) -> tuple[float, float, float]:
        """The point and direction at a distance from the first dot, this far to the right of the line."""
        step = next((i for i, end in enumerate(self.walked[1:-1]) if end > distance), len(self.walked) - 2)
        (x0, y0), (x1, y1) = self.points[step], self.points[step + 1]
        part = (distance - self.walked[step]) / ((self.walked[step + 1] - self.walked[step]) or 1.0)
        turn = math.atan2(y1 - y0, x1 - x0)
        x, y = x0 + (x1 - x0) * part, y0 + (y1 - y0) * part
        return x - sideways * math.sin(turn), y + sideways * math.cos(turn), math.degrees(turn)

    def offsets(self) -> list[float]:
        sideways = TWIN_OFFSET * self.scale
        return [-sideways, sideways] if len(self.routes) == 2 else [0.0]

    def row(self, offset: float, shift: float, part: float) -> Row:
        """The spaces of one route, moved by `shift` within its slack and shortened to `part` of their length."""
        length = self.routes[0].length
        pitch = self.pitch * part
        middle = self.middle + shift * (self.slack + (self.pitch - pitch) * length / 2)
        spaces = []
        for i in range(length):
            x, y, angle = self.at(middle + (i - (length - 1) / 2) * pitch, offset)
            gap = min(SPACE_GAP * self.scale, pitch / 4)
            spaces.append(Box(x, y, pitch - gap, min(SPACE_WIDTH * self.scale, pitch), angle))
        return tuple(spaces)

    def rows(self, shift: float = 0.0, part: float = 1.0) -> list[Row]:
        return [self.row(offset, shift, part) for offset in self.offsets()]


def _bent(first: Box, second: Box, bend: int) -> list[Point]:
    """A parabola whose top is `bend` to the right of the straight line."""
    dx, dy = second.x - first.x, second.y - first.y
    far = math.hypot(dx, dy) or 1.0
    pull = (-dy / far * bend * 2, dx / far * bend * 2)
    control = ((first.x + second.x) / 2 + pull[0], (first.y + second.y) / 2 + pull[1])
    steps = 1 if bend == 0 else 48
    points = []
    for t in (i / steps for i in range(steps + 1)):
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        points.append((a * first.x + b * control[0] + c * second.x, a * first.y + b * control[1] + c * second.y))
    return points


def _lines(board: Board, dots: dict[str, Box], scale: float) -> list[_Line]:
    joined: dict[tuple[str, str], list[Route]] = {}
    for route in board.routes:
        joined.setdefault((route.first, route.second), []).append(route)
    return [_Line(routes, dots[first], dots[second], scale) for (first, second), routes in joined.items()]
