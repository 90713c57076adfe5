"""The boards that tests play on: those that come with the package, and one on which games get stuck."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from fogline.maps.board import Board

DATA = Path(__file__).parent / "data"
BOARDS = ("san_francisco", "tiny", "dead_end")


@cache
def load_board(name: str) -> Board:
    return Board.load(DATA / "dead_end.toml" if name == "dead_end" else name)


@cache
def map_data(name: str) -> dict[str, Any]:
    """The parsed map file, as the referee takes it."""
    text = (
        (DATA if name == "dead_end" else resources.files("fogline") / "maps")
        .joinpath(f"{name}.toml")
        .read_text("utf-8")
    )
    return tomllib.loads(text)


def tiny_but(old: str, new: str) -> Board:
    """The map tiny, with one place of its file changed."""
    text = resources.files("fogline").joinpath("maps", "tiny.toml").read_text("utf-8")
    assert old in text
    return Board.parse(text.replace(old, new, 1))
