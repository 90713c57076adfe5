"""Cards that a seat holds for certain: what the deck and all other hands have no room for is in its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import as_int, entry_point, kernel
from fogline.rules.state import CARD_COUNT

BYTE = 8
"""Bits. Some counts lie side by side in one number, a byte for each."""


@entry_point
def raise_least(least: Any, viewer: int, hidden: Any, doubts: Any) -> None:
    """For all cards; a spectator's `viewer` is -1."""
    for card in range(CARD_COUNT):
        raise_card(least, card, least.shape[0], viewer, as_int(hidden[card]), doubts)


@kernel
def raise_card(least: Any, card: int, players: int, viewer: int, hidden: int, doubts: Any) -> None:
    """Of this card so many are hidden in the other hands; `doubts` has how many cards of each seat are in doubt."""
    if hidden <= 0:
        return  # the deck has room for all of them, as it has until it is nearly empty
    most = 0
    for seat in range(players):
        if seat != viewer:
            most += as_int(least[seat, card]) + doubt_of(doubts, seat)
    for seat in range(players):
        if seat != viewer:
            elsewhere = most - as_int(least[seat, card]) - doubt_of(doubts, seat)
            least[seat, card] = max(as_int(least[seat, card]), hidden - elsewhere)


@kernel
def doubt_of(doubts: Any, seat: int) -> int:
    return as_int((doubts >> np.uint64(BYTE * seat)) & np.uint64(0xFF))
