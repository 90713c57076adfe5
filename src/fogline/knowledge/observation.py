"""An observation: a view as an array of small numbers, for programs that learn.

It is what the deciding seat may know (chapter 10), card counting included, and nothing else. One function writes it,
from a game with its counter or from a seat state with its count: for one game or for a million, on any device.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, as_int, entry_point, kernel
from fogline.game.view import View
from fogline.knowledge.card_counter import count_cards, count_of
from fogline.knowledge.seat_state import cards_held, seat_state_of, tickets_kept, tickets_left
from fogline.maps.board import Board
from fogline.maps.mapfile import SET_ASIDE
from fogline.rules.bits import has_bit, put
from fogline.rules.legal import choosable_locations
from fogline.rules.routes import is_open
from fogline.rules.state import CARD_COUNT, OFFERED, PHASES
from fogline.rules.tickets import is_completed

MOST = 255
"""A number of an observation is one byte. On maps with larger numbers it stops there."""

DECISIONS = len(PHASES) - 1
"""What there is to decide: all phases but the last."""


@dataclass(frozen=True, slots=True)
class Feature:
    """Some numbers of an observation that belong together."""

    name: str
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    most: int
    meaning: str

    @property
    def length(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def features(board: Board, players: int) -> tuple[Feature, ...]:
    """The features of an observation, in order."""
    tickets, routes, locations = len(board.tickets), len(board.routes), len(board.locations)
    cards, seats = ("card",), ("seat",)
    deck = min(MOST, sum(board.map_file.cards))
    card = max(board.map_file.cards)
    kinds = len(board.souvenirs)
    points = min(MOST, max(board.map_file.route_points) * len(board.routes))

    def flags(name: str, axis: str, count: int, meaning: str) -> Feature:
        return Feature(name, (count,), (axis,), 1, meaning)

    return (
        flags("phase", "phase", DECISIONS, "1 for what must be decided: " + ", ".join(PHASES[:-1])),
        flags("seat", "seat", players, "1 for one's own seat, counted from who began"),
        Feature("turns_left", (1,), ("",), players + 1, "turns left of the last round, and 1; 0 before it"),
        Feature("passes", (1,), ("",), players, "passes in succession"),
        Feature("deck", (1,), ("",), deck, "cards in the deck"),
        Feature("ticket_deck", (1,), ("",), tickets, "tickets left to draw"),
        Feature("hand", (CARD_COUNT,), cards, card, "one's own cards"),
        Feature("display", (CARD_COUNT,), cards, 5, "cards on display"),
        Feature("discard", (CARD_COUNT,), cards, card, "cards in the discard pile"),
        Feature("unseen", (CARD_COUNT,), cards, card, "cards in the deck or in a hand that need not hold them"),
        Feature("fresh", (CARD_COUNT,), cards, card, "cards of the deck as it was last shuffled, not seen since"),
        Feature("cars", (players,), seats, board.cars, "cars left"),
        Feature("points", (players,), seats, points, "points for routes"),
        Feature("cards", (players,), seats, deck, "cards held"),
        Feature("tickets", (players,), seats, tickets, "tickets kept; while the first are chosen, only one's own"),
        Feature("tokens", (players, kinds), ("seat", "souvenir"), 1, "1 for a souvenir that the seat owns"),
        Feature(
            "certain", (players - 1, CARD_COUNT), ("other seat", "card"), card, "cards that another holds for certain"
        ),
        flags("wanted", "ticket", tickets, "1 for a ticket that one has kept and not completed"),
        flags("completed", "ticket", tickets, "1 for a ticket that one has kept and completed"),
        Feature("offered", (OFFERED, tickets), ("place", "ticket"), 1, "1 for the ticket offered first, and second"),
        flags("put_back", "ticket", tickets, "1 for a ticket that one put at the bottom"),
        Feature("owned", (players, routes), ("seat", "route"), 1, "1 for a route that the seat owns"),
        flags("open", "route", routes, "1 for a route that one may claim, given the cards"),
        Feature("stack", (locations,), ("location",), 3, "tokens left on a location"),
        Feature(
            "set_aside", (SET_ASIDE, locations), ("souvenir", "location"), 1, "1 where a stack set aside was placed"
        ),
        flags("choosable", "location", locations, "1 where a stack may be placed, or the token taken, now"),
    )


def observation_length(board: Board, players: int) -> int:
    """How many numbers an observation has."""
    return sum(feature.length for feature in features(board, players))


Places = dict[str, tuple[int, int, tuple[int, ...]]]
"""By the name of a feature: where it begins in an observation, where it ends, and its shape."""


def places(board: Board, players: int) -> Places:
    """Where each feature of an observation lies, by its name."""
    return lay_out((feature.name, feature.shape) for feature in features(board, players))


def lay_out(shapes: Iterable[tuple[str, tuple[int, ...]]], at: int = 0) -> Places:
    """Places one after the other, the first of them from `at` on."""
    found = {}
    for name, shape in shapes:
        found[name] = (at, at + prod(shape), shape)
        at += prod(shape)
    return found


def split(board: Board, players: int, observations: Any) -> dict[str, Any]:
    """The features of observations by name, as views with their own shapes; this splits the last axis."""
    return take_apart(places(board, players), observations)


def take_apart(places: Places, observations: Any) -> dict[str, Any]:
    """The same, from places that are known already."""
    rows = observations.shape[:-1]
    return {name: observations[..., at:end].reshape(*rows, *shape) for name, (at, end, shape) in places.items()}


def observation_of(view: View) -> np.ndarray:
    """The observation of a view, which must be the deciding seat's."""
    observation = np.zeros(observation_length(view.board, view.players), np.uint8)
    observe_view(view.board.tables, seat_state_of(view), count_of(view), observation)
    return observation


@entry_point
def observe_view(board: Any, seat_state: Any, count: Any, observation: Any) -> None:
    """Writes the observation of a seat state with its count."""
    observe(board[0], seat_state[0], count[0], observation)


@entry_point
def observe_seat(board: Any, game: Any, counter: Any, count: Any, seat: int, observation: Any) -> None:
    """What any seat would see if it had to decide now; only the seat that really decides sees an offer."""
    deciding, offered = as_int(game[0].seat), as_int(game[0].offer_count)
    game[0].seat, game[0].offer_count = seat, offered if seat == deciding else 0
    count_cards(game[0], counter[0], count[0])
    observe(board[0], game[0], count[0], observation)
    game[0].seat, game[0].offer_count = deciding, offered


@kernel
def observe(board: Record, seen: Record, count: Record, observation: Any) -> None:
    """Writes what the deciding seat may know. `seen` is a game or a seat state."""
    at = observe_table(seen, observation)
    at = observe_cards(seen, count, observation, at)
    at = observe_seats(board, seen, observation, at)
    at = observe_certain(seen, count, observation, at)
    at = observe_tickets(board, seen, count, observation, at)
    at = observe_routes(board, seen, observation, at)
    observe_locations(board, seen, observation, at)


@kernel
def byte(number: int) -> int:
    """The number, kept within a byte."""
    return min(number, MOST)


@kernel
def relative(seen: Record, place: int) -> int:
    """The seat this many places after the deciding one."""
    seat = as_int(seen.seat) + place
    return seat if seat < seen.players else seat - as_int(seen.players)


@kernel
def observe_table(seen: Record, observation: Any) -> int:
    """Writes the state of the table, from the phase to the ticket deck; returns where the next feature begins."""
    players = as_int(seen.players)
    for phase in range(DECISIONS):
        put(observation, phase, seen.phase == phase)
    at = DECISIONS
    for seat in range(players):
        put(observation, at + seat, seen.seat == seat)
    at += players
    put(observation, at, as_int(seen.turns_left) + 1)
    put(observation, at + 1, seen.passes)
    put(observation, at + 2, seen.deck_count)
    put(observation, at + 3, tickets_left(seen))
    return at + 4


@kernel
def observe_cards(seen: Record, count: Record, observation: Any, at: int) -> int:
    """Writes hand, display, discard pile and hidden cards; returns where the next feature begins."""
    for card in range(CARD_COUNT):
        put(observation, at + card, seen.hand[seen.seat, card])
        put(observation, at + CARD_COUNT + card, seen.display[card])
        put(observation, at + 2 * CARD_COUNT + card, seen.discard[card])
        put(observation, at + 3 * CARD_COUNT + card, count.unseen[card])
        put(observation, at + 4 * CARD_COUNT + card, count.fresh[card])
    return at + 5 * CARD_COUNT


@kernel
def observe_seats(board: Record, seen: Record, observation: Any, at: int) -> int:
    """Writes what everyone knows of each seat; returns where the next feature begins."""
    players, kinds = as_int(seen.players), as_int(board.kinds)
    for place in range(players):
        seat = relative(seen, place)
        put(observation, at + place, seen.cars[seat])
        put(observation, at + players + place, byte(as_int(seen.points[seat])))
        put(observation, at + 2 * players + place, cards_held(seen, seat))
        put(observation, at + 3 * players + place, tickets_kept(seen, seat))
        for kind in range(kinds):
            put(observation, at + 4 * players + place * kinds + kind, (seen.tokens[seat] >> kind) & 1)
    return at + players * (4 + kinds)


@kernel
def observe_certain(seen: Record, count: Record, observation: Any, at: int) -> int:
    """Writes the cards that others hold for certain; returns where the next feature begins."""
    for place in range(1, seen.players):
        seat = relative(seen, place)
        for card in range(CARD_COUNT):
            put(observation, at + card, count.certain[seat, card])
        at += CARD_COUNT
    return at


@kernel
def observe_tickets(board: Record, seen: Record, count: Record, observation: Any, at: int) -> int:
    """Writes the seat's own tickets; returns where the next feature begins."""
    seat, tickets = as_int(seen.seat), board.ticket_value.shape[0]
    for ticket in range(tickets):
        kept, completed = has_bit(seen.tickets[seat], ticket), is_completed(board, seen, seat, ticket)
        put(observation, at + ticket, kept and not completed)
        put(observation, at + tickets + ticket, kept and completed)
        for place in range(OFFERED):
            offered = place < seen.offer_count and seen.offer[place] == ticket
            put(observation, at + (2 + place) * tickets + ticket, offered)
        put(observation, at + (2 + OFFERED) * tickets + ticket, has_bit(count.put_back, ticket))
    return at + (3 + OFFERED) * tickets


@kernel
def observe_routes(board: Record, seen: Record, observation: Any, at: int) -> int:
    """Writes the owners of routes; returns where the next feature begins."""
    players, routes = as_int(seen.players), board.route_length.shape[0]
    for place in range(players):
        seat = relative(seen, place)
        for route in range(routes):
            put(observation, at + route, seen.owner[route] == seat)
        at += routes
    for route in range(routes):
        put(observation, at + route, is_open(board, seen, seen.seat, route))
    return at + routes


@kernel
def observe_locations(board: Record, seen: Record, observation: Any, at: int) -> None:
    """Writes the tokens on locations; returns where the next feature begins."""
    locations, choosable = seen.souvenir.shape[0], choosable_locations(board, seen)
    for location in range(locations):
        kind = as_int(seen.souvenir[location]) - (as_int(board.kinds) - SET_ASIDE)
        put(observation, at + location, seen.stack[location])
        for other in range(SET_ASIDE):
            put(observation, at + (1 + other) * locations + location, kind == other)
        put(observation, at + (1 + SET_ASIDE) * locations + location, has_bit(choosable, location))
