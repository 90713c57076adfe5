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

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from fogline.cardcount import CardCount, Fog, by_card, records
from fogline.events import Event
from fogline.game import check_seed
from fogline.rules.bits import ZERO, bit, has_bit
from fogline.rules.chance import choose_below, seeded
from fogline.rules.compiled import Record, door, rule, whole
from fogline.rules.state import CARD_COUNT, FERRY, OFFERED, SEATS, new_games
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


GUESS = records(
    ("weight", "f8"),
    ("drawn", "i8", (SEATS, CARD_COUNT)),  # the hidden cards that came to each seat
    ("pool", "i8", (CARD_COUNT,)),  # those of the shuffle that are still to come
    ("spare", "i8", (CARD_COUNT,)),  # those of them that no other seat must get
)
"""How the hidden cards may have come."""

OFFER = records(("seat", "i8"), ("kept", "i8"), ("seen", "i8", (OFFERED,)))
"""One offer of tickets: what was kept, and the tickets where the viewer has seen them, else -1."""

SOURCE = records(("seed", "u8"), ("chance", "u8"))
"""A generator. With `chance` alone it would be the beginning of a game's record, and Numba take one for the other."""


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
        count = CardCount(view)
        self._least = count.least
        self._unseen = count.hidden() - sum(count.least.values())
        self._fog = count.fog()
        self._offers = _offers(view)
        self._public = _public_part(view)

    @property
    def unseen(self) -> dict[str, int]:
        """The cards whose place the seat does not know: in the deck, or in a hand that need not hold them."""
        return by_card(self._unseen)

    def certain(self, seat: int) -> dict[str, int]:
        """Cards that a seat holds for certain: at least these, and all of them where no card of it is in doubt."""
        return dict(self.view.hand) if seat == self.view.seat else by_card(self._least[seat])

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
    return game


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
