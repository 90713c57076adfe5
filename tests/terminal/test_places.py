"""Locations and routes by a few letters."""

from __future__ import annotations

import pytest

from fogline.maps.board import Board
from fogline.terminal.places import find_locations, find_routes

BOARD = Board.load("san_francisco")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("castro", ["castro"]),
        ("Golden Gate", ["golden_gate_bridge"]),
        ("embar", ["the_embarcadero"]),
        ("bridge", ["golden_gate_bridge"]),
        ("un", ["union_square"]),
        ("p", ["presidio", "pier_39", "pacific_heights", "painted_ladies", "potrero_hill"]),
        ("nowhere", []),
        ("", []),
        ("-", []),
    ],
)
def test_locations(text: str, found: list[str]) -> None:
    assert find_locations(text, BOARD) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("castro-mission:2", ["castro-mission:2"]),
        ("castro-mission", ["castro-mission:1", "castro-mission:2"]),
        ("mission castro", ["castro-mission:1", "castro-mission:2"]),
        ("pier 39 alc", ["pier_39-alcatraz"]),
        ("alcatraz", ["pier_39-alcatraz", "the_embarcadero-alcatraz"]),
        ("castro-alcatraz", []),
        ("castro-mission:3", []),
    ],
)
def test_routes(text: str, found: list[str]) -> None:
    assert [route.id for route in find_routes(text, BOARD)] == found


def test_every_route_is_found_by_its_id_and_by_its_two_names() -> None:
    for route in BOARD.routes:
        assert find_routes(route.id, BOARD) == [route]
        names = f"{BOARD.location(route.first).name} {BOARD.location(route.second).name}"
        assert route in find_routes(names, BOARD)
