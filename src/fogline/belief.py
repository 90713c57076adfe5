"""Belief: from what one seat has seen to whole games as they may be.

Every hidden history that agrees with all that the seat has seen counts, by the chance with which cards and tickets come
so. That others chose something tells that it was legal, and nothing more.

A deck is a shuffled pile of cards that everyone knows: all of them at first, the discard pile after a recycle (3.8). So
what the seat has not seen of a shuffle lies in any order on the places that it could not see: what others were dealt or
drew blind, and what is left of the deck. The game is told anew in many guesses at once, each of which draws the hidden
cards as they come. One in which a seat cannot pay what it paid, or could pay something when it passed, is dropped, and
another takes its place (a particle filter). To drop few, guesses draw what will be paid with more often than chance
brings it, and lose weight in return.

Tickets lie in any order in a ring, from which offers take and to which one that is not kept returns (2.5, 6.1). Which
of two it was is either, with equal chance, where that agrees with the tickets that the seat has seen come round again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from fogline.board import Payment, Route
from fogline.events import Event
from fogline.game import check_seed
from fogline.mapfile import CARDS
from fogline.rules.bits import ZERO, bit, has_bit
from fogline.rules.chance import choose_below, seeded
from fogline.rules.compiled import Record, door, rule, whole
from fogline.rules.state import CARD_COUNT, FERRY, NOBODY, OFFERED, SEATS, new_games
from fogline.rules.tickets import KEEP_BOTH, KEEP_FIRST, keep_tickets, offer_tickets
from fogline.sight import sight_of
from fogline.view import View

FEWEST_GUESSES = 256
MOST_GUESSES = 1 << 17
"""As many guesses as samples, but not so few that dropping some of them shows; more when all were dropped."""

MOST_REPLAYS = 1 << 17
"""Before one gives up telling the offers of tickets so that they agree with what was seen."""

KEEP_ONE, KEEP_ANY, NOT_KEPT_YET = range(KEEP_BOTH + 1, KEEP_BOTH + 4)
"""What another keeps is seen only as one of two, or not at all (2.5)."""


def _records(*fields: tuple[Any, ...]) -> np.dtype:
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


DRAW = _records(
    ("seat", "i8"),
    ("number", "i8"),  # among the hidden cards of this seat
    ("shuffle", "i8"),
    ("count", "i8"),  # how many cards of the shuffle are left that the viewer has not seen
    ("first", "i8"),  # the bounds that this card can help to keep, from here
    ("end", "i8"),  # to here
)
"""A card that another was dealt or drew blind."""

BOUND = _records(("cards", "i8", (CARD_COUNT,)), ("draws", "i8"), ("first_bar", "i8"), ("end_bar", "i8"))
"""What a seat took from the display less all that it paid: with so many hidden cards it cannot be less than nothing."""

BAR = _records(("colour", "i8"), ("cards", "i8"), ("ferries", "i8"))
"""Who passed could not pay this (8.3)."""

GUESS = _records(
    ("weight", "f8"),
    ("drawn", "i8", (SEATS, CARD_COUNT)),  # the hidden cards that came to each seat
    ("pool", "i8", (CARD_COUNT,)),  # those of the shuffle that are still to come
    ("spare", "i8", (CARD_COUNT,)),  # those of them that no other seat must get
)
"""How the hidden cards may have come."""

OFFER = _records(("seat", "i8"), ("kept", "i8"), ("seen", "i8", (OFFERED,)))
"""One offer of tickets: what was kept, and the tickets where the viewer has seen them, else -1."""

SOURCE = _records(("seed", "u8"), ("chance", "u8"))
"""A generator. With `chance` alone it would be the beginning of a game's record, and Numba take one for the other."""


class Fog(NamedTuple):
    """What the viewer cannot see of the cards, and what it knows about it."""

    draws: np.ndarray  # records of DRAW, as they happened
    bounds: np.ndarray  # records of BOUND, by seat, then as they happened
    bars: np.ndarray  # records of BAR
    pools: np.ndarray  # [shuffle, card]: what the viewer has not seen of it
    needs: np.ndarray  # [shuffle, seat, card]: the hidden cards that the seat must have drawn by its end
    shown: np.ndarray  # [seat, card]: taken from the display, less what was paid; of the viewer, all that it holds
    around: np.ndarray  # [card]: in the deck and in all hands


class Belief:
    """What a seat may think of a game that goes on, from its view with all events.

    >>> from fogline.game import Game
    >>> belief = Belief(Game(players=2, seed=7).view(0))
    >>> games = belief.sample(1000, seed=1)
    >>> games["hand"][:, 1].sum(axis=1).tolist() == [2] * 1000
    True
    """

    def __init__(self, view: View) -> None:
        if view.acting is None:
            raise ValueError("the game is over, and nothing is hidden any more (10.4)")
        if not view.events or (view.events[0]["e"], view.events[0].get("seat")) != ("deal", 0):
            raise ValueError("a belief needs a view with all events, from the deal on")
        self.view = view
        count = _CardCount(view)
        self._least = count.least
        self._unseen = count.hidden() - sum(count.least.values())
        self._fog = count.fog()
        self._offers = _offers(view)
        self._public = _public_part(view)

    @property
    def unseen(self) -> dict[str, int]:
        """The cards whose place the seat does not know: in the deck, or in a hand that need not hold them."""
        return _by_card(self._unseen)

    def certain(self, seat: int) -> dict[str, int]:
        """Cards that a seat holds for certain: at least these, and all of them where no card of it is in doubt."""
        return dict(self.view.hand) if seat == self.view.seat else _by_card(self._least[seat])

    def sample(self, count: int, seed: int) -> np.ndarray:
        """So many games as they may be: what the seat knows as it is, the rest as it may be, and chance anew.

        A few hundred at once take less time each than a few.
        """
        check_seed(seed)
        games = np.frombuffer(bytearray(self._public.tobytes() * count), self._public.dtype)
        source = np.zeros(1, SOURCE)
        source["seed"] = seed
        guesses = max(count, FEWEST_GUESSES if len(self._fog.bounds) else 1)
        while not sample_games(games, np.zeros(guesses, GUESS), self._fog, self._offers, source):
            guesses *= 4
            if guesses > MOST_GUESSES:
                raise ValueError("no hidden cards and tickets were found that agree with the events")
        return games


def _public_part(view: View) -> np.ndarray:
    """The game with all that everyone knows of it; hands and tickets are dealt in every sample."""
    game, sight = new_games(view.board, 1), sight_of(replace(view, seat=view.acting))
    for name in set(game.dtype.names or ()) & set(sight.dtype.names or ()):
        game[name] = sight[name]
    game["passes"] = _passes(view.events)
    return game


def _passes(events: Sequence[Event]) -> int:
    """How many have passed in succession (8.4)."""
    passes = 0
    while events[-1 - passes]["e"] == "pass":
        passes += 1
    return passes


def _offers(view: View) -> np.ndarray:
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


# Counting cards.


class _CardCount:
    """Follows the events and keeps count of what the viewer cannot see; all counts are arrays by card."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.others = [seat for seat in range(view.players) if seat != view.seat]
        self.unseen = np.array(view.board.map_file.cards, np.int64)  # of the deck as it was last shuffled
        self.discard = _counts({})
        self.shown = {seat: _counts({}) for seat in self.others}  # taken from the display, less what was paid
        self.least = {seat: _counts({}) for seat in self.others}  # what a seat holds for certain
        self.pools: list[np.ndarray] = []  # what was not seen of each shuffle that has been drawn to its end
        self.draws: list[tuple[int, int, int]] = []  # seat, bounds that it had before, shuffle
        self.bounds: dict[int, list[_Bound]] = {seat: [] for seat in self.others}
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
                self.shown[seat][_NUMBER[event["card"]]] += 1
                self.least[seat][_NUMBER[event["card"]]] += 1
        elif seat in self.others:
            self._hide(seat, 1)
        else:
            self.turn_up(event)

    def reset(self, event: Event) -> None:
        for card in event["cards"]:
            self.discard[_NUMBER[card]] += 1

    def claim(self, event: Event) -> None:
        seat, paid = event["seat"], _counts(event["cards"])
        self.discard += paid
        self.owners[event["route"]] = seat
        if seat in self.others:
            self.shown[seat] -= paid
            self.least[seat] = np.maximum(self.least[seat] - paid, 0)
            if self.shown[seat].min() < 0:  # else what it took from the display was enough
                self._bind(seat, [])

    def pass_turn(self, event: Event) -> None:
        if event["seat"] in self.others:
            self._bind(event["seat"], _open_payments(self.view, self.owners, event["seat"]))

    def recycle(self, event: Event) -> None:
        """The deck has been drawn to its end, so the other hands hold all that was not seen of it."""
        self._end_shuffle()
        self.unseen = _counts({})
        self._raise_least(0)
        if len(self.others) == 1:
            self._see_hand(self.others[0])
        self.unseen, self.discard = self.discard, _counts({})

    def _hide(self, seat: int, count: int) -> None:
        self.draws += [(seat, len(self.bounds[seat]), len(self.pools))] * count

    def _bind(self, seat: int, barred: list[Payment]) -> None:
        self.bounds[seat].append((self.shown[seat].copy(), self._drawn(seat), barred))

    def _end_shuffle(self) -> None:
        """Where one seat has drawn all that was not seen, and paid nothing meanwhile, it is as if it had been seen."""
        last = [draw for draw in self.draws if draw[2] == len(self.pools)]
        if all((seat, before) == (last[0][0], len(self.bounds[seat])) for seat, before, _ in last):
            del self.draws[len(self.draws) - len(last) :]
            for seat in {draw[0] for draw in last}:
                self.shown[seat] += self.unseen
                self.least[seat] += self.unseen
        else:
            self.pools.append(self.unseen)

    def _see_hand(self, seat: int) -> None:
        """A single other hand holds all that was not seen: it is known, and how it came about does not matter."""
        self.shown[seat] = self.least[seat].copy()
        self.bounds[seat].clear()
        self.draws.clear()
        self.pools.clear()

    def _drawn(self, seat: int) -> int:
        return sum(draw[0] == seat for draw in self.draws)

    def hidden(self) -> np.ndarray:
        """What the deck and all hands but the viewer's hold together."""
        return np.sum([*self.shown.values(), *self.pools, self.unseen], axis=0)  # type: ignore[no-any-return]

    def _raise_least(self, deck_count: int) -> None:
        """What the deck and all other hands have no room for is in this one."""
        doubtful = {s: self._drawn(s) + int((self.shown[s] - self.least[s]).sum()) for s in self.others}
        most = {seat: self.least[seat] + doubtful[seat] for seat in self.others}
        hidden = self.hidden() - deck_count
        for seat in self.others:
            elsewhere = sum(most[other] for other in self.others if other != seat)
            self.least[seat] = np.maximum(self.least[seat], hidden - elsewhere)

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
        """What a bound lacks beyond all that the seat can have drawn between the end of a shuffle and the bound."""
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


_Bound = tuple[np.ndarray, int, list[Payment]]

_COUNTED: dict[str, Callable[[_CardCount, Event], None]] = {
    "deal": _CardCount.deal,
    "display": _CardCount.turn_up,
    "flip": _CardCount.turn_up,
    "draw": _CardCount.draw,
    "reset": _CardCount.reset,
    "claim": _CardCount.claim,
    "pass": _CardCount.pass_turn,
    "recycle": _CardCount.recycle,
}

_NUMBER = {card: number for number, card in enumerate(CARDS)}


def _counts(cards: dict[str, int]) -> np.ndarray:
    return np.array([cards.get(card, 0) for card in CARDS])


def _by_card(counts: np.ndarray) -> dict[str, int]:
    return {card: count for card, count in zip(CARDS, counts.tolist(), strict=True) if count}


def _open_payments(view: View, owners: dict[str, int], seat: int) -> list[Payment]:
    """All that could buy a route then open to the seat (4.5, 4.7 to 4.9)."""
    board = view.board
    cars = board.cars - sum(board.route(route).length for route, owner in owners.items() if owner == seat)

    def is_open(route: Route) -> bool:
        twin = owners.get(route.twin or "", NOBODY)
        closed = route.id in owners or twin == seat or (twin != NOBODY and view.players == 2)
        return route.length <= cars and not closed

    return [claim for claim in board.claims if is_open(board.routes[claim.route])]


# Dealing the hidden cards.


@door
def sample_games(games: Any, guesses: Any, fog: Fog, offers: Any, source: Any) -> bool:
    """Deals the hidden cards and tickets of each game; False when none were found that agree with what was seen."""
    source[0].chance = seeded(source[0].seed)
    guesses = draw_all(guesses, fog, source[0])
    if total_weight(guesses) == 0.0:
        return False
    chosen = np.empty_like(guesses)[: games.shape[0]]
    resample(guesses, chosen, source[0])
    names, left = np.empty((2, games["ticket_deck"].shape[1]), np.int64)
    order = shuffled(games.shape[0], source[0])
    for number in range(games.shape[0]):
        deal_cards(games[number], chosen[order[number]], fog.shown, fog.around)
        if not deal_tickets(games[number], offers, source[0], names, left):
            return False
        games[number].chance = seeded(seeded(source[0].seed) ^ np.uint64(number))
    return True


@rule
def draw_all(guesses: Any, fog: Fog, source: Record) -> Any:
    """Tells all that others were dealt or drew blind, in every guess; returns the guesses with their weights."""
    draws, bounds, bars, pools, needs = fog.draws, fog.bounds, fog.bars, fog.pools, fog.needs
    spare = np.empty_like(guesses)
    for guess in range(guesses.shape[0]):
        guesses[guess].weight = 1.0
    for number in range(draws.shape[0]):
        draw = draws[number]
        if number == 0 or draws[number - 1].shuffle != draw.shuffle:
            fill_pools(guesses, pools[draw.shuffle])
        for guess in range(guesses.shape[0]):
            if guesses[guess].weight > 0.0 and find_spare(guesses[guess], draw.seat, needs[draw.shuffle]):
                draw_card(guesses[guess], draw, bounds, source)
                check_bounds(guesses[guess], draw, bounds, bars)
        if is_uneven(guesses):
            resample(guesses, spare, source)
            guesses, spare = spare, guesses
    return guesses


@rule
def fill_pools(guesses: Any, pool: Any) -> None:
    for guess in range(guesses.shape[0]):
        for card in range(CARD_COUNT):
            guesses[guess].pool[card] = pool[card]


@rule
def find_spare(guess: Record, drawing: int, needs: Any) -> bool:
    """Finds which cards may come to this seat; drops the guess when there are none, or too few for the others."""
    total = 0
    for card in range(CARD_COUNT):
        spare = guess.pool[card]
        for seat in range(SEATS):
            if seat != drawing:
                spare -= max(0, needs[seat, card] - guess.drawn[seat, card])
        guess.spare[card] = spare
        total += spare
        if spare < 0:
            guess.weight = 0.0
    if total == 0:
        guess.weight = 0.0
    return bool(guess.weight > 0.0)


@rule
def draw_card(guess: Record, draw: Record, bounds: Any, source: Record) -> None:
    """Draws what the most pressing bound lacks, as likely as it must be drawn now, and else any card that is spare."""
    pressing = most_pressing(guess, draw, bounds)
    left, lacking, spare = 1, 0, 0
    for card in range(CARD_COUNT):
        spare += guess.spare[card]
    if pressing >= 0:
        left = bounds[pressing].draws - draw.number
        for card in range(CARD_COUNT):
            lacking += wanted(guess, draw.seat, bounds[pressing], card)
    place = choose_below(source, left * spare)
    card, share = -1, 0
    while place >= share:
        place -= share
        card += 1
        share = (left - lacking) * guess.spare[card]
        if pressing >= 0:
            share += spare * wanted(guess, draw.seat, bounds[pressing], card)
    # What chance would have brought, against what we did.
    guess.weight *= guess.pool[card] / draw.count * (left * spare) / share
    guess.pool[card] -= 1
    guess.drawn[draw.seat, card] += 1


@rule
def most_pressing(guess: Record, draw: Record, bounds: Any) -> int:
    """The bound that lacks most cards for each that is still to be drawn before it; -1 when none lacks any."""
    found, most, room = -1, 0, 1
    for number in range(draw.first, draw.end):
        lacking, left = count_lacking(guess, draw.seat, bounds[number]), bounds[number].draws - draw.number
        if lacking * room > most * left:
            found, most, room = number, lacking, left
    return found


@rule
def count_lacking(guess: Record, seat: int, bound: Record) -> int:
    lacking = 0
    for card in range(CARD_COUNT):
        lacking += max(0, -(bound.cards[card] + guess.drawn[seat, card]))
    return lacking


@rule
def wanted(guess: Record, seat: int, bound: Record, card: int) -> int:
    """How many of a card the bound lacks, as far as there are any for it."""
    return whole(max(0, min(guess.spare[card], -(bound.cards[card] + guess.drawn[seat, card]))))


@rule
def check_bounds(guess: Record, draw: Record, bounds: Any, bars: Any) -> None:
    """Drops a guess in which too few cards are left to be drawn for what was paid, or too many were held at a pass."""
    seat = draw.seat
    for number in range(draw.first, draw.end):
        bound = bounds[number]
        left = bound.draws - draw.number - 1
        if count_lacking(guess, seat, bound) > left or (left == 0 and could_pay(guess, seat, bound, bars)):
            guess.weight = 0.0


@rule
def could_pay(guess: Record, seat: int, bound: Record, bars: Any) -> bool:
    ferries = bound.cards[FERRY] + guess.drawn[seat, FERRY]
    for number in range(bound.first_bar, bound.end_bar):
        bar = bars[number]
        if bound.cards[bar.colour] + guess.drawn[seat, bar.colour] >= bar.cards and ferries >= bar.ferries:
            return True
    return False


@rule
def total_weight(guesses: Any) -> float:
    total = 0.0
    for guess in range(guesses.shape[0]):
        total += guesses[guess].weight
    return total


@rule
def is_uneven(guesses: Any) -> bool:
    """Whether the guesses are worth less than half as many of equal weight, but something."""
    total, squares = 0.0, 0.0
    for guess in range(guesses.shape[0]):
        total += guesses[guess].weight
        squares += guesses[guess].weight * guesses[guess].weight
    return bool(0.0 < 2.0 * total * total < guesses.shape[0] * squares)


@rule
def resample(guesses: Any, chosen: Any, source: Record) -> None:
    """Takes each guess as often as its weight says, up to a fraction that chance decides; then all weigh the same."""
    share = total_weight(guesses) / chosen.shape[0]
    place = share * (choose_below(source, 1 << 30) + 0.5) / (1 << 30)
    guess, passed = 0, guesses[0].weight
    for number in range(chosen.shape[0]):
        while passed < place:
            guess += 1
            passed += guesses[guess].weight
        chosen[number] = guesses[guess]
        chosen[number].weight = 1.0
        place += share


@rule
def shuffled(count: int, source: Record) -> Any:
    """The numbers from 0 on in any order: guesses that came from the same one stand side by side."""
    order = np.arange(count)
    for place in range(count - 1, 0, -1):
        other = choose_below(source, place + 1)
        order[place], order[other] = order[other], order[place]
    return order


@rule
def deal_cards(game: Record, guess: Record, shown: Any, around: Any) -> None:
    """Each seat holds what it was seen to take and what it drew unseen; the rest is the deck."""
    for card in range(CARD_COUNT):
        left = around[card]
        for seat in range(SEATS):
            held = shown[seat, card] + guess.drawn[seat, card]
            game.hand[seat, card] = held
            left -= held
        game.deck[card] = left


# Tickets. Until it has a name, a ticket goes by the place where it lay at first.


@rule
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


@rule
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


@rule
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


@rule
def answer_offer(game: Record, kept: int, source: Record) -> None:
    if kept == KEEP_ONE:
        kept = choose_below(source, 2)
    elif kept == KEEP_ANY:
        kept = choose_below(source, 3)
    if kept != NOT_KEPT_YET:
        keep_tickets(game, kept)


@rule
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
