"""The tutorial, from the first lesson to the last."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests import tier
from tests.page.hands import Finger, Hand, Mouse
from tests.page.screens import PHONE, Visit
from tests.page.words import said
from tests.server.serving import Person, Served
from tests.tier import pick

FRIENDS_TURNS = 8_000
"""Milliseconds: more than the friend takes between two lessons."""


@pytest.mark.parametrize(
    ("screen", "kind"),
    [pytest.param({}, Mouse, id="laptop"), pytest.param(PHONE, Finger, id="phone", marks=pytest.mark.thorough)],
)
def test_the_tutorial_is_done_from_start_to_end(
    screen: dict[str, Any], kind: type[Hand], visit: Visit, served: Served
) -> None:
    """In the quick tier, its first half."""
    tutorial = Person(served.url).get("/tutorial")
    lessons = tutorial["lessons"]
    visitor = visit(**screen)
    visitor.page.clock.install()
    visitor.go("/")
    visitor.page.get_by_role("link", name=said("home.tutorial")).click()
    coach = visitor.page.get_by_role("region", name=said("tutorial.coach"))
    hand = kind(visitor)

    for number, lesson in enumerate(lessons[: pick(len(lessons) // 2, len(lessons))], 1):
        visitor.page.clock.run_for(FRIENDS_TURNS)
        expect(coach).to_contain_text(said("tutorial.count", at=number, of=len(lessons)))
        if lesson["does"]:
            act(hand, tutorial["actions"][lesson["step"]])
        elif number < len(lessons):
            hand.press(coach.get_by_role("button", name=said("tutorial.next")))

    if not tier.thorough:
        return
    expect(visitor.page.get_by_role("table", name=said("tutorial.scores"))).to_be_visible()
    hand.press(visitor.page.get_by_role("link", name=said("tutorial.real")))
    expect(visitor.button("home.play").first).to_be_visible()


SIZES = {"small phone": (360, 640), "phone": (390, 844), "phone held sideways": (844, 390), "laptop": (1440, 900)}

WITHOUT_A_RING = {"welcome", "score"}
"""Lessons that speak of nothing in particular."""

# What is wrong with how a lesson is seen: what the ring is around lies open, and so do the coach's buttons.
_HIDDEN = """(ringed) => {
    const faults = [];
    const coach = document.querySelector(".coach");
    const ring = document.querySelector("div.ring");
    const open = (element, what, isRight) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        if (left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1) faults.push(`${what} is cut`);
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (!isRight(hit)) faults.push(`${what} is covered by ${hit?.outerHTML.slice(0, 80)}`);
    };
    open(coach, "the coach", (hit) => coach.contains(hit));
    for (const button of coach.querySelectorAll(".button:not(.for-keys)"))
        open(button, button.innerText, (hit) => hit === button);
    if (ring.hidden === ringed) faults.push(ringed ? "there is no ring" : "there is a ring");
    if (ringed && !ring.hidden) open(ring, "what is spoken of", (hit) => !coach.contains(hit));
    return faults;
}"""


@pytest.mark.parametrize("size", pick(["small phone", "laptop"], list(SIZES)))
def test_all_that_the_coach_speaks_of_is_seen(size: str, visit: Visit, served: Served) -> None:
    lessons = Person(served.url).get("/tutorial")["lessons"]
    width, height = SIZES[size]
    visitor = visit(**(PHONE if min(width, height) < 500 else {}) | {"viewport": {"width": width, "height": height}})
    visitor.page.clock.install()
    visitor.go("/tutorial")
    coach = visitor.page.get_by_role("region", name=said("tutorial.coach"))
    faults = []
    for number, lesson in enumerate(lessons, 1):
        visitor.page.clock.run_for(FRIENDS_TURNS)
        expect(coach).to_contain_text(said("tutorial.count", at=number, of=len(lessons)))
        found = visitor.page.evaluate(_HIDDEN, lesson["name"] not in WITHOUT_A_RING)
        faults += [f"{lesson['name']}: {fault}" for fault in found]
        if number < len(lessons):
            way_on = "tutorial.doIt" if lesson["does"] else "tutorial.next"
            coach.get_by_role("button", name=said(way_on)).click()
    assert faults == []


def act(hand: Hand, action: str) -> None:
    """Does what the coach says."""
    kind, target, *cards = action.split()
    match kind:
        case "draw" if target == "tickets":
            hand.draw_tickets()
        case "draw":
            spot = target if target == "deck" else f"display-{target}"
            hand.press(hand.visitor.page.locator(f"[data-spot={spot}]").first)
        case "keep":
            assert target == "first"
            hand.keep()
        case "place":
            souvenir = re.fullmatch(said("prompt.place", count=1, souvenir="(.+)"), hand.visitor.prompt.inner_text())
            hand.choose_place(target)
            assert souvenir
            expect(hand.visitor.told("event.placeYou").last).to_contain_text(souvenir[1])
        case "token":
            hand.choose_place(target)
        case "claim":
            hand.touch_route(target)
            hand.press(hand.visitor.dialog.get_by_role("button", name=paid(cards)))


def paid(cards: list[str]) -> str:
    """`red2 ferry1`, as the page says it."""
    parts = [re.sub(r"([a-z]+)(\d+)", lambda card: said(f"cards.{card[1]}", count=int(card[2])), one) for one in cards]
    return said("pay.with", cards=" and ".join(parts))
