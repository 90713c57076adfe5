"""What follows from an observation: how far each ticket is, which routes lie on its way, what is missing to pay for
them.

A network could learn all this from the observation, but it would take long. So it is computed first, from the
observation alone: nothing that the seat may not know can enter. The same code runs on NumPy arrays, where one player
decides, and on torch tensors, where tens of thousands learn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fogline.knowledge.observation import Places, lay_out, places, take_apart
from fogline.maps.board import Board
from fogline.maps.mapfile import SET_ASIDE
from fogline.rules.state import CARD_COUNT, COLOUR_COUNT, FERRY, OFFERED, SEATS

FAR = 100
"""A distance longer than any way. The sum of two still fits into a byte, and distances in bytes are quick."""

NEAR = 9
"""Spaces off the shortest way that still count; farther is all the same."""

EVEN = 128
"""The byte that stands for 0 where a number may be negative."""

CARDS_TOLD = 5
"""Up to this many cards of a kind, each has an input of its own: one more is a different thing."""

CARS_TOLD = 20
"""Up to this many cars, each has an input of its own."""

Array = Any
"""An array of NumPy or of torch."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Some numbers of the features that belong together. The byte `zero` means 0, and `unit` above it 1."""

    name: str
    length: int
    meaning: str
    unit: int = 1
    zero: int = 0


def meanings(board: Board) -> tuple[Meaning, ...]:
    """The features, in order."""
    routes, tickets = len(board.routes), len(board.tickets)
    return (
        Meaning("path", routes, "points of the wanted tickets on whose shortest way the route lies", 10),
        Meaning("slack", routes, f"spaces that a way over the route is longer than the shortest, up to {NEAR}", 5),
        Meaning("lack", routes, "cards missing to claim an open route", 3),
        Meaning("ready", routes, "1 for an open route that one can pay for"),
        Meaning("souvenirs", routes, "ends of an open route where a new souvenir lies"),
        Meaning("pressure", routes, "ends of an unclaimed route at which the same other player has built"),
        Meaning("distance", tickets, "spaces that one still has to build for a ticket, anybody's", 5),
        Meaning("within", tickets, "1 for a ticket for which one has enough cars"),
        Meaning("offer", 2 * OFFERED, "value and distance of each ticket that is offered", 5),
        Meaning("need", CARD_COUNT, "cards missing on the ways, by colour; last, those for grey routes", 3),
        Meaning("holds", CARD_COUNT * CARDS_TOLD, f"1 for each card of a kind that one holds, up to {CARDS_TOLD}"),
        Meaning("shown", CARD_COUNT, "1 for a card that lies on display"),
        Meaning("fleet", SEATS * (CARS_TOLD + 1), f"1 for the number of cars of each seat, up to {CARS_TOLD}"),
        Meaning("worth", 3, "points if all ended now, how many more than others', points of wanted tickets", 20, EVEN),
        Meaning("players", SEATS - 1, "1 for the number of players"),
        Meaning("quick", routes, "points of the wanted tickets on whose quickest way the route lies", 10),
        Meaning("detour", routes, f"half turns that a way over the route takes longer, up to {NEAR}", 5),
        Meaning("turns", tickets, "half turns that a ticket may still take, anybody's", 10),
        Meaning("call", CARD_COUNT, "cards missing on the quickest ways, by colour; last, those for grey routes", 3),
        Meaning("theirs", tickets, "spaces that the next player still has to build for a ticket", 5),
        Meaning("threat", routes, "what the next player has built of tickets on whose shortest way the route lies", 10),
    )


def feature_places(board: Board, at: int = 0) -> Places:
    """Where each of them stands, when the first begins at `at`."""
    return lay_out(((meaning.name, (meaning.length,)) for meaning in meanings(board)), at)


def feature_length(board: Board) -> int:
    return sum(meaning.length for meaning in meanings(board))


class Features:
    """Computes the features for one board, from observations laid out as if four played.

    `array` turns the board's tables into the type of the observations: for torch, tensors on their device.
    """

    def __init__(self, board: Board, xp: Any = np, array: Callable[[Any], Array] = np.asarray) -> None:
        self.xp, self.places = xp, places(board, SEATS)
        tables, routes = board.tables[0], np.arange(len(board.routes))

        def numbers(name: str) -> Array:
            return array(tables[name].astype(np.int64))

        self.first, self.second = numbers("route_first"), numbers("route_second")
        self.start, self.end = numbers("ticket_first"), numbers("ticket_second")
        self.length, self.symbols = (array(tables[f"route_{name}"].astype(np.int16)) for name in ("length", "ferries"))
        grey = tables["route_colour"] < 0
        self.grey, self.colour = array(grey), array(np.where(grey, 0, tables["route_colour"]).astype(np.int64))
        kinds = np.where(grey, FERRY, tables["route_colour"])
        self.of_kind = array((kinds[:, None] == np.arange(CARD_COUNT)).astype(np.float32))
        self.value, self.token_points = (array(tables[n].astype(np.int16)) for n in ("ticket_value", "token_points"))
        self.direct = [array(table) for table in _direct(board)]
        self.double = array(tables["route_twin"] >= 0)
        self.twin = array(np.maximum(tables["route_twin"], 0).astype(np.int64))
        self.whole = self._as(self.missing(self.length[None]), "int16")
        ends = np.zeros((len(routes), len(board.locations)), np.float32)
        ends[routes, tables["route_first"]] = ends[routes, tables["route_second"]] = 1
        self.ends = array(ends)
        self.kind_at = array(_kind_at(board))
        self.cards_told = array(np.arange(CARDS_TOLD, dtype=np.int16))
        self.cars_told = array(np.arange(CARS_TOLD + 1, dtype=np.int16))
        self.seats = array(np.arange(SEATS, dtype=np.int16))
        self.counts = array(np.arange(2, SEATS + 1, dtype=np.int16))

    def __call__(self, observations: Array, players: Array) -> Array:
        """A row of features for each observation, both in bytes. `players` has the number of players of each row."""
        rows, present = len(observations), self.seats < players[:, None]
        seen = take_apart(self.places, self._as(observations, "int16"))
        cost, lack = self.cost(seen), self.lack(seen)
        distances, time = self.distances(cost), self.time(seen, lack)
        distance, times, wanted = self.of_tickets(distances), self.distances(time), self.wanted(seen, distances)
        path, slack = self.ways(cost, distances, wanted)
        quick, detour = self.ways(time, times, wanted)
        theirs, threat = self.threat(seen, players)
        parts = [
            *(path, slack, lack, (seen["open"] > 0) & (lack == 0), self.souvenirs(seen), self.pressure(seen)),
            *(distance, distance <= seen["cars"][:, :1], self.offer(seen, distance), self.need(seen, path)),
            (seen["hand"][:, :, None] > self.cards_told).reshape(rows, -1),
            *(seen["display"] > 0, self.fleet(seen, present), self.worth(seen, present)),
            *(players[:, None] == self.counts, quick, detour, self.of_tickets(times), self.need(seen, quick)),
            *(theirs, threat),
        ]
        return self.xp.concatenate([self._as(part, "uint8") for part in parts], 1)

    def _as(self, array: Array, name: str) -> Array:
        return array.astype(name) if self.xp is np else array.to(getattr(self.xp, name))

    def cost(self, seen: dict[str, Array]) -> Array:
        """Spaces to build for each route."""
        return self.to_build(self.length, seen["open"] > 0, seen["owned"][:, 0] > 0)

    def to_build(self, price: Array, is_open: Array, own: Array) -> Array:
        """The price of each route: nothing where one has built, FAR where one may not."""
        return self.xp.where(is_open, price, FAR) * ~own

    def distances(self, cost: Array) -> Array:
        """[row, location, location]: spaces of the shortest way, by the algorithm of Floyd and Warshall."""
        xp, none = self.xp, 0 * cost[:, :1]
        joined = self._as(xp.concatenate([cost, none + FAR, none], 1), "uint8")
        found = xp.minimum(joined[:, self.direct[0]], joined[:, self.direct[1]])
        for over in range(found.shape[1]):
            found = xp.minimum(found, found[:, :, over, None] + found[:, over, None, :])
        return found

    def of_tickets(self, distances: Array) -> Array:
        """[row, ticket]: how far its ends are from each other."""
        return distances[:, self.start, self.end]

    def missing(self, cost: Array) -> Array:
        """[row, ticket]: what its cheapest way still costs."""
        return self.of_tickets(self.distances(cost))

    def wanted(self, seen: dict[str, Array], distances: Array) -> Array:
        """[row, ticket]: the value of each that is wanted and within reach of one's cars."""
        return ((seen["wanted"] > 0) & (self.of_tickets(distances) <= seen["cars"][:, :1])) * self.value

    def ways(self, cost: Array, distances: Array, points: Array) -> tuple[Array, Array]:
        """For each route: the points of tickets whose shortest way it lies on, and how much longer a way over it is.

        `points` has a number for each ticket, 0 for those that do not count.
        """
        xp, cost = self.xp, self._as(cost, "uint8")[:, None, :]
        start, end = distances[:, self.start], distances[:, self.end]  # [row, ticket, location]
        there = start[:, :, self.first] + end[:, :, self.second]
        back = start[:, :, self.second] + end[:, :, self.first]
        over = xp.clip(xp.minimum(there, back), 0, FAR) + cost
        counts = (points > 0)[:, :, None] & (cost > 0) & (cost < FAR)
        slack = xp.where(counts, over - self.of_tickets(distances)[:, :, None], FAR)
        path = xp.sum((slack == 0) * points[:, :, None], 1)
        return xp.clip(path, 0, 255), xp.clip(xp.amin(slack, 1), 0, NEAR)

    def time(self, seen: dict[str, Array], lack: Array) -> Array:
        """Half turns to build each route: two to claim it, one for a missing card on display, two for any other."""
        xp, display = self.xp, seen["display"]
        shown = xp.where(self.grey, xp.amax(display[:, :COLOUR_COUNT], 1)[:, None], display[:, self.colour])
        half_turns = 2 + lack + xp.clip(lack - shown, 0, None)
        return self.to_build(half_turns, seen["open"] > 0, seen["owned"][:, 0] > 0)

    def threat(self, seen: dict[str, Array], players: Array) -> tuple[Array, Array]:
        """How far each ticket is for the next player, and how much it has built of the tickets that each route would
        continue.
        """
        xp, owned = self.xp, seen["owned"]
        taken, own = xp.sum(owned, 1) > 0, owned[:, 1] > 0
        twin_bars = xp.where((players == 2)[:, None], taken[:, self.twin], own[:, self.twin]) & self.double
        cost = self.to_build(self.length, ~(taken | twin_bars), own)
        distances = self.distances(cost)
        left = self.of_tickets(distances)
        built = xp.clip(self.whole - self._as(left, "int16"), 0, None)
        hidden = (seen["wanted"] + seen["completed"] == 0) & (left > 0) & (left <= seen["cars"][:, 1:2])
        return left, self.ways(cost, distances, built * hidden)[0]

    def lack(self, seen: dict[str, Array]) -> Array:
        """Cards missing for each open route, in the colour that serves it best."""
        xp, hand = self.xp, seen["hand"]
        best = xp.where(self.grey, xp.amax(hand[:, :COLOUR_COUNT], 1)[:, None], hand[:, self.colour])
        ferries = hand[:, FERRY:] - self.symbols
        missing = self.length - self.symbols - best - xp.clip(ferries, 0, None)
        return (xp.clip(-ferries, 0, None) + xp.clip(missing, 0, None)) * seen["open"]

    def souvenirs(self, seen: dict[str, Array]) -> Array:
        """How many ends of an open route have a token of a kind that the seat does not own."""
        tokens = seen["tokens"][:, 0]
        new = 1 - self.xp.concatenate([tokens, 0 * tokens[:, :1] + 1], 1)[:, self.kind_at]
        for other in range(SET_ASIDE):
            missing = 1 - tokens[:, tokens.shape[1] - SET_ASIDE + other]
            new = new + seen["set_aside"][:, other] * missing[:, None]
        new = new * (seen["stack"] > 0)
        return (new[:, self.first] + new[:, self.second]) * seen["open"]

    def pressure(self, seen: dict[str, Array]) -> Array:
        """At how many ends of an unclaimed route one other seat has built: 2 where it would join two lines."""
        xp, owned = self.xp, seen["owned"]
        built = self._as(self._as(owned[:, 1:], "float32") @ self.ends > 0, "int16")  # [row, other seat, location]
        ends = xp.amax(built[:, :, self.first] + built[:, :, self.second], 1)
        return ends * (xp.sum(owned, 1) == 0)

    def offer(self, seen: dict[str, Array], distance: Array) -> Array:
        xp, offered = self.xp, seen["offered"]
        return xp.concatenate([xp.sum(offered * self.value, 2), xp.sum(offered * distance[:, None], 2)], 1)

    def need(self, seen: dict[str, Array], path: Array) -> Array:
        """Cards missing for the routes on the ways, by colour; for grey routes nothing counts as held."""
        held = self.xp.where(self.grey, 0, seen["hand"][:, self.colour])
        missing = self.xp.clip(self.length - held, 0, None) * (path > 0)
        return self._as(missing, "float32") @ self.of_kind

    def fleet(self, seen: dict[str, Array], present: Array) -> Array:
        told = (seen["cars"][:, :, None] == self.cars_told) & present[:, :, None]
        return told.reshape(len(told), -1)

    def worth(self, seen: dict[str, Array], present: Array) -> Array:
        xp = self.xp
        points = seen["points"] + self.token_points[self._as(xp.sum(seen["tokens"], 2), "int64")]
        stake = xp.sum(seen["wanted"] * self.value, 1)
        mine = points[:, 0] + xp.sum(seen["completed"] * self.value, 1) - stake
        lead = mine - xp.amax(xp.where(present, points, -EVEN)[:, 1:], 1)
        return xp.clip(xp.stack([mine, lead, stake], 1) + EVEN, 0, 255)


def _direct(board: Board) -> tuple[np.ndarray, np.ndarray]:
    """[location, location]: the route that joins the two, and its twin.

    Two more numbers after those of all routes stand for no route, and for staying in place.
    """
    none, stay = len(board.routes), len(board.routes) + 1
    tables = [np.full((len(board.locations),) * 2, none) for _ in range(2)]
    for number, route in enumerate(board.routes):
        first, second = board.location_number[route.first], board.location_number[route.second]
        table = tables[0] if tables[0][first, second] == none else tables[1]
        table[first, second] = table[second, first] = number
    for table in tables:
        np.fill_diagonal(table, stay)
    return tables[0], tables[1]


def _kind_at(board: Board) -> np.ndarray:
    """The kind of souvenir of each landmark; elsewhere one more than the number of kinds."""
    kinds = np.full(len(board.locations), len(board.souvenirs))
    for kind, location in enumerate(board.tables[0]["landmarks"]):
        kinds[location] = kind
    return kinds
