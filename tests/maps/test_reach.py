"""Maps on which the last round can never begin."""

from dataclasses import replace
from importlib import resources
from itertools import chain, combinations
from pathlib import Path

import pytest

from fogline.batch.simulate import simulate
from fogline.maps.board import Board
from fogline.maps.reach import LAST_CARS, most_cars_used, reaches_last_round
from fogline.rules.state import BY_LAST_ROUND, BY_STUCK
from fogline.rules.turns import LAST_ROUND_CARS
from tests.boards import load_board, tiny_but
from tests.program import Program

LENGTHS = (1, 1, 1, 2, 2, 1)
"""Of the connections of tiny."""


def tiny_with(cars: int) -> Board:
    return tiny_but("cars = 3", f"cars = {cars}")


def test_the_rule_is_the_rules_own() -> None:
    assert LAST_CARS == LAST_ROUND_CARS


@pytest.mark.parametrize("cars", range(3, 15))
def test_a_seat_uses_its_cars_on_one_route_of_each_connection(cars: int) -> None:
    ways = chain.from_iterable(combinations(LENGTHS, count) for count in range(len(LENGTHS) + 1))
    assert most_cars_used(tiny_with(cars).map_file) == max(sum(way) for way in ways if sum(way) <= cars)
    assert reaches_last_round(tiny_with(cars).map_file) == (cars <= sum(LENGTHS) + LAST_CARS)


def test_games_on_a_map_that_cannot_reach_it_all_end_stuck() -> None:
    board = tiny_with(11)
    assert not reaches_last_round(board.map_file)
    assert simulate(board, 2, games=300).ends[BY_STUCK] == 300
    assert simulate(tiny_with(5), 2, games=300).ends[BY_LAST_ROUND] > 0


def test_a_route_that_no_cards_pay_for_is_no_way() -> None:
    """With one ferry card and no red one, the red route of two spaces is out of reach."""
    board = tiny_but("blue = 3, red = 3, ferry = 2", "blue = 8, ferry = 1")
    assert most_cars_used(replace(board.map_file, cars=20)) == sum(LENGTHS) - 2
    assert most_cars_used(replace(load_board("tiny").map_file, cars=20)) == sum(LENGTHS)


@pytest.mark.parametrize("name", ["san_francisco", "tiny"])
def test_built_in_maps_reach_it(name: str) -> None:
    assert reaches_last_round(load_board(name).map_file)


def test_map_check_warns_of_it(fogline: Program, tmp_path: Path) -> None:
    text = resources.files("fogline").joinpath("maps", "tiny.toml").read_text("utf-8")
    file = tmp_path / "many_cars.toml"
    file.write_text(text.replace('id = "tiny"', 'id = "many_cars"').replace("cars = 3", "cars = 20"), "utf-8")
    ran = fogline("map", "check", file)
    assert ran.code == 0
    assert "Tiny is a good map" in ran.out
    assert "warning: every game will end stuck" in ran.err
    assert "of its 20 cars nobody can use more than 8" in ran.err
    assert fogline("map check tiny").err == ""
