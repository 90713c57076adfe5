"""Ways: how far all locations are from each other, and which routes lie on the shortest ways of tickets."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.maps.board import Board
from fogline.players.neural.inputs import FAR, NEAR


@lru_cache
def ways_dtype(board: Board) -> np.dtype:
    """Room to find ways in."""
    locations, routes, tickets = len(board.locations), len(board.routes), len(board.tickets)
    fields = [
        ("cost", "i2", (routes,)),  # of each route: 0 where one has built, FAR where one may not
        ("apart", "i2", (locations, locations)),  # the cost of the shortest way
        ("points", "i2", (tickets,)),  # of the tickets that count, 0 for others
        ("path", "i2", (routes,)),  # the points of the tickets on whose shortest way the route lies
        ("slack", "i2", (routes,)),  # how much longer a way over the route is, up to NEAR
        ("touched", "u1", (locations,)),  # by routes of another seat, or new souvenirs that lie there
        ("whole", "u1", (tickets,)),  # how far the ends of each ticket are on an empty board
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@kernel
def price(cost: int, is_open: Any, own: Any) -> int:
    """What a route still costs: nothing where one has built, FAR where one may not."""
    if own:
        return 0
    return cost if is_open else FAR


@kernel
def find_distances(board: Record, ways: Record) -> None:
    """The shortest ways between all locations, by the algorithm of Floyd and Warshall."""
    join_neighbours(board, ways.cost, ways.apart)
    apart, locations = ways.apart, ways.apart.shape[0]
    for over in range(locations):
        onward = apart[over]
        for start in range(locations):
            row, first = apart[start], as_int(apart[start, over])
            if first < FAR:
                for end in range(locations):
                    row[end] = min(as_int(row[end]), first + as_int(onward[end]))


@kernel
def join_neighbours(board: Record, cost: Any, apart: Any) -> None:
    for start in range(apart.shape[0]):
        for end in range(apart.shape[0]):
            apart[start, end] = FAR
        apart[start, start] = 0
    for route in range(cost.shape[0]):
        first, second = board.route_first[route], board.route_second[route]
        apart[first, second] = apart[second, first] = min(cost[route], apart[first, second])


@kernel
def ticket_distance(board: Record, ways: Record, ticket: int) -> int:
    return as_int(ways.apart[board.ticket_first[ticket], board.ticket_second[ticket]])


@kernel
def measure_whole(board: Record, ways: Record) -> None:
    """How far the ends of each ticket are on an empty board."""
    for route in range(ways.cost.shape[0]):
        ways.cost[route] = board.route_length[route]
    find_distances(board, ways)
    for ticket in range(ways.whole.shape[0]):
        ways.whole[ticket] = ticket_distance(board, ways, ticket)


@kernel
def find_ways(board: Record, ways: Record) -> None:
    """Once distances are found: the path and the slack of each route, for the tickets that have points."""
    for route in range(ways.cost.shape[0]):
        ways.path[route], ways.slack[route] = 0, NEAR
    for ticket in range(ways.points.shape[0]):
        if ways.points[ticket] > 0:
            find_ways_of(board, ways, ticket)


@kernel
def find_ways_of(board: Record, ways: Record, ticket: int) -> None:
    start, end = ways.apart[board.ticket_first[ticket]], ways.apart[board.ticket_second[ticket]]
    shortest = ticket_distance(board, ways, ticket)
    for route in range(ways.cost.shape[0]):
        if 0 < ways.cost[route] < FAR:
            first, second = board.route_first[route], board.route_second[route]
            there = as_int(start[first]) + as_int(end[second])
            back = as_int(start[second]) + as_int(end[first])
            slack = min(there, back, FAR) + as_int(ways.cost[route]) - shortest
            ways.slack[route] = min(as_int(ways.slack[route]), slack)
            if slack == 0:
                ways.path[route] += ways.points[ticket]
