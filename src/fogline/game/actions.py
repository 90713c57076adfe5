"""Actions: what a player can do, each a small frozen value with a text and a number.

    draw deck            draw blue             draw tickets
    claim mission-potrero_hill:1 orange1 ferry1
    keep first           keep second           keep both
    token potrero_hill   place castro          pass

Text and value round-trip by themselves; number and value round-trip on a board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from fogline.game.integers import as_integer
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS, COLOURS, FERRY

KEEPS = ("first", "second", "both")


class ActionError(ValueError):
    """A text that is not an action."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draws one transport card: `source` is "deck", or the card to take from the display."""

    source: str

    def __post_init__(self) -> None:
        if self.source != "deck" and self.source not in CARDS:
            raise ActionError(f"{_quote(self.source)} cannot be drawn; draw deck, tickets, {', '.join(CARDS)}")

    def __str__(self) -> str:
        return f"draw {self.source}"


@dataclass(frozen=True, slots=True)
class DrawTickets:
    """Draws tickets: the top two are offered."""

    def __str__(self) -> str:
        return "draw tickets"


@dataclass(frozen=True, slots=True)
class Claim:
    """Claims a route, paying with cards of one colour and ferries; `colour` is None when all are ferries."""

    route: str
    colour: str | None
    cards: int
    ferries: int

    def __post_init__(self) -> None:
        cards, ferries = as_integer(self.cards), as_integer(self.ferries)
        if not isinstance(self.route, str) or cards is None or ferries is None:
            raise ActionError("a claim has a route's id, a colour, and two whole numbers")
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "ferries", ferries)
        if self.cards < 0 or self.ferries < 0 or self.cards + self.ferries == 0:
            raise ActionError("a payment has at least one card")
        if self.colour not in (COLOURS if self.cards else (None,)):
            raise ActionError(f"a payment has cards of one colour, not {self.cards} of {_quote(self.colour)}")

    def __str__(self) -> str:
        parts = [f"claim {self.route}"]
        if self.cards:
            parts.append(f"{self.colour}{self.cards}")
        if self.ferries:
            parts.append(f"{FERRY}{self.ferries}")
        return " ".join(parts)

    @property
    def payment(self) -> dict[str, int]:
        """The cards paid, by kind."""
        cards = {self.colour: self.cards} if self.colour else {}
        return cards | ({FERRY: self.ferries} if self.ferries else {})


@dataclass(frozen=True, slots=True)
class Keep:
    """Keeps the "first" or "second" ticket of the offer, or "both"."""

    which: str

    def __post_init__(self) -> None:
        if self.which not in KEEPS:
            raise ActionError(f"{_quote(self.which)} cannot be kept; keep first, second, or both")

    def __str__(self) -> str:
        return f"keep {self.which}"


@dataclass(frozen=True, slots=True)
class Token:
    """Takes the token that lies on one of the two locations of the route just claimed."""

    location: str

    def __post_init__(self) -> None:
        _check_location(self.location)

    def __str__(self) -> str:
        return f"token {self.location}"


@dataclass(frozen=True, slots=True)
class Place:
    """Places the next stack that was set aside on a location."""

    location: str

    def __post_init__(self) -> None:
        _check_location(self.location)

    def __str__(self) -> str:
        return f"place {self.location}"


@dataclass(frozen=True, slots=True)
class Pass:
    """Does nothing, which is legal only when nothing else is."""

    def __str__(self) -> str:
        return "pass"


Action = Draw | DrawTickets | Claim | Keep | Token | Place | Pass


class Actions(tuple[Action, ...]):
    """Actions of one board, which it finds by text and number too.

    As an attribute or as a call it is the same: `game.legal_actions` equals `game.legal_actions()`, for a game and for
    a view.
    """

    board: Board

    def __new__(cls, actions: Iterable[Action], board: Board) -> Actions:
        made = super().__new__(cls, actions)
        made.board = board
        return made

    def __call__(self) -> Actions:
        return self

    def __contains__(self, action: object) -> bool:
        """Whether the action is among them; a text that is not an action never is."""
        if isinstance(action, str):
            try:
                return super().__contains__(parse_action(action))
            except ActionError:
                return False
        number = as_integer(action)
        if number is None:
            return super().__contains__(action)
        every = board_actions(self.board)
        return 0 <= number < len(every) and super().__contains__(every[number])

    def __reduce__(self) -> tuple[Any, ...]:
        return Actions, (tuple(self), self.board)


def parse_action(text: str) -> Action:
    """Reads an action's text.

    >>> parse_action("claim mission-potrero_hill:1 ferry1 orange1")
    Claim(route='mission-potrero_hill:1', colour='orange', cards=1, ferries=1)
    """
    if not isinstance(text, str):
        raise ActionError(f"an action is read from a text, not from {_quote(text)}")
    verb, *words = text.lower().split() or [""]
    if verb not in _PARSERS:
        raise ActionError(f"{_quote(verb)} is no action; the actions are {', '.join(_PARSERS)}")
    return _PARSERS[verb](words)


def _parse_draw(words: list[str]) -> Action:
    (what,) = _expect(words, 1, "draw deck, draw tickets, or draw and a card of the display, such as: draw blue")
    if what == "tickets":
        return DrawTickets()
    return Draw(what)


_CARDS_TEXT = re.compile(rf"({'|'.join(CARDS)})([1-9][0-9]?)")


def _parse_claim(words: list[str]) -> Action:
    if not 2 <= len(words) <= 3:
        raise ActionError("a claim names a route and its payment, such as: claim castro-mission:1 green1")
    payment: dict[str, int] = {}
    for word in words[1:]:
        match = _CARDS_TEXT.fullmatch(word)
        if match is None:
            raise ActionError(f"{_quote(word)} is no payment; write a card and how many, such as: orange1 ferry1")
        if match[1] in payment:
            raise ActionError(f"{match[1]} stands twice in the payment")
        payment[match[1]] = int(match[2])
    ferries = payment.pop(FERRY, 0)
    if len(payment) > 1:
        raise ActionError("a payment has cards of one colour, and ferries")
    colour, cards = next(iter(payment.items()), (None, 0))
    return Claim(words[0], colour, cards, ferries)


def _parse_keep(words: list[str]) -> Action:
    (which,) = _expect(words, 1, "keep first, keep second, or keep both")
    return Keep(which)


def _parse_token(words: list[str]) -> Action:
    (location,) = _expect(words, 1, "token and a location, such as: token potrero_hill")
    return Token(location)


def _parse_place(words: list[str]) -> Action:
    (location,) = _expect(words, 1, "place and a location, such as: place castro")
    return Place(location)


def _parse_pass(words: list[str]) -> Action:
    _expect(words, 0, "pass, and nothing after it")
    return Pass()


def _expect(words: list[str], count: int, usage: str) -> list[str]:
    if len(words) != count:
        raise ActionError(f"write {usage}")
    return words


def _check_location(location: str) -> None:
    if not isinstance(location, str):
        raise ActionError(f"a location is given by its id, not {_quote(location)}")


def _quote(word: object) -> str:
    text = repr(word)
    return text if len(text) <= 42 else text[:38] + "...'"


_PARSERS: dict[str, Callable[[list[str]], Action]] = {
    "draw": _parse_draw,
    "claim": _parse_claim,
    "keep": _parse_keep,
    "token": _parse_token,
    "place": _parse_place,
    "pass": _parse_pass,
}


@lru_cache(maxsize=64)
def board_actions(board: Board) -> tuple[Action, ...]:
    """Every action of a board, in the order of the numbers (`fogline.rules.numbering`)."""
    locations = [location.id for location in board.locations]
    claims = [
        Claim(board.routes[claim.route].id, COLOURS[claim.colour] if claim.cards else None, claim.cards, claim.ferries)
        for claim in board.claims
    ]
    return (
        Draw("deck"),
        *(Draw(card) for card in CARDS),
        DrawTickets(),
        *(Keep(which) for which in KEEPS),
        Pass(),
        *(Place(location) for location in locations),
        *(Token(location) for location in locations),
        *claims,
    )


@lru_cache(maxsize=64)
def action_numbers(board: Board) -> MappingProxyType[Action, int]:
    """The number of every action of a board. An action that is missing here can never be legal."""
    return MappingProxyType({action: number for number, action in enumerate(board_actions(board))})
