"""The digest of a map: maps with the same digest play the same, whatever their names and drawings."""

from __future__ import annotations

import hashlib
import json

from fogline.maps.mapfile import MapFile


def digest_rules(map_file: MapFile) -> str:
    """The SHA-256 of everything in a map that matters to rules and chance; `docs/maps.md` describes its form."""
    rules = {
        "form": "fogline-map/1",
        "cars": map_file.cars,
        "cards": map_file.cards,
        "landmarks": [location.id for location in map_file.locations if location.landmark],
        "locations": [location.id for location in map_file.locations],
        "route_points": map_file.route_points,
        "routes": [(each.first, each.second, each.length, each.colours, each.ferries) for each in map_file.connections],
        "souvenirs": map_file.souvenirs,
        "tickets": [(ticket.first, ticket.second, ticket.value) for ticket in map_file.tickets],
        "token_points": map_file.token_points,
    }
    return hashlib.sha256(json.dumps(rules, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()
