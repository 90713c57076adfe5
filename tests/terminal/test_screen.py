"""What is shown: the same with and without colour, and everything that must be."""

from __future__ import annotations

import re
from typing import Any

import pytest

from fogline.game.game import Game
from fogline.terminal.picture import draw_board
from tests.arrange import arrange, first_turn

from .driver import paper, printed, screen_of


def _shown(game: Game, width: int, **settings: Any) -> str:
    console = paper(width, **settings)
    screen = screen_of(game, console)
    screen.overview(game.view(0), explained=True)
    screen.board(game.view(0))
    return printed(console)


@pytest.mark.parametrize("width", [80, 120])
def test_colour_changes_no_character(width: int) -> None:
    game = first_turn(players=3)
    coloured = _shown(game, width, force_terminal=True, color_system="truecolor", _environ={})
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == _shown(game, width)


def test_no_colour_means_no_escape_codes() -> None:
    assert "\x1b" not in _shown(first_turn(), 80, force_terminal=True, no_color=True)


@pytest.mark.parametrize("width", [80, 120])
def test_all_that_one_may_know_is_shown(width: int) -> None:
    game = arrange(first_turn(players=4), hands={0: "purple3 ferry2"}, display="orange5", cars={2: 11})
    text = _shown(game, width)
    for word in (
        "3 purple",
        "2 ferry",
        "orange",
        "deck",
        "discard pile",
        "Racer 2",
        "11",
        "spaces missing",
        "sea lion",
    ):
        assert word in text


def test_routes_show_their_colour_their_owner_and_what_can_be_paid() -> None:
    game = arrange(first_turn("tiny"), hands={0: "blue1", 1: "red1"})
    console = paper()
    look = screen_of(game, console).look
    before = draw_board(game.view(0), look, 78).plain
    assert "[b]" in before
    assert " r " in before
    game.play("claim harbour-market:1 blue1")
    after = draw_board(game.view(0), look, 78).plain
    assert f"═{look.glyphs.seats[0]}═" in after
    assert " x " in after


@pytest.mark.parametrize(
    ("width", "height", "fits"), [(80, 24, False), (80, 60, True), (120, 40, False), (120, 50, True)]
)
def test_a_low_screen_shows_the_board_at_first_and_when_asked(width: int, height: int, fits: bool) -> None:
    game = first_turn()
    console = paper(width, height=height, force_terminal=True, no_color=True, _environ={})
    screen_of(game, console).overview(game.view(0), explained=False)
    text = printed(console)
    assert ("Twin Peaks" in text.split("Tickets")[0]) is fits or width == 120
    assert ("type board to see it" in text) is not fits
    assert "Display" in text
