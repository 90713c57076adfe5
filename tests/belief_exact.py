"""What a seat may believe, exactly: all hidden histories, told with the rules themselves and weighed by chance.

It is slow and counts no cards: every position that may be the true one is played on with the actions that were really
taken, once for every card that may have come unseen. Cards and tickets have nothing to do with one another, so cards
are told with the tickets as they really are, and tickets apart, with lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import NamedTuple

from fogline.game.actions import Action
from fogline.game.events import Event
from fogline.game.game import Game
from fogline.game.refusals import IllegalAction
from fogline.game.view import View, redact
from fogline.maps.mapfile import CARDS

Hands = tuple[tuple[int, ...], ...]
"""By seat, then by card."""

# Cards.


def exact_hands(game: Game, seat: int) -> Iterator[tuple[Game, dict[Hands, float]]]:
    """A game again before each of its actions, with the chance of everything that all hands may be to the seat."""
    real = Game(game.board, players=game.players, seed=game.seed)
    told, positions = real.fork(), _dealt(real, seat)
    for action in game.actions:
        yield real, _hands(told, positions)
        positions = _played(told, positions, action, _seen(real.play(action), seat), seat)


def _hands(told: Game, positions: dict[bytes, float]) -> dict[Hands, float]:
    chances, total = defaultdict[Hands, float](float), sum(positions.values())
    for snapshot, chance in positions.items():
        told.position.restore(snapshot)
        chances[tuple(map(tuple, told.position.hand.tolist()))] += chance / total
    return chances


def _dealt(real: Game, seat: int) -> dict[bytes, float]:
    told, positions = real.fork(), defaultdict[bytes, float](float)

    def deal(cards: list[str]) -> list[Event]:
        again = Game._dealt(real.board, players=real.players, seed=real.seed, cards=cards)
        again._stack_tickets([real.board.tickets[number].id for number in real.position.ticket_deck])
        told.position, told._tape = again.position, again._tape
        return again.events

    for chance in _ways(told, _seen(real.events, seat), seat, deal):
        positions[_bare(told)] += chance
    return positions


def _played(
    told: Game, positions: dict[bytes, float], action: Action, seen: list[Event], seat: int
) -> dict[bytes, float]:
    after = defaultdict[bytes, float](float)
    for snapshot, before in positions.items():

        def play(cards: list[str], snapshot: bytes = snapshot) -> list[Event]:
            told.position.restore(snapshot)
            return told._play(action, cards)

        try:
            for chance in _ways(told, seen, seat, play):
                after[_bare(told)] += before * chance
        except IllegalAction:  # so this was not the position
            continue
    return after


def _ways(told: Game, seen: list[Event], seat: int, happen: Callable[[list[str]], list[Event]]) -> Iterator[float]:
    """Lets something happen in every way that looks to the seat as it did, and tells the chance of each."""
    came = list(_cards(seen))
    started: list[tuple[list[str], float]] = [([], 1.0)]
    while started:
        cards, chance = started.pop()
        events = happen(cards)
        if told._tape["used"].item() == len(cards):
            if _seen(events, seat) == seen:
                yield chance
        elif len(cards) < len(came):
            deck = told._tape["deck"][0].tolist()
            for number, card in enumerate(CARDS):
                if deck[number] and came[len(cards)] in (None, card):
                    started.append(([*cards, card], chance * deck[number] / sum(deck)))


def _cards(seen: list[Event]) -> Iterator[str | None]:
    """The cards that came from the deck, None for those that the seat did not see."""
    for event in seen:
        if event["e"] in ("deal", "display"):
            yield from event["cards"] if "cards" in event else [None] * event["count"]
        elif event["e"] == "flip" or (event["e"] == "draw" and event["from"] == "deck"):
            yield event.get("card")


def _seen(events: list[Event], seat: int) -> list[Event]:
    return [redact(event, seat) for event in events]


def _bare(told: Game) -> bytes:
    """The position without the generator, which tells nothing."""
    told.position.array["chance"] = 0
    return told.position.snapshot()


# Tickets.


class Ring(NamedTuple):
    """The ticket deck from top to bottom, and what each seat has kept; a ticket that nobody has looked at is None."""

    deck: tuple[str | None, ...]
    kept: tuple[frozenset[str], ...]
    offer: tuple[str, ...] = ()


def exact_rings(view: View) -> dict[Ring, float]:
    """The chance of everything that the tickets may be."""
    tickets = [ticket.id for ticket in view.board.tickets]
    rings = {Ring((None,) * len(tickets), (frozenset(),) * view.players): 1.0}
    for event in view.events:
        if event["e"] in ("offer", "keep"):
            after = defaultdict[Ring, float](float)
            for ring, before in rings.items():
                ways = _offered(ring, event, tickets) if event["e"] == "offer" else _kept(ring, event)
                for way, chance in ways:
                    after[way] += before * chance
            rings = after
    total = sum(rings.values())
    return {ring: chance / total for ring, chance in rings.items()}


def _offered(ring: Ring, event: Event, tickets: list[str]) -> Iterator[tuple[Ring, float]]:
    count = event["count"] if "count" in event else len(event["tickets"])
    top, rest = ring.deck[:count], ring.deck[count:]
    new = unlooked(ring, tickets)
    ways = list(permutations(new, top.count(None)))
    for way in ways:
        names = iter(way)
        offer = tuple(next(names) if ticket is None else ticket for ticket in top)
        if list(offer) == event.get("tickets", list(offer)):
            yield Ring(rest, ring.kept, offer), 1 / len(ways)


def _kept(ring: Ring, event: Event) -> Iterator[tuple[Ring, float]]:
    """Every choice that looks like the one made; none is likelier than another."""
    choices = {ring.offer, *((ticket,) for ticket in ring.offer)} if len(ring.offer) == 2 else {ring.offer}
    for kept in choices:
        if len(kept) == event.get("count", len(kept)) and list(kept) == event.get("tickets", list(kept)):
            hands = list(ring.kept)
            hands[event["seat"]] |= set(kept)
            back = tuple(ticket for ticket in ring.offer if ticket not in kept)
            yield Ring(ring.deck + back, tuple(hands)), 1.0


def unlooked(ring: Ring, tickets: list[str]) -> list[str]:
    """The tickets that nobody has looked at, which lie anywhere where the deck has None."""
    looked = {*ring.deck, *ring.offer, *(ticket for hand in ring.kept for ticket in hand)}
    return [ticket for ticket in tickets if ticket not in looked]
