"""Counting cards, compiled: what each seat of a running game can have noted down of what happened (chapter 10).

A game's record says how things stand, not what was seen. A counter follows it from the deal on. It holds the cards that
others have for certain, because they took them from the display or because there is no other place left for them, and
the tickets that each seat put at the bottom.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, as_int, entry_point, kernel
from fogline.game.view import View
from fogline.knowledge.card_count import CardCount
from fogline.knowledge.certain import BYTE, raise_card
from fogline.rules.bits import ZERO, bit, count_bits
from fogline.rules.numbering import DRAW_DECK, DRAW_DISPLAY, DRAW_TICKETS, KEEP, PASS, first_claim
from fogline.rules.state import CARD_COUNT, FERRY, SEATS
from fogline.rules.tickets import KEEP_BOTH
from fogline.rules.turns import step

COUNTER = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("put_back", "u8", (SEATS,)),  # tickets that the seat put at the bottom and did not keep since: a set
                ("drawn", "u1", (SEATS, CARD_COUNT)),  # dealt or drawn from the deck since it was last shuffled
                ("least", "u1", (SEATS, SEATS, CARD_COUNT)),  # [viewer, seat]: held for certain, as the viewer saw
            ],
            align=True,
        ),
    )
)
"""What all seats have counted; 0 for empty seats. One layout for 2, 3 and 4 players, so it is compiled once."""

COUNT = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("put_back", "u8"),  # tickets that this seat put at the bottom, as a set
                ("certain", "u1", (SEATS, CARD_COUNT)),  # cards that each other seat holds for certain
                ("unseen", "u1", (CARD_COUNT,)),  # in the deck, or in a hand that need not hold them
                ("fresh", "u1", (CARD_COUNT,)),  # of the deck as it was last shuffled: not seen since
            ],
            align=True,
        ),
    )
)
"""What one seat has counted."""


@kernel
def begin_counter(game: Record, counter: Record) -> None:
    """Starts to count, after the deal."""
    for seat in range(game.players):
        counter.put_back[seat] = ZERO
        for card in range(CARD_COUNT):
            counter.drawn[seat, card] = game.hand[seat, card]
            for viewer in range(game.players):
                counter.least[viewer, seat, card] = 0
    if game.recycled:
        count_recycle(game, counter)


@kernel
def counted_step(board: Record, game: Record, counter: Record, action: int) -> None:
    """Plays a step and counts what the seats can note down of it."""
    seat, hand = as_int(game.seat), packed_hand(game)
    if KEEP <= action < PASS:
        note_keep(game, counter, action - KEEP)
    step(board, game, action, None)
    if action == DRAW_DECK:
        drawn = count_bits(packed_hand_of(game, seat) - hand - np.uint64(1)) // BYTE
        counter.drawn[seat, drawn] += 1
    elif action < DRAW_TICKETS:
        note_taken(game, counter, seat, action - DRAW_DISPLAY)
    elif action >= first_claim(game):
        claim = action - first_claim(game)
        note_paid(game, counter, seat, as_int(board.claim_colour[claim]), as_int(board.claim_cards[claim]))
        note_paid(game, counter, seat, FERRY, as_int(board.claim_ferries[claim]))
    if game.recycled:
        count_recycle(game, counter)


@kernel
def packed_hand(game: Record) -> Any:
    return packed_hand_of(game, as_int(game.seat))


@kernel
def packed_hand_of(game: Record, seat: int) -> Any:
    """A hand as one number, a byte for each card: the difference between two hands tells which card came."""
    packed = ZERO
    for card in range(CARD_COUNT):
        packed |= np.uint64(game.hand[seat, card]) << np.uint64(BYTE * card)
    return packed


@kernel
def note_keep(game: Record, counter: Record, kept: int) -> None:
    for place in range(game.offer_count):
        if kept == KEEP_BOTH or kept == place:
            counter.put_back[game.seat] &= ~bit(game.offer[place])
        else:
            counter.put_back[game.seat] |= bit(game.offer[place])


@kernel
def note_taken(game: Record, counter: Record, seat: int, card: int) -> None:
    for viewer in range(game.players):
        counter.least[viewer, seat, card] += 1


@kernel
def note_paid(game: Record, counter: Record, seat: int, card: int, count: int) -> None:
    for viewer in range(game.players):
        counter.least[viewer, seat, card] = max(0, as_int(counter.least[viewer, seat, card]) - count)


@kernel
def count_recycle(game: Record, counter: Record) -> None:
    """The deck was empty: the other hands held everything that a seat did not see. Then a new deck begins (3.8)."""
    for viewer in range(game.players):
        raise_least(game, viewer, counter.least[viewer], False)
        for card in range(CARD_COUNT):
            counter.drawn[viewer, card] = 0


@kernel
def raise_least(game: Record, viewer: int, least: Any, with_deck: bool) -> None:
    """Raises what the viewer knows all other seats to hold."""
    doubts = ZERO  # a byte for each seat: how many of its cards are in doubt
    for seat in range(game.players):
        if seat != viewer:
            doubts |= np.uint64(doubtful(game, least, seat)) << np.uint64(BYTE * seat)
    for card in range(CARD_COUNT):
        hidden = as_int(game.deck[card]) - as_int(game.deck_count) if with_deck else 0
        for seat in range(game.players):
            if seat != viewer:
                hidden += as_int(game.hand[seat, card])
        raise_card(least, card, as_int(game.players), viewer, hidden, doubts)


@kernel
def doubtful(game: Record, least: Any, seat: int) -> int:
    count = 0
    for card in range(CARD_COUNT):
        count += as_int(game.hand[seat, card]) - as_int(least[seat, card])
    return count


@kernel
def count_cards(game: Record, counter: Record, count: Record) -> None:
    """Writes what the deciding seat has counted."""
    viewer = as_int(game.seat)
    count.put_back = counter.put_back[viewer]
    for seat in range(SEATS):
        for card in range(CARD_COUNT):
            count.certain[seat, card] = counter.least[viewer, seat, card]
    raise_least(game, viewer, count.certain, True)
    for card in range(CARD_COUNT):
        count.certain[viewer, card] = 0
        unseen = fresh = as_int(game.deck[card])
        for seat in range(game.players):
            if seat != viewer:
                unseen += as_int(game.hand[seat, card]) - as_int(count.certain[seat, card])
                fresh += as_int(counter.drawn[seat, card])
        count.unseen[card], count.fresh[card] = unseen, fresh


@entry_point
def begin_counting(game: Any, counter: Any) -> None:
    begin_counter(game[0], counter[0])


@entry_point
def play_counted(board: Any, game: Any, counter: Any, action: int) -> None:
    """Plays actions that are known to be legal."""
    counted_step(board[0], game[0], counter[0], action)


def count_of(view: View) -> np.ndarray:
    """The count of a view, which must be the deciding seat's."""
    cards, counts = CardCount(view), np.zeros(1, COUNT)
    counts["put_back"] = sum(1 << view.board.ticket_number[ticket] for ticket in {*view.put_back} - {*view.tickets})
    counts["certain"][0, : view.players] = cards.least
    counts["unseen"] = cards.hidden() - cards.least.sum(0)
    counts["fresh"] = cards.unseen
    return counts
