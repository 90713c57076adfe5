"""A whole game without a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.hands import Keys
from tests.page.screens import Visit
from tests.page.visitor import ENDS
from tests.page.words import said


def test_turns_are_taken_by_keyboard_alone(visit: Visit) -> None:
    assert sit_down(visit).play(turns=5).prompt == "turn"


@pytest.mark.thorough
def test_a_whole_game_is_played_by_keyboard_alone(visit: Visit) -> None:
    keys = sit_down(visit)
    visitor = keys.visitor
    keys.play()

    expect(visitor.heading).to_have_text(ENDS)
    keys.tab_to(said("end.again"))
    keys.key("Enter")
    expect(visitor.prompt).to_have_text(said("prompt.keep"))


def sit_down(visit: Visit) -> Keys:
    visitor = visit()
    visitor.go("/")
    expect(visitor.heading).to_be_visible()
    keys = Keys(visitor)
    keys.tab_to(said("home.play"))
    keys.key("Enter")
    return keys
