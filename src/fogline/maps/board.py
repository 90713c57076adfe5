"""The board: locations, routes and tickets by name, and the same as one record of tables for the compiled rules.

A `Board` is correct by construction: it is made from a `MapFile`, which has been checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from fogline.maps.mapfile import CARDS, COLOURS, FERRY, GREY, SET_ASIDE, Location, MapFile, Ticket
from fogline.maps.reader import built_in_maps, load_map, parse_map

WORD = 64
"""Claims are kept as sets of bits, 64 to a word."""


@dataclass(frozen=True, slots=True)
class Route:
    """A row of spaces between two locations (1.1); `twin` is the other route of a double route (1.2)."""

    id: str
    first: str
    second: str
    length: int
    colour: str
    ferries: int
    bend: int
    twin: str | None


@dataclass(frozen=True, slots=True)
class Payment:
    """One way to pay for one route: cards of one colour, and ferry cards (4.1 to 4.4)."""

    route: int  # its number
    colour: int  # its number; that of the ferry when `cards` is 0
    cards: int
    ferries: int


class Board:
    """A map, ready to be played on.

    >>> board = Board.load("san_francisco")
    >>> board
    <Board san_francisco: 20 locations, 55 routes, 24 tickets>
    >>> board.route("mission-potrero_hill:1").colour
    'orange'
    """

    def __init__(self, map_file: MapFile) -> None:
        if not isinstance(map_file, MapFile):
            raise TypeError("a Board is made from a MapFile; Board.load takes a name or a path, Board.parse a text")
        self.map_file = map_file
        self.id = map_file.id
        self.name = map_file.name
        self.cars = map_file.cars
        self.souvenirs = map_file.souvenirs
        self.locations: tuple[Location, ...] = map_file.locations
        self.routes = _routes(map_file)
        self.tickets: tuple[Ticket, ...] = map_file.tickets
        self.claims = _payments(self.routes)
        # Read-only, as all of a board is: many games and views share it.
        self.location_number = MappingProxyType({location.id: i for i, location in enumerate(self.locations)})
        self.route_number = MappingProxyType({route.id: i for i, route in enumerate(self.routes)})
        self.ticket_number = MappingProxyType({ticket.id: i for i, ticket in enumerate(self.tickets)})

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, (self.map_file,)

    @staticmethod
    def load(source: str | Path = "san_francisco") -> Board:
        """A built-in map by its name, or a map file by its path."""
        return _built_in(str(source)) if str(source) in built_in_maps() else Board(load_map(source))

    @staticmethod
    def parse(text: str) -> Board:
        """A board from a map file's text."""
        return Board(parse_map(text))

    def __repr__(self) -> str:
        counts = f"{len(self.locations)} locations, {len(self.routes)} routes, {len(self.tickets)} tickets"
        return f"<Board {self.id}: {counts}>"

    def _repr_svg_(self) -> str:
        """A picture for notebooks."""
        from fogline.drawing.board import draw  # noqa: PLC0415  (which few need)

        return draw(self)

    def location(self, location_id: str) -> Location:
        """The location with this id."""
        return self.locations[self.location_number[location_id]]

    def route(self, route_id: str) -> Route:
        """The route with this id."""
        return self.routes[self.route_number[route_id]]

    def ticket(self, ticket_id: str) -> Ticket:
        """The ticket with this id."""
        return self.tickets[self.ticket_number[ticket_id]]

    @property
    def landmarks(self) -> tuple[Location, ...]:
        """The locations that are landmarks."""
        return tuple(location for location in self.locations if location.landmark)

    @property
    def set_aside(self) -> tuple[str, ...]:
        """The two kinds of souvenir that players place (2.7, 2.8)."""
        return self.souvenirs[-SET_ASIDE:]

    @cached_property
    def tables(self) -> np.ndarray:
        """The board as an array of one record, which the compiled rules read."""
        return _tables(self)


@cache
def _built_in(name: str) -> Board:
    return Board(load_map(name))


def _routes(map_file: MapFile) -> tuple[Route, ...]:
    routes = []
    for connection in map_file.connections:
        base = f"{connection.first}-{connection.second}"
        double = len(connection.colours) == 2
        ids = [f"{base}:1", f"{base}:2"] if double else [base]
        for i, colour in enumerate(connection.colours):
            twin = ids[1 - i] if double else None
            ends = (connection.first, connection.second, connection.length)
            routes.append(Route(ids[i], *ends, colour, connection.ferries, connection.bend, twin))
    return tuple(routes)


def _payments(routes: tuple[Route, ...]) -> tuple[Payment, ...]:
    """Every route with every payment that could ever buy it."""
    ferry = CARDS.index(FERRY)
    payments = []
    for number, route in enumerate(routes):
        colours = range(len(COLOURS)) if route.colour == GREY else [COLOURS.index(route.colour)]
        for colour in colours:
            for ferries in range(route.ferries, route.length):
                payments.append(Payment(number, colour, route.length - ferries, ferries))
        payments.append(Payment(number, ferry, 0, route.length))
    return tuple(payments)


def _tables(board: Board) -> np.ndarray:
    location = board.location_number
    longest = max(route.length for route in board.routes)
    fields: dict[str, np.ndarray] = {
        "route_first": np.array([location[route.first] for route in board.routes], np.uint8),
        "route_second": np.array([location[route.second] for route in board.routes], np.uint8),
        "route_length": np.array([route.length for route in board.routes], np.uint8),
        "route_colour": np.array([-1 if r.colour == GREY else COLOURS.index(r.colour) for r in board.routes], np.int8),
        "route_ferries": np.array([route.ferries for route in board.routes], np.uint8),
        "route_twin": np.array([-1 if r.twin is None else board.route_number[r.twin] for r in board.routes], np.int8),
        "route_points": np.array(board.map_file.route_points[: longest + 1], np.uint8),
        "claim_route": np.array([claim.route for claim in board.claims], np.uint8),
        "claim_colour": np.array([claim.colour for claim in board.claims], np.uint8),
        "claim_cards": np.array([claim.cards for claim in board.claims], np.uint8),
        "claim_ferries": np.array([claim.ferries for claim in board.claims], np.uint8),
        "route_claim": _first_claims(board),
        "payable": _payable(board, longest),
        "claims_of_route": _bits([[claim.route == r for claim in board.claims] for r in range(len(board.routes))]),
        "claims_within": _bits([[c.cards + c.ferries <= cars for c in board.claims] for cars in range(longest + 1)]),
        "ticket_first": np.array([location[ticket.first] for ticket in board.tickets], np.uint8),
        "ticket_second": np.array([location[ticket.second] for ticket in board.tickets], np.uint8),
        "ticket_value": np.array([ticket.value for ticket in board.tickets], np.uint8),
        "landmarks": np.array([location[landmark.id] for landmark in board.landmarks], np.uint8),
        "token_points": np.array(board.map_file.token_points, np.uint8),
        "cards": np.array(board.map_file.cards, np.uint8),
        "cars": np.array(board.cars, np.uint8),
        "kinds": np.array(len(board.souvenirs), np.uint8),
    }
    # Widest first, so that alignment needs no holes; np.record, so that interpreted rules may write `board.cars`.
    names = sorted(fields, key=lambda name: -fields[name].itemsize)
    layout = np.dtype([(name, fields[name].dtype, fields[name].shape) for name in names], align=True)
    tables = np.zeros(1, np.dtype((np.record, layout)))
    for name in names:
        tables[name][0] = fields[name]
    tables.flags.writeable = False
    return tables


def _first_claims(board: Board) -> np.ndarray:
    """The first claim of each route; the others follow it, and all are open or closed together."""
    routes = [claim.route for claim in board.claims]
    return np.array([routes.index(number) for number in range(len(board.routes))], np.uint16)


def _payable(board: Board, longest: int) -> np.ndarray:
    """[colour, cards of it, ferries] -> the claims that such a hand can pay for; counts end at `longest`."""
    held = range(longest + 1)
    rows = [
        [claim.colour == colour and claim.cards <= cards and claim.ferries <= ferries for claim in board.claims]
        for colour in range(len(CARDS))
        for cards in held
        for ferries in held
    ]
    return _bits(rows).reshape(len(CARDS), longest + 1, longest + 1, -1)


def _bits(rows: list[list[bool]]) -> np.ndarray:
    """Rows of booleans as rows of 64-bit words, lowest bit first."""
    width = -len(rows[0]) % WORD
    packed = np.packbits(np.pad(np.array(rows, bool), ((0, 0), (0, width))), axis=1, bitorder="little")
    return packed.view("<u8").astype(np.uint64)
