"""A map file: what it says, and how large it may be. `docs/maps.md` describes the format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

COLOURS = ("blue", "green", "black", "purple", "red", "orange")
FERRY = "ferry"
CARDS = (*COLOURS, FERRY)
GREY = "grey"
CANVAS = (1200, 900)
SET_ASIDE = 2
"""Kinds of souvenir that have no landmark and are placed by players (2.2)."""

LIMITS = {
    "locations": (5, 64),
    "connections": (4, 64),
    "route length": (1, 8),
    "ferries": (0, 8),
    "points": (0, 100),
    "tickets": (8, 64),
    "ticket value": (1, 100),
    "cars": (3, 60),
    "cards of a kind": (0, 40),
    "cards": (8, 200),
    "souvenirs": (3, 8),
}
"""Smallest and largest number of each thing.

8 cards and 8 tickets are what four seats need to begin, and 5 locations what 8 different tickets need.
"""

MOST_PLAYERS = 4


def limits(what: str, players: int) -> tuple[int, int]:
    """Smallest and largest number of each thing on a map for this many players or fewer."""
    low, high = LIMITS[what]
    if what in ("cards", "tickets"):
        return 2 * players, high  # each is dealt two, and offered two (2.4, 2.5)
    fewer = what in ("locations", "connections") and players < MOST_PLAYERS
    return low - fewer, high


DEFAULTS: dict[str, Any] = {
    "players": MOST_PLAYERS,
    "cars": 20,
    "cards": {**dict.fromkeys(COLOURS, 6), FERRY: 8},
    "souvenirs": ["bell", "lantern", "sourdough", "heart", "crab", "sea_lion", "fortune_cookie"],
    "token_points": [0, 0, 1, 2, 4, 6, 9, 12],
    "land": [],
}
"""What a map file may leave out: the numbers of RULES.md."""


class MapError(ValueError):
    """A map file that does not describe a board; `faults` has one line for each thing to mend."""

    def __init__(self, source: str, faults: list[str]) -> None:
        self.source = source
        self.faults = tuple(faults)
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__(f"{source}: {count}\n" + "\n".join(f"  - {fault}" for fault in faults))

    def __reduce__(self) -> tuple[Any, ...]:
        return MapError, (self.source, list(self.faults))


@dataclass(frozen=True, slots=True)
class Location:
    """A place on the canvas; a landmark has a souvenir of its own (2.2)."""

    id: str
    name: str
    x: int
    y: int
    landmark: bool


@dataclass(frozen=True, slots=True)
class Connection:
    """One entry of `routes`: one colour makes a route, two make a double route."""

    first: str
    second: str
    length: int
    colours: tuple[str, ...]
    ferries: int
    bend: int


@dataclass(frozen=True, slots=True)
class Ticket:
    """Two locations, and the points for joining them."""

    first: str
    second: str
    value: int

    @property
    def id(self) -> str:
        """The ids of both locations, joined by a hyphen."""
        return f"{self.first}-{self.second}"


@dataclass(frozen=True, slots=True)
class MapFile:
    """What a map file says, checked."""

    id: str
    name: str
    route_points: tuple[int, ...]  # by length, from 0
    token_points: tuple[int, ...]  # by number of different souvenirs, from 0
    cars: int
    cards: tuple[int, ...]  # in the order of CARDS
    souvenirs: tuple[str, ...]
    locations: tuple[Location, ...]
    connections: tuple[Connection, ...]
    tickets: tuple[Ticket, ...]
    land: tuple[tuple[tuple[int, int], ...], ...]  # polygons on the canvas
    players: int = MOST_PLAYERS  # the most that can play
