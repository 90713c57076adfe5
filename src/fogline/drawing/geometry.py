"""Boxes on the canvas, and the width of words."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from fogline.maps.mapfile import CANVAS

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle around its centre, turned by `angle` degrees."""

    x: float
    y: float
    width: float
    height: float
    angle: float = 0.0

    @property
    def middle(self) -> Point:
        return self.x, self.y

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def top(self) -> float:
        return self.y - self.height / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height / 2

    @property
    def axes(self) -> tuple[Point, Point]:
        turn = math.radians(self.angle)
        return (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))

    def grown(self, margin: float) -> Box:
        return Box(self.x, self.y, self.width + 2 * margin, self.height + 2 * margin, self.angle)

    def reach(self, axis: Point) -> float:
        """Half its extent along a direction."""
        along, across = self.axes
        return (abs(_dot(along, axis)) * self.width + abs(_dot(across, axis)) * self.height) / 2

    def distance(self, point: Point) -> float:
        away = (point[0] - self.x, point[1] - self.y)
        along, across = self.axes
        outside = (abs(_dot(away, along)) - self.width / 2, abs(_dot(away, across)) - self.height / 2)
        return math.hypot(max(outside[0], 0.0), max(outside[1], 0.0))

    def overlap(self, other: Box) -> float:
        """How deep two boxes overlap; 0 when they are apart (a line between them exists along some side)."""
        away = (other.x - self.x, other.y - self.y)
        if math.hypot(*away) * 2 >= math.hypot(self.width, self.height) + math.hypot(other.width, other.height):
            return 0.0
        depth = math.inf
        for axis in (*self.axes, *other.axes):
            depth = min(depth, self.reach(axis) + other.reach(axis) - abs(_dot(away, axis)))
            if depth <= 0:
                return 0.0
        return depth


CANVAS_BOX = Box(CANVAS[0] / 2, CANVAS[1] / 2, *CANVAS)


def crowding(boxes: Iterable[Box], others: list[Box], margin: float) -> float:
    """How much the boxes, each with a margin around it, overlap the others."""
    return sum(box.overlap(other) for box in [box.grown(margin) for box in boxes] for other in others)


def along(line: list[Point]) -> Iterator[Point]:
    """Points close together on a line of straight pieces."""
    for (x0, y0), (x1, y1) in pairwise(line):
        steps = max(1, int(math.dist((x0, y0), (x1, y1)) / 8))
        yield from ((x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps) for i in range(steps))


def text_width(text: str, size: float) -> float:
    """The width that a bold grotesque needs, about. The drawing fits the text to it, whatever the font."""
    return size * sum(_character_width(character) for character in text)


_WIDTHS = {"ijlI.,:;'’!|": 0.29, "ftr()[]-– /": 0.36, "mwMW": 0.87, "@%—…": 0.95}


def _character_width(character: str) -> float:
    for characters, width in _WIDTHS.items():
        if character in characters:
            return width
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    return 0.69 if character.isupper() else 0.58


def broken(words: str) -> tuple[str, ...]:
    """The words in the two most even lines; a single word stays in one."""
    parts = words.split()
    breaks = [(" ".join(parts[:i]), " ".join(parts[i:])) for i in range(1, len(parts))]
    return min(breaks, key=lambda lines: max(text_width(line, 1) for line in lines), default=(words,))


def _dot(one: Point, other: Point) -> float:
    return one[0] * other[0] + one[1] * other[1]
