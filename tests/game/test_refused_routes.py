"""Why a route cannot be claimed by any payment: what is said is true, for every route of many games."""

from __future__ import annotations

import random

import pytest

from fogline.game.actions import Claim
from fogline.game.game import Game
from fogline.game.refusals import Refusal
from fogline.game.view import View
from fogline.maps.mapfile import COLOURS, FERRY
from tests.seeds import seeds
from tests.tier import pick


@pytest.mark.rule("4.1", "4.4", "4.5", "4.7", "4.8", "4.9")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_said_of_a_route_that_cannot_be_claimed_is_true(players: int) -> None:
    said: set[str] = set()
    for seed in seeds(pick(2, 40)):
        generator = random.Random(seed)
        game = Game("san_francisco", players=players, seed=seed)
        while not game.over:
            if game.phase != "turn" or generator.random() < 0.2:
                said |= {check(game, route) for route in game.board.route_number}
            game.play(choose(game, generator))
        assert game.why_not_route(next(iter(game.board.route_number))) is not None
    assert said >= {"legal", "cannot_pay", "claimed", "your_own", "keep_first", "second_card_first", "too_few_cars"}
    assert players == 2 or "own_twin" in said
    assert ("twin_closed" in said) == (players == 2)


def choose(game: Game, generator: random.Random) -> str:
    """Claims often, so that cars and routes run out."""
    legal = [str(action) for action in game.legal_actions]
    claims = [action for action in legal if action.startswith("claim")]
    return generator.choice(claims if claims and generator.random() < 0.5 else legal)


def check(game: Game, route: str) -> str:
    """Holds the refusal of a route against what the seat sees; returns which it is."""
    view = game.view(game.seat)
    refusal = game.why_not_route(route, game.seat)
    claims = {action.route for action in view.legal_actions if isinstance(action, Claim)}
    assert (refusal is None) == (route in claims)
    other = game.why_not_route(route, (game.seat + 1) % game.players)
    assert other is not None
    assert other.key == "not_your_turn"
    assert set(other.values) == {"seat"}  # and nothing of the acting seat's hand
    if refusal is None:
        return "legal"
    if refusal.key in _CHECKS:
        _CHECKS[refusal.key](view, route, refusal)
    return refusal.key


def check_cannot_pay(view: View, id: str, refusal: Refusal) -> None:
    route, values = view.board.route(id), refusal.values
    assert view.phase == "turn"
    assert id in view.open_routes
    assert (values["route"], values["spaces"], values["ferries"]) == (id, route.length, route.ferries)
    assert values["colour"] == route.colour
    usable = COLOURS if route.colour == "grey" else (route.colour,)
    card, held, ferries = values["card"], values["held"], values["held_ferries"]
    assert card in usable
    assert held == view.hand.get(str(card), 0) == max(view.hand.get(one, 0) for one in usable)
    assert ferries == view.hand.get(FERRY, 0)
    short = int(held) + int(ferries) < route.length
    assert short or int(ferries) < route.ferries
    assert refusal.rule == ("4.4" if int(ferries) < route.ferries else "4.1")


def check_too_few_cars(view: View, id: str, refusal: Refusal) -> None:
    route = view.board.route(id)
    assert view.seat is not None
    assert dict(refusal.values) == {"route": id, "spaces": route.length, "count": view.seats[view.seat].cars}
    assert view.seats[view.seat].cars < route.length


def check_owner(view: View, id: str, refusal: Refusal) -> None:
    assert refusal.values["route"] == id
    assert (view.owners[id] == view.seat) == (refusal.key == "your_own")


def check_twin(view: View, id: str, refusal: Refusal) -> None:
    twin = view.board.route(id).twin
    assert twin is not None
    assert id not in view.owners
    assert refusal.values["route"] == (twin if refusal.key == "own_twin" else id)
    assert view.owners[twin] == view.seat or (refusal.key == "twin_closed" and view.players == 2)


_CHECKS = {
    "cannot_pay": check_cannot_pay,
    "too_few_cars": check_too_few_cars,
    "claimed": check_owner,
    "your_own": check_owner,
    "own_twin": check_twin,
    "twin_closed": check_twin,
}


def test_the_grey_ferry_of_five_spaces_names_its_ferries_and_the_best_hand() -> None:
    """Two green and no ferry: a ferry is missing as well as green."""
    cards = ["green"] * 4 + ["red", "blue", "black", "purple", "orange"]
    game = Game._dealt("san_francisco", players=2, seed=1, cards=cards)
    while game.phase != "turn":
        game.play(game.legal_actions[0])
    route = next(route for route in game.board.routes if route.length == 5 and route.ferries)
    refusal = game.why_not_route(route.id, game.seat)
    assert refusal is not None
    assert (refusal.rule, refusal.key) == ("4.4", "cannot_pay")
    assert dict(refusal.values) == {
        "route": route.id,
        "spaces": 5,
        "colour": "grey",
        "ferries": route.ferries,
        "card": "green",
        "held": 2,
        "held_ferries": 0,
    }


def test_a_route_that_is_nowhere_is_refused_by_name() -> None:
    game = Game("tiny", seed=2)
    while game.phase != "turn":
        game.play(game.legal_actions[0])
    refusal = game.why_not_route("hill-hil")
    assert refusal is not None
    assert refusal.key == "unknown_route"
