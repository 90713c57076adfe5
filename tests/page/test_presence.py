"""Who is at the table, as those see it who sit there; and a bot for somebody who does not come back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.page.screens import CLIPBOARD, PHONE, Visit
from tests.page.test_friends import copied_invitation, open_tiny_table
from tests.page.visitor import Visitor
from tests.page.words import like, said
from tests.server.nursery import Forked
from tests.server.serving import Person, Served

HIDE = """(state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""As a phone does when it is put into a pocket."""


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Served]:
    """A server of the test's own, where nobody needs to be gone for long, and bots take their time."""
    with Forked(f"sqlite:///{tmp_path}/fogline.db", tmp_path, "--bot-delay=60", "--patience=0") as server:
        yield server


def test_everyone_sees_who_is_here_and_who_waits_may_let_a_bot_play(impatient: Served, visit: Visit) -> None:
    host = visit(impatient.url, permissions=CLIPBOARD)
    guest = visit(impatient.url, **PHONE)
    open_tiny_table(host)
    guest.page.goto(copied_invitation(host))
    guest.page.get_by_label(said("name.label")).fill("Grace")
    guest.button("join.sit").click()
    grace = host.page.get_by_role("list", name=said("lobby.chairs")).get_by_role("listitem").nth(1)
    hint = host.page.locator("#hint")
    expect(grace).to_contain_text(said("presence.here"))
    expect(hint).to_have_text(said("lobby.ready"))
    guest.page.evaluate(HIDE, "hidden")
    expect(grace).to_contain_text(said("presence.away"))
    expect(hint).to_have_text(said("lobby.notHere", names="Grace"))
    guest.page.evaluate(HIDE, "visible")
    expect(grace).to_contain_text(said("presence.here"))

    host.button("lobby.start").click()
    host.offer.wait_for()
    row = player(host, "Grace")
    expect(row).to_contain_text(said("presence.here"))
    hand_over = host.page.get_by_role("button", name=said("prompt.handOver", name="Grace"))
    guest.page.close()
    expect(row).to_contain_text(said("presence.away"))
    hand_over.click()
    expect(row).to_contain_text(said("players.away"))
    expect(hand_over).to_have_count(0)

    guest.page = guest.context.new_page()
    guest.page.goto(host.page.url)
    expect(guest.prompt).to_have_text(said("menu.away"))
    guest.button("menu.back").tap()
    expect(guest.button("menu.back")).to_have_count(0)
    expect(row).to_contain_text(said("presence.here"))


def test_at_a_rematch_nobody_is_said_to_be_here_who_has_not_come(visit: Visit, served: Served) -> None:
    """Everyone has a chair there at once, and sits at the old table, or nowhere."""
    ada, ben = Person(served.url), Person(served.url)
    table = ada.open_table("me", "open", name="Ada", map="tiny")["table"]
    ben.post(f"/invites/{table['invite']}", name="Ben")
    play_all(ada, ben, table["id"])
    again = ada.post(f"/tables/{table['id']}/again")["table"]["id"]
    visitor = visit()
    visitor.context.add_cookies([{"name": "fogline", "value": ada.token, "url": served.url}])
    visitor.go(f"/game/{again}")
    chairs = visitor.page.get_by_role("list", name=said("lobby.chairs")).get_by_role("listitem")
    expect(chairs.filter(has_text="Ben")).to_contain_text(said("presence.unseen"))
    expect(visitor.page.locator("#hint")).to_have_text(like("lobby.notHere"))


def play_all(ada: Person, ben: Person, table: str) -> None:
    while True:
        for person in (ada, ben):
            view = person.get(f"/tables/{table}")["view"]
            if view["phase"] == "over":
                return
            if view["legal"]:
                claims = [choice for choice in view["legal"] if choice["kind"] == "claim"]
                person.play(table, view["step"], (claims or view["legal"])[0]["action"])


def player(visitor: Visitor, name: str) -> Locator:
    return visitor.page.get_by_role("list", name=said("players.title")).get_by_role("listitem").filter(has_text=name)
