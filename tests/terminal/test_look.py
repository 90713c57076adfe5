"""What a console can show."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from fogline.maps.mapfile import CARDS, GREY
from fogline.terminal.look import ASCII, LETTERS, Glyphs, Look

from .driver import paper


@pytest.mark.parametrize(
    ("encoding", "glyphs"), [("utf-8", Glyphs()), ("ascii", ASCII), ("latin-1", ASCII), ("cp437", ASCII)]
)
def test_glyphs_by_encoding(encoding: str, glyphs: Glyphs) -> None:
    console = Console(file=io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    assert Look.of(console).glyphs == glyphs


@pytest.mark.parametrize(
    ("settings", "coloured"),
    [
        ({}, False),
        ({"force_terminal": True, "color_system": "truecolor", "_environ": {}}, True),
        ({"force_terminal": True, "color_system": "truecolor", "_environ": {"NO_COLOR": "1"}}, False),
        ({"force_terminal": True, "_environ": {"TERM": "dumb"}}, False),
    ],
)
def test_colour_by_console(settings: dict[str, Any], coloured: bool) -> None:
    assert Look.of(paper(**settings)).coloured is coloured


def test_every_colour_has_a_letter_of_its_own() -> None:
    assert set(LETTERS) == {*CARDS, GREY}
    assert len(set(LETTERS.values())) == len(LETTERS)
    assert len(set(Glyphs().seats)) == len(set(ASCII.seats)) == 4
