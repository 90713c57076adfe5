"""Chance: one small generator, and the tape that records what it brought.

The generator is MWC64X, a multiply-with-carry. It lives in 64 bits and never overflows them, so it gives the same
numbers interpreted, compiled and on a GPU. The deck is kept as counts per colour, and a card is picked at the moment of
drawing. That is the same as a shuffled deck whose order nobody knows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, Tape, kernel
from fogline.rules.state import CARD_COUNT

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIER = np.uint64(4294883355)
_SCRAMBLE = (np.uint64(0x7FEB352D), np.uint64(0x846CA68B))
_FOLD = np.uint64(16)
_CARRY_MASK = np.uint64(0x7FFFFFFF)
_ONE = np.uint64(1)

TAPE_LENGTH = 64
"""More than one step can bring: 13 cards of a first deal, and three resets with five cards and a recycle each."""

RESET, RECYCLE = CARD_COUNT, CARD_COUNT + 1
"""What a tape records besides cards."""

TAPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("forced", "u1", (TAPE_LENGTH,)),  # cards that must come, in this order
                ("forced_count", "u1"),
                ("used", "u1"),  # cards that have come
                ("impossible", "u1"),  # a forced card was not in the deck
                ("deck", "u1", (CARD_COUNT,)),  # the deck when the first card came that was not forced, else zeros
                ("noted", "u1", (TAPE_LENGTH,)),  # cards, RESET and RECYCLE, as they happened
                ("noted_count", "u1"),
            ],
            align=True,
        ),
    )
)
"""What chance brought in one step. For audits and for counting whole trees, also what it must bring."""


@kernel
def seeded(seed: Any) -> Any:
    """A generator's first state. Seeds that differ in one bit give unrelated states."""
    left, right = np.uint64(seed) >> _HALF, np.uint64(seed) & _LOW
    for turn in range(4):
        mixed = right ^ np.uint64(turn)
        mixed = ((mixed ^ (mixed >> _FOLD)) * _SCRAMBLE[0]) & _LOW
        mixed = ((mixed ^ (mixed >> _FOLD)) * _SCRAMBLE[1]) & _LOW
        left, right = right, left ^ mixed ^ (mixed >> _FOLD)
    # The upper half is the carry: neither 0 nor as large as the multiplier, or the generator would stand still.
    return (((left & _CARRY_MASK) + _ONE) << _HALF) | right


@kernel
def advance(state: Any) -> Any:
    """The generator's next state."""
    return (state & _LOW) * _MULTIPLIER + (state >> _HALF)


@kernel
def below(state: Any, bound: int) -> int:
    """A number from 0 up to, but not including, the bound, by the generator's state."""
    word = (state ^ (state >> _HALF)) & _LOW
    return np.int64((word * np.uint64(bound)) >> _HALF)  # type: ignore[return-value]


@kernel
def choose_below(game: Record, bound: int) -> int:
    """A number drawn by the game's own generator."""
    game.chance = advance(game.chance)
    return below(game.chance, bound)


@kernel
def pick_card(game: Record, tape: Tape) -> int:
    """The next card of the deck, which must not be empty: any of its cards, equally likely, or the tape's."""
    if tape is not None:
        card = forced_card(game, tape)
        if card >= 0:
            return card
    place = choose_below(game, game.deck_count)
    card = 0
    while place >= game.deck[card]:
        place -= game.deck[card]
        card += 1
    return card


@kernel
def forced_card(game: Record, tape: Record) -> int:
    """The card that must come next, or -1 when chance is free."""
    used = tape.used
    tape.used += 1
    if used < tape.forced_count:
        card = tape.forced[used]
        if game.deck[card] > 0:
            return np.int64(card)  # type: ignore[return-value]
        tape.impossible = 1
    if used == tape.forced_count:
        for card in range(CARD_COUNT):
            tape.deck[card] = game.deck[card]
    return -1


@kernel
def note(tape: Tape, what: int) -> None:
    """Writes a card, a reset or a recycle on the tape, in the order in which they happen."""
    if tape is not None:
        tape.noted[tape.noted_count] = what
        tape.noted_count += 1
