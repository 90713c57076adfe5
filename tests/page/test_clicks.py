"""A whole game with the mouse."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.hands import Mouse
from tests.page.screens import Visit
from tests.page.visitor import ENDS


def test_a_first_visitor_plays_a_whole_game_by_clicks(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/")
    visitor.button("home.play").first.click()

    Mouse(visitor).play()

    expect(visitor.heading).to_have_text(ENDS)
    scores = visitor.scores()
    assert len(scores) == 2
    assert all(sum(score.parts) == score.total for score in scores)
    assert str(max(score.total for score in scores)) in visitor.heading.inner_text()
