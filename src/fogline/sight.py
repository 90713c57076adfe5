"""What the deciding seat may know, as one record: a view for compiled players.

Its fields are named as a game's are, so that whatever the rules say of a game they say of a sight. What the seat may
not know has no field here, or an empty row: the deck, the ticket deck, the others' hands and tickets, the generator.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba.extending import overload

from fogline.board import Board
from fogline.mapfile import CARDS
from fogline.rules.bits import ZERO, count_bits
from fogline.rules.compiled import Record, door, rule, whole
from fogline.rules.state import (
    CARD_COUNT,
    KEEP_FIRST_TICKETS,
    NO_SOUVENIR,
    NOBODY,
    NOT_YET,
    OFFERED,
    PHASES,
    SEATS,
    TOKEN,
    game_dtype,
)
from fogline.view import View

_SHARED = (
    *("open", "points", "phase", "seat", "players", "turns_left", "passes", "token_route", "placed", "display_count"),
    *("deck_count", "discard_count", "ticket_count", "offer_count", "offer", "cars", "tokens", "discard", "display"),
    *("owner", "souvenir", "stack", "line"),
)
"""The fields of a game that everybody may know, or the deciding seat."""


@lru_cache
def sight_dtype(board: Board) -> np.dtype:
    """The layout of a sight on this board."""
    game = game_dtype(board)
    fields: list[tuple[Any, ...]] = [(name, game[name].base, game[name].shape) for name in _SHARED]
    fields += [
        ("tickets", "u8", (SEATS,)),  # one's own alone, as a set
        ("hand", "u1", (SEATS, CARD_COUNT)),  # one's own alone
        ("card_counts", "u1", (SEATS,)),
        ("ticket_counts", "u1", (SEATS,)),
    ]
    fields.sort(key=lambda field: -np.dtype(field[1]).itemsize)
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new_sights(board: Board, count: int) -> np.ndarray:
    return np.zeros(count, sight_dtype(board))


@rule
def see(game: Record, sight: Record) -> None:
    """Writes what the game's deciding seat may know."""
    seat = game.seat
    see_board(game, sight)
    see_table(game, sight)
    for other in range(SEATS):
        for card in range(CARD_COUNT):
            sight.hand[other, card] = game.hand[other, card] if other == seat else 0
        sight.card_counts[other] = cards_held(game, other)
        sight.ticket_counts[other] = tickets_kept(game, other)
        sight.tickets[other] = game.tickets[other] if other == seat else ZERO


@rule
def see_board(game: Record, sight: Record) -> None:
    for route in range(game.owner.shape[0]):
        sight.owner[route] = game.owner[route]
    for location in range(game.souvenir.shape[0]):
        sight.souvenir[location] = game.souvenir[location]
        sight.stack[location] = game.stack[location]
    for seat in range(SEATS):
        sight.points[seat] = game.points[seat]
        sight.cars[seat] = game.cars[seat]
        sight.tokens[seat] = game.tokens[seat]
        for word in range(game.open.shape[1]):
            sight.open[seat, word] = game.open[seat, word]
        for location in range(game.souvenir.shape[0]):
            sight.line[seat, location] = game.line[seat, location]


@rule
def see_table(game: Record, sight: Record) -> None:
    sight.phase = game.phase
    sight.seat = game.seat
    sight.players = game.players
    sight.turns_left = game.turns_left
    sight.passes = game.passes
    sight.token_route = game.token_route if game.phase == TOKEN else 0
    sight.placed = game.placed
    sight.display_count = game.display_count
    sight.deck_count = game.deck_count
    sight.discard_count = game.discard_count
    sight.ticket_count = tickets_left(game)
    sight.offer_count = game.offer_count
    for place in range(OFFERED):
        sight.offer[place] = game.offer[place] if place < game.offer_count else 0
    for card in range(CARD_COUNT):
        sight.display[card] = game.display[card]
        sight.discard[card] = game.discard[card]


# What a game tells only when it is counted, and a sight says. Compiled, each of the two has its own function.


def cards_held(seen: Any, seat: int) -> int:
    """How many cards a seat holds."""
    return int(seen.card_counts[seat] if _is_sight(seen) else seen.hand[seat].sum())


def tickets_kept(seen: Any, seat: int) -> int:
    """How many tickets a seat has kept, as far as the deciding seat may know (2.5)."""
    if _is_sight(seen):
        return int(seen.ticket_counts[seat])
    hidden = seen.phase == KEEP_FIRST_TICKETS and seen.seat != seat
    return 0 if hidden else count_bits(seen.tickets[seat])


def tickets_left(seen: Any) -> int:
    """How many tickets are left to draw; while the first are chosen, as if all offers were on the table (2.5)."""
    if not _is_sight(seen) and seen.phase == KEEP_FIRST_TICKETS:
        return len(seen.ticket_deck) - OFFERED * int(seen.players)
    return int(seen.ticket_count)


def _is_sight(seen: Any) -> bool:
    return "card_counts" in seen.dtype.names


@overload(cards_held)
def _compiled_cards_held(seen: Any, seat: int) -> Callable[..., int]:
    def told(seen: Any, seat: int) -> int:
        return whole(seen.card_counts[seat])

    def counted(seen: Any, seat: int) -> int:
        cards = 0
        for card in range(CARD_COUNT):
            cards += whole(seen.hand[seat, card])
        return cards

    return told if "card_counts" in seen.fields else counted


@overload(tickets_kept)
def _compiled_tickets_kept(seen: Any, seat: int) -> Callable[..., int]:
    def told(seen: Any, seat: int) -> int:
        return whole(seen.ticket_counts[seat])

    def counted(seen: Any, seat: int) -> int:
        hidden = seen.phase == KEEP_FIRST_TICKETS and seen.seat != seat
        return 0 if hidden else count_bits(seen.tickets[seat])

    return told if "ticket_counts" in seen.fields else counted


@overload(tickets_left)
def _compiled_tickets_left(seen: Any) -> Callable[..., int]:
    def told(seen: Any) -> int:
        return whole(seen.ticket_count)

    def counted(seen: Any) -> int:
        if seen.phase == KEEP_FIRST_TICKETS:
            return seen.ticket_deck.shape[0] - OFFERED * whole(seen.players)  # type: ignore[no-any-return]
        return whole(seen.ticket_count)

    return counted if "ticket_deck" in seen.fields else told


@door
def see_all(games: Any, sights: Any) -> None:
    for i in range(games.shape[0]):
        see(games[i], sights[i])


def sight_of(view: View) -> np.ndarray:
    """The sight of a view, which must be that of the deciding seat."""
    if view.seat is None or view.acting != view.seat:
        raise ValueError("only the seat that must decide has a sight")
    sights = new_sights(view.board, 1)
    sight = sights[0]
    _write_board(view, sight)
    _write_table(view, sight)
    _write_seats(view, sight)
    return sights


def _write_board(view: View, sight: Any) -> None:
    board = view.board
    sight["owner"] = [view.owners.get(route.id, NOBODY) for route in board.routes]
    sight["souvenir"] = NO_SOUVENIR
    for location, (souvenir, count) in view.stacks.items():
        number = board.location_number[location]
        sight["souvenir"][number], sight["stack"][number] = board.souvenirs.index(souvenir), count
    sight["placed"] = len(view.stacks)
    sight["line"] = [_line(view, seat) for seat in range(SEATS)]
    sight["open"] = [_open(view, seat) for seat in range(SEATS)]


def _line(view: View, seat: int) -> list[int]:
    """Labels of locations: equal where the seat's routes join them."""
    number = view.board.location_number
    line = list(range(len(view.board.locations)))
    for route_id in (route_id for route_id, owner in view.owners.items() if owner == seat):
        route = view.board.route(route_id)
        kept, merged = line[number[route.first]], line[number[route.second]]
        line = [kept if label == merged else label for label in line]
    return line


def _open(view: View, seat: int) -> np.ndarray:
    """The claims that a seat could make if it had the cards (4.5, 4.7 to 4.9)."""
    tables = view.board.tables[0]
    cars = view.seats[seat].cars if seat < view.players else view.board.cars
    claims: np.ndarray = tables["claims_within"][min(cars, len(tables["claims_within"]) - 1)].copy()
    if seat >= view.players:  # nobody sits there, and the rules close nothing to nobody
        return claims
    for number, route in enumerate(view.board.routes):
        if route.id in view.owners or _twin_closes(view, route.twin, seat):
            claims &= ~tables["claims_of_route"][number]
    return claims


def _twin_closes(view: View, twin: str | None, seat: int) -> bool:
    owner = None if twin is None else view.owners.get(twin)
    return owner is not None and (view.players == 2 or owner == seat)


def _write_table(view: View, sight: Any) -> None:
    sight["phase"], sight["seat"], sight["players"] = PHASES.index(view.phase), view.seat, view.players
    sight["turns_left"] = NOT_YET if view.turns_left is None else view.turns_left
    sight["passes"] = _passes(view)
    if view.phase == PHASES[TOKEN]:
        sight["token_route"] = view.board.route_number[_last_claim(view)]
    sight["deck_count"], sight["ticket_count"] = view.deck_count, view.ticket_count
    for pile, cards in (("display", view.display), ("discard", view.discard)):
        sight[pile] = [cards.get(card, 0) for card in CARDS]
        sight[f"{pile}_count"] = sum(cards.values())
    sight["offer_count"] = len(view.offer)
    sight["offer"][: len(view.offer)] = [view.board.ticket_number[ticket] for ticket in view.offer]


def _passes(view: View) -> int:
    """How many have passed in succession (8.4)."""
    passes = 0
    while passes < len(view.events) and view.events[-1 - passes]["e"] == "pass":
        passes += 1
    return passes


def _last_claim(view: View) -> str:
    return str(next(event["route"] for event in reversed(view.events) if event["e"] == "claim"))


def _write_seats(view: View, sight: Any) -> None:
    board = view.board
    sight["cars"] = board.cars
    for seen in view.seats:
        sight["points"][seen.seat], sight["cars"][seen.seat] = seen.points, seen.cars
        sight["tokens"][seen.seat] = sum(1 << board.souvenirs.index(token) for token in seen.tokens)
        sight["card_counts"][seen.seat], sight["ticket_counts"][seen.seat] = seen.cards, seen.tickets
    sight["hand"][view.seat] = [view.hand.get(card, 0) for card in CARDS]
    sight["tickets"][view.seat] = sum(1 << board.ticket_number[ticket] for ticket in view.tickets)
