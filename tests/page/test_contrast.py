"""What glows on the board stands out in the painted picture: on land and on sea, by day and by night."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests import tier
from tests.page.overheard import Overheard
from tests.page.places import Tables
from tests.page.screens import SCREENS, Visit
from tests.page.visitor import Visitor

LEAST = 3.0
"""What WCAG asks of what one must see to play (1.4.11)."""
SEA = ("pier_39-the_embarcadero", "golden_gate_bridge-fort_mason")
LAND = ("presidio-pacific_heights", "painted_ladies-union_square:1", "mission-south_beach", "sunset-twin_peaks:1")
PLACES = ("alcatraz", "golden_gate_bridge", "castro", "pacific_heights", "richmond")

Point = tuple[float, float]
Colour = tuple[int, ...]

# Straight lines outwards across the glow of what is asked for: from a space's long side, or from a location's dot.
# Names lie above all of it.
_ACROSS = """([route, location]) => {
    const names = [...document.querySelectorAll(".name rect")].map((name) => name.getBoundingClientRect());
    const open = (line) => line.every(([x, y]) => names.every(
        ({ left, right, top, bottom }) => x < left - 4 || x > right + 4 || y < top - 4 || y > bottom + 4));
    const line = (element, from, to) => {
        const matrix = element.getScreenCTM();
        return [from, to].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix)).map(({ x, y }) => [x, y]);
    };
    if (location) {
        const ring = document.querySelector(`[data-location="${location}"] .ring`);
        const radius = ring.r.baseVal.value;
        return [30, 150, 210, 330].map((turn) => turn * Math.PI / 180).map((turn) => line(ring,
            [Math.cos(turn) * (radius - 2), Math.sin(turn) * (radius - 2)],
            [Math.cos(turn) * (radius + 10), Math.sin(turn) * (radius + 10)])).filter(open);
    }
    return [...document.querySelectorAll(`[data-route="${route}"] .space`)].map((space) => {
        const half = space.height.baseVal.value / 2;
        return line(space, [0, -half - 2], [0, -half - 13]);
    }).filter(open);
}"""


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("screen", tier.pick(["laptop"], ["laptop", "phone"]))
def test_what_can_be_chosen_stands_out_from_what_lies_around_it(
    screen: str, light: str, visit: Visit, tables: Tables
) -> None:
    visitor = visit(viewport=SCREENS[screen], color_scheme=light, device_scale_factor=2)
    overheard = Overheard(visitor)
    tables.let_in(visitor.context)
    visitor.go(f"/game/{tables.begun}")
    expect(visitor.offer).to_be_visible()
    routes = [*SEA, *LAND]
    overheard.tell(offer=[], legal=[_choice("claim", route) for route in routes])
    check(visitor, [(route, "") for route in routes])
    overheard.tell(offer=[], phase="place", legal=[_choice("place", place) for place in PLACES])
    check(visitor, [("", place) for place in PLACES])


def check(visitor: Visitor, chosen: Sequence[tuple[str, str]]) -> None:
    """On every line outwards something of the glow differs from what lies beyond it."""
    visitor.let_the_board_rest()
    window = visitor.board.bounding_box()
    assert window
    picture = painted(visitor)
    seen = 0
    for which in chosen:
        for near, far in visitor.page.evaluate(_ACROSS, which):
            across, down = far[0] - window["x"], far[1] - window["y"]
            if not (0 < across < window["width"] and 0 < down < window["height"]):
                continue
            colours = [picture(mixed(near, far, part / 24)) for part in range(25)]
            assert max(contrast(colour, colours[-1]) for colour in colours) >= LEAST, (which, colours)
            seen += 1
    assert seen >= len(chosen)


def painted(visitor: Visitor) -> Any:
    image = Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB")

    def colour(at: Point) -> Colour:
        found = image.getpixel((round(2 * at[0]), round(2 * at[1])))
        assert isinstance(found, tuple)
        return found

    return colour


def mixed(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


def contrast(one: Colour, other: Colour) -> float:
    """As WCAG measures it."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour: Colour) -> float:
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _choice(kind: str, target: str) -> dict[str, Any]:
    return {"action": f"{kind} {target}", "kind": kind, "target": target, "cards": None}
