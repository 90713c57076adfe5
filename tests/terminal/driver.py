"""What drives the terminal game in tests: consoles that keep what is printed, and people who type."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterable
from importlib import resources
from typing import Any

from rich.console import Console

from fogline.game.actions import Action
from fogline.game.game import Game
from fogline.maps.board import Board
from fogline.terminal.look import Look
from fogline.terminal.person import Person
from fogline.terminal.screen import Screen
from fogline.terminal.words import Words

NAMES = ("You", "Racer", "Random", "Racer 2")


def paper(width: int = 80, height: int = 60, **settings: Any) -> Console:
    """A console without colours that keeps everything."""
    return Console(file=io.StringIO(), width=width, height=height, **settings)


def printed(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def screen_of(game: Game, console: Console) -> Screen:
    look = Look.of(console)
    return Screen.of(console, look, Words(game.board, NAMES[: game.players], look.glyphs.dash))


def types(replies: Iterable[str]) -> Callable[[str], str]:
    """A person who types these lines, and then is gone."""
    lines = iter(replies)

    def read(prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    return read


def anything(seed: int) -> Callable[[str], str]:
    """A person who types numbers, words and nonsense."""
    chance = random.Random(seed)
    words = (
        "d", "both", "more", "t", "", "b", "routes", "routes c", "routes mine", "why pass", "draw r", "keep 1",
        "place m", "log", "log all", "zzz", "rules", "cards", "help", "claim", "token", "0", "99", "why claim m p",
        "quit", "n", "draw ferry", "claim a b green1", "9" * 5000, "[red]x[/red]", ":smile:", "-", "²",
    )  # fmt: skip
    return lambda prompt: str(chance.randint(1, 14)) if chance.random() < 0.6 else chance.choice(words)


def ask(game: Game, *replies: str, width: int = 80) -> tuple[Action, str]:
    """What the acting seat chooses when it types this, and what was printed."""
    console = paper(width)
    person = Person(screen_of(game, console), types(replies), game.why_not)
    return person.choose(game.view(game.seat)), printed(console)


def odd_board() -> Board:
    """The tiny map with all its locations on one line, and names that are hard to print."""
    text = resources.files("fogline").joinpath("maps", "tiny.toml").read_text("utf-8")
    for old, new in zip(("Harbour", "Market", "Hill", "Park"), ODD_NAMES, strict=True):
        text = text.replace(f'name = "{old}"', f'name = "{new}"')
    return Board.parse(re.sub(r" y = \d+", " y = 400", text))


ODD_NAMES = ("[red]C[/red] :smile:", "A very long name, the longest that a map file may give to it", "漢字の駅", "é")
