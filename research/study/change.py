"""Changes of a map file, written as a few lines of TOML, and the boards that they make."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from typing import Any

from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS, MapError, MapFile
from research.study.faults import StudyError

UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Change:
    """`patch` has the keys of a map file. A table is laid over the map's own, and an entry of a list of routes or
    tickets takes the place of the one between the same locations.
    """

    name: str
    patch: str


CHANGES = (
    Change(UNCHANGED, ""),
    Change("18 cars", "cars = 18"),
    Change("22 cars", "cars = 22"),
    Change("24 cars", "cars = 24"),
    Change("4 ferry cards", "cards = { ferry = 4 }"),
    Change("12 ferry cards", "cards = { ferry = 12 }"),
    Change("8 cards of a colour", "cards = { blue = 8, green = 8, black = 8, purple = 8, red = 8, orange = 8 }"),
    Change("no points for tokens", "token_points = [0, 0, 0, 0, 0, 0, 0, 0]"),
    Change("tokens count double", "token_points = [0, 0, 2, 4, 8, 12, 18, 24]"),
    Change("steep route points", "route_points = [0, 1, 3, 6, 10, 15]"),
    Change("gentle route points", "route_points = [0, 1, 2, 3, 5, 7]"),
    Change("a point a space", "route_points = [0, 1, 2, 3, 4, 5]"),
    Change(
        "a point a space, tokens double",
        "route_points = [0, 1, 2, 3, 4, 5]\ntoken_points = [0, 0, 2, 4, 8, 12, 18, 24]",
    ),
    Change("a point a space, 24 cars", "route_points = [0, 1, 2, 3, 4, 5]\ncars = 24"),
    Change(
        "a point a space, tokens triple",
        "route_points = [0, 1, 2, 3, 4, 5]\ntoken_points = [0, 0, 3, 6, 12, 18, 27, 36]",
    ),
    Change(
        "Golden Gate Bridge no landmark, Presidio one",
        "[locations]\ngolden_gate_bridge = { landmark = false }\npresidio = { landmark = true }",
    ),
    Change(
        "Alcatraz no landmark, Painted Ladies one",
        "[locations]\nalcatraz = { landmark = false }\npainted_ladies = { landmark = true }",
    ),
)
"""The changes to try, smaller ones first."""


def fitting_changes(board: Board) -> list[Change]:
    """The changes that make sense on this map: it has the locations, and as many souvenirs and lengths of routes."""
    return [change for change in CHANGES if _fits(board, change)]


def _fits(board: Board, change: Change) -> bool:
    try:
        change_board(board, change)
    except StudyError:
        return False
    return True


def find_change(name: str) -> Change:
    for change in CHANGES:
        if change.name == name:
            return change
    raise StudyError(f"there is no change {name!r}; there are: {', '.join(change.name for change in CHANGES)}")


def change_board(board: Board, change: Change) -> Board:
    """The board of the changed map; the map itself if nothing changes."""
    if not change.patch:
        return board
    try:
        return Board.parse(change_map(board.map_file, change.patch))
    except MapError as error:
        raise StudyError(f"{change.name}: {board.id} cannot be changed so\n{error}") from None


def change_map(map_file: MapFile, patch: str) -> str:
    """The text of the changed map file."""
    data = _data(map_file)
    for key, value in tomllib.loads(patch).items():
        data[key] = _lay_over(data[key], value)
    return "".join(f"{key} = {_toml(value)}\n" for key, value in data.items())


def _lay_over(old: Any, new: Any) -> Any:
    if isinstance(old, dict):
        return old | {key: _lay_over(old[key], value) if key in old else value for key, value in new.items()}
    if isinstance(old, list) and old and isinstance(old[0], dict):
        entries = {tuple(entry["between"]): entry for entry in old}
        return list((entries | {tuple(entry["between"]): entry for entry in new}).values())
    return new


def _data(map_file: MapFile) -> dict[str, Any]:
    """Everything a map file says, defaults included."""
    return {
        "schema": 1,
        "id": map_file.id,
        "name": map_file.name,
        "route_points": map_file.route_points,
        "token_points": map_file.token_points,
        "cars": map_file.cars,
        "cards": dict(zip(CARDS, map_file.cards, strict=True)),
        "souvenirs": map_file.souvenirs,
        "land": map_file.land,
        "routes": [
            {
                "between": [route.first, route.second],
                "length": route.length,
                "colours": route.colours,
                "ferries": route.ferries,
                "bend": route.bend,
            }
            for route in map_file.connections
        ],
        "tickets": [{"between": [t.first, t.second], "value": t.value} for t in map_file.tickets],
        "locations": {
            place.id: {"name": place.name, "x": place.x, "y": place.y, "landmark": place.landmark}
            for place in map_file.locations
        },
    }


def _toml(value: Any) -> str:
    """A value in TOML's notation; its texts, numbers and truth values are those of JSON."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
