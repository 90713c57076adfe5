"""The strip above the board, and the mark of the last claim: what happened is seen whatever one looks at."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.overheard import Overheard
from tests.page.places import Tables
from tests.page.screens import SCREENS, Visit
from tests.page.visitor import Visitor
from tests.page.words import said


@pytest.mark.parametrize("screen", ["phone", "laptop"])
def test_the_strip_shows_points_and_cars_and_whose_turn_it_is(screen: str, visit: Visit, tables: Tables) -> None:
    visitor, overheard = come(visit, tables, screen)
    told = enumerate(overheard.state["view"]["seats"])
    seats = [seat | {"points": 7 + number, "cars": 13 - number} for number, seat in told]
    overheard.tell(seats=seats, deciding=[1], legal=[])
    strip = visitor.page.locator("[data-strip]")
    for number, seat in enumerate(seats):
        expect(strip.nth(number).locator(".total")).to_have_text(re.compile(rf"\D{seat['points']}$"))
        expect(strip.nth(number).locator(".cars")).to_have_text(re.compile(rf"\D{seat['cars']}$"))
        assert strip.nth(number).is_visible()
    expect(visitor.page.locator("[data-strip].deciding")).to_have_attribute("data-strip", "1")


def test_the_strip_and_the_board_show_the_last_claim_until_another_acts(visit: Visit, tables: Tables) -> None:
    visitor, overheard = come(visit, tables, "phone")
    news, mark = visitor.page.locator(".news"), visitor.page.locator("[data-route].latest")
    overheard.tell([claim(1, "castro-mission:1")])
    expect(mark).to_have_attribute("data-route", "castro-mission:1")
    expect(news).to_contain_text("Castro – Mission")
    overheard.tell([{"e": "token", "seat": 1, "location": "castro", "souvenir": "heart"}])
    expect(mark).to_have_count(1)
    overheard.tell([{"e": "draw", "seat": 0, "from": "display", "card": "red"}])
    expect(mark).to_have_count(0)
    expect(news).to_have_text(said("card.red"))


def come(visit: Visit, tables: Tables, screen: str) -> tuple[Visitor, Overheard]:
    visitor = visit(viewport=SCREENS[screen])
    overheard = Overheard(visitor)
    tables.let_in(visitor.context)
    visitor.go(f"/game/{tables.halfway}")
    visitor.prompt.wait_for()
    return visitor, overheard


def claim(seat: int, route: str) -> dict[str, Any]:
    return {"e": "claim", "seat": seat, "route": route, "cards": {"red": 2}}
