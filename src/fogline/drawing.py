"""The picture of a board, as SVG: a travel poster, by day or by night.

>>> from fogline.board import Board
>>> draw(Board.load("tiny")).splitlines()[0][:25]
'<svg xmlns="http://www.w3'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from xml.sax.saxutils import escape, quoteattr

from fogline.board import Board, Route
from fogline.layout import (
    CANVAS_BOX,
    LABEL_LINE,
    LABEL_PADDING,
    LABEL_SIZE,
    SPACE_WIDTH,
    Box,
    Label,
    Layout,
    lay_out,
    text_width,
)
from fogline.mapfile import COLOURS, GREY, Location
from fogline.scenery import Palette, draw_scenery
from fogline.symbols import LINE, SEATS, cable_car, ferry, pattern, souvenir, title_car

Stacks = Mapping[str, tuple[str, int]]
"""By location: the souvenir of the stack there, and how many tokens it has."""

FRAME = 26.0
FONTS = "Futura, Jost, 'Josefin Sans', 'URW Gothic', 'Century Gothic', 'Avenir Next', 'Gill Sans', 'Trebuchet MS', 'Liberation Sans', sans-serif"

DAY: Palette = {
    "theme": "day",
    "paper": "#FBF1DC",
    "ink": "#24303F",
    "text": "#24303F",
    "frame": "#FBF1DC",
    "accent": "#C4412A",
    "plate": "#FFF8E7",
    "plate_line": "#C9B48A",
    "halo": "#FFF8E7",
    "track": "#7A6F5C",
    "wake": "#FFFFFF",
    "sea": "#7DB4C6",
    "ray": "#89BDCC",
    "shallow": "#A9D3D6",
    "wave": "#D5EBE9",
    "beach": "#FBF1DC",
    "land": "#EBDDB5",
    "street": "#F3E8C9",
    "meadow": "#DDD9A8",
    "hill": "#B9C794",
    "hill_near": "#A3B77F",
    "hill_shade": "#8CA36D",
    "tree": "#6F8F64",
    "wall_1": "#E9B7A0",
    "wall_2": "#F7EBD0",
    "wall_3": "#A9C6C4",
    "roof": "#8A5A44",
    "window": "#5C6F7D",
    "sail": "#FFF8E7",
    "hull": "#24465C",
    "fog": "#FFFFFF",
    "fog_opacity": ".55",
    "glow": "#FFF8E7",
}
NIGHT: Palette = {
    "theme": "night",
    "paper": "#F3E4C0",
    "ink": "#0E1430",
    "text": "#F3E4C0",
    "frame": "#0E1430",
    "accent": "#E8603C",
    "plate": "#12183A",
    "plate_line": "#8F86A8",
    "halo": "#0E1430",
    "track": "#9AA0C4",
    "wake": "#C8D2F5",
    "sea": "#1D2A5C",
    "ray": "#23326A",
    "shallow": "#2C3F7C",
    "wave": "#4A5FA3",
    "beach": "#5A6291",
    "land": "#323A63",
    "street": "#3B446F",
    "meadow": "#2E4363",
    "hill": "#33506A",
    "hill_near": "#2B4459",
    "hill_shade": "#23384B",
    "tree": "#2A5560",
    "wall_1": "#6B4A66",
    "wall_2": "#565C8C",
    "wall_3": "#3F5F7E",
    "roof": "#1C2247",
    "window": "#FFD36B",
    "sail": "#D9D4C8",
    "hull": "#0E1430",
    "fog": "#AEB9E6",
    "fog_opacity": ".3",
    "glow": "#FFD36B",
}


def draw(
    board: Board,
    *,
    dark: bool = False,
    owners: Mapping[str, int] | None = None,
    stacks: Stacks | None = None,
) -> str:
    """The board as a complete SVG text. `owners` gives the seat that owns a route, `stacks` the souvenirs at a location;
    without `stacks` the landmarks show the souvenirs they begin with (2.2)."""
    picture = _Picture(board, dark, owners or {}, _first_stacks(board) if stacks is None else stacks)
    return picture.svg()


def _first_stacks(board: Board) -> Stacks:
    """How many tokens a stack has depends on the number of players (2.3), which is not known here: 1 stands for any."""
    return {landmark.id: (kind, 1) for landmark, kind in zip(board.landmarks, board.souvenirs, strict=False)}


class _Picture:
    def __init__(self, board: Board, dark: bool, owners: Mapping[str, int], stacks: Stacks) -> None:
        self.board = board
        self.palette = NIGHT if dark else DAY
        self.theme = self.palette["theme"]
        self.owners = owners
        self.stacks = stacks
        self.layout: Layout = lay_out(board, _title_size(board), _legend_size(board))

    def svg(self) -> str:
        width, height = CANVAS_BOX.width + 2 * FRAME, self.layout.bottom + 2 * FRAME
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-FRAME:.0f} {-FRAME:.0f} {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" role="img" aria-labelledby="board-title board-desc" font-family="{FONTS}">',
            f'<title id="board-title">{escape(self.board.name)}: a Fogline board</title>',
            f'<desc id="board-desc">{escape(self._description())}</desc>',
            self._defs(),
            f'<g clip-path="url(#{self.theme}-canvas)">{draw_scenery(self.board, self.layout, self.palette)}</g>',
            self._frame(),
            *(self._track(route) for route in self.board.routes if route.id in self.layout.tracks),
            *(self._route(route) for route in self.board.routes),
            *(self._location(location) for location in self.board.locations),
            *(self._label(location) for location in self.board.locations),
            self._title(self.layout.title),
            self._legend(self.layout.legend),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _description(self) -> str:
        places = ", ".join(location.name for location in self.board.locations)
        return f"{len(self.board.routes)} routes join {len(self.board.locations)} locations: {places}."

    def _defs(self) -> str:
        canvas = f'<rect width="{CANVAS_BOX.width:.0f}" height="{self.layout.bottom:.0f}" rx="14"/>'
        patterns = "".join(pattern(f"{self.theme}-{colour}", colour) for colour in (*COLOURS, GREY))
        return f'<defs><clipPath id="{self.theme}-canvas">{canvas}</clipPath>{patterns}</defs>'

    def _frame(self) -> str:
        """The poster's margin, with a thin line in it."""
        width, height = CANVAS_BOX.width, self.layout.bottom
        outer = f"M{-FRAME} {-FRAME}H{width + FRAME}V{height + FRAME}H{-FRAME}Z"
        inner = f"M14 0H{width - 14}q14 0 14 14V{height - 14}q0 14-14 14H14q-14 0-14-14V14q0-14 14-14Z"
        return (
            f'<path d="{outer}{inner}" fill="{self.palette["frame"]}" fill-rule="evenodd"/>'
            f'<rect x="-12" y="-12" width="{width + 24:.0f}" height="{height + 24:.0f}" rx="20" fill="none" '
            f'stroke="{self.palette["accent"]}" stroke-width="2.5"/>'
        )

    # Routes

    def _track(self, route: Route) -> str:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in self.layout.tracks[route.id])
        if route.ferries:
            return f'<polyline points="{points}" {LINE} stroke="{self.palette["wake"]}" stroke-width="4" stroke-dasharray="0.1 9"/>'
        return (
            f'<polyline points="{points}" {LINE} stroke="{self.palette["halo"]}" stroke-width="6" opacity=".7"/>'
            f'<polyline points="{points}" {LINE} stroke="{self.palette["track"]}" stroke-width="2.2"/>'
        )

    def _route(self, route: Route) -> str:
        first, second = (self.board.location(end).name for end in (route.first, route.second))
        owner = self.owners.get(route.id)
        words = f"{first} – {second}: {route.length} {route.colour}" + ("" if owner is None else f", seat {owner}")
        spaces = [self._space(route, box) for box in self.layout.spaces[route.id]]
        marks = [
            _at(replace(box, angle=0), ferry(self.palette["ink"], self.palette["paper"]))
            for box in self.layout.spaces[route.id][: route.ferries]
        ]
        cars = [] if owner is None else [self._car(owner, box) for box in self.layout.spaces[route.id]]
        owned = "" if owner is None else f' data-owner="{owner}"'
        return f"<g data-route={quoteattr(route.id)}{owned}><title>{escape(words)}</title>{''.join(spaces + marks + cars)}</g>"

    def _space(self, route: Route, box: Box) -> str:
        x, y, w, h = -box.width / 2, -box.height / 2, box.width, box.height
        return (
            f'<rect class="space" x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{min(7.0, h / 3):.1f}" '
            f'{_turned(box)} fill="url(#{self.theme}-{route.colour})" stroke="{self.palette["halo"]}" stroke-width="2.4" paint-order="stroke"/>'
        )

    def _car(self, seat: int, box: Box) -> str:
        scale = min(1.06, box.width / 44, box.height / 18)
        return _at(
            box,
            f'<g class="car" transform="scale({scale:.2f})">{cable_car(seat, self.palette["ink"], self.palette["paper"])}</g>',
        )

    # Locations

    def _location(self, location: Location) -> str:
        dot = self.layout.dots[location.id]
        stack = self.stacks.get(location.id)
        marker = self._landmark(dot) if location.landmark else self._stop(dot)
        if stack is not None and stack[1] > 0:
            marker += self._stack(*stack)
        return f'<g data-location="{location.id}" transform="translate({dot.x:.0f} {dot.y:.0f})"><title>{escape(location.name)}</title>{marker}</g>'

    def _stop(self, dot: Box) -> str:
        radius = dot.width / 2
        return (
            f'<circle r="{radius}" fill="{self.palette["ink"]}"/><circle r="{radius - 2.2:.1f}" fill="{self.palette["glow"]}"/>'
            f'<circle r="{radius - 6:.1f}" fill="{self.palette["accent"]}"/>'
        )

    def _landmark(self, dot: Box) -> str:
        """A rosette that holds the stack."""
        radius = dot.width / 2
        petals = "".join(
            f'<rect x="{-radius * 0.74:.1f}" y="{-radius * 0.74:.1f}" width="{radius * 1.48:.1f}" height="{radius * 1.48:.1f}" transform="rotate({turn})"/>'
            for turn in (0, 22.5, 45, 67.5)
        )
        return (
            f'<g fill="{self.palette["accent"]}" stroke="{self.palette["halo"]}" stroke-width="2.5" paint-order="stroke" stroke-linejoin="round">{petals}</g>'
            f'<g fill="{self.palette["accent"]}">{petals}</g><circle r="{radius - 6:.1f}" fill="{self.palette["glow"]}"/>'
        )

    def _stack(self, kind: str, count: int) -> str:
        below = "".join(
            f'<circle cy="{3 * i}" r="19" fill="#FFF8E7" stroke="#24303F" stroke-width="1.3"/>'
            for i in range(count - 1, -1, -1)
        )
        badge = f'<circle cx="17" cy="-16" r="8.5" fill="#24303F"/><text x="17" y="-11.5" text-anchor="middle" font-size="12.5" font-weight="700" fill="#FFF8E7">{count}</text>'
        return f'<g data-souvenir="{kind}">{below}<g transform="scale(.95)">{souvenir(kind)}</g>{badge if count > 1 else ""}</g>'

    def _label(self, location: Location) -> str:
        label: Label = self.layout.labels[location.id]
        box = label.box
        fill, line, text = (
            ("accent", "halo", "#FFF8E7") if location.landmark else ("plate", "plate_line", self.palette["text"])
        )
        plate = (
            f'<rect class="label" x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="5" '
            f'fill="{self.palette[fill]}" stroke="{self.palette[line]}" stroke-width="1.2"/>'
        )
        base = box.top + LABEL_PADDING[1] + LABEL_LINE * 0.77
        return plate + "".join(
            _text(line, box.x, base + i * LABEL_LINE, LABEL_SIZE, text) for i, line in enumerate(label.lines)
        )

    # Panels

    def _title(self, box: Box) -> str:
        """The cartouche: the map's name beside a cable car that climbs into the sun."""
        size, width = _title_type(self.board)
        words = f"{len(self.board.locations)} LOCATIONS  ·  {len(self.board.routes)} ROUTES"
        lettering = box.left + _TITLE_PICTURE + 8 + width / 2
        return (
            f'<g data-panel="title"><rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="10" '
            f'fill="#C4412A" stroke="#FFF8E7" stroke-width="3"/>'
            f'<g transform="translate({box.left + 6:.1f} {box.top + 6:.1f})">{_vignette()}</g>'
            + _text(self.board.name.upper(), lettering, box.top + 60, size, "#FFF8E7", width=width)
            + _text("FOGLINE", lettering, box.top + 20, 10, "#F6C95B", width=62)
            + f'<path d="M{lettering - width / 2:.1f} {box.top + 16.5:.1f}h{width / 2 - 40:.1f}m80 0h{width / 2 - 40:.1f}" stroke="#F6C95B" stroke-width="1.5"/>'
            + _text(words, lettering, box.top + 80, 10.5, "#F9DFB0", width=min(width, text_width(words, 10.5) * 1.05))
            + "</g>"
        )

    def _legend(self, box: Box) -> str:
        """The colours with their patterns, and the points of a route by its length (1.8)."""
        parts = [
            f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="10" '
            f'fill="{self.palette["plate"]}" stroke="{self.palette["plate_line"]}" stroke-width="1.5"/>'
        ]
        for i, colour in enumerate((*COLOURS, GREY)):
            x, y = box.left + 12 + i % 2 * 98, box.top + 22 + i // 2 * 26
            swatch = Box(x + 21, y, 40, SPACE_WIDTH - 1)
            parts.append(
                f'<rect x="{-20}" y="{-SPACE_WIDTH / 2:.1f}" width="40" height="{SPACE_WIDTH:.1f}" rx="6" {_turned(swatch)} '
                f'fill="url(#{self.theme}-{colour})"/>' + self._words(colour, x + 47, y + 4.5, 13)
            )
        x, y = box.left + 12 + 98, box.top + 22 + 3 * 26
        parts.append(
            _at(Box(x + 21, y, 1, 1), ferry(self.palette["ink"], self.palette["paper"]))
            + self._words("ferry", x + 47, y + 4.5, 13)
        )
        parts += self._points(box)
        return f'<g data-panel="legend">{"".join(parts)}</g>'

    def _points(self, box: Box) -> list[str]:
        points = _points_shown(self.board)
        step = (box.width - 24) / (len(points) + 1.6)
        y = box.bottom - 30
        parts = [
            f'<path d="M{box.left + 12:.1f} {y - 18:.1f}H{box.right - 12:.1f}" stroke="{self.palette["plate_line"]}" stroke-width="1"/>',
            self._words("spaces", box.left + 12, y, 11),
            self._words("points", box.left + 12, y + 19, 11),
        ]
        for i, (length, worth) in enumerate(points):
            x = box.left + 12 + (i + 2.1) * step
            parts.append(_text(str(length), x, y, 13, self.palette["text"], weight=500))
            parts.append(_text(str(worth), x, y + 19, 14, self.palette["accent"]))
        return parts

    def _words(self, words: str, x: float, y: float, size: float) -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="500" fill="{self.palette["text"]}">{escape(words)}</text>'


_TITLE_PICTURE = 108.0
_TITLE_LETTERING = (150.0, 400.0)


def _title_type(board: Board) -> tuple[float, float]:
    """The size and width of the map's name; long names are set smaller."""
    size = min(44.0, 44.0 * _TITLE_LETTERING[1] / text_width(board.name.upper(), 44.0))
    return size, max(_TITLE_LETTERING[0], text_width(board.name.upper(), size))


def _title_size(board: Board) -> tuple[float, float]:
    return _TITLE_PICTURE + _title_type(board)[1] + 26, 92.0


def _legend_size(board: Board) -> tuple[float, float]:
    return 210.0, 172.0


def _points_shown(board: Board) -> list[tuple[int, int]]:
    longest = max(route.length for route in board.routes)
    return list(enumerate(board.map_file.route_points))[1 : longest + 1]


def _vignette() -> str:
    """Sun, hill, fog and a climbing car, 100 by 80."""
    return (
        '<clipPath id="vignette"><rect width="100" height="80" rx="6"/></clipPath><g clip-path="url(#vignette)">'
        '<rect width="100" height="80" fill="#F3A545"/><circle cx="66" cy="34" r="40" fill="#F6B95A"/><circle cx="66" cy="34" r="25" fill="#FBE3A4"/>'
        '<path d="M0 58Q30 44 52 62T100 52V80H0Z" fill="#5E93A6"/><path d="M0 80L100 40V80Z" fill="#3F6B57"/>'
        '<g fill="#FFF8E7" opacity=".85"><rect x="-10" y="18" width="44" height="7" rx="3.5"/><rect x="6" y="25" width="42" height="7" rx="3.5"/>'
        '<rect x="72" y="12" width="40" height="7" rx="3.5"/></g>'
        f'<g transform="translate(50 46) rotate(-21.8) scale(1.15)">{title_car("#C4412A", "#24303F", "#FFF8E7")}</g></g>'
    )


def _turned(box: Box) -> str:
    """Moved to the box's middle and turned with it, but never upside down."""
    angle = (box.angle + 90) % 180 - 90
    turn = f" rotate({angle:.1f})" if abs(angle) > 0.05 else ""
    return f'transform="translate({box.x:.1f} {box.y:.1f}){turn}"'


def _at(box: Box, svg: str) -> str:
    return f"<g {_turned(box)}>{svg}</g>"


def _text(
    text: str, x: float, y: float, size: float, fill: str, *, width: float | None = None, weight: int = 700
) -> str:
    """Text held to the width that the layout reckons with, whatever face is there."""
    wide = text_width(text, size) if width is None else width
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" font-weight="{weight}" text-anchor="middle" fill="{fill}" '
        f'textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )
