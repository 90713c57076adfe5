"""Pictures of a running game."""

from __future__ import annotations

import random
import re
import sys
import xml.dom.minidom
from importlib import resources

import numpy as np
import pytest

from fogline.envs import render
from fogline.game.game import Game
from fogline.maps.board import Board
from tests.boards import load_board
from tests.game.test_view import with_other_secrets


@pytest.fixture
def game() -> Game:
    """One in which routes are claimed and tokens taken."""
    game = Game(load_board("tiny"), players=3, seed=7)
    while not game.view(None).owners:
        game.play(game.legal_numbers()[-1])
    return game


def test_the_text_tells_what_everyone_knows(game: Game) -> None:
    text = render.render_text(game, coloured=False)
    view = game.view(None)
    assert f"deck {view.deck_count}, discard pile" in text
    assert f"seat {game.seat} decides: {game.phase}" in text
    assert all(location.name in text for location in game.board.locations)
    (owner,) = view.owners.values()
    assert f"═{'▲●■◆'[owner]}═" in text
    assert text.count(" x ") == 1  # with three players a twin stays open; what the sign means is told all the same


def test_the_coloured_text_says_the_same(game: Game) -> None:
    coloured = render.render(game, "ansi")
    assert isinstance(coloured, str)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render.render_text(game, coloured=False)
    assert "\x1b[" in coloured


def test_the_drawing_shows_who_owns_what(game: Game) -> None:
    svg = render.render(game, "svg")
    assert isinstance(svg, str)
    xml.dom.minidom.parseString(svg)
    (owner,) = game.view(None).owners.values()
    assert svg.count(f'data-owner="{owner}"') == 1


def test_pixels_are_those_of_the_drawing_with_its_words(game: Game) -> None:
    pixels = render.render(game, "rgb_array")
    assert isinstance(pixels, np.ndarray)
    assert pixels.shape[1:] == (render.PIXELS, 3)
    assert pixels.dtype == np.uint8
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 1000
    from fogline.envs.pixels import pixels as draw_pixels

    svg = render.render_svg(game)
    wordless = draw_pixels(re.sub(r"<text.*?</text>", "", svg), render.PIXELS, own_face=True)
    changed = (pixels != wordless).any(axis=2)
    assert changed.sum() > 2000  # the words' own pixels
    pixels[:] = 0  # the caller's own: the next picture is not black
    assert render.render_pixels(game).any()


def test_names_with_other_letters_are_drawn_with_the_faces_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    from fogline.envs import pixels

    asked = []

    def draw_pixels(svg: str, width: int, *, own_face: bool) -> np.ndarray:
        asked.append(own_face)
        return np.zeros((1, width, 3), np.uint8)

    monkeypatch.setattr(pixels, "pixels", draw_pixels)
    text = (resources.files("fogline") / "maps/tiny.toml").read_text("utf-8")
    for board in (Board.parse(text), Board.parse(text.replace('"Park"', '"Søndermarken"'))):
        render.render_pixels(Game(board, seed=1))
    assert asked == [True, False]


@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_a_picture_tells_no_secret(mode: str) -> None:
    generator = random.Random(4)
    game = Game(load_board("tiny"), players=3, seed=4)
    while not game.over:
        assert render.render(with_other_secrets(game, None, generator), mode) == render.render(game, mode)
        game.play(generator.choice(game.legal_numbers()))
    assert "over, won by seat" in render.render_text(game)


def test_an_unknown_mode_is_refused(game: Game) -> None:
    with pytest.raises(ValueError, match="render_mode: one of human, ansi, svg, rgb_array, or None, not 'film'"):
        render.render(game, "film")


def test_without_its_libraries_pixels_say_what_to_install(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.delitem(sys.modules, "fogline.envs.pixels", raising=False)
    with pytest.raises(ImportError, match=r'pip install "fogline\[rl\]"'):
        render.render(game, "rgb_array")
