"""Counting cards, compiled: what each seat of a running game can have noted down of what happened (chapter 10).

A game's record says how things stand, not what was seen. A tally goes with it from the deal on: the cards that others
hold for certain, because they took them from the display, or because there is no other place left for them; and the
tickets that each seat put at the bottom.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.cardcount import CardCount
from fogline.rules.bits import ZERO, bit, count_bits
from fogline.rules.compiled import Record, door, rule, whole
from fogline.rules.numbering import DRAW_DECK, DRAW_DISPLAY, DRAW_TICKETS, KEEP, PASS, first_claim
from fogline.rules.state import CARD_COUNT, FERRY, SEATS
from fogline.rules.tickets import KEEP_BOTH
from fogline.rules.turns import step
from fogline.view import View

_BYTE = 8

TALLY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("put_back", "u8", (SEATS,)),  # tickets that the seat put at the bottom and did not keep since: a set
                ("drawn", "u1", (SEATS, CARD_COUNT)),  # dealt or drawn from the deck since it was last shuffled
                ("least", "u1", (SEATS, SEATS, CARD_COUNT)),  # [viewer, seat]: held for certain, for all the viewer saw
            ],
            align=True,
        ),
    )
)
"""What all seats have counted; where nobody sits it is 0. One layout for 2, 3 and 4 players, and so compiled once."""

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


@rule
def begin_tally(game: Record, tally: Record) -> None:
    """After the deal."""
    for seat in range(game.players):
        tally.put_back[seat] = ZERO
        for card in range(CARD_COUNT):
            tally.drawn[seat, card] = game.hand[seat, card]
            for viewer in range(game.players):
                tally.least[viewer, seat, card] = 0
    if game.recycled:
        count_recycle(game, tally)


@rule
def counted_step(board: Record, game: Record, tally: Record, action: int) -> None:
    """A step, and what the seats can note down of it."""
    seat, hand = whole(game.seat), packed_hand(game)
    if KEEP <= action < PASS:
        note_keep(game, tally, action - KEEP)
    step(board, game, action, None)
    if action == DRAW_DECK:
        drawn = count_bits(packed_hand_of(game, seat) - hand - np.uint64(1)) // _BYTE
        tally.drawn[seat, drawn] += 1
    elif action < DRAW_TICKETS:
        note_taken(game, tally, seat, action - DRAW_DISPLAY)
    elif action >= first_claim(game):
        claim = action - first_claim(game)
        note_paid(game, tally, seat, whole(board.claim_colour[claim]), whole(board.claim_cards[claim]))
        note_paid(game, tally, seat, FERRY, whole(board.claim_ferries[claim]))
    if game.recycled:
        count_recycle(game, tally)


@rule
def packed_hand(game: Record) -> Any:
    return packed_hand_of(game, whole(game.seat))


@rule
def packed_hand_of(game: Record, seat: int) -> Any:
    """A hand as one number, a byte for each card: the difference of two tells which card came."""
    packed = ZERO
    for card in range(CARD_COUNT):
        packed |= np.uint64(game.hand[seat, card]) << np.uint64(_BYTE * card)
    return packed


@rule
def note_keep(game: Record, tally: Record, kept: int) -> None:
    for place in range(game.offer_count):
        if kept == KEEP_BOTH or kept == place:
            tally.put_back[game.seat] &= ~bit(game.offer[place])
        else:
            tally.put_back[game.seat] |= bit(game.offer[place])


@rule
def note_taken(game: Record, tally: Record, seat: int, card: int) -> None:
    for viewer in range(game.players):
        tally.least[viewer, seat, card] += 1


@rule
def note_paid(game: Record, tally: Record, seat: int, card: int, count: int) -> None:
    for viewer in range(game.players):
        tally.least[viewer, seat, card] = max(0, whole(tally.least[viewer, seat, card]) - count)


@rule
def count_recycle(game: Record, tally: Record) -> None:
    """The deck was empty: the other hands held all that a seat did not see. Then a new deck begins (3.8)."""
    for viewer in range(game.players):
        raise_least(game, viewer, tally.least[viewer], False)
        for card in range(CARD_COUNT):
            tally.drawn[viewer, card] = 0


@rule
def raise_least(game: Record, viewer: int, least: Any, with_deck: bool) -> None:
    """What the deck and all other hands have no room for is in this one."""
    players = whole(game.players)
    doubts = ZERO  # a byte for each seat: how many of its cards are in doubt
    room = 0
    for seat in range(players):
        doubt = doubtful(game, least, seat) if seat != viewer else 0
        doubts |= np.uint64(doubt) << np.uint64(_BYTE * seat)
        room += doubt
    for card in range(CARD_COUNT):
        hidden = whole(game.deck[card]) - whole(game.deck_count) if with_deck else 0
        most = room
        for seat in range(players):
            if seat != viewer:
                hidden += whole(game.hand[seat, card])
                most += whole(least[seat, card])
        for seat in range(players):
            if seat != viewer:
                doubt = whole((doubts >> np.uint64(_BYTE * seat)) & np.uint64(0xFF))
                elsewhere = most - whole(least[seat, card]) - doubt
                least[seat, card] = max(whole(least[seat, card]), hidden - elsewhere)


@rule
def doubtful(game: Record, least: Any, seat: int) -> int:
    count = 0
    for card in range(CARD_COUNT):
        count += whole(game.hand[seat, card]) - whole(least[seat, card])
    return count


@rule
def count_cards(game: Record, tally: Record, count: Record) -> None:
    """Writes what the deciding seat has counted."""
    viewer = whole(game.seat)
    count.put_back = tally.put_back[viewer]
    for seat in range(SEATS):
        for card in range(CARD_COUNT):
            count.certain[seat, card] = tally.least[viewer, seat, card]
    raise_least(game, viewer, count.certain, True)
    for card in range(CARD_COUNT):
        count.certain[viewer, card] = 0
        unseen = fresh = whole(game.deck[card])
        for seat in range(game.players):
            if seat != viewer:
                unseen += whole(game.hand[seat, card]) - whole(count.certain[seat, card])
                fresh += whole(tally.drawn[seat, card])
        count.unseen[card], count.fresh[card] = unseen, fresh


@door
def begin_counting(game: Any, tally: Any) -> None:
    begin_tally(game[0], tally[0])


@door
def play_counted(board: Any, game: Any, tally: Any, action: int) -> None:
    """For actions that are known to be legal."""
    counted_step(board[0], game[0], tally[0], action)


def count_of(view: View) -> np.ndarray:
    """The count of a view, which must be that of the deciding seat."""
    cards, counts = CardCount(view), np.zeros(1, COUNT)
    kept = set(view.tickets)
    counts["put_back"] = sum(1 << view.board.ticket_number[ticket] for ticket in {*view.put_back} - kept)
    for seat in cards.others:
        counts["certain"][0, seat] = cards.least[seat]
    counts["unseen"] = cards.hidden() - sum(cards.least.values())
    counts["fresh"] = cards.unseen
    return counts
