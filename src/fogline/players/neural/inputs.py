"""A network's input: a row of bytes. First the observation, as if four played, and then the features that follow.

The same memory is a record with a field for each of them, which compiled functions read and write by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from fogline.knowledge.observation import Places, features, lay_out, observation_length, places, split
from fogline.maps.board import Board
from fogline.rules.state import CARD_COUNT, OFFERED, SEATS

FAR = 100
"""A distance longer than any way. The sum of two still fits into a byte."""

NEAR = 9
"""Spaces off the shortest way that still count; farther is all the same."""

EVEN = 128
"""The byte that stands for 0 where a number may be negative."""

CARDS_TOLD = 5
"""Up to this many cards of a kind, each has an input of its own: one more is a different thing."""

CARS_TOLD = 20
"""Up to this many cars, each has an input of its own."""

ALIGNED = 16
"""Rows are padded to a multiple of this, which suits matrix units."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Some numbers of the features that belong together. The byte `zero` means 0, and `unit` above it 1."""

    name: str
    length: int
    meaning: str
    unit: int = 1
    zero: int = 0


def meanings(board: Board) -> tuple[Meaning, ...]:
    """The features, in order."""
    routes, tickets = len(board.routes), len(board.tickets)
    return (
        Meaning("path", routes, "points of the wanted tickets on whose shortest way the route lies", 10),
        Meaning("slack", routes, f"spaces that a way over the route is longer than the shortest, up to {NEAR}", 5),
        Meaning("lack", routes, "cards missing to claim an open route", 3),
        Meaning("ready", routes, "1 for an open route that one can pay for"),
        Meaning("souvenirs", routes, "ends of an open route where a new souvenir lies"),
        Meaning("pressure", routes, "ends of an unclaimed route at which the same other player has built"),
        Meaning("distance", tickets, "spaces that one still has to build for a ticket, anybody's", 5),
        Meaning("within", tickets, "1 for a ticket for which one has enough cars"),
        Meaning("offer", 2 * OFFERED, "value and distance of each ticket that is offered", 5),
        Meaning("need", CARD_COUNT, "cards missing on the ways, by colour; last, those for grey routes", 3),
        Meaning("holds", CARD_COUNT * CARDS_TOLD, f"1 for each card of a kind that one holds, up to {CARDS_TOLD}"),
        Meaning("shown", CARD_COUNT, "1 for a card that lies on display"),
        Meaning("fleet", SEATS * (CARS_TOLD + 1), f"1 for the number of cars of each seat, up to {CARS_TOLD}"),
        Meaning("worth", 3, "points if all ended now, how many more than others', points of wanted tickets", 20, EVEN),
        Meaning("players", SEATS - 1, "1 for the number of players"),
        Meaning("quick", routes, "points of the wanted tickets on whose quickest way the route lies", 10),
        Meaning("detour", routes, f"half turns that a way over the route takes longer, up to {NEAR}", 5),
        Meaning("turns", tickets, "half turns that a ticket may still take, anybody's", 10),
        Meaning("call", CARD_COUNT, "cards missing on the quickest ways, by colour; last, those for grey routes", 3),
        Meaning("theirs", tickets, "spaces that the next player still has to build for a ticket", 5),
        Meaning("threat", routes, "what the next player has built of tickets on whose shortest way the route lies", 10),
    )


def feature_places(board: Board, at: int = 0) -> Places:
    """Where each of them stands, when the first begins at `at`."""
    return lay_out(((meaning.name, (meaning.length,)) for meaning in meanings(board)), at)


def feature_length(board: Board) -> int:
    return sum(meaning.length for meaning in meanings(board))


def observation_width(board: Board) -> int:
    return observation_length(board, SEATS)


def input_width(board: Board) -> int:
    return -(-(observation_width(board) + feature_length(board)) // ALIGNED) * ALIGNED


@lru_cache
def input_places(board: Board) -> Places:
    """Where everything stands in an input: first the observation, then the features."""
    return places(board, SEATS) | feature_places(board, observation_width(board))


@lru_cache
def input_dtype(board: Board, kind: str = "u1") -> np.dtype:
    """An input as a record, with a field for each part: of bytes, or of the numbers that they stand for ("f4")."""
    fields: list[tuple[Any, ...]] = [(name, kind, shape) for name, (_, _, shape) in input_places(board).items()]
    fields.append(("spare", kind, (input_width(board) - observation_width(board) - feature_length(board),)))
    return np.dtype((np.record, np.dtype(fields)))


@lru_cache
def columns(board: Board, players: int) -> np.ndarray:
    """Where the numbers of an observation stand in one of four players."""
    numbers = split(board, SEATS, np.arange(observation_width(board)))
    found = [numbers[few.name][tuple(map(slice, few.shape))].ravel() for few in features(board, players)]
    return np.concatenate(found)


@lru_cache
def scale(board: Board) -> tuple[np.ndarray, np.ndarray]:
    """The byte that stands for 0 in each number of an input, and the step that stands for 1."""
    told = [Meaning(feature.name, feature.length, "", max(1, feature.most // 4)) for feature in features(board, SEATS)]
    told += meanings(board)
    told.append(Meaning("spare", input_width(board) - sum(part.length for part in told), ""))
    parts = [np.tile(np.array([[part.zero], [part.unit]], np.float32), part.length) for part in told]
    zero, unit = np.concatenate(parts, 1)
    return zero, unit
