"""A whole game on a phone, with a finger."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.page.hands import Finger
from tests.page.screens import PHONE, Visit
from tests.page.visitor import ENDS, Visitor
from tests.page.words import like, said


@pytest.mark.parametrize("map", ["Tiny", pytest.param("San Francisco", marks=pytest.mark.thorough)])
def test_a_whole_game_is_played_on_a_phone(map: str, visit: Visit) -> None:
    visitor = visit(**PHONE)
    visitor.go("/")
    visitor.page.get_by_text(said("home.more"), exact=True).tap()
    visitor.page.get_by_label(said("choices.map")).select_option(map)
    visitor.button("home.play").first.tap()
    Finger(visitor).play()
    expect(visitor.heading).to_have_text(ENDS)
    assert all(sum(score.parts) == score.total for score in visitor.scores())


def test_a_tap_on_what_cannot_be_done_says_why(visit: Visit) -> None:
    visitor = visit(**PHONE)
    finger = sit_down(visitor)
    finger.play(turns=0)
    finger.touch_route(visitor.quiet_routes()[0])
    rule = visitor.page.get_by_role("link", name=like("rule.link"))
    expect(rule).to_be_visible()
    rule.tap()
    expect(visitor.heading).to_have_text(said("rules.title"))


def test_a_double_tap_does_nothing_twice(visit: Visit) -> None:
    visitor = visit(**PHONE)
    finger = sit_down(visitor)
    finger.play(turns=0)
    finger.double_tap(*middle(visitor.page.get_by_role("button", name=like("deck.draw"))))
    expect(visitor.prompt).to_have_text(said("prompt.second"))
    visitor.drawable.first.tap()
    expect(visitor.told("event.takeYou")).to_have_count(1)
    expect(visitor.told("event.blindYou")).to_have_count(1)


def test_both_ends_of_every_ticket_on_offer_are_seen(visit: Visit) -> None:
    visitor = visit(**PHONE)
    sit_down(visitor)
    expect(visitor.offer).to_be_visible()
    ends = visitor.page.locator("[data-location].end .ring")
    expect(ends).not_to_have_count(0)
    board = visitor.board.bounding_box()
    assert board
    for end in ends.all():
        x, y = middle(end)
        assert board["x"] < x < board["x"] + board["width"]
        assert board["y"] < y < board["y"] + board["height"]


def test_two_fingers_zoom(visit: Visit) -> None:
    visitor = visit(**PHONE)
    finger = sit_down(visitor)
    finger.play(turns=0)
    before = visitor.zoom
    finger.pinch(*middle(visitor.board), 60, 150)
    assert visitor.zoom > 1.5 * before
    finger.pinch(*middle(visitor.board), 150, 60)
    assert visitor.zoom < 1.5 * before


def sit_down(visitor: Visitor) -> Finger:
    visitor.go("/")
    visitor.button("home.play").first.tap()
    return Finger(visitor)


def middle(seen: Locator) -> tuple[float, float]:
    box = seen.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
