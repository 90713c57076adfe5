"""The rules beside a game, and on paper."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.page.places import Tables
from tests.page.screens import Visit
from tests.page.words import said


def test_the_rules_lead_back_to_the_game_that_one_came_from(visit: Visit, tables: Tables) -> None:
    visitor = visit()
    tables.let_in(visitor.context)
    visitor.go(f"/game/{tables.halfway}")
    visitor.page.get_by_role("button", name=said("menu.title")).click()
    visitor.page.get_by_role("link", name=said("menu.rules"), exact=True).click()
    visitor.page.get_by_role("link", name=said("replay.leave")).click()
    expect(visitor.page).to_have_url(re.compile(f"/game/{tables.halfway}$"))


def test_on_paper_it_is_day_and_what_is_folded_stays_away(visit: Visit) -> None:
    visitor = visit(color_scheme="dark")
    visitor.go("/rules")
    expect(visitor.page.get_by_text(said("rules.note")).first).to_be_visible()
    visitor.page.emulate_media(media="print")
    expect(visitor.page.locator("html")).to_have_attribute("data-theme", "light")
    expect(visitor.page.get_by_text(said("rules.note")).first).to_be_hidden()
    expect(visitor.page.get_by_role("navigation")).to_be_hidden()


def test_the_rules_in_short_are_printed_alone(visit: Visit) -> None:
    visitor = visit()
    visitor.page.add_init_script("window.print = () => undefined")
    visitor.go("/rules")
    visitor.page.get_by_role("button", name=said("rules.printShort")).click()
    visitor.page.emulate_media(media="print")
    expect(visitor.page.get_by_role("heading", name=said("rules.inShort"))).to_be_visible()
    expect(visitor.page.locator("#chapter-1")).to_be_hidden()
