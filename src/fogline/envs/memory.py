"""Everything that a seat remembers, in words: what it holds, and all that it has seen happen, in order.

The words have numbers, so that the same memory can be an array. A line ends with a word of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from fogline.game.view import View
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS, LIMITS
from fogline.rules.state import END_REASONS

END_OF_LINE = "\n"
_EVENTS = ("deal", "display", "reset", "flip", "recycle", "offer", "keep", "place", "draw", "claim", "token", "pass")


@lru_cache
def vocabulary(board: Board) -> MappingProxyType[str, int]:
    """The number of every word, from 1 on."""
    most = max(*board.map_file.cards, LIMITS["route length"][1])
    words = [
        *(END_OF_LINE, "seat", "hand", "tickets", *_EVENTS, "last_round", "end", "deck"),
        *(*END_REASONS, *CARDS, *map(str, range(most + 1))),
        *(ticket.id for ticket in board.tickets),
        *(route.id for route in board.routes),
        *(location.id for location in board.locations),
        *board.souvenirs,
    ]
    return MappingProxyType({word: number for number, word in enumerate(dict.fromkeys(words), 1)})


def memory(view: View) -> Iterator[str]:
    """The words, line by line. The seat's own hand and tickets follow from the events; they stand first for quick
    reading.
    """
    holding = {"seat": view.seat, "hand": view.hand, "tickets": list(view.tickets), "offer": list(view.offer)}
    for key, value in holding.items():
        yield from (key, *_words(value), END_OF_LINE)
    for event in view.events:
        yield from (*_words(list(event.values())), END_OF_LINE)


def memory_text(words: Iterator[str]) -> str:
    return " ".join(words).replace(f" {END_OF_LINE} ", END_OF_LINE).rstrip()


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for card, count in value.items():
            yield from (card, str(count))
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)
    else:
        yield str(value)
