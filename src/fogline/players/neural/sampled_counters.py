"""What the seats of imagined games have counted: a seat that goes on there must see what it would have seen.

A sample of the belief says how things stand, not what others have noted down on the way. This module reconstructs that
from what this seat has seen of them and of its own cards.
"""

from __future__ import annotations

import numpy as np

from fogline.game.events import Event
from fogline.game.view import View
from fogline.knowledge.card_count import CardCount
from fogline.knowledge.card_counter import COUNTER
from fogline.maps.mapfile import CARDS
from fogline.rules.state import CARD_COUNT, KEEP_FIRST_TICKETS, OFFERED, PHASES, tickets_held


def counters_of(view: View, games: np.ndarray) -> np.ndarray:
    """What the seats of imagined games have counted, as far as this seat can tell.

    Its own count is exact, and with two players so is the other's. With more, a seat's draws since the last shuffle are
    the cards it holds from it. For those it has paid of it, the first draws stand.
    """
    assert view.seat is not None
    count, own = CardCount(view), _Own(view)
    counters = np.zeros(len(games), COUNTER)
    for seat in range(view.players):
        counters["least"][:, : view.players, seat] = own.known if seat == view.seat else count.least[seat]
    counters["drawn"][:, view.seat] = own.drawn
    hidden = np.maximum(np.array(count.unseen) - games["deck"].astype(np.int64), 0)
    for seat in reversed(count.others):
        held = games["hand"][:, seat] - np.minimum(count.least[seat], games["hand"][:, seat])
        counters["drawn"][:, seat] = hidden if seat == count.others[0] else np.minimum(hidden, held)
        hidden = hidden - counters["drawn"][:, seat]
    _note_put_back(view, games, counters["put_back"])
    return counters


class _Own:
    """A seat's own cards: all, those drawn from the deck since it was shuffled, and those that others know of."""

    def __init__(self, view: View) -> None:
        self.hand, self.drawn, self.known = np.zeros((3, CARD_COUNT), np.int64)
        for event in view.events:
            if event["e"] == "recycle":
                self._recycle(view.players)
            elif event.get("seat") == view.seat:
                self._note(event)

    def _recycle(self, players: int) -> None:
        """With two players the other then knows all: the deck is empty, and what it did not see is in this hand."""
        self.drawn[:] = 0
        if players == 2:
            self.known[:] = self.hand

    def _note(self, event: Event) -> None:
        if event["e"] == "deal":
            for card in event["cards"]:
                self._take(card, self.drawn)
        elif event["e"] == "draw":
            self._take(event["card"], self.drawn if event["from"] == "deck" else self.known)
        elif event["e"] == "claim":
            for card, paid in event["cards"].items():
                self.hand[CARDS.index(card)] -= paid
                self.known[CARDS.index(card)] = max(0, self.known[CARDS.index(card)] - paid)

    def _take(self, card: str, pile: np.ndarray) -> None:
        self.hand[CARDS.index(card)] += 1
        pile[CARDS.index(card)] += 1


def _note_put_back(view: View, games: np.ndarray, put_back: np.ndarray) -> None:
    """Notes for every seat the tickets that it put at the bottom: this seat's, and others' that still lie there."""
    put_back[:, view.seat] = sum(1 << view.board.ticket_number[name] for name in {*view.put_back} - {*view.tickets})
    deck, lanes = games["ticket_deck"], np.arange(len(games))
    left = games["ticket_count"].astype(np.int64)  # in the deck, down to the one under consideration
    for seat, whether in reversed(_put_backs(view, games)):
        slot = (games["ticket_top"] + left - 1) % deck.shape[1]
        ticket = np.left_shift(np.uint64(1), deck[lanes, slot].astype(np.uint64))
        if seat != view.seat:
            put_back[:, seat] |= np.where(whether & (left > 0), ticket, np.uint64(0))
        left -= whether


def _put_backs(view: View, games: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """The seats that put a ticket at the bottom, in that order, and in which of the games they did.

    Everyone sees that, though not which ticket it was; the first choices are shown once all have chosen (2.5).
    """
    if view.phase == PHASES[KEEP_FIRST_TICKETS]:
        kept = tickets_held(games).sum(2)
        return [(seat, kept[:, seat] < OFFERED) for seat in range(view.acting or 0)]
    told = [event for event in view.events if event["e"] in ("offer", "keep")]
    counts = [len(event["tickets"]) if "tickets" in event else event["count"] for event in told]
    pairs = zip(told[1::2], counts[::2], counts[1::2], strict=False)  # the last offer may still be open
    everywhere = np.ones(len(games), np.bool_)
    return [(keep["seat"], everywhere) for keep, offered, kept in pairs for _ in range(offered - kept)]
