"""Somebody who looks on."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.hands import Mouse
from tests.page.screens import CLIPBOARD, Visit
from tests.page.visitor import Visitor
from tests.page.words import like, said


def test_a_spectator_sees_the_game_and_no_hand_until_the_host_wants_none(visit: Visit) -> None:
    host, spectator = visit(permissions=CLIPBOARD), visit()
    spectator.expected = ["status of 403"]
    host.go("/")
    host.page.get_by_label(said("name.label")).fill("Ada")
    host.button("home.play").first.click()
    mouse = Mouse(host)
    asked = mouse.play(turns=0)

    spectator.page.goto(copied_game_link(host))
    expect(spectator.page.get_by_role("group", name=said("display.title"))).to_be_visible()
    for own in own_things(host):
        expect(own).to_have_count(1)
    assert [hidden.count() for hidden in own_things(spectator)] == [0, 0, 0]

    mouse.decide(asked.prompt)
    mouse.decide(host.asked(asked).prompt)
    expect(host.told("event.blindYou")).to_have_count(1)
    expect(spectator.page.get_by_text(said("event.blind", name="Ada"))).to_have_count(1)
    assert spectator.told("event.blindCard").count() == 0

    switch_spectators_off(host)
    expect(spectator.heading).to_have_text(said("lost.title"))
    expect(spectator.page.get_by_text(said("lost.private"))).to_be_visible()


def own_things(visitor: Visitor) -> list[Locator]:
    """What only somebody with a seat has: a hand, tickets, and actions."""
    page = visitor.page
    return [
        page.get_by_role("heading", name=like("hand.title")),
        page.get_by_label(said("tickets.mine"), exact=True),
        page.get_by_role("button", name=said("actions.title")),
    ]


def copied_game_link(host: Visitor) -> str:
    host.button("menu.title").click()
    host.dialog.get_by_role("button", name=said("share.copy")).click()
    expect(host.dialog.get_by_role("button", name=said("share.copied"))).to_be_visible()
    host.dialog.get_by_role("button", name=said("close")).click()
    link: str = host.page.evaluate("navigator.clipboard.readText()")
    return link


def switch_spectators_off(host: Visitor) -> None:
    host.button("menu.title").click()
    host.dialog.get_by_label(said("menu.spectators")).uncheck()
