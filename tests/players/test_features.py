"""Features, against what a person with a pencil would work out from the same view."""

from __future__ import annotations

import heapq
import importlib
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from fogline.game.actions import Claim
from fogline.game.game import Game
from fogline.game.view import View
from fogline.knowledge.observation import observation_of, take_apart
from fogline.maps.board import Route
from fogline.maps.mapfile import CARDS, COLOURS, FERRY, GREY
from fogline.players.neural.encoder import encode
from fogline.players.neural.inputs import (
    CARS_TOLD,
    EVEN,
    FAR,
    NEAR,
    feature_length,
    feature_places,
    meanings,
    observation_width,
)
from fogline.players.player import PLAYERS
from tests.boards import load_board
from tests.seeds import seeds
from tests.tier import pick

Told = dict[str, np.ndarray]


def some_views(board: str, players: int) -> Iterator[View]:
    """One in five of two games, for what takes a pencil long."""
    return islice(views(board, players, 2), 0, None, 5)


def views(board: str, players: int, games: int = pick(1, 3)) -> Iterator[View]:
    """All that deciding seats see, in games between random players and planners."""
    for seed in seeds(games):
        game = Game(load_board(board), players=players, seed=seed)
        seats = [PLAYERS["planner" if (seed + seat) % 2 else "random"](seat) for seat in range(players)]
        while not game.over:
            view = game.view(game.seat)
            yield view
            game.play(seats[game.seat].choose(view))


def features_of(view: View) -> Told:
    inputs = encode(view.board, view.players, observation_of(view)[None])
    told = inputs[:, observation_width(view.board) :][:, : feature_length(view.board)]
    assert told.shape == (1, feature_length(view.board))
    assert told.dtype == np.uint8
    return take_apart(feature_places(view.board), told[0])


def open_to(view: View, route: Route) -> bool:
    return route.id in view.open_routes


def costs(view: View) -> dict[str, int]:
    """Spaces to build for each route that can be part of a way."""
    found = {route.id: route.length for route in view.board.routes if open_to(view, route)}
    return found | {route: 0 for route, owner in view.owners.items() if owner == view.seat}


def missing_cards(view: View, route: Route) -> int:
    """Of the payment that misses fewest."""
    return min(
        max(0, payment.cards - view.hand.get(CARDS[payment.colour], 0))
        + max(0, payment.ferries - view.hand.get(FERRY, 0))
        for payment in view.board.claims
        if view.board.routes[payment.route] == route
    )


def half_turns(view: View) -> dict[str, int]:
    """Two to claim an open route; one for each card that is missing, and another unless it lies on display."""
    found = {route: 0 for route, owner in view.owners.items() if owner == view.seat}
    for route in view.board.routes:
        if open_to(view, route):
            colours = COLOURS if route.colour == GREY else (route.colour,)
            shown, missing = max(view.display.get(colour, 0) for colour in colours), missing_cards(view, route)
            found[route.id] = 2 + missing + max(0, missing - shown)
    return found


def next_costs(view: View) -> dict[str, int]:
    """Spaces to build for each route, for who is next."""
    seat = next_seat(view)
    found = {}
    for route in view.board.routes:
        owner, beside = view.owners.get(route.id), view.owners.get(route.twin or "")
        if owner == seat:
            found[route.id] = 0
        elif owner is None and beside != seat and (beside is None or view.players > 2):
            found[route.id] = route.length
    return found


def next_seat(view: View) -> int:
    return ((view.seat or 0) + 1) % view.players


def distances(view: View, start: str, cost: dict[str, int]) -> dict[str, int]:
    """After Dijkstra, whom the features do not follow."""
    found, queue = dict[str, int](), [(0, start)]
    while queue:
        far, here = heapq.heappop(queue)
        if here in found:
            continue
        found[here] = far
        for route in view.board.routes:
            if route.id in cost and here in (route.first, route.second):
                there = route.second if here == route.first else route.first
                heapq.heappush(queue, (far + cost[route.id], there))
    return found


CASES = [("san_francisco", 2), ("san_francisco", 3), ("san_francisco", 4), ("tiny", 2), ("tiny", 4)]


@pytest.mark.parametrize(("board", "players"), CASES)
def test_tickets_are_as_far_as_the_shortest_way_that_can_still_be_built(board: str, players: int) -> None:
    for view in views(board, players):
        told, cars = features_of(view), view.seats[view.seat or 0].cars
        for number, ticket in enumerate(view.board.tickets):
            far = distances(view, ticket.first, costs(view)).get(ticket.second, FAR)
            assert told["distance"][number] == far
            assert told["within"][number] == (far <= cars)


def ways(view: View, cost: dict[str, int], points: dict[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """The points of the tickets on whose shortest way each route lies, and how much longer a way over it is."""
    path, slack = dict.fromkeys(cost, 0), dict.fromkeys(cost, NEAR)
    for ticket in map(view.board.ticket, points):
        start, end = distances(view, ticket.first, cost), distances(view, ticket.second, cost)
        for route in (view.board.route(route) for route in cost if cost[route]):
            if route.first in start and ticket.second in start:
                both = (route.first, route.second), (route.second, route.first)
                over = min(start[a] + end[b] for a, b in both) + cost[route.id] - start[ticket.second]
                path[route.id] += points[ticket.id] * (over == 0)
                slack[route.id] = min(slack[route.id], over)
    return path, slack


def wanted_points(view: View) -> dict[str, int]:
    """Of the tickets that are not completed and can be, by the cars that are left."""
    found = {}
    for ticket in map(view.board.ticket, view.tickets):
        far = distances(view, ticket.first, costs(view)).get(ticket.second, FAR)
        if 0 < far <= view.seats[view.seat or 0].cars:
            found[ticket.id] = ticket.value
    return found


@pytest.mark.parametrize(("board", "players"), CASES)
def test_a_route_lies_on_the_way_of_a_wanted_ticket_when_no_way_is_shorter(board: str, players: int) -> None:
    for view in some_views(board, players):
        told = features_of(view)
        for cost, names in ((costs(view), ("path", "slack")), (half_turns(view), ("quick", "detour"))):
            path, slack = ways(view, cost, wanted_points(view))
            for number, route in enumerate(view.board.routes):
                assert told[names[0]][number] == path.get(route.id, 0)
                assert told[names[1]][number] == slack.get(route.id, NEAR)


@pytest.mark.parametrize(("board", "players"), CASES)
def test_tickets_take_the_half_turns_of_their_quickest_way(board: str, players: int) -> None:
    for view in some_views(board, players):
        told, cost = features_of(view), half_turns(view)
        for number, ticket in enumerate(view.board.tickets):
            assert told["turns"][number] == distances(view, ticket.first, cost).get(ticket.second, FAR)


@pytest.mark.parametrize(("board", "players"), CASES)
def test_the_next_player_threatens_routes_that_go_on_from_what_it_has_built(board: str, players: int) -> None:
    for view in some_views(board, players):
        told, cost, built = features_of(view), next_costs(view), {}
        everything = {route.id: route.length for route in view.board.routes}
        for number, ticket in enumerate(view.board.tickets):
            far = distances(view, ticket.first, cost).get(ticket.second, FAR)
            assert told["theirs"][number] == far
            done = distances(view, ticket.first, everything)[ticket.second] - far
            if ticket.id not in view.tickets and done > 0 and 0 < far <= view.seats[next_seat(view)].cars:
                built[ticket.id] = done
        threat = ways(view, cost, built)[0]
        assert told["threat"].tolist() == [threat.get(route.id, 0) for route in view.board.routes]


@pytest.mark.parametrize(("board", "players"), CASES)
def test_what_is_missing_for_a_route_is_what_its_cheapest_payment_misses(board: str, players: int) -> None:
    for view in views(board, players):
        told = features_of(view)
        payable = {action.route for action in view.legal_actions if isinstance(action, Claim)}
        for number, route in enumerate(view.board.routes):
            assert told["lack"][number] == (missing_cards(view, route) if open_to(view, route) else 0)
            if view.phase == "turn":
                assert told["ready"][number] == (route.id in payable)


@pytest.mark.parametrize(("board", "players"), CASES)
def test_needs_are_the_cards_missing_on_all_ways(board: str, players: int) -> None:
    for view in views(board, players):
        told = features_of(view)
        for ways, needs in (("path", "need"), ("quick", "call")):
            need = dict.fromkeys((*COLOURS, GREY), 0)
            for number in np.flatnonzero(told[ways]):
                route = view.board.routes[number]
                held = 0 if route.colour == GREY else view.hand.get(route.colour, 0)
                need[route.colour] += max(0, route.length - held)
            assert told[needs].tolist() == list(need.values())


@pytest.mark.parametrize(("board", "players"), CASES)
def test_new_souvenirs_lie_at_the_ends_of_open_routes(board: str, players: int) -> None:
    for view in views(board, players):
        told, mine = features_of(view), view.seats[view.seat or 0].tokens
        new = {location for location, (kind, count) in view.stacks.items() if count and kind not in mine}
        for number, route in enumerate(view.board.routes):
            ends = (route.first in new) + (route.second in new)
            assert told["souvenirs"][number] == (ends if open_to(view, route) else 0)


@pytest.mark.parametrize(("board", "players"), CASES)
def test_pressure_is_where_the_same_other_has_built_at_both_ends(board: str, players: int) -> None:
    for view in views(board, players):
        told = features_of(view)
        built: dict[int, set[str]] = {seat: set() for seat in range(players) if seat != view.seat}
        for route_id, owner in view.owners.items():
            if owner != view.seat:
                built[owner] |= {view.board.route(route_id).first, view.board.route(route_id).second}
        for number, route in enumerate(view.board.routes):
            most = max((route.first in ends) + (route.second in ends) for ends in built.values())
            assert told["pressure"][number] == (0 if route.id in view.owners else most)


@pytest.mark.parametrize(("board", "players"), CASES)
def test_the_rest_says_what_the_view_says(board: str, players: int) -> None:
    for view in views(board, players):
        told, tickets = features_of(view), view.board.tickets
        assert told["players"].tolist() == [count == players for count in (2, 3, 4)]
        assert told["shown"].tolist() == [card in view.display for card in CARDS]
        assert told["holds"].reshape(len(CARDS), -1).sum(1).tolist() == [min(5, view.hand.get(c, 0)) for c in CARDS]
        fleet = told["fleet"].reshape(4, -1)
        order = [(view.seat or 0) + place for place in range(players)]
        cars = [view.seats[seat % players].cars for seat in order]
        assert [row.argmax() if row.any() else None for row in fleet] == [*cars, *[None] * (4 - players)]
        assert max(cars) <= CARS_TOLD
        values = [view.board.ticket(ticket).value for ticket in view.offer]
        away = [int(told["distance"][tickets.index(view.board.ticket(ticket))]) for ticket in view.offer]
        assert told["offer"].tolist() == [*values, *[0] * (2 - len(values)), *away, *[0] * (2 - len(away))]


@pytest.mark.parametrize(("board", "players"), CASES)
def test_the_worth_is_the_score_as_if_all_ended_now(board: str, players: int) -> None:
    for seed in seeds(pick(1, 3)):
        game = Game(load_board(board), players=players, seed=seed)
        chance = PLAYERS["random"](seed)
        while not game.over:
            view = game.view(game.seat)
            told = features_of(view)["worth"].astype(int) - EVEN
            scores, others = game.scores(), [seen for seen in view.seats if seen.seat != view.seat]
            points = view.board.map_file.token_points
            assert told[0] == scores[game.seat].total
            assert told[1] == told[0] - max(seen.points + points[len(seen.tokens)] for seen in others)
            assert told[2] == sum(view.board.ticket(ticket).value for ticket in scores[game.seat].failed)
            game.play(chance.choose(view))


def test_every_number_has_a_meaning() -> None:
    board = load_board("san_francisco")
    assert sum(meaning.length for meaning in meanings(board)) == feature_length(board)
    assert len({meaning.name for meaning in meanings(board)}) == len(meanings(board))


@pytest.mark.parametrize(("board", "players"), CASES)
def test_torch_works_out_the_same(board: str, players: int) -> None:
    torch = pytest.importorskip("torch")
    loaded, there = load_board(board), importlib.import_module("research.training.network")
    seen = np.stack([observation_of(view) for view in views(board, players, 2)])
    encoder, counts = there.Encoder(loaded, torch.device("cpu")), torch.full((len(seen),), players)
    inputs = encoder(encoder.widen(torch.as_tensor(seen), players), counts)
    assert np.array_equal(encode(loaded, players, seen), inputs.numpy())
