"""Plans: which routes a seat wants, in which order, and what cards are worth to it.

A plan is made greedily from projects. A project is a ticket's cheapest way over routes still open, or a single route;
it is worth the points that it brings, and costs turns. The project with the most points a turn comes first; what it
builds is free for those after it, so that tickets come to share their ways.

Everything here reads only what the seat may know. It works on a `sight`, in which nothing else exists, and on a game,
for the imagined games of a search.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba.extending import overload

from fogline.board import Board
from fogline.rules.bits import ZERO, bit, count_bits, has_bit
from fogline.rules.compiled import Record, rule, whole
from fogline.rules.state import CARD_COUNT, COLOUR_COUNT, FERRY

NONE = -1
FAR = 1000.0
GREY = -1

# Found by playing thousands of games of one setting against another.
CARD_TURNS = 0.35
"""Turns that a missing card is taken to cost. Less than the half that it takes: a card seldom serves one plan alone."""
SYMBOL_TURNS = 0.1
"""Turns that the wait for a ferry card adds, where one is needed and not held."""
CARS_A_TURN = 1.9
"""Cars that another player is taken to place in a turn, from here to the end of the game."""
LATENESS = 10.0
"""Over how many turns the hope of finishing in time fades."""
UNLIKELY = 0.1
"""The least hope that is left."""
PATIENCE = 0.76
"""What a card for the next route of a plan is worth, against one for the route before it."""
ANY_COLOUR = 0.35
"""What any colour is worth to a grey route, against the colour that is gathered for it."""
HELD_COLOUR = 0.02
"""How much more, for each card of it that is held."""
WILD = 1.1
"""What a ferry card is worth, against the card that it stands in for."""
TOKEN_TASTE = 0.7
"""What the next token is worth, against the mean of the next two steps of the table (9.2)."""
TICKET_WEIGHT = 1.8
"""What a ticket's value counts when projects are compared: won, and not lost."""
SPITE = 0.05
"""Points that it is worth to take what another seems to need."""
ONE_END = 0.3
"""How much another seems to need a route that goes on from one of its ends, against one that would join two."""


@lru_cache
def plan_dtype(board: Board) -> np.dtype:
    locations, routes = len(board.locations), len(board.routes)
    fields = [
        ("worth", "f8", (CARD_COUNT,)),  # of one more card of each kind
        ("value", "f8"),  # points at the end, if all goes well
        ("turns", "f8"),  # that the plan takes
        ("time", "f8"),  # turns before the game ends, roughly
        ("cost", "f8", (routes,)),  # turns; 0 for what is owned or planned, FAR for what is closed
        ("gain", "f8", (routes,)),  # points of each route, its token included
        ("pressure", "f8", (routes,)),  # how much others seem to need a route
        ("touched", "u1", (locations,)),  # by routes of another seat
        ("distance", "f8", (locations,)),  # turns, from where a way begins
        ("came_by", "i2", (locations,)),  # the route by which a location was reached
        ("order", "i2", (routes,)),  # the planned routes
        ("count", "i2"),  # how many
        ("colour", "i1", (routes,)),  # the payment that the plan means for each route of `order`
        ("cards", "i1", (routes,)),
        ("ferries", "i1", (routes,)),
        ("missing", "i1", (routes,)),  # cards of it that are not in the hand
        ("cars", "i2"),  # left after the plan
        ("tokens", "u1"),  # kinds of souvenir owned after the plan
        ("ticket", "i2"),  # the first one worked on
        ("spare", "i2", (CARD_COUNT,)),  # cards of the hand that the plan leaves
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new_plans(board: Board, count: int) -> np.ndarray:
    return np.zeros(count, plan_dtype(board))


def times(one: float, other: float) -> float:
    """A product to which something is added, rounded by itself on every device (see `players/cuda.py`).

    Every one is written so, unless it is exact anyhow: else a plan could be another on a GPU.
    """
    return float(one) * float(other)


@overload(times)
def _compiled_times(one: float, other: float) -> Callable[..., float]:
    def product(one: float, other: float) -> float:
        return one * other

    return product


@rule
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


@rule
def refresh_plan(board: Record, game: Record, seat: int, plan: Record) -> None:
    """Keeps a plan in force: what is claimed leaves it. When a route is lost, or none is left, it makes a new one."""
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


@rule
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


@rule
def feel_pressure(board: Record, game: Record, other: int, plan: Record) -> None:
    """Another seat seems to need the routes that go on from its own, and most those that would join two lines."""
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


@rule
def turns_to_come(game: Record, seat: int) -> float:
    """How many turns the seat still has, roughly: until somebody's cars run out."""
    if game.turns_left >= 0:
        return 1.0
    fewest = 100
    for other in range(game.players):
        if other != seat and game.cars[other] < fewest:
            fewest = game.cars[other]
    return 1.0 + max(0.0, (fewest - 2) / CARS_A_TURN)


@rule
def is_open(board: Record, game: Record, seat: int, route: int) -> bool:
    for word in range(game.open.shape[1]):
        if game.open[seat, word] & board.claims_of_route[route, word] != ZERO:
            return True
    return False


@rule
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


@rule
def token_points(board: Record, count: int) -> float:
    return float(board.token_points[min(count, board.token_points.shape[0] - 1)])


@rule
def new_token(board: Record, game: Record, owned: int, route: int) -> int:
    """A kind of souvenir that the route would bring whoever owns these, or NONE."""
    for location in (board.route_first[route], board.route_second[route]):
        if game.stack[location] > 0 and (owned >> game.souvenir[location]) & 1 == 0:
            return whole(game.souvenir[location])
    return NONE


@rule
def payment(board: Record, plan: Record, route: int) -> tuple[int, int, int, int]:
    """How to pay with what the plan leaves: a colour, how many cards of it, how many ferries, and how many are missing.

    What is missing is meant to come in the colour.
    """
    length, symbols = whole(board.route_length[route]), whole(board.route_ferries[route])
    colour = whole(board.route_colour[route])
    if colour == GREY:
        colour = most_spare(plan)
    coloured = min(whole(plan.spare[colour]), length - symbols)
    ferries = max(symbols, min(whole(plan.spare[FERRY]), length - coloured))
    cards = length - ferries
    missing = cards - min(cards, whole(plan.spare[colour])) + ferries - min(ferries, whole(plan.spare[FERRY]))
    return colour, cards, ferries, missing


@rule
def most_spare(plan: Record) -> int:
    best = 0
    for colour in range(1, COLOUR_COUNT):
        if plan.spare[colour] > plan.spare[best]:
            best = colour
    return best


@rule
def in_time(plan: Record, turns: float) -> float:
    """The hope of having these turns more than the plan takes already."""
    hope: float = 0.5 + (plan.time - plan.turns - turns + 0.5) / LATENESS
    return min(1.0, max(UNLIKELY, hope))


@rule
def best_route(board: Record, plan: Record) -> tuple[int, float]:
    """The single route with the most points a turn."""
    best, best_rate = NONE, 0.0
    for route in range(plan.cost.shape[0]):
        if 0.0 < plan.cost[route] < FAR and board.route_length[route] <= plan.cars:
            rate = in_time(plan, plan.cost[route]) * plan.gain[route] / plan.cost[route]
            if rate > best_rate:
                best, best_rate = route, rate
    return best, best_rate


@rule
def best_ticket(board: Record, plan: Record, pending: Any) -> tuple[int, float]:
    """The ticket with the most points a turn; one that the plan completes anyhow comes first of all."""
    best, best_rate = NONE, 0.0
    for ticket in range(board.ticket_value.shape[0]):
        if has_bit(pending, ticket):
            rate = rate_ticket(board, plan, ticket)
            if rate > best_rate:
                best, best_rate = ticket, rate
    return best, best_rate


@rule
def rate_ticket(board: Record, plan: Record, ticket: int) -> float:
    first, second = board.ticket_first[ticket], board.ticket_second[ticket]
    find_ways(board, plan, first, second)
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


@rule
def find_ways(board: Record, plan: Record, start: int, goal: int) -> None:
    """The fewest turns from one location to all others that are no farther than the goal."""
    for location in range(plan.distance.shape[0]):
        plan.distance[location] = FAR
        plan.came_by[location] = NONE
    plan.distance[start] = 0.0
    changed = True
    while changed:
        changed = False
        for route in range(plan.cost.shape[0]):
            cost = plan.cost[route]
            if cost < FAR:
                first, second = board.route_first[route], board.route_second[route]
                if plan.distance[first] + cost < plan.distance[second]:
                    plan.distance[second] = plan.distance[first] + cost
                    plan.came_by[second] = route
                    changed = True
                elif plan.distance[second] + cost < plan.distance[first]:
                    plan.distance[first] = plan.distance[second] + cost
                    plan.came_by[first] = route
                    changed = True


@rule
def other_end(board: Record, route: int, location: int) -> int:
    first, second = whole(board.route_first[route]), whole(board.route_second[route])
    return second if location == first else first


@rule
def plan_ticket(board: Record, game: Record, seat: int, plan: Record, ticket: int) -> None:
    """Plans the routes of a ticket's cheapest way."""
    first, location = whole(board.ticket_first[ticket]), whole(board.ticket_second[ticket])
    find_ways(board, plan, first, location)
    plan.value += times(in_time(plan, plan.distance[location]), 2.0 * board.ticket_value[ticket])
    if plan.ticket == NONE and plan.distance[location] > 0.0:
        plan.ticket = ticket
    while location != first:
        route = whole(plan.came_by[location])
        if plan.cost[route] > 0.0:
            plan_route(board, game, plan, route)
        location = other_end(board, route, location)


@rule
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


@rule
def pay_for(board: Record, plan: Record, place: int) -> None:
    """Sets cards of the hand aside for a planned route."""
    colour, cards, ferries, missing = payment(board, plan, plan.order[place])
    plan.colour[place], plan.cards[place], plan.ferries[place] = colour, cards, ferries
    plan.missing[place] = missing
    plan.spare[colour] -= min(cards, plan.spare[colour])
    plan.spare[FERRY] -= min(ferries, plan.spare[FERRY])


@rule
def plan_payments(board: Record, game: Record, seat: int, plan: Record) -> None:
    """Sets the hand aside for the planned routes, in their order, and values the cards that are missing."""
    for card in range(CARD_COUNT):
        plan.spare[card] = game.hand[seat, card]
        plan.worth[card] = 0.0
    weight = 1.0
    for place in range(plan.count):
        pay_for(board, plan, place)
        if plan.missing[place] > 0:
            value_missing(board, game, seat, plan, place, weight)
            weight *= PATIENCE


@rule
def value_missing(board: Record, game: Record, seat: int, plan: Record, place: int, weight: float) -> None:
    colour, route = plan.colour[place], plan.order[place]
    plan.worth[FERRY] = max(plan.worth[FERRY], WILD * weight)
    if plan.cards[place] > 0:
        plan.worth[colour] = max(plan.worth[colour], weight)
    if board.route_colour[route] == GREY:
        for other in range(COLOUR_COUNT):
            held = min(game.hand[seat, other], board.route_length[route])
            plan.worth[other] = max(plan.worth[other], weight * (ANY_COLOUR + times(HELD_COLOUR, held)))
