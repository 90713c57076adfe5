"""The picture of a board, as SVG: a travel poster, by day or by night.

>>> from fogline.maps.board import Board
>>> draw(Board.load("tiny"))[:40]
'<svg xmlns="http://www.w3.org/2000/svg" '
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from xml.sax.saxutils import escape

from fogline.drawing.geometry import CANVAS_BOX, Box
from fogline.drawing.layout import lay_out
from fogline.drawing.palette import BRIDGE, DAY, NIGHT, PAPER
from fogline.drawing.panels import LEGEND_SIZE, draw_legend, draw_title, title_size
from fogline.drawing.scenery import draw_scenery
from fogline.drawing.sizes import (
    LABEL_CORNER,
    LABEL_LINE,
    LABEL_PADDING,
    LABEL_SIZE,
    LOCATION_STACK,
    TRACK,
    WAKE,
    WAKE_GAP,
    car_fit,
    space_corner,
    space_fit,
)
from fogline.drawing.svg import LINE, at, plate, text, turned
from fogline.drawing.symbols import cable_car, ferry, landmark, pattern, stop, token_stack
from fogline.maps.board import Board, Route
from fogline.maps.mapfile import COLOURS, GREY, Location

Stacks = Mapping[str, tuple[str, int]]
"""By location: the souvenir of the stack there, and how many tokens it has."""

_FRAME = 26.0
_CORNER = 14
_FACES = (
    "Futura, Jost, 'Josefin Sans', 'URW Gothic', 'Century Gothic', 'Avenir Next', 'Gill Sans', 'Trebuchet MS', "
    "'Liberation Sans', sans-serif"
)


def draw(
    board: Board, *, dark: bool = False, owners: Mapping[str, int] | None = None, stacks: Stacks | None = None
) -> str:
    """The board as a complete SVG text; the same board gives the same text.

    `owners` gives the seat that owns a route, `stacks` the souvenirs at a location. Without `stacks` the landmarks show
    the souvenirs they begin with (2.2).
    """
    picture = _Picture(board, dark, owners or {}, _first_stacks(board) if stacks is None else stacks).svg()
    return picture.encode("ascii", "xmlcharrefreplace").decode()  # so that any file and any terminal can hold it


def _first_stacks(board: Board) -> Stacks:
    """A stack's number of tokens depends on the number of players (2.3), unknown here: 1 stands for any."""
    return {location.id: (kind, 1) for location, kind in zip(board.landmarks, board.souvenirs, strict=False)}


class _Picture:
    def __init__(self, board: Board, dark: bool, owners: Mapping[str, int], stacks: Stacks) -> None:
        self.board = board
        self.palette = NIGHT if dark else DAY
        self.owners = owners
        self.stacks = stacks
        self.layout = lay_out(board, title_size(board), LEGEND_SIZE)

    def svg(self) -> str:
        """All layers, from the sea to the title."""
        scenery = draw_scenery(self.board, self.layout, self.palette)
        layers = [
            *self._head(),
            f'<g clip-path="url(#{self.palette.theme}-canvas)">\n{scenery}\n</g>',
            self._frame(),
            *(self._lamp(location) for location in self.board.locations if self.palette.lamp),
            *(self._track(route) for route in self.board.routes if route.id in self.layout.tracks),
            *(self._route(route) for route in self.board.routes),
            *(self._label(location) for location in self.board.locations),
            *(self._location(location) for location in self.board.locations),
            draw_title(self.board, self.layout.title, self.palette),
            draw_legend(self.board, self.layout.legend, self.palette),
            "</svg>",
        ]
        return "\n".join(layers) + "\n"

    def _head(self) -> list[str]:
        theme = self.palette.theme
        width, height = CANVAS_BOX.width + 2 * _FRAME, self.layout.bottom + 2 * _FRAME
        names = ", ".join(location.name for location in self.board.locations)
        about = f"{len(self.board.routes)} routes join {len(self.board.locations)} locations: {names}."
        canvas = f'<rect width="{CANVAS_BOX.width:g}" height="{self.layout.bottom:g}" rx="{_CORNER}"/>'
        patterns = "".join(pattern(self.palette, colour) for colour in (*COLOURS, GREY))
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-_FRAME:g} {-_FRAME:g} {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img" aria-labelledby="{theme}-title {theme}-desc" '
            f'font-family="{_FACES}">'
        )
        return [
            opening,
            f'<title id="{theme}-title">{escape(self.board.name)}, a Fogline board</title>',
            f'<desc id="{theme}-desc">{escape(about)}</desc>',
            f'<defs><clipPath id="{theme}-canvas">{canvas}</clipPath>{patterns}</defs>',
        ]

    def _frame(self) -> str:
        """The poster's margin, with a thin line in it."""
        width, height, corner = CANVAS_BOX.width, self.layout.bottom, _CORNER
        outer = f"M{-_FRAME:g} {-_FRAME:g}H{width + _FRAME:g}V{height + _FRAME:g}H{-_FRAME:g}Z"
        arc = f"a{corner} {corner} 0 0 1 "
        inner = (
            f"M{corner} 0H{width - corner:g}{arc}{corner} {corner}V{height - corner:g}{arc}-{corner} {corner}"
            f"H{corner}{arc}-{corner}-{corner}V{corner}{arc}{corner}-{corner}Z"
        )
        line = plate(
            Box(width / 2, height / 2, width + 24, height + 24),
            20,
            f'stroke="{self.palette.accent}" stroke-width="2.5" fill="none"',
        )
        return f'<path d="{outer}{inner}" fill="{self.palette.frame}" fill-rule="evenodd"/>{line}'

    # Routes

    def _track(self, route: Route) -> str:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in self.layout.tracks[route.id])
        line, wide = f'<polyline points="{points}" {LINE}', self.layout.scale
        if route.ferries:
            dots = f'stroke-width="{WAKE * wide:.1f}" stroke-dasharray="0.1 {WAKE_GAP * wide:.1f}"'
            return f'{line} stroke="{self.palette.wake}" {dots}/>'
        return (
            f'{line} stroke="{self.palette.halo}" stroke-width="{6 * wide:.1f}" opacity=".7"/>'
            f'{line} stroke="{self.palette.track}" stroke-width="{TRACK * wide:.1f}"/>'
        )

    def _route(self, route: Route) -> str:
        first, second = (self.board.location(end).name for end in (route.first, route.second))
        words = f"{first} – {second}: {route.length} {route.colour}"
        boxes = self.layout.spaces[route.id]
        parts = [self._space(route, box) for box in boxes]
        parts += [
            at(replace(box, angle=0), ferry(), space_fit(box, self.layout.scale)) for box in boxes[: route.ferries]
        ]
        owned = ""
        if route.id in self.owners:
            seat = self.owners[route.id]
            # A claimed route's colour no longer matters, so it fades behind the cars.
            parts = [f'<g opacity=".5">{"".join(parts)}</g>']
            parts += [
                f'<g class="car">{at(box, cable_car(seat), car_fit(box, self.layout.scale))}</g>' for box in boxes
            ]
            words, owned = f"{words}, claimed by seat {seat}", f' data-owner="{seat}"'
        return f'<g data-route="{route.id}"{owned}><title>{escape(words)}</title>{"".join(parts)}</g>'

    def _space(self, route: Route, box: Box) -> str:
        scale = self.layout.scale
        width, height, corner = box.width / scale, box.height / scale, space_corner(box, scale) / scale
        return (
            f'<rect class="space" x="{-width / 2:.1f}" y="{-height / 2:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'rx="{corner:.1f}" {turned(box, scale)} '
            f'fill="url(#{self.palette.theme}-{route.colour})" stroke="{self.palette.rim}" stroke-width="1.6"/>'
        )

    # Locations

    def _lamp(self, location: Location) -> str:
        dot = self.layout.dots[location.id]
        radius = dot.width / 2 + 11 * self.layout.scale
        light = f'fill="{self.palette.dot}" opacity="{self.palette.lamp}"'
        return f'<circle cx="{dot.x:g}" cy="{dot.y:g}" r="{radius:.1f}" {light}/>'

    def _location(self, location: Location) -> str:
        kind, count = self.stacks.get(location.id, ("", 0))
        marker = landmark(self.palette) if location.landmark else stop(self.palette)
        stack = token_stack(kind, count, 1.0 if location.landmark else LOCATION_STACK) if count > 0 else ""
        dot = at(self.layout.dots[location.id], marker + stack, self.layout.scale)
        return f'<g data-location="{location.id}"><title>{escape(location.name)}</title>{dot}</g>'

    def _label(self, location: Location) -> str:
        box, lines = self.layout.labels[location.id].box, self.layout.labels[location.id].lines
        scale = self.layout.scale
        fill, ink = (BRIDGE, PAPER) if location.landmark else (self.palette.plate, self.palette.text)
        paint = f'class="label" fill="{fill}" stroke="{self.palette.plate_line}" stroke-width="1.2"'
        base = box.top + (LABEL_PADDING[1] + LABEL_LINE * 0.77) * scale
        words = (
            text(line, box.x, base + i * LABEL_LINE * scale, LABEL_SIZE * scale, ink) for i, line in enumerate(lines)
        )
        return plate(box, LABEL_CORNER * scale, paint) + "".join(words)
