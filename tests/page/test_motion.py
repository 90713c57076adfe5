"""What moves: from where to where, that it is in nobody's way, and that it stays calm for those who want it so."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.page.hands import DOUBLE_TAP, Mouse
from tests.page.overheard import Overheard
from tests.page.screens import PHONE, Visit
from tests.page.visitor import Visitor
from tests.page.words import like

# Keeps all flights in mid-air, and what they are.
_HELD = """{
    window.flights = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        const animation = animate.call(this, frames, timing);
        if (window.holding !== false) animation.pause();
        flights.push({ animation, element: this, frames });
        return animation;
    };
}"""

# Where each flight begins and ends, as middles on the screen.
_ENDS = """() => flights.filter(({ frames }) => frames[0]?.transform).map(({ animation, element }) =>
    [0, 0.9999].map((part) => {
        const { delay, duration } = animation.effect.getTiming();
        animation.currentTime = delay + part * duration;
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left + width / 2, top + height / 2, width];
    }))"""

# Tells the page that somebody has scored, and gives what is seen of the points from then on.
_SCORE = """([state, seat, scored]) => new Promise((done) => {
    const points = document.querySelector(`[data-spot=seat-${seat}] .points`);
    const seats = state.view.seats.map((one) => ({ ...one }));
    seats[seat].points += scored;
    const told = { ...state, after: state.n, events: [], view: { ...state.view, seats } };
    const counted = [];
    const look = () => {
        counted.push(Number(points.textContent.match(/[0-9]+/)[0]));
        if (counted.at(-1) === seats[seat].points) done(counted);
    };
    new MutationObserver(look).observe(points, { childList: true, characterData: true, subtree: true });
    overheard.onmessage(new MessageEvent("message", { data: JSON.stringify(told) }));
})"""


@pytest.mark.parametrize("screen", [pytest.param({}, id="laptop"), pytest.param(PHONE, id="phone")])
def test_a_card_flies_from_the_slot_that_was_pressed_to_the_hand(screen: dict[str, Any], visit: Visit) -> None:
    visitor = at_turn(visit(reduced_motion="no-preference", **screen))
    slot = visitor.drawable.first
    start = middle(slot)
    slot.click()
    expect(visitor.told("event.takeYou")).not_to_have_count(0)
    visitor.page.wait_for_function("() => flights.length > 0")
    (begin, end), *_ = visitor.page.evaluate(_ENDS)
    assert distance(begin, start) < 25
    hand = visitor.page.locator("[data-spot=hand]").bounding_box()
    assert hand
    assert hand["x"] - 2 <= end[0] <= hand["x"] + hand["width"] + 2
    assert hand["y"] - 2 <= end[1] <= hand["y"] + hand["height"] + 2

    # What is still in the air is in nobody's way.
    if visitor.asked().prompt == "second":
        visitor.page.wait_for_timeout(DOUBLE_TAP)
        visitor.page.get_by_role("button", name=like("deck.draw")).click()
        expect(visitor.told("event.blindYou")).not_to_have_count(0)
    visitor.page.evaluate("holding = false; flights.forEach(({ animation }) => animation.finish())")
    expect(visitor.page.locator("body > div:not(#app)")).to_have_count(0)


def test_without_motion_nothing_flies_and_what_arrives_lights_up(visit: Visit) -> None:
    visitor = at_turn(visit())
    visitor.drawable.first.click()
    visitor.page.wait_for_function("() => flights.length > 0")
    frames = visitor.page.evaluate("flights.flatMap(({ frames }) => frames.flatMap((frame) => Object.keys(frame)))")
    assert set(frames) <= {"boxShadow", "offset"}
    assert visitor.page.locator("body > div:not(#app)").count() == 0


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_points_count_up_for_who_likes_motion(motion: str, visit: Visit) -> None:
    visitor = visit(reduced_motion=motion)
    overheard = Overheard(visitor)
    at_turn(visitor)
    counted = visitor.page.evaluate(_SCORE, [overheard.state, 0, 10])
    assert len(counted) > 1 if motion == "no-preference" else len(counted) == 1  # how many, a busy machine decides
    assert all(earlier <= later for earlier, later in pairwise(counted))
    assert counted[-1] == overheard.state["view"]["seats"][0]["points"] + 10


def at_turn(visitor: Visitor) -> Visitor:
    visitor.context.add_init_script(_HELD)
    visitor.go("/")
    visitor.button("home.play").first.click()
    Mouse(visitor).play(turns=0)
    visitor.page.evaluate("flights.splice(0).forEach(({ animation }) => animation.finish())")
    return visitor


def middle(seen: Locator) -> list[float]:
    box = seen.locator("svg").bounding_box()
    assert box
    return [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]


def distance(one: list[float], other: list[float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)
