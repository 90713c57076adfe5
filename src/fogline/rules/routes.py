"""Chapter 4: claiming routes."""

from __future__ import annotations

from typing import Any

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.rules.bits import has_bit
from fogline.rules.cards import pay
from fogline.rules.state import COLOUR_COUNT, FERRY


@kernel
def payable_claims(board: Record, game: Record, word: int) -> Any:
    """One word of the set of claims that the acting seat can make: open to it, and payable from its hand.

    `maps/board.py` works out once for a board which payments buy which route (4.1 to 4.4). Its table `payable` has, for
    each colour, number of its cards and number of ferries, the claims that they can pay for.
    """
    longest = board.payable.shape[1] - 1
    hand = game.hand[game.seat]
    ferries = min(hand[FERRY], longest)
    claims = board.payable[FERRY, 0, ferries, word]
    for colour in range(COLOUR_COUNT):
        claims |= board.payable[colour, min(hand[colour], longest), ferries, word]
    return claims & game.open[game.seat, word]


@kernel
def is_open(board: Record, game: Record, seat: int, route: int) -> bool:
    """Whether the seat could claim the route if it had the cards; all claims of a route are open or closed together."""
    claim = as_int(board.route_claim[route])
    return has_bit(game.open[seat, claim // 64], claim % 64)


@kernel
def claim_route(board: Record, game: Record, claim: int) -> None:
    """Pays for a route, places the cars, scores the points (4.1, 4.6)."""
    seat = game.seat
    route = board.claim_route[claim]
    length = board.route_length[route]
    pay(game, board.claim_colour[claim], board.claim_cards[claim])
    pay(game, FERRY, board.claim_ferries[claim])
    game.owner[route] = seat
    game.cars[seat] -= length
    game.points[seat] += board.route_points[length]
    close_claims_of(board, game, seat, route)
    close_too_long(board, game)
    join_lines(game, seat, board.route_first[route], board.route_second[route])


@kernel
def close_claims_of(board: Record, game: Record, owner: int, route: int) -> None:
    """Closes a route that has an owner, and its twin, to all whom that concerns."""
    for seat in range(game.players):
        close_route(board, game, seat, route)  # 4.9
    twin = board.route_twin[route]
    if twin >= 0:
        close_route(board, game, owner, twin)  # 4.7
        if game.players == 2:
            close_route(board, game, 1 - owner, twin)  # 4.8


@kernel
def close_route(board: Record, game: Record, seat: int, route: int) -> None:
    for word in range(game.open.shape[1]):
        game.open[seat, word] &= ~board.claims_of_route[route, word]


@kernel
def close_too_long(board: Record, game: Record) -> None:
    """Routes with more spaces than the acting seat has cars are closed to it (4.5)."""
    cars = game.cars[game.seat]
    if cars < board.claims_within.shape[0]:
        for word in range(game.open.shape[1]):
            game.open[game.seat, word] &= board.claims_within[cars, word]


@kernel
def join_lines(game: Record, seat: int, first: int, second: int) -> None:
    """Gives all locations that the seat's routes now join the same label (6.3)."""
    line = game.line[seat]
    kept, merged = line[first], line[second]
    if kept != merged:
        for location in range(line.shape[0]):
            if line[location] == merged:
                line[location] = kept
