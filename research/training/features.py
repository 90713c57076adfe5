"""The features of `fogline.players.neural.features` in torch: tens of thousands of rows at once, on a GPU.

A test compares the two, bit by bit.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from fogline.knowledge.observation import places, take_apart
from fogline.maps.board import Board
from fogline.maps.mapfile import SET_ASIDE
from fogline.players.neural.inputs import CARDS_TOLD, CARS_TOLD, EVEN, FAR, NEAR
from fogline.rules.state import CARD_COUNT, COLOUR_COUNT, FERRY, SEATS


class Features:
    """Computes the features for one board, from observations laid out as if four played."""

    def __init__(self, board: Board, device: torch.device) -> None:
        self.places = places(board, SEATS)
        tables, routes = board.tables[0], np.arange(len(board.routes))

        def array(table: np.ndarray) -> Tensor:
            return torch.as_tensor(table, device=device)

        def numbers(name: str) -> Tensor:
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
        self.whole = self.missing(self.length[None]).to(torch.int16)
        ends = np.zeros((len(routes), len(board.locations)), np.float32)
        ends[routes, tables["route_first"]] = ends[routes, tables["route_second"]] = 1
        self.ends = array(ends)
        self.kind_at = array(_kind_at(board))
        self.cards_told = array(np.arange(CARDS_TOLD, dtype=np.int16))
        self.cars_told = array(np.arange(CARS_TOLD + 1, dtype=np.int16))
        self.seats = array(np.arange(SEATS, dtype=np.int16))
        self.counts = array(np.arange(2, SEATS + 1, dtype=np.int16))

    def __call__(self, observations: Tensor, players: Tensor) -> Tensor:
        """A row of features for each observation, both in bytes. `players` has the number of players of each row."""
        rows, present = len(observations), self.seats < players[:, None]
        seen = take_apart(self.places, observations.to(torch.int16))
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
        return torch.concatenate([part.to(torch.uint8) for part in parts], 1)

    def cost(self, seen: dict[str, Tensor]) -> Tensor:
        """Spaces to build for each route."""
        return self.to_build(self.length, seen["open"] > 0, seen["owned"][:, 0] > 0)

    def to_build(self, price: Tensor, is_open: Tensor, own: Tensor) -> Tensor:
        """The price of each route: nothing where one has built, FAR where one may not."""
        return torch.where(is_open, price, FAR) * ~own

    def distances(self, cost: Tensor) -> Tensor:
        """[row, location, location]: spaces of the shortest way, by the algorithm of Floyd and Warshall."""
        none = 0 * cost[:, :1]
        joined = torch.concatenate([cost, none + FAR, none], 1).to(torch.uint8)
        found = torch.minimum(joined[:, self.direct[0]], joined[:, self.direct[1]])
        for over in range(found.shape[1]):
            found = torch.minimum(found, found[:, :, over, None] + found[:, over, None, :])
        return found

    def of_tickets(self, distances: Tensor) -> Tensor:
        """[row, ticket]: how far its ends are from each other."""
        return distances[:, self.start, self.end]

    def missing(self, cost: Tensor) -> Tensor:
        """[row, ticket]: what its cheapest way still costs."""
        return self.of_tickets(self.distances(cost))

    def wanted(self, seen: dict[str, Tensor], distances: Tensor) -> Tensor:
        """[row, ticket]: the value of each that is wanted and within reach of one's cars."""
        return ((seen["wanted"] > 0) & (self.of_tickets(distances) <= seen["cars"][:, :1])) * self.value

    def ways(self, cost: Tensor, distances: Tensor, points: Tensor) -> tuple[Tensor, Tensor]:
        """For each route: the points of tickets whose shortest way it lies on, and how much longer a way over it is.

        `points` has a number for each ticket, 0 for those that do not count.
        """
        cost = cost.to(torch.uint8)[:, None, :]
        start, end = distances[:, self.start], distances[:, self.end]  # [row, ticket, location]
        there = start[:, :, self.first] + end[:, :, self.second]
        back = start[:, :, self.second] + end[:, :, self.first]
        over = torch.clip(torch.minimum(there, back), 0, FAR) + cost
        counts = (points > 0)[:, :, None] & (cost > 0) & (cost < FAR)
        slack = torch.where(counts, over - self.of_tickets(distances)[:, :, None], FAR)
        path = torch.sum((slack == 0) * points[:, :, None], 1)
        return torch.clip(path, 0, 255), torch.clip(torch.amin(slack, 1), 0, NEAR)

    def time(self, seen: dict[str, Tensor], lack: Tensor) -> Tensor:
        """Half turns to build each route: two to claim it, one for a missing card on display, two for any other."""
        display = seen["display"]
        shown = torch.where(self.grey, torch.amax(display[:, :COLOUR_COUNT], 1)[:, None], display[:, self.colour])
        half_turns = 2 + lack + torch.clip(lack - shown, 0, None)
        return self.to_build(half_turns, seen["open"] > 0, seen["owned"][:, 0] > 0)

    def threat(self, seen: dict[str, Tensor], players: Tensor) -> tuple[Tensor, Tensor]:
        """How far each ticket is for the next player, and how much it has built of the tickets that each route would
        continue.
        """
        owned = seen["owned"]
        taken, own = torch.sum(owned, 1) > 0, owned[:, 1] > 0
        twin_bars = torch.where((players == 2)[:, None], taken[:, self.twin], own[:, self.twin]) & self.double
        cost = self.to_build(self.length, ~(taken | twin_bars), own)
        distances = self.distances(cost)
        left = self.of_tickets(distances)
        built = torch.clip(self.whole - left.to(torch.int16), 0, None)
        hidden = (seen["wanted"] + seen["completed"] == 0) & (left > 0) & (left <= seen["cars"][:, 1:2])
        return left, self.ways(cost, distances, built * hidden)[0]

    def lack(self, seen: dict[str, Tensor]) -> Tensor:
        """Cards missing for each open route, in the colour that serves it best."""
        hand = seen["hand"]
        best = torch.where(self.grey, torch.amax(hand[:, :COLOUR_COUNT], 1)[:, None], hand[:, self.colour])
        ferries = hand[:, FERRY:] - self.symbols
        missing = self.length - self.symbols - best - torch.clip(ferries, 0, None)
        return (torch.clip(-ferries, 0, None) + torch.clip(missing, 0, None)) * seen["open"]

    def souvenirs(self, seen: dict[str, Tensor]) -> Tensor:
        """How many ends of an open route have a token of a kind that the seat does not own."""
        tokens = seen["tokens"][:, 0]
        new = 1 - torch.concatenate([tokens, 0 * tokens[:, :1] + 1], 1)[:, self.kind_at]
        for other in range(SET_ASIDE):
            missing = 1 - tokens[:, tokens.shape[1] - SET_ASIDE + other]
            new = new + seen["set_aside"][:, other] * missing[:, None]
        new = new * (seen["stack"] > 0)
        return (new[:, self.first] + new[:, self.second]) * seen["open"]

    def pressure(self, seen: dict[str, Tensor]) -> Tensor:
        """At how many ends of an unclaimed route one other seat has built: 2 where it would join two lines."""
        owned = seen["owned"]
        built = (owned[:, 1:].to(torch.float32) @ self.ends > 0).to(torch.int16)  # [row, other seat, location]
        ends = torch.amax(built[:, :, self.first] + built[:, :, self.second], 1)
        return ends * (torch.sum(owned, 1) == 0)

    def offer(self, seen: dict[str, Tensor], distance: Tensor) -> Tensor:
        offered = seen["offered"]
        return torch.concatenate([torch.sum(offered * self.value, 2), torch.sum(offered * distance[:, None], 2)], 1)

    def need(self, seen: dict[str, Tensor], path: Tensor) -> Tensor:
        """Cards missing for the routes on the ways, by colour; for grey routes nothing counts as held."""
        held = torch.where(self.grey, 0, seen["hand"][:, self.colour])
        missing = torch.clip(self.length - held, 0, None) * (path > 0)
        return missing.to(torch.float32) @ self.of_kind

    def fleet(self, seen: dict[str, Tensor], present: Tensor) -> Tensor:
        told = (seen["cars"][:, :, None] == self.cars_told) & present[:, :, None]
        return told.reshape(len(told), -1)

    def worth(self, seen: dict[str, Tensor], present: Tensor) -> Tensor:
        points = seen["points"] + self.token_points[torch.sum(seen["tokens"], 2).to(torch.int64)]
        stake = torch.sum(seen["wanted"] * self.value, 1)
        mine = points[:, 0] + torch.sum(seen["completed"] * self.value, 1) - stake
        lead = mine - torch.amax(torch.where(present, points, -EVEN)[:, 1:], 1)
        return torch.clip(torch.stack([mine, lead, stake], 1) + EVEN, 0, 255)


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
