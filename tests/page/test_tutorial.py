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


def act(hand: Hand, action: str) -> None:
    """Does what the coach says."""
    kind, target, *cards = action.split()
    match kind:
        case "draw":
            spot = target if target in ("deck", "tickets") else f"display-{target}"
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
