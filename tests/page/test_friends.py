"""Two friends with a browser each."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.hands import Hand, Mouse, play_together
from tests.page.screens import CLIPBOARD, Visit
from tests.page.visitor import ENDS, Visitor
from tests.page.words import said


def test_two_browsers_play_by_link_and_one_is_closed_in_between(visit: Visit) -> None:
    hands = sit_down_together(visit)
    interrupted = play_together(hands, until="second")
    assert interrupted
    before = interrupted.visitor.position()
    reopen_from_home(interrupted.visitor)
    assert interrupted.visitor.position() == before


@pytest.mark.thorough
def test_two_browsers_play_to_the_end_and_once_more(visit: Visit) -> None:
    hands = sit_down_together(visit)
    host, guest = (hand.visitor for hand in hands)
    play_together(hands)
    expect(host.heading).to_have_text(ENDS)
    expect(guest.heading).to_have_text(ENDS)
    assert host.scores() == guest.scores()

    host.button("end.again").click()
    guest.page.get_by_role("link", name=said("end.toAgain")).click()
    host.button("lobby.start").click()
    assert play_together(hands, until="turn")


def sit_down_together(visit: Visit) -> list[Hand]:
    # With all that moves, as most people see it.
    host, guest = (visit(reduced_motion="no-preference", permissions=CLIPBOARD) for _ in range(2))
    open_tiny_table(host)
    guest.page.goto(copied_invitation(host))
    guest.page.get_by_label(said("name.label")).fill("Grace")
    guest.button("join.sit").click()
    expect(host.page.get_by_role("list", name=said("lobby.chairs"))).to_contain_text("Grace")
    host.button("lobby.start").click()
    return [Mouse(host), Mouse(guest)]


def open_tiny_table(host: Visitor) -> None:
    host.go("/")
    host.page.get_by_text(said("home.more"), exact=True).click()
    host.page.get_by_label(said("choices.map")).select_option("Tiny")
    host.button("home.friends").click()


def copied_invitation(host: Visitor) -> str:
    host.button("share.copy").click()
    expect(host.button("share.copied")).to_be_visible()
    link: str = host.page.evaluate("navigator.clipboard.readText()")
    return link


def reopen_from_home(visitor: Visitor) -> None:
    """The window is closed; a new one opens at the first page, which knows the game and whose turn it is."""
    visitor.page.close()
    visitor.page = visitor.context.new_page()
    visitor.go("/")
    visitor.page.get_by_role("link", name=said("games.yours")).click()
    visitor.asked()
