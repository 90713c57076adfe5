"""The cheapest way to complete a ticket."""

from __future__ import annotations

import pytest

from fogline.game.game import Game
from fogline.terminal.ways import cheapest_way, is_open
from tests.arrange import arrange, claim, first_turn


def _own(game: Game, seat: int, *routes: str) -> Game:
    """The seat claims these routes."""
    for route in routes:
        claim(game, seat, route)
    return game


def _missing(game: Game, ticket: str) -> int | None:
    way = cheapest_way(game.view(0), game.board.ticket(ticket))
    return None if way is None else way.spaces


def test_at_the_beginning_every_ticket_misses_its_value() -> None:
    game = first_turn()
    for ticket in game.board.tickets:
        assert _missing(game, ticket.id) == ticket.value


def test_own_routes_are_free() -> None:
    game = _own(first_turn(), 0, "pier_39-alcatraz", "lombard_street-pier_39")
    assert _missing(game, "presidio-alcatraz") == 4


def test_routes_of_others_are_no_way() -> None:
    game = _own(first_turn(), 1, "pier_39-alcatraz")
    assert _missing(game, "presidio-alcatraz") == 9
    assert _missing(_own(game, 1, "the_embarcadero-alcatraz"), "presidio-alcatraz") is None


@pytest.mark.parametrize(("players", "owner", "is_way"), [(2, 1, False), (3, 1, True), (3, 0, False)])
def test_the_twin_is_open_only_by_the_rules(players: int, owner: int, is_way: bool) -> None:
    game = _own(first_turn(players=players), owner, "castro-mission:1")
    assert is_open(game.view(0), game.board.route("castro-mission:2")) is is_way


def test_without_cars_no_way_is_left() -> None:
    assert _missing(arrange(first_turn(), cars={0: 3}), "sunset-mission") is None


def test_a_spectator_has_no_way() -> None:
    game = first_turn()
    with pytest.raises(ValueError, match="spectator"):
        cheapest_way(game.view(None), game.board.tickets[0])
