"""What lies under a drawn board: sea, coast, hills, houses, boats and fog.

Scenery is for the eye alone. It takes the spots that the layout leaves free, the largest first, and never the same spot twice.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from fogline.board import Board
from fogline.layout import CANVAS_BOX, Box, Layout, Point

Palette = dict[str, str]
Coast = list[Point]

_ISLAND = 88.0
"""How far the land of a map without `land` reaches beyond its outermost dots."""


def draw_scenery(board: Board, layout: Layout, palette: Palette) -> str:
    """Everything below the routes, as SVG."""
    coasts = [_smooth(polygon) for polygon in board.map_file.land] or [_smooth(island) for island in _islands(board)]
    chance = random.Random(board.id)
    spots = _Spots(coasts, layout.boxes(), layout.bottom, 15, chance)
    fog = _fog(spots, chance, palette)
    pieces = _pieces(spots, chance, palette)
    parts = [
        _sea(layout, palette),
        _land(coasts, chance, palette),
        _waves(spots, palette),
        *(
            f'<g transform="translate({piece.x:.0f} {piece.y:.0f}) scale({piece.scale:.2f})">{piece.svg}</g>'
            for piece in pieces
        ),
        fog,
    ]
    return "\n".join(parts)


# Coasts


def _islands(board: Board) -> list[list[Point]]:
    """A map without `land` stands on islands of its own: locations that can be reached without a ferry share one."""
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
    """A coast around some places: their hull, widened and made uneven."""
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


def _smooth(polygon: Iterable[Point]) -> Coast:
    """A curve through the corners, as many short steps: Catmull-Rom, with each step's pull held to its own length.

    Corners off the canvas stay corners: they only close the shape, and rounding them would be seen at the edge.
    """
    corners = list(polygon)
    count = len(corners)
    pulls = []
    for i, corner in enumerate(corners):
        before, after = corners[i - 1], corners[(i + 1) % count]
        long = math.dist(before, after) or 1.0
        pull = ((after[0] - before[0]) / long, (after[1] - before[1]) / long)
        pulls.append(pull if CANVAS_BOX.distance(corner) == 0 else (0.0, 0.0))
    coast = []
    for i, start in enumerate(corners):
        end = corners[(i + 1) % count]
        coast += _curve(start, end, pulls[i], pulls[(i + 1) % count])
    return coast


def _curve(start: Point, end: Point, leaving: Point, arriving: Point) -> Iterator[Point]:
    long = math.dist(start, end)
    steps = max(2, round(long / 14))
    for t in (i / steps for i in range(steps)):
        a, b = (1 + 2 * t) * (1 - t) ** 2, t * t * (3 - 2 * t)
        c, d = t * (1 - t) ** 2 * long, t * t * (t - 1) * long
        yield (
            a * start[0] + b * end[0] + c * leaving[0] + d * arriving[0],
            a * start[1] + b * end[1] + c * leaving[1] + d * arriving[1],
        )


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
        f'<rect width="{CANVAS_BOX.width:.0f}" height="{layout.bottom:.0f}" fill="{palette["sea"]}"/>'
        f'<path d="{"".join(rays)}" fill="{palette["ray"]}" opacity=".35"/>'
    )


def _land(coasts: list[Coast], chance: random.Random, palette: Palette) -> str:
    """Bands of ever shallower water, the beach, then the land: each in one go, so that islands grow together."""
    path = "".join("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in coast) + "Z" for coast in coasts)
    bands = [("shallow", 78, 0.28), ("shallow", 46, 0.5), ("shallow", 22, 0.9), ("beach", 9, 1)]
    strokes = "".join(
        f'<path d="{path}" fill="none" stroke="{palette[name]}" stroke-width="{width}" stroke-linejoin="round" opacity="{opacity}"/>'
        for name, width, opacity in bands
    )
    clip = f"{palette['theme']}-land"
    return (
        f'{strokes}<clipPath id="{clip}"><path d="{path}"/></clipPath><path d="{path}" fill="{palette["land"]}"/>'
        f'<g clip-path="url(#{clip})">{_meadows(chance, palette)}</g>'
    )


def _meadows(chance: random.Random, palette: Palette) -> str:
    """Large quiet shapes that break up the land, over the streets of the town."""
    streets = "".join(f"M-700 {i * 30}H700M{i * 30}-700V700" for i in range(-24, 25))
    meadows = []
    for column, row in product(range(4), range(3)):
        x, y = (column + chance.uniform(0.2, 0.8)) * 300, (row + chance.uniform(0.2, 0.8)) * 300
        wide = chance.uniform(80, 140)
        outline = [
            (x + wide * bulge * math.cos(i * math.tau / 7), y + wide * 0.62 * bulge * math.sin(i * math.tau / 7))
            for i, bulge in enumerate(chance.uniform(0.75, 1.2) for _ in range(7))
        ]
        meadows.append("M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in _smooth(outline)) + "Z")
    return (
        f'<path d="{streets}" transform="translate(600 450) rotate(-9)" stroke="{palette["street"]}" stroke-width="1.6"/>'
        f'<path d="{"".join(meadows)}" fill="{palette["meadow"]}"/>'
    )


# Spots


class _Spots:
    """Points all over the picture, none quite in line, and how much room each of them has left."""

    def __init__(
        self, coasts: list[Coast], taken: Iterable[Box], bottom: float, step: float, chance: random.Random
    ) -> None:
        self.points = [
            ((column + chance.uniform(0.2, 0.8)) * step, (row + chance.uniform(0.2, 0.8)) * step)
            for row in range(int(bottom / step))
            for column in range(int(CANVAS_BOX.width / step))
        ]
        self.xy = np.array(self.points)  # [point, 2]
        self.on_land = np.any([_inside(self.xy, coast) for coast in coasts], axis=0)  # [point]
        self.to_coast = np.min([_distance_to_steps(self.xy, coast) for coast in coasts], axis=0)  # [point]
        x, y = self.xy.T
        self.room = np.minimum.reduce([x, y, CANVAS_BOX.width - x, bottom - y])  # [point]
        for box in taken:
            self.take(box)

    def take(self, box: Box) -> None:
        along, across = (np.abs((self.xy - (box.x, box.y)) @ np.array(axis)) for axis in box.axes)
        outside = np.hypot(np.maximum(along - box.width / 2, 0), np.maximum(across - box.height / 2, 0))
        self.room = np.minimum(self.room, outside)


def _inside(points: np.ndarray, coast: Coast) -> np.ndarray:
    """Which points a coast encloses: those from which a line to the right crosses it an odd number of times."""
    start = np.array(coast)[:, None]  # [step, 1, 2]
    end = np.roll(start, -1, axis=0)
    x, y = points[:, 0], points[:, 1]
    straddles = (start[..., 1] > y) != (end[..., 1] > y)
    rise = np.where(straddles, end[..., 1] - start[..., 1], 1.0)
    crossing = start[..., 0] + (y - start[..., 1]) / rise * (end[..., 0] - start[..., 0])
    odd: np.ndarray = np.sum(straddles & (x < crossing), axis=0) % 2 == 1
    return odd


def _distance_to_steps(points: np.ndarray, coast: Coast) -> np.ndarray:
    nearest: np.ndarray = np.hypot(*(points[None] - np.array(coast)[:, None]).T).min(axis=1)
    return nearest


@dataclass(frozen=True, slots=True)
class _Piece:
    x: float
    y: float
    scale: float
    svg: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of scenery: where, how much room it needs at scale 1, its scales, and how many of it at most."""

    on_land: bool
    radius: float
    scales: tuple[float, float]
    most: int
    picture: Callable[[random.Random, Palette], str]


def _pieces(spots: _Spots, chance: random.Random, palette: Palette) -> list[_Piece]:
    """The scenery, back to front."""
    pieces = []
    for kind in _KINDS:
        for _ in range(kind.most):
            room = np.where(spots.on_land == kind.on_land, np.minimum(spots.room, spots.to_coast), 0.0)
            best = int(room.argmax())
            scale = min(float(room[best]) / kind.radius, kind.scales[1])
            if scale < kind.scales[0]:
                break
            pieces.append(_Piece(*spots.points[best], scale, kind.picture(chance, palette)))
            size = 2 * kind.radius * scale
            spots.take(Box(*spots.points[best], size, size))
    return sorted(pieces, key=lambda piece: (piece.y, piece.x))


def _hill(chance: random.Random, palette: Palette) -> str:
    tall = chance.uniform(22, 30)
    return (
        f'<path d="M-34 18C-28-2-18-{tall - 8:.0f}-6-{tall - 8:.0f}S14 0 20 18Z" fill="{palette["hill"]}"/>'
        f'<path d="M-14 18C-8-8 0-{tall:.0f} 10-{tall:.0f}S30 0 36 18Z" fill="{palette["hill_near"]}"/>'
        f'<path d="M10-{tall:.0f}C4-14 8 4 4 18H36C30 0 24-{tall:.0f} 10-{tall:.0f}Z" fill="{palette["hill_shade"]}"/>'
        f'<ellipse cx="0" cy="18" rx="40" ry="3.5" fill="{palette["hill_shade"]}"/>'
    )


def _houses(chance: random.Random, palette: Palette) -> str:
    """A row of three painted houses; at night their windows are lit."""
    parts = []
    for x, wall in zip((-15, -5, 5), chance.sample(("wall_1", "wall_2", "wall_3"), 3), strict=True):
        parts.append(
            f'<path d="M{x} 10V-5L{x + 5}-11L{x + 10}-5V10Z" fill="{palette[wall]}"/>'
            f'<path d="M{x - 0.8}-4.6L{x + 5}-11.4L{x + 10.8}-4.6" fill="none" stroke="{palette["roof"]}" stroke-width="1.7"/>'
            f'<path d="M{x + 2}-3h2.3v3.6h-2.3zM{x + 5.8}-3h2.3v3.6h-2.3zM{x + 2}3.5h2.3v6.5h-2.3zM{x + 5.8}3.5h2.3v3.6h-2.3z" '
            f'fill="{palette["window"]}"/>'
        )
    return "".join(parts)


def _trees(chance: random.Random, palette: Palette) -> str:
    parts = []
    for x in (-6.0, 5.0, -0.5):
        tall = chance.uniform(11, 16)
        parts.append(
            f'<path d="M{x} 8V2" stroke="{palette["roof"]}" stroke-width="1.5"/>'
            f'<path d="M{x - 4.2:.1f} 4Q{x - 4:.1f}-{tall - 7:.0f} {x:.1f}-{tall - 2:.0f}Q{x + 4:.1f}-{tall - 7:.0f} {x + 4.2:.1f} 4Z" fill="{palette["tree"]}"/>'
        )
    return "".join(parts)


def _boat(chance: random.Random, palette: Palette) -> str:
    side = chance.choice((-1, 1))
    return (
        f'<g transform="scale({side} 1)"><path d="M1-19V5H13Q11-9 1-19Z" fill="{palette["sail"]}"/>'
        f'<path d="M-1-15V5H-11Q-9-6-1-15Z" fill="{palette["accent"]}"/>'
        f'<path d="M-15 7H16L11 13H-10Z" fill="{palette["hull"]}"/></g>'
        f'<path d="M-22 15q5.5-4 11 0t11 0t11 0t11 0" fill="none" stroke="{palette["wave"]}" stroke-width="1.8" stroke-linecap="round"/>'
    )


def _compass(_: random.Random, palette: Palette) -> str:
    star = "M0-34L6-6L0 0ZM0 34L-6 6L0 0ZM34 0L6 6L0 0ZM-34 0L-6-6L0 0Z"
    back = "M0-34L-6-6L0 0ZM0 34L6 6L0 0ZM34 0L6-6L0 0ZM-34 0L-6 6L0 0Z"
    return (
        f'<circle r="25" fill="none" stroke="{palette["paper"]}" stroke-width="1.6" opacity=".8"/>'
        f'<circle r="20" fill="none" stroke="{palette["paper"]}" stroke-width="3" stroke-dasharray="1.5 6.354" opacity=".8"/>'
        f'<path d="{star}" fill="{palette["accent"]}"/><path d="{back}" fill="{palette["paper"]}"/>'
        f'<text y="-38" text-anchor="middle" font-size="15" font-weight="700" fill="{palette["paper"]}">N</text>'
    )


_KINDS = (
    _Kind(False, 58, (0.85, 1.15), 1, _compass),
    _Kind(True, 40, (0.55, 1.15), 6, _hill),
    _Kind(False, 26, (0.75, 1.05), 4, _boat),
    _Kind(True, 17, (0.85, 1.25), 14, _houses),
    _Kind(True, 11, (0.8, 1.2), 26, _trees),
)


def _waves(spots: _Spots, palette: Palette) -> str:
    """Strokes here and there on open water, in rows that do not line up."""
    strokes = []
    open_water = ~spots.on_land & (spots.room > 16) & (spots.to_coast > 26)
    for i in np.flatnonzero(open_water)[::7]:
        x, y = spots.points[i]
        strokes.append(f"M{x - 12:.0f} {y:.0f}q4-4 8 0t8 0t8 0" if i % 3 else f"M{x - 8:.0f} {y:.0f}q4-4 8 0t8 0")
    return f'<path d="{"".join(strokes)}" fill="none" stroke="{palette["wave"]}" stroke-width="2" stroke-linecap="round" opacity=".75"/>'


def _fog(spots: _Spots, chance: random.Random, palette: Palette) -> str:
    """Banks where they hide least: fog lies below the routes, but a clear picture reads better."""
    banks: list[Point] = []
    for i in np.argsort(-spots.room, kind="stable"):
        x, y = spots.points[i]
        if len(banks) < 7 and all(math.hypot((x - other[0]) / 2, y - other[1]) > 120 for other in banks):
            banks.append((x, y))
    drawn = "".join(_bank(x, y, chance) for x, y in banks)
    return f'<g fill="{palette["fog"]}" opacity="{palette["fog_opacity"]}">{drawn}</g>'


def _bank(x: float, y: float, chance: random.Random) -> str:
    bars = []
    for row in range(4):
        wide = chance.uniform(90, 130) * (1.5, 1.9, 1.4, 0.8)[row]
        left = x - wide / 2 + chance.uniform(-32, 32)
        bars.append(f'<rect x="{left:.0f}" y="{y - 28 + 14 * row:.0f}" width="{wide:.0f}" height="14.5" rx="7.2"/>')
    return "".join(bars)
