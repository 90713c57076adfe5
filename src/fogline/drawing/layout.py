"""Where the parts of a drawn board lie: the spaces of every route, the dots, the labels and the panels.

Geometry alone: no colours, no SVG. A map's author says where locations are and how far a route bends. The layout tries
the remaining places in a fixed order and keeps the one that collides least, so one board has one layout.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from fogline.drawing.geometry import CANVAS_BOX, Box, Point, along
from fogline.drawing.labels import EDGE, Label, place_labels
from fogline.drawing.rows import Row, lay_rows
from fogline.maps.board import Board
from fogline.maps.mapfile import CANVAS, Location

DOT, LANDMARK_DOT = 11.0, 27.0
"""Radius at scale 1."""
USUAL_DISTANCE, SCALES = 116.0, (0.85, 1.45)
"""Scale 1 suits a board as crowded as San Francisco; a sparser one is drawn larger, a denser one smaller."""
TITLE_CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))
LEGEND_CORNERS = ((0, 1), (1, 1), (0, 0), (1, 0))
"""In order of preference: 0 for left and top, 1 for right and bottom."""
PANEL_CLEARANCE = 100.0
"""Panels want this much room around them, and take less where they must."""


@dataclass(frozen=True, slots=True)
class Layout:
    scale: float  # of spaces, dots and labels
    spaces: dict[str, Row]  # by route, from its first location to its second
    tracks: dict[str, list[Point]]  # by route, dot to dot; twins share the track of the first
    dots: dict[str, Box]  # by location; the square around the dot
    labels: dict[str, Label]  # by location
    title: Box
    legend: Box

    @property
    def bottom(self) -> float:
        """Where the picture ends: the panels of a crowded map lie below its canvas."""
        lowest = max(self.title.bottom, self.legend.bottom)
        return lowest + 2 * EDGE if lowest > CANVAS_BOX.bottom else CANVAS_BOX.bottom

    def boxes(self) -> Iterator[Box]:
        """Everything that must stay readable."""
        for row in self.spaces.values():
            yield from row
        yield from self.dots.values()
        yield from (label.box for label in self.labels.values())
        yield from (self.title, self.legend)
        for track in self.tracks.values():
            yield from (Box(*point, 4, 4) for point in along(track))


@lru_cache(maxsize=8)
def lay_out(board: Board, title: tuple[float, float], legend: tuple[float, float]) -> Layout:
    """Finds a place for everything; `title` and `legend` are the sizes of the two panels.

    Cached, since a game draws the same board again and again.
    """
    scale = _scale(board)
    dots = {location.id: _dot_box(location, scale) for location in board.locations}
    rows = lay_rows(board, dots, scale)
    taken = [box for row in rows.spaces.values() for box in row] + list(dots.values())
    title_box = _place_panel(title, taken, TITLE_CORNERS)
    legend_box = _place_panel(legend, [*taken, title_box], LEGEND_CORNERS)
    passing = [point for track in rows.tracks.values() for point in along(track)]
    taken += [title_box.grown(2), legend_box.grown(2)]
    labels = place_labels(board.locations, taken, dots, passing, scale)
    return Layout(scale, rows.spaces, rows.tracks, dots, labels, title_box, legend_box)


def _scale(board: Board) -> float:
    """The scale, by the room that a space usually has."""
    at = {location.id: (location.x, location.y) for location in board.locations}
    usual = median(math.dist(at[route.first], at[route.second]) / route.length for route in board.routes)
    return round(max(SCALES[0], min(SCALES[1], usual / USUAL_DISTANCE)), 2)


def _dot_box(location: Location, scale: float) -> Box:
    size = 2 * scale * (LANDMARK_DOT if location.landmark else DOT)
    return Box(location.x, location.y, size, size)


def _place_panel(size: tuple[float, float], taken: list[Box], corners: tuple[tuple[int, int], ...]) -> Box:
    """The emptiest place near a corner, along the edges of the canvas; below the canvas when no place is free."""
    width, height = size
    inset = 2 * EDGE
    left, right = inset + width / 2, CANVAS[0] - inset - width / 2
    top, bottom = inset + height / 2, CANVAS[1] - inset - height / 2
    liked = [((left, right)[across], (top, bottom)[down]) for across, down in corners]
    xs = [left + (right - left) * i / 24 for i in range(25)]
    ys = [top + (bottom - top) * i / 24 for i in range(25)]

    def price(place: Point) -> float:
        crowding = max(Box(*place, *size).grown(PANEL_CLEARANCE).overlap(box) for box in taken)
        return crowding + min(math.dist(place, corner) + 15 * i for i, corner in enumerate(liked))

    places = [*((x, y) for x in xs for y in (top, bottom)), *((x, y) for y in ys for x in (left, right))]
    free = [place for place in places if not any(Box(*place, *size).grown(12).overlap(box) for box in taken)]
    # The title prefers the left, so the legend goes to the right of it.
    below = (left if corners == TITLE_CORNERS else right, CANVAS[1] + EDGE + height / 2)
    return Box(*min(free, key=price, default=below), *size)
