"""What lies under a drawn board: sea, coast, hills, houses, boats and fog.

Scenery has no meaning in the game. It takes the spots that the layout leaves free, the largest first, and each only
once.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from fogline.drawing.coast import Coast, coasts_of
from fogline.drawing.geometry import CANVAS_BOX, Box, Point
from fogline.drawing.layout import Layout
from fogline.drawing.palette import PAPER, Palette
from fogline.drawing.svg import LINE, at
from fogline.maps.board import Board


def draw_scenery(board: Board, layout: Layout, palette: Palette) -> str:
    """Everything below the routes, as SVG."""
    coasts = coasts_of(board)
    chance = random.Random(board.id)
    spots = _Spots(coasts, layout.boxes(), layout.bottom, 15, chance)
    compass = _pieces(_COMPASS, spots, chance, palette)
    fog = _fog(spots, chance, palette)
    pieces = compass + _pieces(_KINDS, spots, chance, palette)
    open_water = _Spots(coasts, [*layout.boxes(), *(piece.box for piece in pieces)], layout.bottom, 44, chance)
    parts = [
        _sea(layout, palette),
        _land(coasts, chance, palette),
        _waves(open_water, palette),
        fog,
        *(at(piece.box, piece.svg, piece.scale) for piece in sorted(pieces, key=lambda piece: piece.box.middle[::-1])),
    ]
    return "\n".join(parts)


# Flat shapes


def _sea(layout: Layout, palette: Palette) -> str:
    """The water, with the sun's rays spreading over it from behind the title."""
    sun = (layout.title.x, layout.title.y)
    rays = []
    for i in range(0, 48, 2):
        edge = [
            (sun[0] + 1700 * math.cos(turn), sun[1] + 1700 * math.sin(turn))
            for turn in (i * math.tau / 48, (i + 1) * math.tau / 48)
        ]
        rays.append("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in (sun, *edge)) + "Z")
    return (
        f'<rect width="{CANVAS_BOX.width:.0f}" height="{layout.bottom:.0f}" fill="{palette.sea}"/>'
        f'<path d="{"".join(rays)}" fill="{palette.ray}" opacity=".35"/>'
    )


def _land(coasts: list[Coast], chance: random.Random, palette: Palette) -> str:
    """Bands of ever shallower water, the beach, then the land: each in one path, so that islands grow together."""
    path = "".join(coast.path for coast in coasts)
    bands = [(palette.shallow, 78, 0.28), (palette.shallow, 46, 0.5), (palette.shallow, 22, 0.9), (palette.beach, 9, 1)]
    strokes = "".join(
        f'<path d="{path}" {LINE} stroke="{colour}" stroke-width="{width}" opacity="{opacity}"/>'
        for colour, width, opacity in bands
    )
    clip = f"{palette.theme}-land"
    return (
        f'{strokes}<clipPath id="{clip}"><path d="{path}"/></clipPath><path d="{path}" fill="{palette.land}"/>'
        f'<g clip-path="url(#{clip})">{_meadows(chance, palette)}</g>'
    )


def _meadows(chance: random.Random, palette: Palette) -> str:
    """Large plain shapes that break up the land, over the streets of the town."""
    streets = "".join(f"M-700 {i * 30}H700M{i * 30}-700V700" for i in range(-24, 25))
    meadows = []
    for column, row in product(range(4), range(3)):
        x, y = (column + chance.uniform(0.2, 0.8)) * 300, (row + chance.uniform(0.2, 0.8)) * 300
        wide = chance.uniform(80, 140)
        outline = [
            (x + wide * bulge * math.cos(i * math.tau / 7), y + wide * 0.62 * bulge * math.sin(i * math.tau / 7))
            for i, bulge in enumerate(chance.uniform(0.75, 1.2) for _ in range(7))
        ]
        meadows.append(Coast(outline, CANVAS_BOX.grown(200)).path)
    return (
        f'<path d="{streets}" transform="translate(600 450) rotate(-9)" stroke="{palette.street}" stroke-width="1.6"/>'
        f'<path d="{"".join(meadows)}" fill="{palette.meadow}"/>'
    )


# Spots


class _Spots:
    """Points all over the picture, slightly irregular, and how much room each has left."""

    def __init__(
        self, coasts: list[Coast], taken: Iterable[Box], bottom: float, step: float, chance: random.Random
    ) -> None:
        self.points = [
            ((column + chance.uniform(0.2, 0.8)) * step, (row + chance.uniform(0.2, 0.8)) * step)
            for row in range(int(bottom / step))
            for column in range(int(CANVAS_BOX.width / step))
        ]
        self.xy = np.array(self.points)  # [point, 2]
        lines = [coast.steps for coast in coasts]
        self.on_land = np.any([_inside(self.xy, steps) for steps in lines], axis=0)  # [point]
        self.to_coast = np.min([_distance(self.xy, steps) for steps in lines], axis=0)  # [point]
        x, y = self.xy.T
        self.room = np.minimum.reduce([x, y, CANVAS_BOX.width - x, bottom - y])  # [point]
        for box in taken:
            self.take(box)

    def take(self, box: Box) -> None:
        along, across = (np.abs((self.xy - (box.x, box.y)) @ np.array(axis)) for axis in box.axes)
        outside = np.hypot(np.maximum(along - box.width / 2, 0), np.maximum(across - box.height / 2, 0))
        self.room = np.minimum(self.room, outside)


def _inside(points: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Which points a coast encloses: those from which a line to the right crosses it an odd number of times."""
    start = steps[:, None]  # [step, 1, 2]
    end = np.roll(start, -1, axis=0)
    x, y = points[:, 0], points[:, 1]
    straddles = (start[..., 1] > y) != (end[..., 1] > y)
    rise = np.where(straddles, end[..., 1] - start[..., 1], 1.0)
    crossing = start[..., 0] + (y - start[..., 1]) / rise * (end[..., 0] - start[..., 0])
    odd: np.ndarray = np.sum(straddles & (x < crossing), axis=0) % 2 == 1
    return odd


def _distance(points: np.ndarray, steps: np.ndarray) -> np.ndarray:
    nearest: np.ndarray = np.hypot(*(points[None] - steps[:, None]).T).min(axis=1)
    return nearest


@dataclass(frozen=True, slots=True)
class _Piece:
    box: Box
    scale: float
    svg: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of scenery: where, how much room it needs at scale 1, its scales, and how many at most."""

    on_land: bool
    radius: float
    scales: tuple[float, float]
    most: int
    picture: Callable[[random.Random, Palette], str]


def _pieces(kinds: Iterable[_Kind], spots: _Spots, chance: random.Random, palette: Palette) -> list[_Piece]:
    """Takes the best spot that is left, again and again."""
    pieces = []
    for kind in kinds:
        for _ in range(kind.most):
            room = np.where(spots.on_land == kind.on_land, np.minimum(spots.room, spots.to_coast), 0.0)
            best = int(room.argmax())
            scale = min(float(room[best]) / kind.radius, kind.scales[1])
            if scale < kind.scales[0]:
                break
            size = 2 * kind.radius * scale
            pieces.append(_Piece(Box(*spots.points[best], size, size), scale, kind.picture(chance, palette)))
            spots.take(pieces[-1].box)
    return pieces


def _hill(chance: random.Random, palette: Palette) -> str:
    tall = chance.uniform(22, 30)
    return (
        f'<path d="M-34 18C-28-2-18-{tall - 8:.0f}-6-{tall - 8:.0f}S14 0 20 18Z" fill="{palette.hill}"/>'
        f'<path d="M-14 18C-8-8 0-{tall:.0f} 10-{tall:.0f}S30 0 36 18Z" fill="{palette.hill_near}"/>'
        f'<path d="M10-{tall:.0f}C4-14 8 4 4 18H36C30 0 24-{tall:.0f} 10-{tall:.0f}Z" fill="{palette.hill_shade}"/>'
        f'<ellipse cx="0" cy="18" rx="40" ry="3.5" fill="{palette.hill_shade}"/>'
    )


def _houses(chance: random.Random, palette: Palette) -> str:
    """A row of three painted houses; at night their windows are lit."""
    parts = []
    for x, wall in zip((-15, -5, 5), chance.sample(palette.walls, 3), strict=True):
        parts.append(
            f'<path d="M{x} 10V-5L{x + 5}-11L{x + 10}-5V10Z" fill="{wall}"/>'
            f'<path d="M{x - 0.8}-4.6L{x + 5}-11.4L{x + 10.8}-4.6" {LINE} stroke="{palette.roof}" stroke-width="1.7"/>'
            f'<path d="M{x + 2}-3h2.3v3.6h-2.3zm3.8 0h2.3v3.6h-2.3zm0 6.5h2.3v3.6h-2.3zm-3.8 0h2.3v6.5h-2.3z" '
            f'fill="{palette.window}"/>'
        )
    return "".join(parts)


def _trees(chance: random.Random, palette: Palette) -> str:
    """A tall tree, a round one and, now and then, a third."""
    crowns = [(-4.0, 9.5, 4.2), (3.5, 6.0, 5.0), (9.0, 4.5, 3.4)][: chance.choice((2, 2, 3))]
    side = chance.choice((-1, 1))
    return "".join(
        f'<ellipse cx="{side * x}" cy="{3 - tall:.1f}" rx="{wide}" ry="{tall}" fill="{palette.tree}"/>'
        f'<path d="M{side * x} 8V{1 - tall:.1f}" stroke="{palette.trunk}" stroke-width="1.3" stroke-linecap="round"/>'
        for x, tall, wide in crowns
    )


def _boat(chance: random.Random, palette: Palette) -> str:
    side = chance.choice((-1, 1))
    return (
        f'<g transform="scale({side} 1)"><path d="M1-19V5H13Q11-9 1-19Z" fill="{palette.sail}"/>'
        f'<path d="M-1-15V5H-11Q-9-6-1-15Z" fill="{palette.accent}"/>'
        f'<path d="M-15 7H16L11 13H-10Z" fill="{palette.hull}"/></g>'
        f'<path d="M-22 15q5.5-4 11 0t11 0t11 0t11 0" {LINE} stroke="{palette.wave}" stroke-width="1.8"/>'
    )


def _compass(_: random.Random, palette: Palette) -> str:
    star = "M0-34L6-6L0 0ZM0 34L-6 6L0 0ZM34 0L6 6L0 0ZM-34 0L-6-6L0 0Z"
    back = "M0-34L-6-6L0 0ZM0 34L6 6L0 0ZM34 0L6-6L0 0ZM-34 0L-6 6L0 0Z"
    return (
        f'<circle r="25" fill="none" stroke="{PAPER}" stroke-width="1.6" opacity=".8"/>'
        f'<circle r="20" fill="none" stroke="{PAPER}" stroke-width="3" stroke-dasharray="1.5 6.354" opacity=".8"/>'
        f'<path d="{star}" fill="{palette.accent}"/><path d="{back}" fill="{PAPER}"/>'
        f'<text y="-38" text-anchor="middle" font-size="15" font-weight="700" fill="{PAPER}">N</text>'
    )


_COMPASS = (_Kind(False, 58, (0.85, 1.15), 1, _compass),)
_KINDS = (
    _Kind(True, 40, (0.55, 1.15), 6, _hill),
    _Kind(False, 26, (0.75, 1.05), 4, _boat),
    _Kind(True, 17, (0.85, 1.25), 14, _houses),
    _Kind(True, 11, (0.8, 1.2), 26, _trees),
)


def _waves(spots: _Spots, palette: Palette) -> str:
    """Short waves here and there on open water, in rows that do not line up."""
    strokes = []
    open_water = ~spots.on_land & (spots.room > 16) & (spots.to_coast > 26)
    for i in np.flatnonzero(open_water):
        x, y = spots.points[i]
        strokes.append(f"M{x - 12:.0f} {y:.0f}q4-4 8 0t8 0t8 0" if i % 3 else f"M{x - 8:.0f} {y:.0f}q4-4 8 0t8 0")
    return f'<path d="{"".join(strokes)}" {LINE} stroke="{palette.wave}" stroke-width="2" opacity=".75"/>'


def _fog(spots: _Spots, chance: random.Random, palette: Palette) -> str:
    """Banks where they hide least: fog lies below the routes, but a clear picture reads better."""
    banks: list[Point] = []
    for i in np.argsort(-spots.room, kind="stable"):
        x, y = spots.points[i]
        if len(banks) < 7 and all(math.hypot((x - other[0]) / 2, y - other[1]) > 120 for other in banks):
            banks.append((x, y))
    drawn = "".join(_bank(x, y, chance) for x, y in banks)
    return f'<g fill="{palette.fog}" opacity="{palette.fog_strength}">{drawn}</g>'


def _bank(x: float, y: float, chance: random.Random) -> str:
    bars = []
    for row in range(4):
        wide = chance.uniform(90, 130) * (1.5, 1.9, 1.4, 0.8)[row]
        left = x - wide / 2 + chance.uniform(-32, 32)
        bars.append(f'<rect x="{left:.0f}" y="{y - 28 + 14 * row:.0f}" width="{wide:.0f}" height="14.5" rx="7.2"/>')
    return "".join(bars)
