"""The labels of a drawn board: each location's name beside its dot, where it hides nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from fogline.drawing.geometry import CANVAS_BOX, Box, Point, broken, crowding, text_width
from fogline.drawing.sizes import LABEL_LINE, LABEL_PADDING, LABEL_SIZE
from fogline.maps.mapfile import Location

EDGE = 6.0
"""Labels and panels keep this distance from the canvas's edge."""

_GAPS = (3.0, 6.0, 10.0, 14.0, 19.0, 26.0, 34.0, 44.0)
_DIRECTIONS = 48
_SHORT = 8


@dataclass(frozen=True, slots=True)
class Label:
    box: Box
    lines: tuple[str, ...]


def place_labels(
    locations: tuple[Location, ...], taken: list[Box], dots: dict[str, Box], passing: list[Point], scale: float
) -> dict[str, Label]:
    """Each label takes the best of its places; then each looks again, now that the others have theirs.

    A label must not hide `taken`; it may cross the lines through the points `passing`, but avoids it.
    """
    names = [_Name(location, taken, dots, passing, scale) for location in locations]
    # The name with the worst places chooses first.
    choosing = sorted(names, key=lambda name: -name.price(name.best([])))
    labels: dict[str, Label] = {}
    for _ in range(4):
        for name in choosing:
            labels[name.id] = name.best([label.box.grown(2) for key, label in labels.items() if key != name.id])
    return {location.id: labels[location.id] for location in locations}


class _Name:
    """A name that looks for its place."""

    def __init__(
        self, location: Location, taken: list[Box], dots: dict[str, Box], passing: list[Point], scale: float
    ) -> None:
        self.id = location.id
        self.dot = dots[location.id]
        self.places = sorted(_places(location, self.dot, scale), key=lambda place: place[1])
        around = self.dot.grown(max(label.box.width + self.dot.distance(label.box.middle) for label, _ in self.places))
        self.taken = [box for box in taken if box.overlap(around)]
        self.passing = [point for point in passing if not around.distance(point)]
        self.rivals = [dot for key, dot in dots.items() if key != location.id and dot.overlap(around)]
        self.prices: dict[Label, float] = {}

    def best(self, others: list[Box]) -> Label:
        """The place with the lowest price, given the other labels."""
        best, lowest = self.places[0][0], math.inf
        for label, price in self.places:
            if price >= lowest:  # the places are sorted, so no other price gets lower
                break
            total = price + self.price(label) + 40 * crowding([label.box], others, 0)
            if total < lowest:
                best, lowest = label, total
        return best

    def price(self, label: Label) -> float:
        if label not in self.prices:
            self.prices[label] = self._price(label.box)
        return self.prices[label]

    def _price(self, box: Box) -> float:
        """The price of a place: things under it, the edge, lines through it, another dot nearer than its own."""
        price = 40 * crowding([box], self.taken, 2) + 100 * _outside(box)
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        price += 0.35 * sum(left < x < right and top < y < bottom for x, y in self.passing)
        own = _between(box, self.dot)
        return price + sum(0.8 * max(0.0, 14 + own - _between(box, rival)) for rival in self.rivals)


def _places(location: Location, dot: Box, scale: float) -> Iterator[tuple[Label, float]]:
    """Places around the dot, with a price: near before far, straight before slanting, in one line before two."""
    for lines, gap, step in product(_line_breaks(location.name), _GAPS, range(_DIRECTIONS)):
        width = scale * (max(text_width(line, LABEL_SIZE) for line in lines) + 2 * LABEL_PADDING[0])
        height = scale * (LABEL_LINE * len(lines) + 2 * LABEL_PADDING[1])
        turn = step * math.tau / _DIRECTIONS
        c, s = math.cos(turn), math.sin(turn)
        away = dot.width / 2 + gap * scale
        x = dot.x + c * away + _clamp(c * 1.5) * width / 2
        y = dot.y + s * away + _clamp(s * 1.5) * height / 2
        slant = min(abs(c), abs(s)) * 3
        yield Label(Box(round(x, 1), round(y, 1), width, height), lines), 0.9 * gap + slant + 6 * (len(lines) - 1)


def _line_breaks(name: str) -> list[tuple[str, ...]]:
    """The name in one line and, unless that is short, in two."""
    return list(dict.fromkeys([(name,), broken(name) if len(name) > _SHORT else (name,)]))


def _between(label: Box, dot: Box) -> float:
    return label.distance(dot.middle) - dot.width / 2


def _outside(box: Box) -> float:
    edge = CANVAS_BOX.grown(-EDGE)
    over = (edge.left - box.left, edge.top - box.top, box.right - edge.right, box.bottom - edge.bottom)
    return sum(max(0.0, out) for out in over)


def _clamp(value: float) -> float:
    return max(-1.0, min(1.0, value))
