"""Ways: the fewest turns from one location to another over routes that a plan may use."""

from __future__ import annotations

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.players.scripted.plan import FAR, NONE


@kernel
def find_ways(board: Record, plan: Record, start: int) -> None:
    """The fewest turns from one location to all others."""
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


@kernel
def other_end(board: Record, route: int, location: int) -> int:
    first, second = as_int(board.route_first[route]), as_int(board.route_second[route])
    return second if location == first else first
