"""What the deciding seat may know, as one record: a view for compiled players.

Its fields have the names of a game's fields, so that functions of the rules work on both. What the seat may not know
has no field here, or an empty row: deck, ticket deck, the others' hands and tickets, the generator.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba.extending import overload

from fogline.compiler.kernels import Record, as_int, entry_point, kernel
from fogline.game.view import View
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from fogline.rules.bits import ZERO, count_bits
from fogline.rules.routes import close_claims_of, join_lines
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

_SHARED = (
    *("open", "points", "phase", "seat", "players", "turns_left", "passes", "token_route", "placed", "display_count"),
    *("deck_count", "discard_count", "ticket_count", "offer_count", "offer", "cars", "tokens", "discard", "display"),
    *("owner", "souvenir", "stack", "line"),
)
"""The fields of a game that everybody may know, or the deciding seat."""


@lru_cache
def seat_state_dtype(board: Board) -> np.dtype:
    """The layout of a seat state on this board."""
    game = game_dtype(board)
    fields: list[tuple[Any, ...]] = [(name, game[name].base, game[name].shape) for name in _SHARED]
    fields += [
        ("tickets", "u8", (SEATS,)),  # the seat's own alone, as a set
        ("hand", "u1", (SEATS, CARD_COUNT)),  # the seat's own alone
        ("card_counts", "u1", (SEATS,)),
        ("ticket_counts", "u1", (SEATS,)),
    ]
    fields.sort(key=lambda field: -np.dtype(field[1]).itemsize)
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new_seat_states(board: Board, count: int) -> np.ndarray:
    return np.zeros(count, seat_state_dtype(board))


@kernel
def see(game: Record, seat_state: Record) -> None:
    """Writes what the game's deciding seat may know."""
    seat = game.seat
    see_board(game, seat_state)
    see_table(game, seat_state)
    for other in range(SEATS):
        for card in range(CARD_COUNT):
            seat_state.hand[other, card] = game.hand[other, card] if other == seat else 0
        seat_state.card_counts[other] = cards_held(game, other)
        seat_state.ticket_counts[other] = tickets_kept(game, other)
        seat_state.tickets[other] = game.tickets[other] if other == seat else ZERO


@kernel
def see_board(game: Record, seat_state: Record) -> None:
    for route in range(game.owner.shape[0]):
        seat_state.owner[route] = game.owner[route]
    for location in range(game.souvenir.shape[0]):
        seat_state.souvenir[location] = game.souvenir[location]
        seat_state.stack[location] = game.stack[location]
    for seat in range(SEATS):
        seat_state.points[seat] = game.points[seat]
        seat_state.cars[seat] = game.cars[seat]
        seat_state.tokens[seat] = game.tokens[seat]
        for word in range(game.open.shape[1]):
            seat_state.open[seat, word] = game.open[seat, word]
        for location in range(game.souvenir.shape[0]):
            seat_state.line[seat, location] = game.line[seat, location]


@kernel
def see_table(game: Record, seat_state: Record) -> None:
    seat_state.phase = game.phase
    seat_state.seat = game.seat
    seat_state.players = game.players
    seat_state.turns_left = game.turns_left
    seat_state.passes = game.passes
    seat_state.token_route = game.token_route if game.phase == TOKEN else 0
    seat_state.placed = game.placed
    seat_state.display_count = game.display_count
    seat_state.deck_count = game.deck_count
    seat_state.discard_count = game.discard_count
    seat_state.ticket_count = tickets_left(game)
    seat_state.offer_count = game.offer_count
    for place in range(OFFERED):
        seat_state.offer[place] = game.offer[place] if place < game.offer_count else 0
    for card in range(CARD_COUNT):
        seat_state.display[card] = game.display[card]
        seat_state.discard[card] = game.discard[card]


# What must be counted in a game, and stands ready in a seat state. Each of the two has its own function when compiled.


def cards_held(seen: Any, seat: int) -> int:
    """How many cards a seat holds."""
    return int(seen.card_counts[seat] if _is_seat_state(seen) else seen.hand[seat].sum())


def tickets_kept(seen: Any, seat: int) -> int:
    """How many tickets a seat has kept, as far as the deciding seat may know (2.5)."""
    if _is_seat_state(seen):
        return int(seen.ticket_counts[seat])
    hidden = seen.phase == KEEP_FIRST_TICKETS and seen.seat != seat
    return 0 if hidden else count_bits(seen.tickets[seat])


def tickets_left(seen: Any) -> int:
    """How many tickets are left to draw. During the first choice, every first offer counts as made (2.5)."""
    if not _is_seat_state(seen) and seen.phase == KEEP_FIRST_TICKETS:
        return len(seen.ticket_deck) - OFFERED * int(seen.players)
    return int(seen.ticket_count)


def _is_seat_state(seen: Any) -> bool:
    return "card_counts" in seen.dtype.names


@overload(cards_held)
def _compiled_cards_held(seen: Any, seat: int) -> Callable[..., int]:
    def told(seen: Any, seat: int) -> int:
        return as_int(seen.card_counts[seat])

    def counted(seen: Any, seat: int) -> int:
        cards = 0
        for card in range(CARD_COUNT):
            cards += as_int(seen.hand[seat, card])
        return cards

    return told if "card_counts" in seen.fields else counted


@overload(tickets_kept)
def _compiled_tickets_kept(seen: Any, seat: int) -> Callable[..., int]:
    def told(seen: Any, seat: int) -> int:
        return as_int(seen.ticket_counts[seat])

    def counted(seen: Any, seat: int) -> int:
        hidden = seen.phase == KEEP_FIRST_TICKETS and seen.seat != seat
        return 0 if hidden else count_bits(seen.tickets[seat])

    return told if "ticket_counts" in seen.fields else counted


@overload(tickets_left)
def _compiled_tickets_left(seen: Any) -> Callable[..., int]:
    def told(seen: Any) -> int:
        return as_int(seen.ticket_count)

    def counted(seen: Any) -> int:
        if seen.phase == KEEP_FIRST_TICKETS:
            return seen.ticket_deck.shape[0] - OFFERED * as_int(seen.players)  # type: ignore[no-any-return]
        return as_int(seen.ticket_count)

    return counted if "ticket_deck" in seen.fields else told


@entry_point
def see_all(games: Any, seat_states: Any) -> None:
    for i in range(games.shape[0]):
        see(games[i], seat_states[i])


def seat_state_of(view: View) -> np.ndarray:
    """The seat state of a view, which must be that of the deciding seat."""
    if view.seat is None or view.acting != view.seat:
        raise ValueError("only the seat that must decide has a seat_state")
    seat_states = new_seat_states(view.board, 1)
    _write_board(view, seat_states)
    _write_table(view, seat_states)
    _write_seats(view, seat_states)
    follow_owners(view.board.tables, seat_states)
    return seat_states


def _write_board(view: View, seat_states: np.ndarray) -> None:
    board = view.board
    seat_states["owner"] = [view.owners.get(route.id, NOBODY) for route in board.routes]
    seat_states["souvenir"] = NO_SOUVENIR
    for location, (souvenir, count) in view.stacks.items():
        number = board.location_number[location]
        seat_states["souvenir"][0, number], seat_states["stack"][0, number] = board.souvenirs.index(souvenir), count
    seat_states["placed"] = len(view.stacks)


def _write_table(view: View, seat_states: np.ndarray) -> None:
    seat_states["phase"], seat_states["seat"], seat_states["players"] = _PHASE[view.phase], view.seat, view.players
    seat_states["turns_left"] = NOT_YET if view.turns_left is None else view.turns_left
    seat_states["passes"] = _passes(view)
    if view.phase == PHASES[TOKEN]:
        seat_states["token_route"] = view.board.route_number[_last_claim(view)]
    seat_states["deck_count"], seat_states["ticket_count"] = view.deck_count, view.ticket_count
    for pile, cards in (("display", view.display), ("discard", view.discard)):
        seat_states[pile] = [cards.get(card, 0) for card in CARDS]
        seat_states[f"{pile}_count"] = sum(cards.values())
    seat_states["offer_count"] = len(view.offer)
    for place, ticket in enumerate(view.offer):
        seat_states["offer"][0, place] = view.board.ticket_number[ticket]


_PHASE = {name: number for number, name in enumerate(PHASES)}


def _passes(view: View) -> int:
    """How many seats have passed in a row (8.4)."""
    passes = 0
    while passes < len(view.events) and view.events[-1 - passes]["e"] == "pass":
        passes += 1
    return passes


def _last_claim(view: View) -> str:
    return str(next(event["route"] for event in reversed(view.events) if event["e"] == "claim"))


def _write_seats(view: View, seat_states: np.ndarray) -> None:
    board, seats = view.board, view.seats
    seat_states["cars"] = [*(seen.cars for seen in seats), *[board.cars] * (SEATS - len(seats))]
    for seen in seats:
        seat_states["points"][0, seen.seat] = seen.points
        seat_states["tokens"][0, seen.seat] = sum(1 << board.souvenirs.index(token) for token in seen.tokens)
        seat_states["card_counts"][0, seen.seat] = seen.cards
        seat_states["ticket_counts"][0, seen.seat] = seen.tickets
    seat_states["hand"][0, view.seat] = [view.hand.get(card, 0) for card in CARDS]
    seat_states["tickets"][0, view.seat] = sum(1 << board.ticket_number[ticket] for ticket in view.tickets)


@entry_point
def follow_owners(board: Any, seat_state: Any) -> None:
    """What follows from who owns which route: the claims that are open to each seat, and the lines that it has."""
    seen = seat_state[0]
    for seat in range(SEATS):
        begin_claims(board[0], seen, seat)
    for route in range(seen.owner.shape[0]):
        if seen.owner[route] != NOBODY:
            owner = as_int(seen.owner[route])
            join_lines(seen, owner, board[0].route_first[route], board[0].route_second[route])
            close_claims_of(board[0], seen, owner, route)


@kernel
def begin_claims(board: Record, seen: Record, seat: int) -> None:
    """Before any route is claimed, for a seat with its present number of cars (4.5); nothing is joined yet."""
    cars = min(as_int(seen.cars[seat]), board.claims_within.shape[0] - 1)
    for word in range(seen.open.shape[1]):
        seen.open[seat, word] = board.claims_within[cars, word]
    for location in range(seen.line.shape[1]):
        seen.line[seat, location] = location
