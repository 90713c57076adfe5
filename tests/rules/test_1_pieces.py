"""Chapter 1: the pieces."""

import pytest

from fogline import Board, Game
from fogline.maps.mapfile import CARDS, COLOURS, GREY
from tests.arrange import claim, first_turn

rule = pytest.mark.rule
BOARD = Board.load()


@rule("1.1")
def test_a_route_joins_two_locations_with_spaces_of_one_colour() -> None:
    for route in BOARD.routes:
        assert route.first != route.second
        assert {route.first, route.second} <= set(BOARD.location_number)
        assert route.length >= 1
        assert route.colour in (*COLOURS, GREY)
    assert len(BOARD.locations) == 20
    assert len(BOARD.routes) == 55


@rule("1.2")
def test_the_two_of_a_double_route_are_twins_of_equal_length() -> None:
    twins = [route for route in BOARD.routes if route.twin is not None]
    assert len(twins) == 26
    for route in twins:
        twin = BOARD.route(route.twin or "")
        assert twin.twin == route.id != twin.id
        assert (twin.first, twin.second, twin.length) == (route.first, route.second, route.length)


@rule("1.3")
def test_three_ferry_routes_carry_one_symbol_each() -> None:
    assert sorted(route.id for route in BOARD.routes if route.ferries) == [
        "golden_gate_bridge-fort_mason",
        "pier_39-alcatraz",
        "the_embarcadero-alcatraz",
    ]
    assert {route.ferries for route in BOARD.routes} == {0, 1}


@rule("1.4")
def test_there_are_six_cards_of_each_colour_and_eight_ferries() -> None:
    position = Game(players=4, seed=3).position
    everywhere = position.deck + position.display + position.discard + position.hand.sum(axis=0)
    assert dict(zip(CARDS, everywhere.tolist(), strict=True)) == {**dict.fromkeys(COLOURS, 6), "ferry": 8}


@rule("1.5")
def test_there_are_24_tickets_each_naming_two_locations_and_a_value() -> None:
    assert len(BOARD.tickets) == len({ticket.id for ticket in BOARD.tickets}) == 24
    for ticket in BOARD.tickets:
        assert ticket.first != ticket.second
        assert ticket.value > 0
    game = Game(seed=3)
    assert game.position.ticket_count + game.position.offer_count == 24
    assert sorted(game.position.ticket_deck) == list(range(24))


@rule("1.6")
def test_seven_kinds_of_souvenir_have_three_tokens_each() -> None:
    stacks = first_turn(players=4).position.stacks()
    assert {souvenir for souvenir, _ in stacks.values()} == set(BOARD.souvenirs)
    assert len(BOARD.souvenirs) == 7
    assert sum(count for _, count in stacks.values()) == 21


@rule("1.7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_players_have_twenty_cars_each(players: int) -> None:
    assert Game(players=players, seed=1).position.cars[:players].tolist() == [20] * players


@rule("1.7")
@pytest.mark.parametrize("players", [-1, 0, 1, 5, 2.5, "2"])
def test_no_other_number_of_players_can_play(players: int) -> None:
    with pytest.raises(ValueError, match=r"1\.7"):
        Game(players=players)


@rule("1.8")
@pytest.mark.parametrize(
    ("route", "points"),
    [
        ("lombard_street-pier_39", 1),
        ("fort_mason-pier_39", 2),
        ("union_square-mission", 4),
        ("golden_gate_bridge-fort_mason", 10),
    ],
)
def test_a_route_scores_by_its_length(route: str, points: int) -> None:
    game = first_turn()
    claim(game, 0, route)
    assert game.position.points.tolist() == [points, 0, 0, 0]


@rule("1.8")
def test_the_built_in_map_has_the_points_of_the_rule() -> None:
    assert BOARD.map_file.route_points == (0, 1, 2, 4, 7, 10)
