"""Plans: which routes a seat wants, in which order, and what cards are worth to it.

A plan is made greedily from projects. A project is a ticket's cheapest way over routes still open, or a single route;
it is worth the points that it brings, and costs turns. The project with the most points a turn comes first; what it
builds is free for those after it, so that tickets come to share their ways.

Everything here reads only what the seat may know. It works on a seat state, in which nothing else exists, or on a game,
for the imagined games of a search.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.players.scripted.payments import pay_for, payment, plan_payments
from fogline.players.scripted.plan import FAR, NONE, times
from fogline.players.scripted.ways import find_ways, other_end
from fogline.rules.bits import bit, count_bits, has_bit
from fogline.rules.routes import is_open
from fogline.rules.state import CARD_COUNT, FERRY

# Found by playing thousands of games of one setting against another.
CARD_TURNS = 0.35
"""Turns that a missing card is taken to cost. Less than the half that it takes: a card seldom serves only one plan."""
SYMBOL_TURNS = 0.1
"""Turns that waiting for a ferry card adds, where one is needed and not held."""
CARS_A_TURN = 1.9
"""Cars that another player is taken to place in a turn, from here to the end of the game."""
LATENESS = 10.0
"""The number of turns over which the hope of finishing in time fades."""
UNLIKELY = 0.1
"""The least hope that is left."""
TOKEN_TASTE = 0.7
"""What the next token is worth, against the mean of the next two steps of the table (9.2)."""
TICKET_WEIGHT = 1.8
"""The weight of a ticket's value when projects are compared: won, and not lost."""
SPITE = 0.05
"""Points for taking what another seat seems to need."""
ONE_END = 0.3
"""How much another seems to need a route that goes on from one of its ends, against one that would join two."""


@kernel
def make_plan(board: Record, game: Record, seat: int, tickets: Any, plan: Record) -> None:
    """Plans for a seat that holds these tickets."""
    begin_plan(board, game, seat, plan)
    pending = tickets
    for ticket in range(board.ticket_value.shape[0]):
        if has_bit(tickets, ticket):
            plan.value -= board.ticket_value[ticket]
    while True:
        weigh_routes(board, game, seat, plan)
        ticket, ticket_rate = best_ticket(board, plan, pending)
        route, route_rate = best_route(board, plan)
        if ticket != NONE and ticket_rate >= route_rate:
            pending &= ~bit(ticket)
            plan_ticket(board, game, seat, plan, ticket)
        elif route != NONE:
            plan_route(board, game, plan, route)
        else:
            break
    plan_payments(board, game, seat, plan)


@kernel
def refresh_plan(board: Record, game: Record, seat: int, plan: Record) -> None:
    """Keeps a plan up to date: claimed routes leave it. When a route is lost, or none is left, it makes a new one."""
    kept = 0
    for place in range(plan.count):
        route = plan.order[place]
        if game.owner[route] != seat:
            if not is_open(board, game, seat, route):
                kept = 0
                break
            plan.order[kept] = route
            kept += 1
    if kept == 0:
        make_plan(board, game, seat, game.tickets[seat], plan)
    else:
        plan.count = kept
        plan_payments(board, game, seat, plan)


@kernel
def begin_plan(board: Record, game: Record, seat: int, plan: Record) -> None:
    plan.count = 0
    plan.turns = 0.0
    plan.cars = game.cars[seat]
    plan.tokens = game.tokens[seat]
    plan.ticket = NONE
    plan.value = game.points[seat] + board.token_points[count_bits(game.tokens[seat])]
    plan.time = turns_to_come(game, seat)
    for card in range(CARD_COUNT):
        plan.spare[card] = game.hand[seat, card]
    for route in range(game.owner.shape[0]):
        if game.owner[route] == seat:
            plan.cost[route] = 0.0
        else:
            plan.cost[route] = 1.0 if is_open(board, game, seat, route) else FAR
        plan.pressure[route] = 0.0
    for other in range(game.players):
        if other != seat:
            feel_pressure(board, game, other, plan)


@kernel
def feel_pressure(board: Record, game: Record, other: int, plan: Record) -> None:
    """How much other seats seem to need routes: those that go on from their own, and most those that would join two
    lines.
    """
    for location in range(plan.touched.shape[0]):
        plan.touched[location] = 0
    for route in range(game.owner.shape[0]):
        if game.owner[route] == other:
            plan.touched[board.route_first[route]] = 1
            plan.touched[board.route_second[route]] = 1
    line = game.line[other]
    for route in range(game.owner.shape[0]):
        first, second = board.route_first[route], board.route_second[route]
        if game.owner[route] < 0 and line[first] != line[second]:
            ends = plan.touched[first] + plan.touched[second]
            plan.pressure[route] += 1.0 if ends == 2 else times(ONE_END, ends)


@kernel
def turns_to_come(game: Record, seat: int) -> float:
    """How many turns the seat still has, roughly: until some seat runs out of cars."""
    if game.turns_left >= 0:
        return 1.0
    fewest = 100
    for other in range(game.players):
        if other != seat and game.cars[other] < fewest:
            fewest = game.cars[other]
    return 1.0 + max(0.0, (fewest - 2) / CARS_A_TURN)


@kernel
def weigh_routes(board: Record, game: Record, seat: int, plan: Record) -> None:
    """What each route that is neither owned nor planned would bring and cost, with the cards that the plan leaves."""
    owned = count_bits(np.uint64(plan.tokens))
    next_token = times(TOKEN_TASTE * 0.5, token_points(board, owned + 2) - token_points(board, owned))
    for route in range(plan.cost.shape[0]):
        if 0.0 < plan.cost[route] < FAR:
            _, _, _, missing = payment(board, plan, route)
            symbols = max(0, board.route_ferries[route] - plan.spare[FERRY])
            plan.cost[route] = 1.0 + times(CARD_TURNS, missing) + times(SYMBOL_TURNS, symbols)
            plan.gain[route] = board.route_points[board.route_length[route]]
            if new_token(board, game, plan.tokens, route) != NONE:
                plan.gain[route] += next_token
            plan.gain[route] += times(SPITE, plan.pressure[route])
        else:
            plan.gain[route] = 0.0


@kernel
def token_points(board: Record, count: int) -> float:
    return float(board.token_points[min(count, board.token_points.shape[0] - 1)])


@kernel
def new_token(board: Record, game: Record, owned: int, route: int) -> int:
    """A kind of souvenir that the route would bring to a seat that owns these, or NONE."""
    for location in (board.route_first[route], board.route_second[route]):
        if game.stack[location] > 0 and (owned >> game.souvenir[location]) & 1 == 0:
            return as_int(game.souvenir[location])
    return NONE


@kernel
def in_time(plan: Record, turns: float) -> float:
    """The probability of having these turns more than the plan already takes."""
    hope: float = 0.5 + (plan.time - plan.turns - turns + 0.5) / LATENESS
    return min(1.0, max(UNLIKELY, hope))


@kernel
def best_route(board: Record, plan: Record) -> tuple[int, float]:
    """The single route with the most points a turn."""
    best, best_rate = NONE, 0.0
    for route in range(plan.cost.shape[0]):
        if 0.0 < plan.cost[route] < FAR and board.route_length[route] <= plan.cars:
            rate = in_time(plan, plan.cost[route]) * plan.gain[route] / plan.cost[route]
            if rate > best_rate:
                best, best_rate = route, rate
    return best, best_rate


@kernel
def best_ticket(board: Record, plan: Record, pending: Any) -> tuple[int, float]:
    """The ticket with the most points a turn; one that the plan completes anyway comes first of all."""
    best, best_rate = NONE, 0.0
    for ticket in range(board.ticket_value.shape[0]):
        if has_bit(pending, ticket):
            rate = rate_ticket(board, plan, ticket)
            if rate > best_rate:
                best, best_rate = ticket, rate
    return best, best_rate


@kernel
def rate_ticket(board: Record, plan: Record, ticket: int) -> float:
    first, second = board.ticket_first[ticket], board.ticket_second[ticket]
    find_ways(board, plan, first)
    turns = plan.distance[second]
    if turns >= FAR:
        return 0.0
    if turns == 0.0:
        return FAR
    points, cars, location = times(TICKET_WEIGHT, board.ticket_value[ticket]), 0, second
    while location != first:
        route = plan.came_by[location]
        if plan.cost[route] > 0.0:
            points += plan.gain[route]
            cars += board.route_length[route]
        location = other_end(board, route, location)
    return in_time(plan, turns) * points / turns if cars <= plan.cars else 0.0


@kernel
def plan_ticket(board: Record, game: Record, seat: int, plan: Record, ticket: int) -> None:
    """Plans the routes of a ticket's cheapest way."""
    first, location = as_int(board.ticket_first[ticket]), as_int(board.ticket_second[ticket])
    find_ways(board, plan, first)
    plan.value += times(in_time(plan, plan.distance[location]), 2.0 * board.ticket_value[ticket])
    if plan.ticket == NONE and plan.distance[location] > 0.0:
        plan.ticket = ticket
    while location != first:
        route = as_int(plan.came_by[location])
        if plan.cost[route] > 0.0:
            plan_route(board, game, plan, route)
        location = other_end(board, route, location)


@kernel
def plan_route(board: Record, game: Record, plan: Record, route: int) -> None:
    plan.order[plan.count] = route
    plan.count += 1
    pay_for(board, plan, plan.count - 1)
    plan.cars -= board.route_length[route]
    plan.turns += plan.cost[route]
    plan.value += times(in_time(plan, 0.0), plan.gain[route])
    token = new_token(board, game, plan.tokens, route)
    if token != NONE:
        plan.tokens |= 1 << token
    plan.cost[route] = 0.0
    twin = board.route_twin[route]
    if twin >= 0 and plan.cost[twin] > 0.0:
        plan.cost[twin] = FAR  # 4.7
