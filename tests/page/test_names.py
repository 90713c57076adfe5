"""What those are called who would have one name, and whose line of the log it is."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.places import LONG_NAME, Tables
from tests.page.screens import Visit
from tests.page.words import said
from tests.server.serving import Person


def test_bots_of_one_level_are_numbered_everywhere_and_every_line_shows_whose_it_is(
    visit: Visit, tables: Tables
) -> None:
    visitor = visit()
    tables.let_in(visitor.context)
    visitor.go(f"/game/{tables.crowd}")
    visitor.prompt.wait_for()
    players = visitor.page.get_by_role("list", name=said("players.title")).get_by_role("listitem")
    names = [name.inner_text().split("\n")[0].strip() for name in players.locator(".name").all()]
    assert sorted(name.split(" bot")[0] for name in names if LONG_NAME not in name) == ["Racer 1", "Racer 2", "Tourist"]
    assert next(name for name in names if name.startswith("Racer")).startswith("Racer 1")
    lines = visitor.page.get_by_role("log").get_by_role("listitem")
    expect(lines.filter(has_text="Racer 2").first).to_be_visible()
    assert lines.filter(has_text="Racer takes").count() == 0
    told = lines.evaluate_all("(lines) => lines.map((line) => [line.innerText, line.querySelectorAll('svg').length])")
    for text, emblems in told:
        somebody = text.startswith(("Racer", "Tourist", "Wilhelmina", "You"))
        assert emblems == somebody, text


def test_the_end_names_the_winner_by_number(visit: Visit, tables: Tables) -> None:
    person = Person(tables.person.url)
    table = person.open_table("me", "racer", "racer", map="tiny", name="Ada")["table"]["id"]
    person.post(f"/tables/{table}/leave")
    visitor = visit()
    visitor.go(f"/game/{table}")
    heading = visitor.page.locator("#end-title")
    heading.wait_for()
    text = heading.inner_text()
    assert ("Racer" in text) == ("Racer 1" in text or "Racer 2" in text)
    cards = visitor.page.locator("section[aria-labelledby=end-title] > ol > li")
    for name in ("Racer 1", "Racer 2"):  # one card is told after the other
        expect(cards.filter(has_text=name)).to_have_count(1)
