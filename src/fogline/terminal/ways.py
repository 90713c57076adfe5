"""Ways: the routes a seat could still claim, and the cheapest that would complete a ticket."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count

from fogline.game.view import SeatView, View
from fogline.maps.board import Route
from fogline.maps.mapfile import Ticket


@dataclass(frozen=True, slots=True)
class Way:
    """The routes still to claim, and their spaces in total."""

    spaces: int
    routes: tuple[Route, ...]


def own_seat(view: View) -> SeatView:
    """What everyone knows of the view's own seat."""
    if view.seat is None:
        raise ValueError("a spectator has no seat")
    return view.seats[view.seat]


def is_open(view: View, route: Route) -> bool:
    """Whether the view's seat could claim it if it had the cards."""
    return route.id in view.open_routes


def is_closed(view: View, route: Route) -> bool:
    """Whether the view's seat can never claim it, though nobody owns it: its twin is taken, or cars are too few."""
    return route.id not in view.owners and not is_open(view, route)


def cheapest_way(view: View, ticket: Ticket) -> Way | None:
    """Fewest spaces to claim, with the seat's own routes free; None when no way is left for its cars."""
    steps = _steps(view)
    order = count()  # of equal ways the one found first; routes themselves have no order
    queue: list[tuple[int, int, str, tuple[Route, ...]]] = [(0, next(order), ticket.first, ())]
    reached: set[str] = set()
    while queue:
        spaces, _, here, routes = heapq.heappop(queue)
        if here == ticket.second:
            return Way(spaces, routes) if spaces <= own_seat(view).cars else None
        if here in reached:
            continue
        reached.add(here)
        for there, cost, route in steps.get(here, ()):
            if there not in reached:
                claimed = (*routes, route) if cost else routes
                heapq.heappush(queue, (spaces + cost, next(order), there, claimed))
    return None


def _steps(view: View) -> dict[str, list[tuple[str, int, Route]]]:
    """From each location: where one route leads, and how many spaces it costs."""
    steps: dict[str, list[tuple[str, int, Route]]] = {}
    for route in view.board.routes:
        own = view.owners.get(route.id) == view.seat
        if own or is_open(view, route):
            cost = 0 if own else route.length
            steps.setdefault(route.first, []).append((route.second, cost, route))
            steps.setdefault(route.second, []).append((route.first, cost, route))
    return steps
