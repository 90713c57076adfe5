"""Whether games on a map can end properly: some maps have more cars than spaces to use them on."""

from __future__ import annotations

from fogline.maps.mapfile import CARDS, COLOURS, FERRY, GREY, Connection, MapFile

LAST_CARS = 2
"""The last round begins when a seat has this many cars left, or fewer (7.1)."""


def reaches_last_round(map_file: MapFile) -> bool:
    """Whether a seat could use enough cars if nobody stood in its way; if not, every game ends stuck (8.4)."""
    return any(map_file.cars - used <= LAST_CARS for used in _cars_used(map_file))


def most_cars_used(map_file: MapFile) -> int:
    """The most cars that a seat could ever use."""
    return max(_cars_used(map_file))


def _cars_used(map_file: MapFile) -> set[int]:
    """How many cars a seat could use: it may own one route of each connection (4.7), as its cars allow (4.5)."""
    found = {0}
    for connection in map_file.connections:
        if _can_be_paid(connection, map_file):
            found |= {used + connection.length for used in found if used + connection.length <= map_file.cars}
    return found


def _can_be_paid(connection: Connection, map_file: MapFile) -> bool:
    """Whether all cards of the game together pay for one of the connection's routes (4.1 to 4.4)."""
    cards = dict(zip(CARDS, map_file.cards, strict=True))
    colours = COLOURS if GREY in connection.colours else connection.colours
    most = max(cards[colour] for colour in colours)
    return cards[FERRY] >= connection.ferries and most + cards[FERRY] >= connection.length
