"""A whole game with the mouse."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.page.hands import Mouse
from tests.page.screens import Visit
from tests.page.visitor import ENDS
from tests.page.words import said


@pytest.mark.parametrize("map", ["Tiny", pytest.param("San Francisco", marks=pytest.mark.thorough)])
def test_a_first_visitor_plays_a_whole_game_by_clicks(map: str, visit: Visit) -> None:
    visitor = visit()
    visitor.go("/")
    visitor.page.get_by_text(said("home.more"), exact=True).click()
    visitor.page.get_by_label(said("choices.map")).select_option(map)
    visitor.button("home.play").first.click()

    Mouse(visitor).play()

    expect(visitor.heading).to_have_text(ENDS)
    scores = visitor.scores()
    assert len(scores) == 2
    assert all(sum(score.parts) == score.total for score in scores)
    assert str(max(score.total for score in scores)) in visitor.heading.inner_text()


def test_a_route_is_paid_for_by_clicks(visit: Visit) -> None:
    """A game on the tiny map may be over before anybody has claimed one."""
    visitor = visit()
    visitor.go("/")
    visitor.button("home.play").first.click()
    mouse = Mouse(visitor)
    asked = mouse.play(turns=2)
    while not visitor.payable_routes() and asked.prompt != "over":
        asked = mouse.play(asked, turns=1)
    mouse.claim(visitor.payable_routes()[0])
    expect(visitor.told("event.claimYou")).not_to_have_count(0)


def test_the_last_ticket_is_kept_and_not_chosen(visit: Visit) -> None:
    """The ticket deck hardly ever runs so low: here the page is shown half of an offer."""
    visitor = visit()
    visitor.page.route_web_socket("**/*", leave_one_ticket)
    visitor.go("/")
    visitor.button("home.play").first.click()
    expect(visitor.prompt).to_have_text(said("prompt.keepLast"))
    expect(visitor.offer).to_contain_text(said("offer.helpLast"))


def leave_one_ticket(socket: WebSocketRoute) -> None:
    """Passes on what the server says, with one ticket in every offer."""

    def pass_on(message: str | bytes) -> None:
        state = json.loads(message)
        if view := state.get("view"):
            view["offer"] = view["offer"][:1]
        socket.send(json.dumps(state))

    socket.connect_to_server().on_message(pass_on)
