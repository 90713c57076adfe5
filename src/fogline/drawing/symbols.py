"""The small pictures of a drawn board: patterns of the colours, souvenirs, seats' emblems, cable car, ferry.

Each is a piece of SVG around the origin, to be moved and scaled to its place. We drew them: flat, with few colours.
"""

from __future__ import annotations

import math

from fogline.drawing.layout import DOT, LANDMARK_DOT
from fogline.drawing.palette import BRIDGE, INK, PAPER, ROUTE_COLOURS, SEATS, Palette
from fogline.drawing.rows import SPACE_WIDTH
from fogline.drawing.svg import LINE
from fogline.maps.mapfile import GREY

# Width of a tile and the marks on it, in the paper's colour; a tile is as high as a space and y = 0 is its middle.
_PATTERNS = {
    "blue": (16, f'<path d="M-8-3.4q4-5 8 0t8 0t8 0M-8 4.6q4-5 8 0t8 0t8 0" {LINE} stroke="#FFF" stroke-width="1.9"/>'),
    "green": (
        26,
        '<path d="M2 5Q1-5 11-6Q12 4 2 5ZM15-5Q25-4 24 6Q14 5 15-5Z" fill="#FFF"/>'
        f'<path d="M1 6L8-2.5M14-6L21 2.5" {LINE} stroke="#2C9A63" stroke-width="1.2"/>',
    ),
    "black": (
        13,
        '<g fill="#FFF"><circle cx="3.2" cy="-4.8" r="1.8"/><circle cx="3.2" cy="4.8" r="1.8"/>'
        '<circle cx="9.7" cy="0" r="1.8"/></g>',
    ),
    "purple": (13, '<path d="M6.5-7L11 0L6.5 7L2 0Z" fill="#FFF"/>'),
    "red": (11, f'<path d="M2.5-6.5L8 0L2.5 6.5" {LINE} stroke="#FFF" stroke-width="2.5"/>'),
    "orange": (
        26,
        '<path d="M7 11a6 6 0 0 1 12 0Z" fill="#FFF"/>'
        '<g stroke="#FFF" stroke-width="2">'
        f'<path d="M13 1.5V-6.5M18.4 4L23-2.6M7.6 4L3-2.6M20.6 8.8L25 7M5.4 8.8L1 7" {LINE}/></g>',
    ),
    "grey": (13, ""),
}
_MARK_STRENGTH = {"black": 0.8, "orange": 0.78}


def pattern(palette: Palette, colour: str) -> str:
    """The fill of a space of a colour."""
    width, marks = _PATTERNS[colour]
    top = -SPACE_WIDTH / 2
    ground = palette.grey if colour == GREY else ROUTE_COLOURS[colour]
    size = f'y="{top}" width="{width}" height="{SPACE_WIDTH}"'
    return (
        f'<pattern id="{palette.theme}-{colour}" patternUnits="userSpaceOnUse" x="{-width / 2}" {size} '
        f'viewBox="0 {top} {width} {SPACE_WIDTH}"><rect {size} fill="{ground}"/>'
        f'<g opacity="{_MARK_STRENGTH.get(colour, 0.6)}">{marks}</g></pattern>'
    )


# Souvenirs, in a circle of radius 18.
_SOUVENIRS = {
    "bell": (
        '<path d="M-3-11a3 3 0 0 1 6 0" fill="none" stroke="#8A5A12" stroke-width="2.2"/>'
        '<circle cy="10" r="3.4" fill="#8A5A12"/>'
        '<path d="M0-11C7-11 8-5 8.5 0C9 4 10.5 6 13 8.5H-13C-10.5 6-9 4-8.5 0C-8-5-7-11 0-11Z" fill="#E2A72E"/>'
        '<path d="M0-11C7-11 8-5 8.5 0C9 4 10.5 6 13 8.5H3C5 0 4-8 0-11Z" fill="#C98A1B"/>'
        '<path d="M-9.5 4.5H9.5" stroke="#8A5A12" stroke-width="1.6"/>'
    ),
    "lantern": (
        '<path d="M0-15V-11M0 11V17" stroke="#8A5A12" stroke-width="1.8"/>'
        '<ellipse rx="12" ry="9.5" fill="#D23B2B"/><ellipse rx="6" ry="9.5" fill="#E8634B"/>'
        '<path d="M0-9.5V9.5" stroke="#D23B2B" stroke-width="1.4"/>'
        '<rect x="-6" y="-12" width="12" height="3.4" rx="1" fill="#E2A72E"/>'
        '<rect x="-6" y="8.6" width="12" height="3.4" rx="1" fill="#E2A72E"/>'
    ),
    "sourdough": (
        '<ellipse cy="2" rx="14.5" ry="10" fill="#A8652A"/><ellipse cy="0" rx="14.5" ry="9.6" fill="#C9853C"/>'
        '<path d="M-8 3Q-7-4-3-6M-1.5 4.5Q-.5-3.5 3.5-5.5M5.5 4Q6-2 9.5-3.5" '
        'fill="none" stroke="#F6DFAE" stroke-width="2.4" stroke-linecap="round"/>'
    ),
    "heart": (
        '<path d="M0 13C-18 1-14-12-6.5-12C-3-12-1-10 0-7.5C1-10 3-12 6.5-12C14-12 18 1 0 13Z" fill="#D23B3B"/>'
        '<path d="M-9.5-3Q-9.5-7.5-6-8" fill="none" stroke="#F6B6A4" stroke-width="2.2" stroke-linecap="round"/>'
    ),
    "crab": (
        '<g fill="none" stroke="#B23A1E" stroke-width="2" stroke-linecap="round">'
        '<path d="M-8 3L-14 3.5M-8 6L-13 9M-6 8L-9.5 13M8 3L14 3.5M8 6L13 9M6 8L9.5 13M-8-1Q-13-3-12-7M8-1Q13-3 12-7"/>'
        '<path d="M-3-3V-7M3-3V-7"/></g>'
        '<path d="M-12-6C-17-8-15-14-10-14C-12-11-11-10-8-11C-7-7-10-5-12-6Z'
        'M12-6C17-8 15-14 10-14C12-11 11-10 8-11C7-7 10-5 12-6Z" fill="#DB5A32"/>'
        '<ellipse cy="3.5" rx="10" ry="7.5" fill="#DB5A32"/>'
        '<circle cx="-3" cy="-7.5" r="1.6" fill="#24303F"/><circle cx="3" cy="-7.5" r="1.6" fill="#24303F"/>'
        '<path d="M-4 6Q0 9 4 6" fill="none" stroke="#8E2C14" stroke-width="1.6" stroke-linecap="round"/>'
    ),
    "sea_lion": (
        '<path d="M-15 12Q-4 8 6 9.5T15 12Q8 15 0 15T-15 12Z" fill="#9DB3B8"/>'
        '<path d="M14 9C12 11-6 12-10 10C-8 9-7 8-6.5 6C-8.5 2-9 0-8-5C-7.5-8-9-8.5-11-8.5C-12.5-8.5-12.5-11-10.5-11.5'
        'C-8-14.5-2.5-14.5-1-9.5C0-6 0-3 3 0C7 3.5 9 6 15 5C16 6 15.5 8 14 9Z" fill="#6B4F3F"/>'
        '<path d="M-3 3Q-1 8 3 11H-2Q-5 8-3 3Z" fill="#4E382C"/><circle cx="-6.5" cy="-10" r="1.1" fill="#FBF1DC"/>'
    ),
    "fortune_cookie": (
        '<path d="M5 6L8 2L18 9.5L15.5 13.5Z" fill="#FFFDF5" stroke="#9C7A45" stroke-width=".9"/>'
        '<path d="M-14 7C-17-7-8-11 0-11S17-7 14 7C13 11.5 8.5 11 6.5 7C4.5 3 2.5 .5 0 .5'
        'S-4.5 3-6.5 7C-8.5 11-13 11.5-14 7Z" fill="#E0A955"/>'
        '<path d="M0 .5C1-4-2-7.5-7-7.5M-11 6.5C-10 2.5-8 0-5-1.5" '
        'fill="none" stroke="#A8732A" stroke-width="1.5" stroke-linecap="round"/>'
    ),
}


def souvenir(kind: str) -> str:
    """One of the seven souvenirs of the printed game, or a coin with the initial of any other."""
    coin = (
        '<circle r="13.5" fill="#E2A72E"/><circle r="10.5" fill="none" stroke="#A8732A" stroke-width="1.4"/>'
        f'<text y="5.5" text-anchor="middle" font-size="15" font-weight="700" fill="#6B430C">{kind[0].upper()}</text>'
    )
    return _SOUVENIRS.get(kind, coin)


def token(kind: str) -> str:
    """A tourist token, with its souvenir."""
    return f'{_rim(0)}<g transform="scale(.95)">{souvenir(kind)}</g>'


def tokens_below(count: int) -> str:
    """What can be seen of the tokens below the top one, in a stack of this many."""
    return "".join(_rim(2.5 * below) for below in range(count - 1, 0, -1))


def token_count(count: int) -> str:
    """The number of tokens in a stack, where there are several."""
    if count < 2:
        return ""
    return (
        f'<circle cx="18" cy="-17" r="9" fill="{INK}" stroke="{PAPER}" stroke-width="1.3"/>'
        f'<text x="18" y="-12.5" text-anchor="middle" font-size="12.5" font-weight="700" fill="{PAPER}">{count}</text>'
    )


def token_stack(kind: str, count: int, scale: float) -> str:
    """A stack of tokens, and their number."""
    picture = f"{tokens_below(count)}{token(kind)}{token_count(count)}"
    return f'<g data-souvenir="{kind}" transform="scale({scale:g})">{picture}</g>'


def _rim(down: float) -> str:
    return f'<circle cy="{down:g}" r="19" fill="{PAPER}" stroke="{INK}" stroke-width="1.3"/>'


# Locations


def stop(palette: Palette) -> str:
    return (
        f'<circle r="{DOT}" fill="{INK}"/><circle r="{DOT - 2.2:.1f}" fill="{palette.dot}"/>'
        f'<circle r="{DOT - 6:.1f}" fill="{BRIDGE}"/>'
    )


def landmark(palette: Palette) -> str:
    """A rosette, large enough for a token to lie on it."""
    points = []
    for i in range(40):
        radius = LANDMARK_DOT if i % 2 == 0 else LANDMARK_DOT - 3.6
        points.append(f"{radius * math.cos(i * math.tau / 40):.1f},{radius * math.sin(i * math.tau / 40):.1f}")
    return (
        f'<polygon points="{" ".join(points)}" fill="{BRIDGE}" stroke="{palette.halo}" stroke-width="1.6"/>'
        f'<circle r="{LANDMARK_DOT - 6}" fill="{palette.plate}"/>'
    )


# Seats

# Their emblems, in a circle of radius 8.
_EMBLEMS = {
    "gull": (
        "M-8-2C-5.5-6-2-5-.5-1C1.5-5 5.5-6 8-3C5-2.5 3.5-1 2.5 2C4 2.5 3.5 4.5 1 4.5"
        "C-1.5 4.8-2.5 3.2-2.5 1C-3.5-1.5-5.5-2-8-2Z"
    ),
    "lantern": (
        "M-2.2-6.5H2.2V-5H-2.2ZM-2.2 5H2.2V6.5H-2.2ZM-1-4.2H1V4.2H-1Z"
        "M-2.2-4.2C-7-3-7 3-2.2 4.2C-3.4 1.5-3.4-1.5-2.2-4.2Z"
        "M2.2-4.2C7-3 7 3 2.2 4.2C3.4 1.5 3.4-1.5 2.2-4.2Z"
    ),
    "anchor": (
        "M-1-2.4A2 2 0 1 1 1-2.4V-1.5H3V0H1V4C3 3.5 4 2.5 4.2 1L3 1.6L4.8-1.2L6.2 2L5.4 1.5"
        "C4.8 4.5 2.5 6 0 6.2C-2.5 6-4.8 4.5-5.4 1.5L-6.2 2L-4.8-1.2L-3 1.6L-4.2 1C-4 2.5-3 3.5-1 4V0H-3V-1.5H-1Z"
    ),
    "bell": "M-1-6H1V-5C4-4.5 4 0 4.5 2L6 4H1.5A1.5 1.5 0 0 1-1.5 4H-6L-4.5 2C-4 0-4-4.5-1-5Z",
}


_BODY = (
    "M-20 9V-7.5H-21.5Q-20.5-10.5-17-10.5H-12V-13H12V-10.5H17Q20.5-10.5 21.5-7.5H20V9"
    "Q20 10.5 18.5 10.5H-18.5Q-20 10.5-20 9Z"
)


def cable_car(seat: int | None, body: str = "") -> str:
    """A car, 44 long and 26 high, in a seat's colour with its emblem; an unowned car has windows instead."""
    sign, colour = SEATS[seat] if seat is not None else ("", body)
    return (
        f'<path d="{_BODY}" fill="{colour}" stroke="{PAPER}" stroke-width="4.4" stroke-linejoin="round"/>'
        f'<path d="{_BODY}" fill="{colour}" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round"/>'
        f'<path d="M-17.5-6H-10.5V1H-17.5ZM10.5-6H17.5V1H10.5Z" fill="{PAPER}"/>'
        f'<path d="M-20.5-7.8H20.5" stroke="{INK}" stroke-width="1.6"/>'
        f'<g fill="{INK}"><circle cx="-12" cy="10.5" r="2.6"/><circle cx="12" cy="10.5" r="2.6"/></g>'
        + (emblem(sign) if sign else _WINDOWS)
    )


_WINDOWS = (
    f'<path d="M-8-6H-1V1H-8ZM1-6H8V1H1Z" fill="{PAPER}"/><path d="M-20 4.5H20" stroke="{PAPER}" stroke-width="1.4"/>'
)


def emblem(name: str) -> str:
    """A seat's sign, in a circle of radius 9."""
    sign = f'<path transform="translate(0 1.5)" d="{_EMBLEMS[name]}" fill="{INK}"/>'
    return f'<circle cy="1.5" r="9" fill="{PAPER}" stroke="{INK}"/>{sign}'


def ferry() -> str:
    """The ferry symbol: a boat under sail in a circle of radius 10."""
    return (
        f'<circle r="9.6" fill="{PAPER}" stroke="{INK}" stroke-width="1.3"/>'
        f'<path d="M.8-7V2.5H6Q5.5-3.5 .8-7Z" fill="{BRIDGE}"/><path d="M-.8-5V2.5H-5.5Q-4.5-2-.8-5Z" fill="#2F6BD8"/>'
        f'<path d="M-6.5 3.8H6.5L4.5 6.8H-4.5Z" fill="{INK}"/>'
    )
