"""Where the parts of a drawn board lie: the spaces of every route, the dots, the labels and the panels.

Geometry alone: no colours, no SVG. A map's author says where locations are and how far a route bends; the rest is found
here by trying places in a fixed order and keeping the one that gets least in the way, so one board has one layout.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product

from fogline.board import Board, Route
from fogline.mapfile import CANVAS, Location

Point = tuple[float, float]

SPACE_LENGTH, SPACE_WIDTH, SPACE_GAP = 52.0, 21.0, 4.0
TWIN_OFFSET = SPACE_WIDTH / 2 + 1.8
DOT, LANDMARK_DOT = 11.0, 27.0
DOT_CLEARANCE = 5.0
SMALLEST_SPACE = 10.0
LABEL_SIZE, LABEL_LINE, LABEL_PADDING = 15.5, 16.5, (7.0, 4.5)
EDGE = 6.0
"""Labels and panels keep this far from the canvas's edge."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle around its centre, turned by `angle` degrees."""

    x: float
    y: float
    width: float
    height: float
    angle: float = 0.0

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
        return replace(self, width=self.width + 2 * margin, height=self.height + 2 * margin)

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
        """How deep two boxes lie in each other; 0 when they are apart (a line between them exists along some side)."""
        away = (other.x - self.x, other.y - self.y)
        depth = math.inf
        for axis in (*self.axes, *other.axes):
            depth = min(depth, self.reach(axis) + other.reach(axis) - abs(_dot(away, axis)))
            if depth <= 0:
                return 0.0
        return depth


CANVAS_BOX = Box(CANVAS[0] / 2, CANVAS[1] / 2, *CANVAS)


@dataclass(frozen=True, slots=True)
class Label:
    box: Box
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    spaces: dict[str, tuple[Box, ...]]  # by route, from its first location to its second
    tracks: dict[str, list[Point]]  # by route, dot to dot; twins share the track of the first
    dots: dict[str, Box]  # by location; the square around the dot
    labels: dict[str, Label]  # by location
    title: Box
    legend: Box

    @property
    def bottom(self) -> float:
        """Where the picture ends: the panels of a crowded map lie below its canvas."""
        return max(
            [CANVAS_BOX.bottom] + [panel.bottom + 2 * EDGE for panel in (self.title, self.legend) if not _inside(panel)]
        )

    def boxes(self) -> Iterator[Box]:
        """Everything that must stay readable."""
        for row in self.spaces.values():
            yield from row
        yield from self.dots.values()
        yield from (label.box for label in self.labels.values())
        yield from (self.title, self.legend)


def lay_out(board: Board, title: tuple[float, float], legend: tuple[float, float]) -> Layout:
    """Finds a place for everything; `title` and `legend` are the sizes of the two panels."""
    dots = {location.id: _dot_box(location) for location in board.locations}
    spaces, tracks = _settle(_lines(board, dots), dots)
    taken = [box for row in spaces.values() for box in row] + list(dots.values())
    # Labels need room beside their dots, so panels keep away from those.
    title_box = _place_panel(title, [box.grown(14) for box in taken], first_corner=0)
    legend_box = _place_panel(legend, [*(box.grown(14) for box in taken), title_box.grown(12)], first_corner=1)
    labels = _place_labels(board, [*taken, title_box.grown(2), legend_box.grown(2)], dots, tracks.values())
    return Layout(spaces, tracks, dots, labels, title_box, legend_box)


def text_width(text: str, size: float) -> float:
    """About as wide as a bold grotesque sets it; the drawing then holds the text to this width, in whatever face is there."""
    return size * sum(_character_width(character) for character in text)


_WIDTHS = {"ijlI.,:;'’!|": 0.29, "ftr()[]-– /": 0.36, "mwMW": 0.87, "@%—…": 0.95}


def _character_width(character: str) -> float:
    for characters, width in _WIDTHS.items():
        if character in characters:
            return width
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    return 0.69 if character.isupper() else 0.57


# Routes


class _Line:
    """The drawn line between two locations, walked by length; both routes of a double route lie along it."""

    def __init__(self, routes: list[Route], first: Box, second: Box) -> None:
        self.routes = routes
        self.ends = (first, second)
        self.points = _bent(first, second, routes[0].bend)
        self.walked = [0.0]
        for here, there in pairwise(self.points):
            self.walked.append(self.walked[-1] + math.dist(here, there))
        rims = [end.width / 2 + DOT_CLEARANCE for end in self.ends]
        # Dots that nearly touch leave no room; spaces must be somewhere all the same.
        room = max(self.walked[-1] - sum(rims), SMALLEST_SPACE * routes[0].length)
        self.pitch = min(SPACE_LENGTH + SPACE_GAP, room / routes[0].length)
        self.middle = (self.walked[-1] + rims[0] - rims[1]) / 2
        self.slack = (room - self.pitch * routes[0].length) / 2

    def at(self, distance: float, sideways: float = 0.0) -> tuple[float, float, float]:
        """The point and direction at a distance from the first dot, as far to the right of the line as said."""
        step = next((i for i, end in enumerate(self.walked[1:-1]) if end > distance), len(self.walked) - 2)
        (x0, y0), (x1, y1) = self.points[step], self.points[step + 1]
        part = (distance - self.walked[step]) / ((self.walked[step + 1] - self.walked[step]) or 1.0)
        turn = math.atan2(y1 - y0, x1 - x0)
        x, y = x0 + (x1 - x0) * part, y0 + (y1 - y0) * part
        return x - sideways * math.sin(turn), y + sideways * math.cos(turn), math.degrees(turn)

    def offsets(self) -> list[float]:
        return [-TWIN_OFFSET, TWIN_OFFSET] if len(self.routes) == 2 else [0.0]

    def row(self, offset: float, shift: float, scale: float) -> tuple[Box, ...]:
        """The spaces of one route, `shift` along the line within its slack and `scale` as large as they could be."""
        length = self.routes[0].length
        pitch = self.pitch * scale
        middle = self.middle + shift * (self.slack + (self.pitch - pitch) * length / 2)
        spaces = []
        for i in range(length):
            x, y, angle = self.at(middle + (i - (length - 1) / 2) * pitch, offset)
            gap = min(SPACE_GAP, pitch / 4)
            spaces.append(Box(x, y, pitch - gap, min(SPACE_WIDTH, pitch), angle))
        return tuple(spaces)

    def rows(self, shift: float = 0.0, scale: float = 1.0) -> list[tuple[Box, ...]]:
        return [self.row(offset, shift, scale) for offset in self.offsets()]


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


def _lines(board: Board, dots: dict[str, Box]) -> list[_Line]:
    joined: dict[tuple[str, str], list[Route]] = {}
    for route in board.routes:
        joined.setdefault((route.first, route.second), []).append(route)
    return [_Line(routes, dots[first], dots[second]) for (first, second), routes in joined.items()]


def _settle(lines: list[_Line], dots: dict[str, Box]) -> tuple[dict[str, tuple[Box, ...]], dict[str, list[Point]]]:
    """Rows start in the middle of their lines; those that get in each other's way slide and shrink a little."""
    ways = sorted(
        product((0.0, -0.5, 0.5, -1.0, 1.0), (1.0, 0.9, 0.8, 0.7)), key=lambda way: abs(way[0]) + 4 * (1 - way[1])
    )
    rows = [line.rows() for line in lines]
    for _ in range(3):
        for number, line in enumerate(lines):
            others = [box for other, pair in enumerate(rows) if other != number for row in pair for box in row]
            others = _near(others + list(dots.values()), rows[number])
            rows[number] = min(
                (line.rows(*way) for way in ways),
                key=lambda pair: round(sum(_crowding(row, others) for row in pair), 3),
            )
    spaces = {
        route.id: row
        for line, pair in zip(lines, rows, strict=True)
        for route, row in zip(line.routes, pair, strict=True)
    }
    return spaces, {line.routes[0].id: line.points for line in lines}


def _near(boxes: list[Box], rows: list[tuple[Box, ...]]) -> list[Box]:
    mine = [box for row in rows for box in row]
    far = sum(box.width for box in mine)
    return [box for box in boxes if any(math.dist((box.x, box.y), (me.x, me.y)) < far + 80 for me in mine)]


def _crowding(boxes: Iterable[Box], others: list[Box], margin: float = 2.5) -> float:
    return sum(box.grown(margin).overlap(other) for box in boxes for other in others)


# Labels


def _place_labels(
    board: Board, taken: list[Box], dots: dict[str, Box], tracks: Iterable[list[Point]]
) -> dict[str, Label]:
    """Each label takes the best of its places; then each looks again, now that it knows where the others are."""
    passing = [point for track in tracks for point in _dense(track)]
    places = {location.id: _priced(location, taken, dots, passing) for location in board.locations}
    labels: dict[str, Label] = {}
    for _ in range(4):
        # Whoever has the fewest free places chooses first.
        for key in sorted(places, key=lambda key: -min(price for _, price in places[key])):
            others = [label.box.grown(2) for other, label in labels.items() if other != key]
            labels[key] = min(places[key], key=lambda place: place[1] + 40 * _crowding([place[0].box], others, 0))[0]
    return {location.id: labels[location.id] for location in board.locations}


def _priced(
    location: Location, taken: list[Box], dots: dict[str, Box], passing: list[Point]
) -> list[tuple[Label, float]]:
    """The places of a label with their prices."""
    places = list(_label_places(location, dots[location.id]))
    reach = max(
        math.dist((location.x, location.y), (label.box.x, label.box.y)) + label.box.width / 2 for label, _ in places
    )
    around = Box(location.x, location.y, 2 * reach, 2 * reach)
    near = [box for box in taken if box.overlap(around)]
    lines = [point for point in passing if not around.distance(point)]
    return [(label, price + _price(label.box, location.id, near, dots, lines)) for label, price in places]


def _label_places(location: Location, dot: Box) -> Iterator[tuple[Label, float]]:
    """Around the dot: right, left, below, above and between, near before far, in one line before two."""
    for lines, gap, step in product(_line_breaks(location.name), (3.0, 9.0, 16.0, 26.0, 40.0), range(24)):
        turn = step * math.tau / 24
        width = max(text_width(line, LABEL_SIZE) for line in lines) + 2 * LABEL_PADDING[0]
        height = LABEL_LINE * len(lines) + 2 * LABEL_PADDING[1]
        c, s = math.cos(turn), math.sin(turn)
        away = dot.width / 2 + gap
        x = dot.x + c * away + _clamp(c * 1.5) * width / 2
        y = dot.y + s * away + _clamp(s * 1.5) * height / 2
        slanted = min(abs(c), abs(s)) * 3
        yield Label(Box(round(x, 1), round(y, 1), width, height), lines), 0.5 * gap + slanted + 3 * (len(lines) - 1)


def _line_breaks(name: str) -> list[tuple[str, ...]]:
    """The name in one line and, where it has several words, in the two most even lines."""
    words = name.split()
    breaks = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    even = sorted(breaks, key=lambda lines: max(text_width(line, 1) for line in lines))
    return [(name,), *even[:1]]


def _price(box: Box, location: str, taken: list[Box], dots: dict[str, Box], passing: list[Point]) -> float:
    """What is wrong with a label here: things under it, the edge, lines through it, another dot nearer than its own."""
    price = 40 * _crowding([box], taken, 3)
    price += 100 * _outside(box)
    price += 0.6 * sum(box.distance(point) == 0 for point in passing)
    own = box.distance((dots[location].x, dots[location].y)) - dots[location].width / 2
    for key, dot in dots.items():
        if key != location:
            price += 0.8 * max(0.0, 14 + own - (box.distance((dot.x, dot.y)) - dot.width / 2))
    return price


def _dense(track: list[Point]) -> Iterator[Point]:
    for (x0, y0), (x1, y1) in pairwise(track):
        steps = max(1, int(math.dist((x0, y0), (x1, y1)) / 8))
        yield from ((x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps) for i in range(steps))


# Panels


def _place_panel(size: tuple[float, float], taken: list[Box], first_corner: int) -> Box:
    """The free place nearest to a corner, along the edges of the canvas; below it when there is none."""
    width, height = size
    inset = 2 * EDGE
    left, right = inset + width / 2, CANVAS[0] - inset - width / 2
    top, bottom = inset + height / 2, CANVAS[1] - inset - height / 2
    corners = [(left, top), (left, bottom), (right, bottom), (right, top)]
    corners = corners[first_corner:] + corners[:first_corner]
    xs = [left + (right - left) * i / 24 for i in range(25)]
    ys = [top + (bottom - top) * i / 24 for i in range(25)]
    places = [*((x, y) for x in xs for y in (top, bottom)), *((x, y) for y in ys for x in (left, right))]
    free = [place for place in places if not any(Box(*place, *size).overlap(box) for box in taken)]
    if free:
        x, y = min(free, key=lambda place: min(math.dist(place, corner) + 5 * i for i, corner in enumerate(corners)))
        return Box(x, y, *size)
    beside = left if first_corner == 0 else right
    return Box(beside, CANVAS[1] + EDGE + height / 2, *size)


def _dot_box(location: Location) -> Box:
    size = 2 * (LANDMARK_DOT if location.landmark else DOT)
    return Box(location.x, location.y, size, size)


def _outside(box: Box) -> float:
    edge = CANVAS_BOX.grown(-EDGE)
    over = (edge.left - box.left, edge.top - box.top, box.right - edge.right, box.bottom - edge.bottom)
    return sum(max(0.0, out) for out in over)


def _inside(box: Box) -> bool:
    return _outside(box) == 0


def _clamp(value: float) -> float:
    return max(-1.0, min(1.0, value))


def _dot(one: Point, other: Point) -> float:
    return one[0] * other[0] + one[1] * other[1]
