"""Map files: every fault is told in the file's own words, and every map that is accepted can be played."""

from __future__ import annotations

import copy
import datetime
import json
import os
import random
import subprocess
import sys
import tomllib
import traceback
from collections.abc import Iterator
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fogline.game.game import PLAYER_COUNTS
from fogline.game.record import audit
from fogline.maps.board import Board
from fogline.maps.mapfile import CANVAS, CARDS, COLOURS, DEFAULTS, FERRY, GREY, LIMITS, SET_ASIDE, MapError, MapFile
from fogline.maps.reader import built_in_maps, load_map, maps_for_tables, parse_map
from tests import agreement
from tests.seeds import seeds
from tests.tier import pick

Data = dict[str, Any]
Steps = tuple[Any, ...]

ROOT = Path(__file__).parents[2]
TINY = resources.files("fogline").joinpath("maps/tiny.toml").read_text("utf-8")
DATA: Data = tomllib.loads(TINY) | {"land": [[[0, 0], [1200, 0], [600, 900]]]}

FUZZ = settings(derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


def faults_of(text: str) -> list[str]:
    with pytest.raises(MapError) as raised:
        parse_map(text)
    return list(raised.value.faults)


# What the tests change, and a TOML writer for it.


def changed(changes: dict[str, object]) -> str:
    """The tiny map with other values, each at the end of steps such as `routes.0.length`."""
    data = copy.deepcopy(DATA)
    for path, value in changes.items():
        *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
        at(data, tuple(steps))[last] = value
    return document(data)


def at(data: Any, steps: Steps) -> Any:
    for step in steps:
        data = data[step]
    return data


def walk(data: object, steps: Steps = ()) -> Iterator[Steps]:
    """The steps to every value inside."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in pairs:
        yield (*steps, step)
        yield from walk(value, (*steps, step))


def document(data: Data) -> str:
    return "\n".join(f"{toml(key)} = {toml(value)}" for key, value in data.items())


def toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{toml(key)} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return value.isoformat() if isinstance(value, datetime.date) else repr(value)


def test_the_tests_write_the_toml_that_they_mean() -> None:
    assert tomllib.loads(document(DATA)) == DATA
    assert parse_map(document(DATA)).id == "tiny"


# One fault, one line.

ONE_FAULT: list[tuple[dict[str, object], str]] = [
    # Locations.
    (
        {"routes.0.between": ["harbor", "market"]},
        "route 1 (harbor-market): unknown location 'harbor'; did you mean 'harbour'?",
    ),
    ({"tickets.7.between": ["zoo", "hill"]}, "ticket 8 (zoo-hill): unknown location 'zoo'"),
    ({"routes.5.between": ["park", "park"]}, "route 6 (park-park): a route cannot lead from a location to itself"),
    ({"tickets.7.between": ["hill", "hill"]}, "ticket 8 (hill-hill): a ticket cannot lead from a location to itself"),
    (
        {"locations.moon": {"name": "Moon", "x": 1, "y": 1}, "tickets.7.between": ["moon", "hill"]},
        "ticket 8 (moon-hill): no routes connect these two",
    ),
    ({"tickets.7.between": ["hill"]}, "ticket 8: between must be a list of two locations, not ['hill']"),
    ({"routes.5.between": [1, 2]}, "route 6: between must be a list of two locations, not [1, 2]"),
    ({"routes.5.between": "park"}, "route 6: between must be a list of two locations, not 'park'"),
    ({"locations.hill.y": 901}, "location hill: y: 901 is not within 0 to 900"),
    ({"locations.hill.x": -1}, "location hill: x: -1 is not within 0 to 1200"),
    ({"locations.hill.landmark": True}, "locations: 2 landmarks; 3 souvenirs need 1, since 2 are set aside"),
    ({"locations.island.landmark": False}, "locations: 0 landmarks; 3 souvenirs need 1, since 2 are set aside"),
    (
        {
            "souvenirs": ["a", "b", "c", "d", "e", "f"],
            "token_points": [0] * 7,
            **{f"locations.{name}.landmark": True for name in ("harbour", "market", "hill")},
        },
        "locations: 5 locations; 2 besides the landmarks are needed for the stacks set aside",
    ),
    # What there is only once.
    (
        {"routes.5.between": ["harbour", "market"]},
        "route 6 (harbour-market): duplicate id: these two are joined already; "
        "a double route is one entry with two colours",
    ),
    (
        {"routes.5.between": ["market", "harbour"]},
        "route 6 (market-harbour): duplicate id: these two are joined already; "
        "a double route is one entry with two colours",
    ),
    (
        {"tickets.7.between": ["harbour", "hill"]},
        "ticket 8 (harbour-hill): duplicate id: another ticket names the same two",
    ),
    (
        {"tickets.7.between": ["hill", "harbour"]},
        "ticket 8 (hill-harbour): duplicate id: another ticket names the same two",
    ),
    ({"souvenirs": ["bell", "crab", "bell"]}, "souvenirs: duplicate id 'bell'"),
    # Routes.
    ({"routes.3.length": 3}, "route 4 (hill-park): length 3 has no points: route_points ends at length 2"),
    ({"routes.1.ferries": 2}, "route 2 (harbour-island): 2 ferries do not fit on 1 spaces"),
    ({"routes.2.colours": ["bleu"]}, "route 3 (market-hill): unknown colour 'bleu'; did you mean 'blue'?"),
    ({"routes.2.colours": [FERRY]}, "route 3 (market-hill): unknown colour 'ferry'"),
    ({"routes.2.colours": [7]}, "route 3 (market-hill): unknown colour 7"),
    ({"routes.2.colours": []}, "route 3 (market-hill): 0 colours; one makes a route, two make a double route"),
    (
        {"routes.2.colours": ["blue", "red", "grey"]},
        "route 3 (market-hill): 3 colours; one makes a route, two make a double route",
    ),
    ({"routes.2.bend": 1201}, "route 3 (market-hill): bend: 1201 is not within -1200 to 1200"),
    # Points, cards, ids, names, land.
    ({"token_points": [0, 1, 2]}, "token_points: has 3 numbers; 3 souvenirs need 4, from 0"),
    ({"cards": {"blue": 7}}, "cards: 7 is not within 8 to 200"),
    ({"cards": dict.fromkeys(CARDS, 29)}, "cards: 203 is not within 8 to 200"),
    ({"schema": 2}, "schema: is 2; this program reads schema 1"),
    ({"id": "San Francisco"}, "id: an id is 1 to 40 of a-z, 0-9 and _, not 'San Francisco'"),
    ({"id": ""}, "id: an id is 1 to 40 of a-z, 0-9 and _, not ''"),
    ({"id": "a" * 41}, f"id: an id is 1 to 40 of a-z, 0-9 and _, not '{'a' * 41}'"),
    (
        {"locations.north-end": {"name": "North End", "x": 0, "y": 0}},
        "location north-end: an id is 1 to 40 of a-z, 0-9 and _, not 'north-end'",
    ),
    ({"souvenirs.0": "sea lion"}, "souvenirs[0]: an id is 1 to 40 of a-z, 0-9 and _, not 'sea lion'"),
    ({"name": ""}, "the map: name: must be 1 to 60 printable characters, not ''"),
    ({"locations.hill.name": "  "}, "location hill: name: must be 1 to 60 printable characters, not '  '"),
    ({"name": "n" * 61}, f"the map: name: must be 1 to 60 printable characters, not '{'n' * 56}..."),
    ({"name": "\a"}, "the map: name: must be 1 to 60 printable characters, not '\\x07'"),
    ({"land.0": [[0, 0], [1, 1]]}, "land[0]: 2 points; a polygon has at least 3"),
    ({"land.0.1": [1, 2, 3]}, "land[0][1]: must be [x, y], not [1, 2, 3]"),
    ({"land.0.1.0": 2401}, "land[0][1]: x: 2401 is not within -1200 to 2400"),
    # Keys.
    ({"car": 3}, "the map: unknown key 'car'; did you mean 'cars'?"),
    ({"routes.2.colour": "red"}, "route 3 (market-hill): unknown key 'colour'; did you mean 'colours'?"),
    ({"tickets.0.points": 2}, "ticket 1 (harbour-hill): unknown key 'points'"),
    ({"locations.hill.landmarks": True}, "location hill: unknown key 'landmarks'; did you mean 'landmark'?"),
    ({"cards.yellow": 2}, "cards: unknown key 'yellow'"),
    # Types.
    ({"name": 5}, "the map: name: must be a text, not 5"),
    ({"cars": 3.0}, "cars: must be a whole number, not 3.0"),
    ({"cars": True}, "cars: must be a whole number, not True"),
    ({"cards": 5}, "cards: must be a table, not 5"),
    ({"cards.green": 8, "cards.blue": "3"}, "cards: blue: must be a whole number, not '3'"),
    ({"land": 5}, "land: must be a list, not 5"),
    ({"land.0": 5}, "land[0]: must be a list, not 5"),
    ({"routes.3": 5}, "route 4: must be a table, not 5"),
    ({"routes.3.colours": "red"}, "route 4 (hill-park): colours: must be a list, not 'red'"),
    ({"routes.3.length": "2"}, "route 4 (hill-park): length: must be a whole number, not '2'"),
    ({"tickets.3": 5}, "ticket 4: must be a table, not 5"),
    ({"tickets.3.value": []}, "ticket 4 (market-park): value: must be a whole number, not []"),
    ({"locations.hill": 5}, "location hill: must be a table, not 5"),
    ({"locations.hill.landmark": 0}, "location hill: landmark: must be true or false, not 0"),
    ({"token_points.1": "0"}, "token_points[1]: must be a whole number, not '0'"),
]


@pytest.mark.parametrize(("changes", "line"), ONE_FAULT, ids=[line[:60] for _, line in ONE_FAULT])
def test_a_fault_is_told_in_one_line_in_the_words_of_the_map(changes: dict[str, object], line: str) -> None:
    assert faults_of(changed(changes)) == [line]


def test_all_faults_are_told_at_once() -> None:
    changes = {
        "schema": 3,
        "id": "My City",
        "cars": 2,
        "cards.pink": 4,
        "routes.0.between": ["harbor", "market"],
        "routes.3.length": 3,
        "routes.4.ferries": 3,
        "routes.2.colours": ["bleu"],
        "tickets.0.value": 0,
        "locations.hill.x": 5000,
    }
    with pytest.raises(MapError) as raised:
        parse_map(changed(changes), "my_city.toml")
    headline, *lines = str(raised.value).splitlines()
    assert headline == "my_city.toml: 10 faults"
    assert lines == [f"  - {fault}" for fault in raised.value.faults]
    assert len(set(lines)) == 10


def test_two_bad_ids_are_two_faults() -> None:
    assert len(faults_of(changed({"souvenirs": ["a b", "c d", "crab"]}))) == 2


@pytest.mark.parametrize("points", [[], [0]])
def test_every_length_needs_points(points: list[int]) -> None:
    """There are six routes."""
    assert len(faults_of(changed({"route_points": points}))) >= 6


def test_eight_souvenirs_need_token_points_of_their_own() -> None:
    """The usual ones end at seven souvenirs (9.2)."""
    data = make_map(random.Random(1), locations=10, souvenirs=8)
    assert parse_map(document(data)).souvenirs == tuple(data["souvenirs"])
    del data["token_points"]
    assert [fault for fault in faults_of(document(data)) if fault.startswith("token_points")]


@pytest.mark.parametrize("schema", [True, 1.0, "1", [1]])
def test_a_schema_is_the_whole_number_1_and_nothing_like_it(schema: object) -> None:
    (fault,) = faults_of(changed({"schema": schema}))
    assert fault.startswith("schema: ")


@pytest.mark.parametrize("number", ["-" + "9" * 5000, "0x" + "f" * 5000], ids=["decimal", "hexadecimal"])
@pytest.mark.parametrize("value", ["schema = 1", "cars = 3", 'name = "Tiny"', 'colours = ["blue"]'])
def test_a_number_too_long_to_print_is_a_fault(value: str, number: str) -> None:
    """Python neither reads nor prints numbers of more than 4300 digits."""
    key = value.partition("=")[0]
    wrong = f"{key}= [{number}]" if "[" in value else f"{key}= {number}"
    assert faults_of(TINY.replace(value, wrong, 1))


@pytest.mark.parametrize("name", ["two\nlines", "\x1b[31m", "x" * 5000])
@pytest.mark.parametrize(
    "path",
    ["locations.{}", "{}", "routes.0.{}", "cards.{}", "routes.0.between", "tickets.0.between", "routes.0.colours"],
)
def test_a_fault_stays_one_short_printable_line_whatever_the_file_says(path: str, name: str) -> None:
    value = [name, "market"] if "{}" not in path else {"name": "A", "x": 1, "y": 1}
    for fault in faults_of(changed({path.format(name): value})):
        assert fault.isprintable()
        assert len(fault) < 300


# Missing keys, wrong types, limits: wherever they can be.


@pytest.mark.parametrize(
    ("steps", "place"),
    [
        *((("schema",), "the map"), (("id",), "the map"), (("name",), "the map"), (("route_points",), "the map")),
        *((("routes",), "the map"), (("tickets",), "the map"), (("locations",), "the map")),
        *((("routes", 0, key), "route 1 (harbour-market)") for key in ("length", "colours")),
        (("routes", 0, "between"), "route 1"),
        (("tickets", 0, "between"), "ticket 1"),
        (("tickets", 0, "value"), "ticket 1 (harbour-hill)"),
        *((("locations", "hill", key), "location hill") for key in ("name", "x", "y")),
    ],
)
def test_a_missing_key_is_named(steps: Steps, place: str) -> None:
    data = copy.deepcopy(DATA)
    del at(data, steps[:-1])[steps[-1]]
    faults = faults_of(document(data))
    assert f"{place}: {steps[-1]} is missing" in faults
    assert len(faults) == 1 or len(steps) == 1  # a missing section leaves other things without their sense


JUNK: list[object] = [True, 7, 1.5, "junk", [], ["junk"], {}, {"junk": 1}, datetime.date(2026, 11, 15)]


@pytest.mark.parametrize("steps", list(walk(DATA)), ids=lambda steps: ".".join(map(str, steps)))
def test_a_value_of_a_wrong_type_is_a_fault_where_it_stands(steps: Steps) -> None:
    right = at(DATA, steps)
    for junk in JUNK:
        if type(junk) is not type(right):
            data = copy.deepcopy(DATA)
            at(data, steps[:-1])[steps[-1]] = junk
            places = (place_of(steps), place_of(steps[:-1]))  # a list of two locations is one thing
            assert [fault for fault in faults_of(document(data)) if fault.startswith(places)], junk


def place_of(steps: Steps) -> str:
    """How a fault begins that speaks of the value at the end of these steps."""
    match steps:
        case ("routes" | "tickets" as section, number, *_):
            return f"{section[:-1]} {number + 1}"
        case ("locations", name, *_):
            return f"location {name}"
        case ("cards", card):
            return f"cards: {card}"
        case ("name",):
            return "the map: name"
        case (key, *numbers):
            return str(key) + "".join(f"[{number}]" for number in numbers[:2])
    return "the map"


NUMBERS = {
    "cars": "cars",
    "route length": "routes.3.length",
    "ferries": "routes.3.ferries",
    "points": "route_points.1",
    "ticket value": "tickets.3.value",
    "cards of a kind": "cards.blue",
}


@pytest.mark.parametrize("limit", NUMBERS)
def test_a_number_is_accepted_up_to_its_limits_and_not_beyond(limit: str) -> None:
    low, high = LIMITS[limit]
    roomy: dict[str, object] = {"route_points": [0] * 9, "routes.3.length": 8, "cards.green": 8}
    for number in (low, high):
        parse_map(changed(roomy | {NUMBERS[limit]: number}))
    for number in (low - 1, high + 1):
        (fault,) = faults_of(changed(roomy | {NUMBERS[limit]: number}))
        assert fault.endswith(f"{number} is not within {low} to {high}")


@pytest.mark.parametrize("limit", ["locations", "connections", "tickets", "souvenirs", "cards"])
def test_there_may_be_as_many_as_the_limit_and_no_more(limit: str) -> None:
    low, high = LIMITS[limit]
    least = max(low, {"locations": 5, "connections": 4}.get(limit, 0))  # 8 tickets need 8 pairs that are connected
    for number in (least, high):
        parse_map(document(make_map(random.Random(1), **{limit: number})))
    assert f"{limit}: {high + 1} is not within {low} to {high}" in faults_of(
        document(make_map(random.Random(1), **{limit: high + 1}))
    )


# What a map need not say.


def test_a_map_that_leaves_out_the_optional_keys_gets_the_numbers_of_the_rulebook() -> None:
    data = make_map(random.Random(1), souvenirs=7)
    found = parse_map(document({key: value for key, value in data.items() if key not in DEFAULTS}))
    assert found.cars == 20
    assert dict(zip(CARDS, found.cards, strict=True)) == {**dict.fromkeys(COLOURS, 6), FERRY: 8}
    assert found.souvenirs == ("bell", "lantern", "sourdough", "heart", "crab", "sea_lion", "fortune_cookie")
    assert found.token_points == (0, 0, 1, 2, 4, 6, 9, 12)
    assert found.land == ()


def test_routes_and_locations_need_not_speak_of_ferries_bends_and_landmarks() -> None:
    found = parse_map(TINY)
    assert (found.connections[0].ferries, found.connections[0].bend) == (0, 0)
    assert (found.connections[1].ferries, found.connections[1].bend) == (1, 40)
    assert [location.id for location in found.locations if location.landmark] == ["island"]


def test_fewer_souvenirs_take_the_beginning_of_the_token_points() -> None:
    data = make_map(random.Random(1), souvenirs=3)
    del data["token_points"]
    assert parse_map(document(data)).token_points == (0, 0, 1, 2)


def test_cards_that_are_not_named_are_not_in_the_deck() -> None:
    assert parse_map(changed({"cards": {"blue": 8}})).cards == (8, 0, 0, 0, 0, 0, 0)


# Files.


def test_a_map_is_read_by_its_name_or_its_path(tmp_path: Path) -> None:
    path = tmp_path / "my_city.toml"
    path.write_text(TINY, encoding="utf-8")
    assert built_in_maps() == ["micro", "san_francisco", "tiny"]
    assert maps_for_tables() == ["san_francisco", "tiny"]
    assert load_map(path) == load_map(str(path)) == load_map("tiny")


def test_a_file_that_cannot_be_read_is_one_fault_that_names_the_built_in_maps(tmp_path: Path) -> None:
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    reasons: dict[str | Path, str] = {
        tmp_path / "missing.toml": "No such file or directory",
        tmp_path: "Is a directory",
        binary: "not a text file",
        "zero\0byte": "not a text file",
        "": "Is a directory",
        "x" * 5000: "File name too long",
    }
    for source, reason in reasons.items():
        with pytest.raises(MapError) as raised:
            load_map(source)
        assert raised.value.faults == (f"cannot be read: {reason}; the built-in maps are micro, san_francisco, tiny",)
        assert raised.value.source == str(source)


@pytest.mark.parametrize(
    "text", ["id = ", "= 1", "[locations", "schema = 1\n" + TINY, "a = 2026-02-30", "a = " + "[" * 100_000, "\0"]
)
def test_what_is_not_toml_is_one_fault(text: str) -> None:
    (fault,) = faults_of(text)
    assert fault.startswith("not TOML: ")


def test_an_empty_file_lacks_every_required_key() -> None:
    missing = [fault for fault in faults_of("") if fault.endswith(" is missing")]
    assert len(missing) == 7


# Maps by chance, within all limits.


def make_map(
    chance: random.Random,
    *,
    locations: int = 20,
    connections: int | None = None,
    tickets: int = 8,
    souvenirs: int = 3,
    cards: int = 44,
    cars: int = 20,
    longest: int = 3,
    lone: int = 0,
) -> Data:
    """A map of this size, right in all but its size; `lone` locations, where there is room, have no route."""
    names = [f"l{number}" for number in range(locations)]
    joined = names[: max(5, locations - lone)]
    count = max(len(joined) - 1, 4) if connections is None else connections
    pairs = _connect(chance, joined[: count + 1], count)
    landmarks = set(chance.sample(names, min(souvenirs - SET_ASIDE, locations)))
    return {
        "schema": 1,
        "id": "made",
        "name": "Made by chance",
        "route_points": [chance.randint(*LIMITS["points"]) for _ in range(longest + 1)],
        "cars": cars,
        "cards": _share_out(chance, cards),
        "souvenirs": [f"s{number}" for number in range(souvenirs)],
        "token_points": [chance.randint(*LIMITS["points"]) for _ in range(souvenirs + 1)],
        "routes": [_route(chance, pair, longest) for pair in pairs],
        "tickets": [
            {"between": list(pair), "value": chance.randint(*LIMITS["ticket value"])}
            for pair in _spread(chance, joined[: count + 1], tickets)
        ],
        "locations": {
            name: {"name": name.upper(), "x": chance.randint(0, 1200), "y": chance.randint(0, 900)}
            | ({"landmark": True} if name in landmarks else {})
            for name in names
        },
    }


def _connect(chance: random.Random, names: list[str], count: int) -> list[tuple[str, str]]:
    """So many pairs, where there are as many, which connect all names."""
    tree = [(chance.choice(names[:number]), names[number]) for number in range(1, len(names))]
    others = [pair for pair in combinations(names, 2) if pair not in tree]
    more = chance.sample(others, min(len(others), max(0, count - len(tree))))
    return [pair if chance.random() < 0.5 else (pair[1], pair[0]) for pair in [*tree, *more]]


def _spread(chance: random.Random, names: list[str], count: int) -> list[tuple[str, str]]:
    pairs = list(combinations(names, 2))
    return [
        pair if chance.random() < 0.5 else (pair[1], pair[0]) for pair in chance.sample(pairs, min(len(pairs), count))
    ]


def _share_out(chance: random.Random, count: int) -> dict[str, int]:
    """So many cards, of a few kinds or of all."""
    most = LIMITS["cards of a kind"][1]
    kinds = chance.sample(CARDS, chance.randint(-(-count // most), len(CARDS)))
    shares = dict.fromkeys(kinds, 0)
    for _ in range(count):
        shares[chance.choice([card for card in kinds if shares[card] < most])] += 1
    return shares


def _route(chance: random.Random, pair: tuple[str, str], longest: int) -> Data:
    length = chance.randint(1, longest)
    route: Data = {"between": list(pair), "length": length}
    route["colours"] = [chance.choice((*COLOURS, GREY, GREY)) for _ in range(chance.randint(1, 2))]
    if chance.random() < 0.3:
        route["ferries"] = chance.randint(0, length)
    if chance.random() < 0.3:
        route["bend"] = chance.randint(-CANVAS[0], CANVAS[0])
    return route


def any_map(chance: random.Random) -> Data:
    """A map within the limits, often at one of them."""

    def size(limit: str, least: int = 0, most: int = 1000) -> int:
        low, high = max(LIMITS[limit][0], least), min(LIMITS[limit][1], most)
        return chance.choice([low, high, chance.randint(low, high)])

    locations = size("locations", 5)
    lone = chance.choice([0, 0, locations // 2])
    joined = max(5, locations - lone)
    connections = size("connections", 4, joined * (joined - 1) // 2)
    joined = min(joined, connections + 1)
    data = make_map(
        chance,
        locations=locations,
        lone=lone,
        connections=connections,
        tickets=size("tickets", most=joined * (joined - 1) // 2),
        souvenirs=size("souvenirs", most=locations),
        cards=size("cards"),
        cars=size("cars"),
        longest=size("route length"),
    )
    may_go = ["cars", "cards", *(["token_points"] if len(data["souvenirs"]) < len(DEFAULTS["token_points"]) else [])]
    return {key: value for key, value in data.items() if key not in may_go or chance.random() < 0.7}


LARGEST: Data = make_map(
    random.Random(1), locations=64, connections=64, tickets=64, souvenirs=8, cards=200, cars=60, longest=8
)
LARGEST["routes"] = [route | {"length": 8, "colours": [GREY, GREY], "ferries": 0} for route in LARGEST["routes"]]


def test_every_map_within_the_limits_is_accepted_and_every_game_on_it_agrees_with_the_referee() -> None:
    play([*pick([], [document(LARGEST)]), *(document(any_map(random.Random(seed))) for seed in seeds(pick(3, 30)))])


@pytest.mark.thorough
def test_games_on_the_largest_map_agree_with_the_referee_when_the_rules_are_compiled() -> None:
    """All in one test: compiling takes half a minute, and two processes would each do it."""
    board = Board.parse(document(LARGEST))
    for players in PLAYER_COUNTS:
        check_game(board, LARGEST, players, seed=1)


# Maps with faults by chance.

junk = st.recursive(
    st.one_of(
        st.booleans(),
        st.integers(-3, 70),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.dates(),
        st.sampled_from([*DATA["locations"], *CARDS, GREY, *DEFAULTS["souvenirs"]]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=4,
)


@st.composite
def mutated_maps(draw: st.DrawFn) -> Data:
    """The tiny map with up to three changes; a number that becomes one more or less often leaves it a good map."""
    data = copy.deepcopy(DATA)
    for _ in range(draw(st.integers(1, 3))):
        change = draw(st.sampled_from(["nudge", "nudge", "replace", "delete", "double", "add"]))
        places = [steps for steps in walk(data) if change != "nudge" or type(at(data, steps)) is int]
        steps = draw(st.sampled_from(places or [("id",)]))
        inside, last = at(data, steps[:-1]), steps[-1]
        if change == "nudge" and places:
            inside[last] += draw(st.sampled_from([-1, 1]))
        elif change == "delete" and places:
            del inside[last]
        elif change == "double" and isinstance(inside, list):
            inside.append(copy.deepcopy(inside[last]))
        elif change == "add" and isinstance(inside, dict):
            inside[draw(st.sampled_from(sorted(DEFAULTS)) | st.text(max_size=8))] = draw(junk)
        else:
            inside[last] = draw(junk)
    return data


def read(text: str) -> MapFile | None:
    """The map, or None where a MapError has a line for every fault; any other exception goes through."""
    try:
        return parse_map(text)
    except MapError as error:
        refusal = error
    assert refusal.faults
    assert str(refusal).count("\n") == len(refusal.faults)
    return None


def test_a_mutated_map_is_refused_with_faults_or_every_game_on_it_agrees_with_the_referee() -> None:
    accepted: dict[MapFile, str] = {}

    @settings(FUZZ, max_examples=pick(160, 800), phases=[Phase.generate])
    @given(mutated_maps())
    def mutate(data: Data) -> None:
        found = read(document(data))
        if found is not None:
            accepted[found] = document(data)

    mutate()
    assert len(accepted) > pick(5, 30)
    play(list(accepted.values()))


@settings(FUZZ, max_examples=300)
@given(st.text() | st.builds(lambda text, i, j: text[:i] + text[j:], st.just(TINY), *[st.integers(0, len(TINY))] * 2))
def test_any_text_is_a_map_or_has_faults(text: str) -> None:
    read(text)


@settings(FUZZ, max_examples=200)
@given(st.integers(0, len(TINY)), st.text(alphabet=sorted({*TINY, "'", "\\", "\t", "\0", "é"}), max_size=6))
def test_a_map_with_other_characters_in_it_is_a_map_or_has_faults(place: int, text: str) -> None:
    read(TINY[:place] + text + TINY[place + len(text) :])


def test_any_file_is_a_map_or_has_faults(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"

    @settings(FUZZ, max_examples=200)
    @given(st.binary(max_size=60))
    def check(content: bytes) -> None:
        path.write_bytes(content)
        with pytest.raises(MapError) as raised:
            load_map(path)
        assert raised.value.faults

    check()


# Games on maps by chance: interpreted, in one process, because compiling the rules for each map would take minutes.


def play(texts: list[str]) -> None:
    """Plays on each map with 2, 3 and 4 players, and says where the engine and the referee disagree."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import tests.maps.test_mapfile as maps; maps.play_maps()"],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 0, done.stderr
    failures = json.loads(done.stdout)
    assert not failures, f"{len(failures)} games fail, such as {failures[0]}"


def play_maps() -> None:
    """Reads a list of maps from the standard input and writes a list of failures to the standard output."""
    failures = []
    for seed, text in enumerate(json.load(sys.stdin)):
        board = Board.parse(text)
        for players in PLAYER_COUNTS:
            try:
                check_game(board, tomllib.loads(text), players, seed)
            except Exception:
                failures.append(f"{players} players, seed {seed}, on\n{text}\n{traceback.format_exc()}")
    sys.stdout.write(json.dumps(failures))


def check_game(board: Board, data: Data, players: int, seed: int) -> None:
    """One random game against the referee, and its record."""
    record = json.loads(json.dumps(agreement.check_game(board, data, players, seed).record()))
    found = audit(record, board)
    assert found.finished
    assert found.from_seed


# Maps for fewer players.


MICRO = tomllib.loads(resources.files("fogline").joinpath("maps/micro.toml").read_text("utf-8"))


def test_a_map_for_fewer_players_may_be_smaller() -> None:
    assert parse_map(document(MICRO)).players == 2
    with pytest.raises(MapError) as raised:
        parse_map(document({key: value for key, value in MICRO.items() if key != "players"}))
    assert set(raised.value.faults) == {
        "locations: 4 is not within 5 to 64",
        "connections: 3 is not within 4 to 64",
        "tickets: 4 is not within 8 to 64",
        "cards: 4 is not within 8 to 200",
    }


@pytest.mark.parametrize("players", [1, 5, True, "2"])
def test_a_map_is_for_two_to_four_players(players: Any) -> None:
    with pytest.raises(MapError, match="players"):
        parse_map(document(MICRO | {"players": players}))


def test_another_map_may_not_have_the_id_of_a_built_in_one(tmp_path: Path) -> None:
    """Records and tables name a map by its id."""
    text = resources.files("fogline").joinpath("maps", "tiny.toml").read_text("utf-8")
    same, other = tmp_path / "same.toml", tmp_path / "other.toml"
    same.write_text(text, "utf-8")
    assert load_map(same) == load_map("tiny")
    other.write_text(text.replace("Harbour", "Port"), "utf-8")
    with pytest.raises(MapError, match="id: tiny is a built-in map, and this is another one"):
        load_map(other)
