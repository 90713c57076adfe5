"""The two panels of a drawn board: the title, and the legend of colours and points."""

from __future__ import annotations

from xml.sax.saxutils import escape

from fogline.drawing.geometry import Box, broken, text_width
from fogline.drawing.palette import BRIDGE, GOLD, PAPER, Palette
from fogline.drawing.rows import SPACE_WIDTH
from fogline.drawing.svg import at, plate, text, turned
from fogline.drawing.symbols import cable_car, ferry
from fogline.maps.board import Board
from fogline.maps.mapfile import COLOURS, FERRY, GREY

LEGEND_SIZE = (210.0, 172.0)
_TITLE_HEIGHT, _VIEW_WIDTH = 92.0, 100.0
_LARGEST, _LONGEST = 44.0, 400.0
"""The name's largest type, and its greatest width; a longer name is set smaller, in two lines."""
_COLUMN, _ROW, _INSET = 98.0, 26.0, 12.0


def title_size(board: Board) -> tuple[float, float]:
    return _VIEW_WIDTH + _lettering(board)[2] + 40, _TITLE_HEIGHT


def draw_title(board: Board, box: Box, palette: Palette) -> str:
    """The map's name beside a cable car that climbs out of the fog."""
    lines, size, width = _lettering(board)
    middle = box.left + _VIEW_WIDTH + 22 + width / 2
    rule, rule_y = width / 2 - 40, box.top + 17
    base = box.top + 46 + size * (0.84 - 0.5 * len(lines))
    parts = [
        plate(box, 10, f'fill="{BRIDGE}" stroke="{PAPER}" stroke-width="3"'),
        f'<g transform="translate({box.left + 6:.1f} {box.top + 6:.1f})">{_view(palette)}</g>',
        text("FOGLINE", middle, box.top + 21, 10.5, GOLD, width=62),
        f'<path d="M{middle - width / 2:.1f} {rule_y:.1f}h{rule:.1f}m80 0h{rule:.1f}" stroke="{GOLD}"/>',
        *(text(line, middle, base + i * size, size, PAPER) for i, line in enumerate(lines)),
        text(_counts(board), middle, box.top + 81, 10.5, GOLD),
    ]
    return f'<g data-panel="title">{"".join(parts)}</g>'


def _counts(board: Board) -> str:
    return f"{len(board.locations)} LOCATIONS · {len(board.routes)} ROUTES"


def _lettering(board: Board) -> tuple[tuple[str, ...], float, float]:
    """The name's lines, the size of its type and the total width."""
    name = board.name.upper()
    lines = (name,) if text_width(name, _LARGEST) <= 1.3 * _LONGEST else broken(name)
    wide = max(text_width(line, 1.0) for line in lines)
    size = min(_LARGEST if len(lines) == 1 else _LARGEST / 2, _LONGEST / wide)
    return lines, size, max(wide * size, text_width(_counts(board), 10.5))


def _view(palette: Palette) -> str:
    """Sun or moon, a bridge in the fog and a car on the hill, 100 by 80."""
    clip = f"{palette.theme}-view"
    return (
        f'<clipPath id="{clip}"><rect width="100" height="80" rx="6"/></clipPath><g clip-path="url(#{clip})">'
        f'<rect width="100" height="80" fill="{palette.sky}"/>'
        f'<circle cx="70" cy="30" r="36" fill="{palette.halo_of_sun}"/>'
        f'<circle cx="70" cy="30" r="22" fill="{palette.sun}"/>{_bridge()}'
        f'<path d="M0 60Q24 52 52 64T100 52V80H0Z" fill="{palette.far_hill}"/>'
        f'<g fill="{palette.fog}" opacity=".9"><rect x="-12" y="44" width="40" height="7" rx="3.5"/>'
        '<rect x="-4" y="51" width="44" height="7" rx="3.5"/><rect x="78" y="14" width="40" height="6" rx="3"/></g>'
        f'<path d="M0 88L100 44V80Z" fill="{palette.near_hill}"/>'
        f'<g transform="translate(58 45) rotate(-23.7) scale(1.08)">{cable_car(None, BRIDGE)}</g></g>'
    )


def _bridge() -> str:
    """One tower and the cables that hang from it."""
    return (
        f'<g fill="none" stroke="{BRIDGE}"><path d="M-4 30Q8 28 20 8Q38 46 100 48" stroke-width="1.6"/>'
        '<path d="M0 50H100" stroke-width="2.4"/>'
        '<path d="M8 25V50M14 18V50M28 22V50M36 32V50M44 38V50M52 42V50" stroke-width=".8"/>'
        '<path d="M17 64V6M23 64V6M17 12H23M17 24H23M17 37H23" stroke-width="2.8"/></g>'
    )


def draw_legend(board: Board, box: Box, palette: Palette) -> str:
    """The colours with their patterns, and the points of a route by its length (1.8)."""
    parts = [plate(box, 10, f'fill="{palette.plate}" stroke="{palette.plate_line}" stroke-width="1.5"')]
    for i, colour in enumerate((*COLOURS, GREY, FERRY)):
        x, y = box.left + _INSET + i % 2 * _COLUMN, box.top + 22 + i // 2 * _ROW
        swatch = Box(x + 20, y, 40, SPACE_WIDTH)
        parts.append(at(swatch, ferry()) if colour == FERRY else _swatch(swatch, colour, palette))
        parts.append(_words(colour, x + 47, y + 4.5, 13, palette))
    return f'<g data-panel="legend">{"".join(parts)}{_points(board, box, palette)}</g>'


def _swatch(box: Box, colour: str, palette: Palette) -> str:
    return (
        f'<rect x="-20" y="{-box.height / 2}" width="40" height="{box.height}" rx="6" {turned(box)} '
        f'fill="url(#{palette.theme}-{colour})" stroke="{palette.rim}" stroke-width="1"/>'
    )


def _points(board: Board, box: Box, palette: Palette) -> str:
    longest = max(route.length for route in board.routes)
    points = list(enumerate(board.map_file.route_points))[1 : longest + 1]
    left, right, y = box.left + _INSET, box.right - _INSET, box.bottom - 30
    parts = [
        f'<path d="M{left:.1f} {y - 18:.1f}H{right:.1f}" stroke="{palette.plate_line}"/>',
        _words("spaces", left, y, 11, palette),
        _words("points", left, y + 19, 11, palette),
    ]
    for length, worth in points:
        x = left + 46 + (right - left - 46) * (length - 0.5) / len(points)
        parts.append(text(str(length), x, y, 13, palette.text, weight=500))
        parts.append(text(str(worth), x, y + 19, 14, palette.accent))
    return "".join(parts)


def _words(words: str, x: float, y: float, size: float, palette: Palette) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" font-weight="500"'
    return f'<text {place} fill="{palette.text}">{escape(words)}</text>'
