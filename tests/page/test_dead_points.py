"""No point of a route is dead: on a phone the board lies open, whichever tickets it shows after the deal."""

from __future__ import annotations

import time
from itertools import combinations

import pytest

from fogline.maps.board import Board
from tests import tier
from tests.page.hands import Finger
from tests.page.overheard import Overheard
from tests.page.screens import PHONE, Visit
from tests.page.test_touch import sit_down
from tests.page.visitor import Visitor
from tests.seeds import seeded
from tests.server.serving import PATIENCE

PAIRS = list(combinations([ticket.id for ticket in Board.load("san_francisco").tickets], 2))
"""Of tickets that somebody may be offered at first."""

TAPPED = tier.pick(1, 30)
"""Pairs after which a finger really taps."""

SIZES = {
    "phone": (390, 844),
    "small phone": (360, 640),
    "phone held sideways": (844, 390),
    "smallest phone": (320, 568),
    "small phone held sideways": (667, 375),
    "large phone": (430, 932),
    "tablet": (820, 1180),
    "small tablet": (600, 960),
}
"""Every second one is of the quick tier."""

# Shows a pair of tickets on offer, then the turn after it, in which nothing can be paid: a tap on a route asks why.
# Gives the points of spaces (middle and two corners) that are seen and do not belong to the board; and of those that
# are seen the one that lies nearest to something else that can be pressed. In the last pixels of the board a fingertip
# lies as much on what is beside it.
_LOOK = """async ([state, pairs]) => {
    const frame = document.querySelector("[role=application]");
    const layer = frame.querySelector(".layer"); // the drawing itself
    const dead = [];
    let nearest = null;
    for (const offer of pairs) {
        await overheardTell(state, { offer, phase: "keep_first_tickets" });
        await overheardTell(state, { legal: [] });
        const { left, top, right, bottom } = frame.getBoundingClientRect();
        const pressed = [...document.querySelectorAll("button, a, input, select")];
        const others = pressed.map((one) => one.getBoundingClientRect());
        const away = (x, y) => Math.min(...others.map((box) => Math.hypot(
            Math.max(0, box.left - x, x - box.right), Math.max(0, box.top - y, y - box.bottom))));
        nearest = null;
        for (const space of frame.querySelectorAll("[data-route] .space")) {
            const { route } = space.closest("[data-route]").dataset;
            const { x, y, width, height } = space.getBBox();
            for (const [across, down] of [[0.5, 0.5], [0.1, 0.1], [0.9, 0.9]]) {
                const at = new DOMPoint(x + across * width, y + down * height).matrixTransform(space.getScreenCTM());
                if (at.x < left + 4 || at.x > right - 4 || at.y < top + 4 || at.y > bottom - 4) continue;
                const hit = document.elementFromPoint(at.x, at.y);
                if (hit !== frame && !layer.contains(hit)) dead.push(`${offer}: ${route}`);
                if (across !== 0.5 || pairs.length > 1) continue;
                const distance = away(at.x, at.y);
                if (nearest === null || distance < nearest.distance) nearest = { route, x: at.x, y: at.y, distance };
            }
        }
    }
    return { dead, nearest };
}"""


# What was told of a tap may cover some of the board.
_NOTHING_IN_THE_WAY = "() => document.querySelectorAll('.notice .close').forEach((close) => close.click())"


@pytest.mark.parametrize("size", tier.pick(list(SIZES)[::2], list(SIZES)))
def test_no_point_of_a_route_is_dead_whichever_tickets_are_offered(size: str, visit: Visit) -> None:
    width, height = SIZES[size]
    visitor = visit(**PHONE | {"viewport": {"width": width, "height": height}})
    overheard = Overheard(visitor)
    finger = sit_down(visitor)
    finger.play(turns=0)
    pairs = seeded("pairs").sample(PAIRS, len(PAIRS))
    if not tier.thorough:  # other ones with another seed
        pairs = pairs[list(SIZES).index(size) :: 2 * len(SIZES)]
    assert visitor.page.evaluate(_LOOK, [overheard.state, pairs])["dead"] == []
    for pair in pairs[:TAPPED]:
        check_tap(visitor, finger, overheard, pair)


def check_tap(visitor: Visitor, finger: Finger, overheard: Overheard, pair: tuple[str, str]) -> None:
    """A tap next to something else that can be pressed means the route all the same."""
    visitor.page.evaluate(_LOOK, [overheard.state, [pair]])
    visitor.let_the_board_rest()
    point = visitor.page.evaluate(_LOOK, [overheard.state, [pair]])["nearest"]
    before = len(overheard.asked)
    finger.touch(point["x"], point["y"])
    deadline = time.monotonic() + PATIENCE
    while overheard.answered == before and time.monotonic() < deadline:
        visitor.page.wait_for_timeout(20)
    assert overheard.asked[before:] == [point["route"]], point
    visitor.page.evaluate(_NOTHING_IN_THE_WAY)
