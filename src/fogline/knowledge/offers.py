"""Offers of tickets: those that a view tells of, and how they may have gone, ticket by ticket.

Until it has a name, a ticket goes by the place where it lay at first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, kernel
from fogline.game.events import Event
from fogline.game.view import View
from fogline.knowledge.card_count import records
from fogline.rules.bits import ZERO, bit, has_bit
from fogline.rules.chance import choose_below
from fogline.rules.state import OFFERED
from fogline.rules.tickets import KEEP_BOTH, KEEP_FIRST, keep_tickets, offer_tickets

MOST_REPLAYS = 1 << 17
"""Before one gives up telling the offers of tickets so that they agree with what was seen."""

KEEP_ONE, KEEP_ANY, NOT_KEPT_YET = range(KEEP_BOTH + 1, KEEP_BOTH + 4)
"""What another keeps is seen only as one of two, or not at all (2.5)."""


OFFER = records(("seat", "i8"), ("kept", "i8"), ("seen", "i8", (OFFERED,)))
"""One offer of tickets: what was kept, and the tickets where the viewer has seen them, else -1."""


def offers_of(view: View) -> np.ndarray:
    """All offers of tickets, in order; the last may still wait for its answer."""
    told = [event for event in view.events if event["e"] in ("offer", "keep")] or list(_first_offers(view))
    offers = np.zeros((len(told) + 1) // 2, OFFER)
    for number, offer in enumerate(told[::2]):
        answer = told[2 * number + 1] if 2 * number + 1 < len(told) else None
        tickets = [view.board.ticket_number[ticket] for ticket in offer.get("tickets", ())]
        offers[number] = (offer["seat"], _kept(offer, answer), [*tickets, -1, -1][:OFFERED])
    return offers


def _first_offers(view: View) -> Iterator[Event]:
    """The first offers where all choose at the same time, and none is told before all have chosen (2.5)."""
    assert view.acting is not None
    for seat in range(view.acting):
        yield {"e": "offer", "seat": seat, "count": OFFERED}
        yield {"e": "keep", "seat": seat}
    yield {"e": "offer", "seat": view.acting} | ({"tickets": view.offer} if view.offer else {"count": OFFERED})


def _kept(offer: Event, answer: Event | None) -> int:
    if answer is None:
        return NOT_KEPT_YET
    offered = offer.get("count") or len(offer["tickets"])
    kept = answer.get("count") or len(answer.get("tickets", ()))
    if kept == 0:
        return KEEP_ANY
    if kept == OFFERED:
        return KEEP_BOTH
    if offered == 1:
        return KEEP_FIRST
    return offer["tickets"].index(answer["tickets"][0]) if "tickets" in offer else KEEP_ONE


@kernel
def deal_tickets(game: Record, offers: Any, source: Record, names: Any, left: Any) -> bool:
    deciding, replays = game.seat, 0
    while not replay_offers(game, offers, source, names):
        replays += 1
        if replays == MOST_REPLAYS:
            return False
    game.seat = deciding
    name_the_rest(names, left, source)
    for seat in range(game.players):
        kept = ZERO
        for place in range(names.shape[0]):
            if has_bit(game.tickets[seat], place):
                kept |= bit(names[place])
        game.tickets[seat] = kept
    for place in range(names.shape[0]):
        game.ticket_deck[place] = names[game.ticket_deck[place]]
    for place in range(game.offer_count):
        game.offer[place] = names[game.offer[place]]
    return True


@kernel
def replay_offers(game: Record, offers: Any, source: Record, names: Any) -> bool:
    """All offers, answered as they may have been; whether they agree with the tickets that were seen."""
    game.ticket_top, game.ticket_count, game.offer_count = 0, names.shape[0], 0
    for place in range(names.shape[0]):
        game.ticket_deck[place] = place
        names[place] = -1
    for seat in range(game.players):
        game.tickets[seat] = ZERO
    for number in range(offers.shape[0]):
        game.seat = offers[number].seat
        offer_tickets(game)
        for place in range(game.offer_count):
            if not name_ticket(names, game.offer[place], offers[number].seen[place]):
                return False
        answer_offer(game, offers[number].kept, source)
    return True


@kernel
def name_ticket(names: Any, place: int, ticket: int) -> bool:
    """Gives a ticket that was seen its name, unless either belongs to another already."""
    if ticket < 0 or names[place] == ticket:
        return True
    for other in range(names.shape[0]):
        if names[other] == ticket:
            return False
    if names[place] >= 0:
        return False
    names[place] = ticket
    return True


@kernel
def answer_offer(game: Record, kept: int, source: Record) -> None:
    if kept == KEEP_ONE:
        kept = choose_below(source, 2)
    elif kept == KEEP_ANY:
        kept = choose_below(source, 3)
    if kept != NOT_KEPT_YET:
        keep_tickets(game, kept)


@kernel
def name_the_rest(names: Any, left: Any, source: Record) -> None:
    """The tickets that were never seen, in any order."""
    for ticket in range(left.shape[0]):
        left[ticket] = 1
    for place in range(names.shape[0]):
        if names[place] >= 0:
            left[names[place]] = 0
    count = 0
    for ticket in range(left.shape[0]):
        if left[ticket] > 0:
            left[count] = ticket
            count += 1
    for place in range(names.shape[0]):
        if names[place] < 0:
            pick = choose_below(source, count)
            count -= 1
            names[place] = left[pick]
            left[pick] = left[count]
