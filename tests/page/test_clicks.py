"""A whole game with the mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

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
