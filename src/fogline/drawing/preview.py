"""The picture of a finished game for the preview of its link: the board, and whose cars stand where."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

import numpy as np

from fogline.drawing.coast import Coast, coasts_of
from fogline.drawing.geometry import CANVAS_BOX, Box, Point
from fogline.drawing.layout import Layout, lay_out
from fogline.drawing.palette import BRIDGE, DAY, GOLD, INK, PAPER, ROUTE_COLOURS, SEATS
from fogline.drawing.raster import Pixels, Raster, smooth
from fogline.drawing.sizes import TRACK, car_fit, space_corner
from fogline.maps.board import Board

SIZE = (1200, 630)
"""In pixels: what those who show previews ask for."""

COARSE = 6
"""The distance from the coast is known at every so many pixels, and in between taken from those around."""

SHALLOWS = ((78, 0.28), (46, 0.5), (22, 0.9))
"""How wide the bands of ever shallower water are, on the canvas, and how strong."""

BEACH = 9

_BODY, _ROOF = Box(0, 0, 44, 28), Box(0, -9, 42, 6)
"""Of a car at scale 1, with its outline."""


def draw_preview(board: Board, owners: Mapping[str, int]) -> bytes:
    """A PNG file; `owners` are seats by route."""
    layout = lay_out(board, (1.0, 1.0), (1.0, 1.0))
    raster = Raster(*SIZE, DAY.sea)
    raster.pixels[:] = _empty_board(board)
    frame = _Frame(layout)
    for route in board.routes:
        for box in layout.spaces[route.id]:
            _space(raster, frame, box, ROUTE_COLOURS[route.colour], owners.get(route.id))
    for location in board.locations:
        _location(raster, frame, layout.dots[location.id], location.landmark)
    return raster.png()


class _Frame:
    """Where the canvas lies in the picture: all of it, in the middle."""

    def __init__(self, layout: Layout) -> None:
        self.board_scale = layout.scale
        self.scale = min(SIZE[0] / CANVAS_BOX.width, SIZE[1] / layout.bottom)
        self.left = (SIZE[0] - self.scale * CANVAS_BOX.width) / 2
        self.top = (SIZE[1] - self.scale * layout.bottom) / 2

    def point(self, point: Point) -> Point:
        return self.left + self.scale * point[0], self.top + self.scale * point[1]

    def box(self, box: Box) -> Box:
        return Box(*self.point(box.middle), self.scale * box.width, self.scale * box.height, box.angle)


@lru_cache(maxsize=8)
def _empty_board(board: Board) -> Pixels:
    """The sea, the land, and the tracks below the routes."""
    layout = lay_out(board, (1.0, 1.0), (1.0, 1.0))
    frame = _Frame(layout)
    raster = Raster(*SIZE, DAY.sea)
    away = _away_from_land(coasts_of(board), frame)
    for width, strength in SHALLOWS:
        raster.cover(DAY.shallow, strength * smooth(away - frame.scale * width / 2))
    raster.cover(DAY.beach, smooth(away - frame.scale * BEACH / 2))
    raster.cover(DAY.land, smooth(away))
    for route, track in layout.tracks.items():
        colour = DAY.wake if board.route(route).ferries else DAY.track
        for start, end in pairwise(track):
            raster.line(frame.point(start), frame.point(end), 0.7 * TRACK * layout.scale * frame.scale, colour)
    return raster.pixels


def _away_from_land(coasts: list[Coast], frame: _Frame) -> Pixels:
    """How far each pixel lies from the nearest coast, in pixels; less than nothing on land."""
    width, height = (side // COARSE + 2 for side in SIZE)
    x = np.arange(width, dtype=np.float32)[None, :] * COARSE
    y = np.arange(height, dtype=np.float32)[:, None] * COARSE
    away = np.full((height, width), np.inf, np.float32)
    for coast in coasts:
        corners = [frame.point((float(a), float(b))) for a, b in coast.steps[::2]]
        away = np.minimum(away, _away_from_shape(x, y, corners))
    return _finer(away)


def _away_from_shape(x: Pixels, y: Pixels, corners: list[Point]) -> Pixels:
    far = np.full(np.broadcast_shapes(x.shape, y.shape), np.inf, np.float32)
    inside = np.zeros(far.shape, bool)
    for (x0, y0), (x1, y1) in pairwise([*corners, corners[0]]):
        dx, dy = x1 - x0, y1 - y0
        part = np.clip(((x - x0) * dx + (y - y0) * dy) / max(dx * dx + dy * dy, 1e-9), 0, 1)
        far = np.minimum(far, (x - x0 - part * dx) ** 2 + (y - y0 - part * dy) ** 2)
        if y0 != y1:
            inside ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) / dy * dx)
    return np.where(inside, -np.sqrt(far), np.sqrt(far)).astype(np.float32)


def _finer(coarse: Pixels) -> Pixels:
    """From every so many pixels to every one, in straight lines."""
    columns = (np.arange(SIZE[0]) + 0.5) / COARSE
    rows = (np.arange(SIZE[1]) + 0.5) / COARSE
    left, top = columns.astype(int), rows.astype(int)
    right, below = (columns - left).astype(np.float32), (rows - top).astype(np.float32)[:, None]
    wide = coarse[:, left] * (1 - right) + coarse[:, left + 1] * right
    fine: Pixels = (wide[top] * (1 - below) + wide[top + 1] * below).astype(np.float32)
    return fine


def _space(raster: Raster, frame: _Frame, box: Box, colour: str, owner: int | None) -> None:
    seen, corner = frame.box(box), frame.scale * space_corner(box, frame.board_scale)
    raster.box(seen.grown(1.2), corner + 1.2, PAPER)
    raster.box(seen, corner, colour, 1.0 if owner is None else 0.45)
    if owner is not None:
        _car(raster, seen, 1.25 * frame.scale * car_fit(box, frame.board_scale), SEATS[owner][1])


def _car(raster: Raster, on: Box, size: float, colour: str) -> None:
    """A cable car from the side, as large as it may be on its space."""
    along, across = on.axes
    windows = [(Box(x, 1, 8, 8), 1.5, PAPER) for x in (-12, 0, 12)]
    for part, corner, paint in ((_BODY, 7, INK), (_BODY.grown(-2.5), 5, colour), (_ROOF, 3, PAPER), *windows):
        x = on.x + size * (part.x * along[0] + part.y * across[0])
        y = on.y + size * (part.x * along[1] + part.y * across[1])
        raster.box(Box(x, y, size * part.width, size * part.height, on.angle), size * corner, paint)


def _location(raster: Raster, frame: _Frame, dot: Box, landmark: bool) -> None:
    middle = frame.point(dot.middle)
    radius = frame.scale * dot.width / 2
    raster.disc(middle, radius, PAPER if landmark else INK)
    raster.disc(middle, 0.84 * radius if landmark else 0.7 * radius, BRIDGE if landmark else PAPER)
    raster.disc(middle, 0.42 * radius, GOLD if landmark else BRIDGE)
