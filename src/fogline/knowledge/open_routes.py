"""Routes that are open to a seat, for players that have only a view. The rules keep a set of claims instead."""

from __future__ import annotations

from collections.abc import Mapping

from fogline.maps.board import Route


def is_closed(route: Route, owners: Mapping[str, int], players: int, seat: int) -> bool:
    """Whether a route is claimed already, or its twin closes it to the seat (4.7, 4.8)."""
    twin = owners.get(route.twin or "")
    return route.id in owners or (twin is not None and (players == 2 or twin == seat))
