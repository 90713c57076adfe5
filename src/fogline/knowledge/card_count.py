"""Counting cards from events: what a seat cannot see, and what it knows about it nevertheless."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from fogline.game.events import Event
from fogline.game.view import View
from fogline.knowledge.certain import BYTE, raise_least
from fogline.knowledge.open_routes import is_closed
from fogline.maps.board import Payment, Route
from fogline.maps.mapfile import CARDS
from fogline.rules.state import CARD_COUNT, SEATS


def records(*fields: tuple[Any, ...]) -> np.dtype:
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


DRAW = records(
    ("seat", "i8"),
    ("number", "i8"),  # among the hidden cards of this seat
    ("shuffle", "i8"),
    ("count", "i8"),  # how many cards of the shuffle are left that the viewer has not seen
    ("first", "i8"),  # the bounds that this card can help to keep, from here
    ("end", "i8"),  # to here
)
"""A card that another was dealt or drew blind."""

BOUND = records(("cards", "i8", (CARD_COUNT,)), ("draws", "i8"), ("first_bar", "i8"), ("end_bar", "i8"))
"""What a seat took from the display less all that it paid. Hidden cards explain the rest, so it is never below 0."""

BAR = records(("colour", "i8"), ("cards", "i8"), ("ferries", "i8"))
"""A seat that passed could not pay this (8.3)."""


class Fog(NamedTuple):
    """What the viewer cannot see of the cards, and what it knows about it."""

    draws: np.ndarray  # records of DRAW, as they happened
    bounds: np.ndarray  # records of BOUND, by seat, then as they happened
    bars: np.ndarray  # records of BAR
    pools: np.ndarray  # [shuffle, card]: what the viewer has not seen of it
    needs: np.ndarray  # [shuffle, seat, card]: the hidden cards that the seat must have drawn by its end
    shown: np.ndarray  # [seat, card]: taken from the display, less what was paid; of the viewer, all that it holds
    around: np.ndarray  # [card]: in the deck and in all hands


class CardCount:
    """Follows the events and counts what the viewer cannot see. All counts are by card."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.others = [seat for seat in range(view.players) if seat != view.seat]
        self.unseen = list(view.board.map_file.cards)  # of the deck as it was last shuffled
        self.discard = [0] * CARD_COUNT
        # [seat, card], one's own row stays 0: taken from the display less what was paid, and what it holds for certain
        self.shown, self.least = np.zeros((2, view.players, CARD_COUNT), np.int64)
        self.pools: list[list[int]] = []  # what was not seen of each shuffle that has been drawn to its end
        self.draws: list[tuple[int, int, int]] = []  # seat, bounds that it had before, shuffle
        self.drawn = [0] * view.players  # how many of these are each seat's
        self.bounds: dict[int, list[Bound]] = {seat: [] for seat in self.others}
        self.owners: dict[str, int] = {}
        for event in view.events:
            if event["e"] in _COUNTED:
                _COUNTED[event["e"]](self, event)
        self._raise_least(view.deck_count)

    def turn_up(self, event: Event) -> None:
        for card in event["cards"] if "cards" in event else [event["card"]]:
            self.unseen[_NUMBER[card]] -= 1

    def deal(self, event: Event) -> None:
        if event["seat"] in self.others:
            self._hide(event["seat"], event["count"])
        else:
            self.turn_up(event)

    def draw(self, event: Event) -> None:
        seat = event["seat"]
        if event["from"] == "display":
            if seat in self.others:
                self.shown[seat, _NUMBER[event["card"]]] += 1
                self.least[seat, _NUMBER[event["card"]]] += 1
        elif seat in self.others:
            self._hide(seat, 1)
        else:
            self.turn_up(event)

    def reset(self, event: Event) -> None:
        for card in event["cards"]:
            self.discard[_NUMBER[card]] += 1

    def claim(self, event: Event) -> None:
        seat, other = event["seat"], event["seat"] in self.others
        self.owners[event["route"]] = seat
        for card, paid in event["cards"].items():
            self.discard[_NUMBER[card]] += paid
            if other:
                self.shown[seat, _NUMBER[card]] -= paid
                self.least[seat, _NUMBER[card]] = max(self.least[seat, _NUMBER[card]] - paid, 0)
        if other and self.shown[seat].min() < 0:  # else what it took from the display was enough
            self._bind(seat, [])

    def pass_turn(self, event: Event) -> None:
        if event["seat"] in self.others:
            self._bind(event["seat"], _open_payments(self.view, self.owners, event["seat"]))

    def recycle(self, event: Event) -> None:
        """The deck has been drawn to its end, so the other hands hold all that was not seen of it."""
        self._end_shuffle()
        self.unseen = [0] * CARD_COUNT
        self._raise_least(0)
        if len(self.others) == 1:
            self._see_hand(self.others[0])
        self.unseen, self.discard = self.discard, [0] * CARD_COUNT

    def _hide(self, seat: int, count: int) -> None:
        self.draws += [(seat, len(self.bounds[seat]), len(self.pools))] * count
        self.drawn[seat] += count

    def _bind(self, seat: int, barred: list[Payment]) -> None:
        self.bounds[seat].append((self.shown[seat].copy(), self.drawn[seat], barred))

    def _end_shuffle(self) -> None:
        """Where one seat has drawn everything unseen, and paid nothing meanwhile, it is as if it had been seen."""
        last = [draw for draw in self.draws if draw[2] == len(self.pools)]
        if all((seat, before) == (last[0][0], len(self.bounds[seat])) for seat, before, _ in last):
            del self.draws[len(self.draws) - len(last) :]
            for seat in {draw[0] for draw in last}:
                self.shown[seat] += self.unseen
                self.drawn[seat] -= len(last)
        else:
            self.pools.append(self.unseen)

    def _see_hand(self, seat: int) -> None:
        """A single other hand holds everything unseen: it is known, and how it came about does not matter."""
        self.shown[seat] = self.least[seat]
        self.drawn[seat] = 0
        self.bounds[seat].clear()
        self.draws.clear()
        self.pools.clear()

    def hidden(self) -> np.ndarray:
        """What the deck and all hands but the viewer's hold together."""
        return self.shown.sum(0) + np.sum([*self.pools, self.unseen], axis=0)  # type: ignore[no-any-return]

    def _raise_least(self, deck_count: int) -> None:
        """What the deck and all other hands have no room for must be in this hand."""
        doubtful = zip(self.drawn, (self.shown - self.least).sum(1).tolist(), strict=True)
        doubts = np.uint64(sum(drawn + shown << BYTE * seat for seat, (drawn, shown) in enumerate(doubtful)))
        raise_least(self.least, -1 if self.view.seat is None else self.view.seat, self.hidden() - deck_count, doubts)

    def fog(self) -> Fog:
        bounds: list[tuple[np.ndarray, int, int, int]] = []
        bars: list[tuple[int, int, int]] = []
        first, shown = {}, np.zeros((SEATS, CARD_COUNT), np.int64)
        if self.view.seat is not None:
            shown[self.view.seat] = _counts(self.view.hand)
        for seat in self.others:
            first[seat], shown[seat] = len(bounds), self.shown[seat]
            for cards, drawn, barred in self.bounds[seat]:
                bounds.append((cards, drawn, len(bars), len(bars) + len(barred)))
                bars += [(payment.colour, payment.cards, payment.ferries) for payment in barred]
        pools = np.array([*self.pools, self.unseen])
        draws, drawn_by, drawn_from = [], Counter[int](), Counter[int]()
        for seat, before, shuffle in self.draws:
            left = pools[shuffle].sum() - drawn_from[shuffle]
            helped = (first[seat] + before, first[seat] + len(self.bounds[seat]))
            draws.append((seat, drawn_by[seat], shuffle, left, *helped))
            drawn_by[seat] += 1
            drawn_from[shuffle] += 1
        records = np.array(draws, DRAW), np.array(bounds, BOUND), np.array(bars, BAR)
        return Fog(*records, pools, self._needs(pools), shown, self.hidden() + _counts(self.view.hand))

    def _needs(self, pools: np.ndarray) -> np.ndarray:
        """What a bound lacks beyond what the seat can have drawn between the end of a shuffle and the bound."""
        needs = np.zeros((len(pools), SEATS, CARD_COUNT), np.int64)
        for seat in self.others:
            bounds = np.array([cards for cards, _, _ in self.bounds[seat]]).reshape(-1, 1, CARD_COUNT)
            drawn = np.zeros((len(bounds), len(pools), 1), np.int64)
            for drawing, before, shuffle in self.draws:
                drawn[before:, shuffle] += drawing == seat
            possible = np.minimum(pools, drawn)  # [bound, shuffle, card]
            later = possible.sum(axis=1, keepdims=True) - possible.cumsum(axis=1)
            needs[:, seat] = (-bounds - later).max(axis=0, initial=0)
        return needs


Bound = tuple[np.ndarray, int, list[Payment]]

_COUNTED: dict[str, Callable[[CardCount, Event], None]] = {
    "deal": CardCount.deal,
    "display": CardCount.turn_up,
    "flip": CardCount.turn_up,
    "draw": CardCount.draw,
    "reset": CardCount.reset,
    "claim": CardCount.claim,
    "pass": CardCount.pass_turn,
    "recycle": CardCount.recycle,
}

_NUMBER = {card: number for number, card in enumerate(CARDS)}


def _counts(cards: dict[str, int]) -> np.ndarray:
    return np.array([cards.get(card, 0) for card in CARDS])


def by_card(counts: np.ndarray) -> dict[str, int]:
    return {card: count for card, count in zip(CARDS, counts.tolist(), strict=True) if count}


def _open_payments(view: View, owners: dict[str, int], seat: int) -> list[Payment]:
    """Everything that could buy a route then open to the seat (4.5, 4.7 to 4.9)."""
    board = view.board
    cars = board.cars - sum(board.route(route).length for route, owner in owners.items() if owner == seat)

    def is_open(route: Route) -> bool:
        return route.length <= cars and not is_closed(route, owners, view.players, seat)

    return [claim for claim in board.claims if is_open(board.routes[claim.route])]
