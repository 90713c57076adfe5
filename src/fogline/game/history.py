"""The history of a game: everything that it follows from, hidden cards included. It converts to text and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from fogline.maps.board import Board
from fogline.maps.digest import digest_rules
from fogline.maps.mapfile import CARDS
from fogline.rules.chance import TAPE_LENGTH

FORM = "fogline-position/1"


class Dealt(NamedTuple):
    """The number of an action, and the cards that chance was made to bring."""

    number: int
    cards: tuple[str, ...]


class Reseed(NamedTuple):
    """A new seed for chance."""

    seed: int


Step = int | Dealt | Reseed
"""Most steps are an action alone, by its number."""


@dataclass(slots=True)
class History:
    """How a game began, and its steps."""

    players: int
    seed: int
    cards: tuple[str, ...] = ()  # what chance was made to bring first
    tickets: tuple[str, ...] = ()  # the ticket deck, where somebody has ordered it
    steps: list[Step] = field(default_factory=list)

    def copy(self) -> History:
        return replace(self, steps=list(self.steps))

    def note(self, number: int, cards: Sequence[str]) -> None:
        """Adds an action that has been carried out."""
        self.steps.append(Dealt(number, tuple(cards)) if cards else number)

    def before_last(self) -> tuple[History, list[Step]]:
        """The history without its last action, and what followed from there on."""
        last = max(place for place, step in enumerate(self.steps) if not isinstance(step, Reseed))
        return replace(self, steps=self.steps[:last]), self.steps[last:]

    def text(self, board: Board) -> str:
        return " ".join(self._words(board))

    def _words(self, board: Board) -> Iterator[str]:
        yield from (FORM, f"{board.id}:{_digest(board)}", str(self.players), f"{self.seed:#x}")
        if self.cards:
            yield f"cards:{'+'.join(self.cards)}"
        if self.tickets:
            yield f"tickets:{'+'.join(str(board.ticket_number[ticket]) for ticket in self.tickets)}"
        for step in self.steps:
            if isinstance(step, Reseed):
                yield f"seed:{step.seed:#x}"
            else:
                yield f"{step.number}:{'+'.join(step.cards)}" if isinstance(step, Dealt) else str(step)


def map_of(text: str) -> str:
    """The id of the map that the text of a history names."""
    words = text.split() if isinstance(text, str) else []
    if len(words) < 4 or words[0] != FORM:
        raise ValueError(f"a position's text begins with {FORM}, a map, the players and a seed")
    return words[1].partition(":")[0]


def read_history(text: str, board: Board) -> History:
    """A history from its text. Whether its actions are legal, only a game can tell."""
    name, words = map_of(text), text.split()
    if words[1] != f"{board.id}:{_digest(board)}":
        raise ValueError(f"the position is of another map than {board.id}, or {name} has changed since")
    history = History(_number(words[2]), _number(words[3]))
    for word in words[4:]:
        kind, _, rest = word.partition(":")
        if kind == "cards":
            history.cards = _cards(rest)
        elif kind == "tickets":
            history.tickets = _tickets(rest, board)
        elif kind == "seed":
            history.steps.append(Reseed(_number(rest)))
        else:
            history.note(_number(kind), _cards(rest) if rest else ())
    return history


_NUMBER = re.compile(r"0x[0-9a-f]{1,16}|[0-9]{1,6}")


def _number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise ValueError(f"a position's text has {word[:40]!r} where a number belongs")
    return int(word, 0) if word.startswith("0x") else int(word)


def _cards(word: str) -> tuple[str, ...]:
    cards = tuple(word.split("+"))
    if len(cards) > TAPE_LENGTH or any(card not in CARDS for card in cards):
        raise ValueError(f"a position's text has {word[:40]!r} where cards belong")
    return cards


def _tickets(word: str, board: Board) -> tuple[str, ...]:
    numbers = [_number(each) for each in word.split("+")]
    if sorted(numbers) != list(range(len(board.tickets))):
        raise ValueError("a position's text orders the ticket deck, and names each ticket once")
    return tuple(board.tickets[number].id for number in numbers)


def _digest(board: Board) -> str:
    return digest_rules(board.map_file)[:8]
