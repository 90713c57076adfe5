"""Reads map files.

It returns a `MapFile` if every word of the file makes sense. If not, a `MapError` lists all the faults at once, in the
file's own words.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from fogline.maps.mapfile import (
    CANVAS,
    CARDS,
    COLOURS,
    DEFAULTS,
    GREY,
    LIMITS,
    MOST_PLAYERS,
    SET_ASIDE,
    Connection,
    Location,
    MapError,
    MapFile,
    Ticket,
    limits,
)

_REQUIRED = ("schema", "id", "name", "route_points", "routes", "tickets", "locations")
_ID = re.compile(r"[a-z0-9_]{1,40}")
_NO_ID = "?"
_TYPES: dict[type, str] = {int: "a whole number", str: "a text", bool: "true or false", list: "a list", dict: "a table"}


def built_in_maps() -> list[str]:
    """The names of the built-in maps."""
    files = resources.files("fogline").joinpath("maps").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


def maps_for_tables() -> list[str]:
    """The built-in maps on which as many can play as a table has chairs."""
    return [name for name in built_in_maps() if load_map(name).players == MOST_PLAYERS]


def load_map(source: str | Path) -> MapFile:
    """Reads a built-in map by its name, or any map file by its path."""
    name = str(source)
    if name in built_in_maps():
        return parse_map(resources.files("fogline").joinpath("maps", f"{name}.toml").read_text("utf-8"), name)
    try:
        text = Path(source).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a text file"
        raise MapError(
            name, [f"cannot be read: {reason}; the built-in maps are {', '.join(built_in_maps())}"]
        ) from None
    found = parse_map(text, name)
    if found.id in built_in_maps() and found != load_map(found.id):
        raise MapError(name, [f"id: {found.id} is a built-in map, and this is another one: give it an id of its own"])
    return found


def parse_map(text: str, source: str = "map") -> MapFile:
    """Reads a map file's text."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOML's own errors, and numbers too long for Python
        raise MapError(source, [f"not TOML: {error}"]) from None
    reader = _Reader(data)
    found = reader.read()
    if reader.faults:
        raise MapError(source, reader.faults)
    return found


class _Reader:
    """Walks once through the parsed TOML and notes every fault. A faulty value is read as a harmless one."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.faults: list[str] = []
        self.players = MOST_PLAYERS

    def read(self) -> MapFile:
        self._check_keys("the map", self.data, (*_REQUIRED, *DEFAULTS), _REQUIRED)
        schema = self.data.get("schema", 1)
        if type(schema) is not int or schema != 1:
            self._fault("schema", f"is {_show(schema)}; this program reads schema 1")
        self.players = self._whole("players", self._value("players"), 2, MOST_PLAYERS)
        locations = self._locations()
        names = [location.id for location in locations]
        route_points = self._points("route_points")
        connections = self._connections(names, route_points)
        souvenirs = self._souvenirs(locations)
        return MapFile(
            id=self._id("id", self.data.get("id", "map")),
            name=self._text("the map", self.data, "name"),
            route_points=route_points,
            token_points=self._token_points(souvenirs),
            cars=self._whole("cars", self._value("cars"), *LIMITS["cars"]),
            cards=self._cards(),
            souvenirs=souvenirs,
            locations=locations,
            connections=connections,
            tickets=self._tickets(names, connections),
            land=self._land(),
            players=self.players,
        )

    # The parts of a map, in the order of its sections.

    def _locations(self) -> tuple[Location, ...]:
        table = self._typed("locations", self.data.get("locations", {}), dict, {})
        self._count("locations", len(table))
        return tuple(self._location(key, value) for key, value in table.items())

    def _location(self, key: str, value: Any) -> Location:
        where = f"location {_plain(key)}"
        self._id(where, key)
        table = self._typed(where, value, dict, {"name": "-", "x": 0, "y": 0})
        self._check_keys(where, table, ("name", "x", "y", "landmark"), ("name", "x", "y"))
        return Location(
            id=key,
            name=self._text(where, table, "name"),
            x=self._whole(f"{where}: x", table.get("x", 0), 0, CANVAS[0]),
            y=self._whole(f"{where}: y", table.get("y", 0), 0, CANVAS[1]),
            landmark=self._typed(f"{where}: landmark", table.get("landmark", False), bool, False),
        )

    def _connections(self, names: list[str], route_points: tuple[int, ...]) -> tuple[Connection, ...]:
        entries = self._typed("routes", self.data.get("routes", []), list, [])
        self._count("connections", len(entries))
        found = []
        joined: set[frozenset[str]] = set()
        for number, entry in enumerate(entries, 1):
            connection = self._connection(f"route {number}", entry, names, route_points)
            ends = frozenset((connection.first, connection.second))
            if len(ends) == 2 and ends in joined:
                where = f"route {number} ({_plain(connection.first)}-{_plain(connection.second)})"
                twins = "a double route is one entry with two colours"
                self._fault(where, f"duplicate id: these two are joined already; {twins}")
            joined.add(ends)
            found.append(connection)
        return tuple(found)

    def _connection(self, where: str, entry: Any, names: list[str], route_points: tuple[int, ...]) -> Connection:
        if type(entry) is not dict:
            self._typed(where, entry, dict, None)
            return Connection("", "", 1, (GREY,), 0, 0)
        table = entry
        where, first, second = self._between(where, table, names, "a route")
        known = ("between", "length", "colours", "ferries", "bend")
        self._check_keys(where, table, known, ("between", "length", "colours"))
        length = self._whole(f"{where}: length", table.get("length", 1), *LIMITS["route length"])
        if length >= len(route_points):
            self._fault(where, f"length {length} has no points: route_points ends at length {len(route_points) - 1}")
        ferries = self._whole(f"{where}: ferries", table.get("ferries", 0), *LIMITS["ferries"])
        if ferries > length:
            self._fault(where, f"{ferries} ferries do not fit on {length} spaces")
        bend = self._whole(f"{where}: bend", table.get("bend", 0), -CANVAS[0], CANVAS[0])
        return Connection(first, second, length, self._colours(where, table.get("colours", [GREY])), ferries, bend)

    def _colours(self, where: str, value: Any) -> tuple[str, ...]:
        colours = self._typed(f"{where}: colours", value, list, [GREY])
        if len(colours) not in (1, 2):
            self._fault(where, f"{len(colours)} colours; one makes a route, two make a double route")
        for colour in colours:
            if colour not in (*COLOURS, GREY):
                self._fault(where, f"unknown colour {_show(colour)}{_suggest(colour, (*COLOURS, GREY))}")
        return tuple(colours)

    def _tickets(self, names: list[str], connections: tuple[Connection, ...]) -> tuple[Ticket, ...]:
        entries = self._typed("tickets", self.data.get("tickets", []), list, [])
        self._count("tickets", len(entries))
        region = _regions(names, connections)
        found: list[Ticket] = []
        for number, entry in enumerate(entries, 1):
            where = f"ticket {number}"
            if type(entry) is dict:
                found.append(self._ticket(where, entry, names, region, found))
            else:
                self._typed(where, entry, dict, None)
        return tuple(found)

    def _ticket(
        self, where: str, table: dict[str, Any], names: list[str], region: dict[str, str], others: list[Ticket]
    ) -> Ticket:
        where, first, second = self._between(where, table, names, "a ticket")
        self._check_keys(where, table, ("between", "value"), ("between", "value"))
        if first in region and second in region and region[first] != region[second]:
            self._fault(where, "no routes connect these two")
        if first != second and any({first, second} == {other.first, other.second} for other in others):
            self._fault(where, "duplicate id: another ticket names the same two")
        value = self._whole(f"{where}: value", table.get("value", 1), *LIMITS["ticket value"])
        return Ticket(first, second, value)

    def _between(self, where: str, table: dict[str, Any], names: list[str], what: str) -> tuple[str, str, str]:
        """The two ends of a route or ticket, and its name in messages."""
        value = table.get("between")
        if not isinstance(value, list) or len(value) != 2 or not all(isinstance(end, str) for end in value):
            if value is not None:
                self._fault(where, f"between must be a list of two locations, not {_show(value)}")
            return where, "", ""
        first, second = value
        where = f"{where} ({_plain(first)}-{_plain(second)})"
        if first == second:
            self._fault(where, f"{what} cannot lead from a location to itself")
        for end in dict.fromkeys(value):
            if end not in names:
                self._fault(where, f"unknown location {_show(end)}{_suggest(end, names)}")
        return where, first, second

    def _points(self, key: str) -> tuple[int, ...]:
        harmless = list(range(LIMITS["route length"][1] + 1))
        values = self._typed(key, self.data.get(key, DEFAULTS.get(key, harmless)), list, harmless)
        return tuple(self._whole(f"{key}[{i}]", value, *LIMITS["points"]) for i, value in enumerate(values))

    def _token_points(self, souvenirs: tuple[str, ...]) -> tuple[int, ...]:
        points = self._points("token_points")
        if "token_points" not in self.data and len(points) > len(souvenirs):
            return points[: len(souvenirs) + 1]
        if len(points) != len(souvenirs) + 1:
            self._fault(
                "token_points",
                f"has {len(points)} numbers; {len(souvenirs)} souvenirs need {len(souvenirs) + 1}, from 0",
            )
        return points

    def _cards(self) -> tuple[int, ...]:
        table = self._typed("cards", self._value("cards"), dict, DEFAULTS["cards"])
        self._check_keys("cards", table, CARDS, ())
        low, high = LIMITS["cards of a kind"]
        counts = tuple(self._whole(f"cards: {card}", table.get(card, 0), low, high) for card in CARDS)
        self._count("cards", sum(counts))
        return counts

    def _souvenirs(self, locations: tuple[Location, ...]) -> tuple[str, ...]:
        values = self._typed("souvenirs", self._value("souvenirs"), list, DEFAULTS["souvenirs"])
        self._count("souvenirs", len(values))
        souvenirs = tuple(self._id(f"souvenirs[{i}]", value) for i, value in enumerate(values))
        for souvenir in sorted({s for s in souvenirs if souvenirs.count(s) > 1} - {_NO_ID}):
            self._fault("souvenirs", f"duplicate id {souvenir!r}")
        landmarks = sum(location.landmark for location in locations)
        needed = len(souvenirs) - SET_ASIDE
        if landmarks != needed:
            self._fault(
                "locations",
                f"{landmarks} landmarks; {len(souvenirs)} souvenirs need {needed}, since {SET_ASIDE} are set aside",
            )
        if len(locations) < landmarks + SET_ASIDE:
            self._fault(
                "locations",
                f"{len(locations)} locations; {SET_ASIDE} besides the landmarks are needed for the stacks set aside",
            )
        return souvenirs

    def _land(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        polygons = self._typed("land", self._value("land"), list, [])
        return tuple(self._polygon(f"land[{i}]", polygon) for i, polygon in enumerate(polygons))

    def _polygon(self, where: str, value: Any) -> tuple[tuple[int, int], ...]:
        points = self._typed(where, value, list, [[0, 0]] * 3)
        if len(points) < 3:
            self._fault(where, f"{len(points)} points; a polygon has at least 3")
        return tuple(self._point(f"{where}[{i}]", point) for i, point in enumerate(points))

    def _point(self, where: str, value: Any) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2:
            self._fault(where, f"must be [x, y], not {_show(value)}")
            return (0, 0)
        # A coast may run off the canvas on every side.
        width, height = CANVAS
        return (
            self._whole(f"{where}: x", value[0], -width, 2 * width),
            self._whole(f"{where}: y", value[1], -height, 2 * height),
        )

    # The words of a map.

    def _fault(self, where: str, what: str) -> None:
        self.faults.append(f"{where}: {what}")

    def _value(self, key: str) -> Any:
        return self.data.get(key, DEFAULTS[key])

    def _check_keys(self, where: str, table: dict[str, Any], known: tuple[str, ...], needed: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                self._fault(where, f"unknown key {_show(key)}{_suggest(key, known)}")
        for key in needed:
            if key not in table:
                self._fault(where, f"{key} is missing")

    def _typed(self, where: str, value: Any, kind: type, instead: Any) -> Any:
        """The value; a harmless one of the right type if the value has the wrong type."""
        if type(value) is kind:
            return value
        self._fault(where, f"must be {_TYPES[kind]}, not {_show(value)}")
        return instead

    def _whole(self, where: str, value: Any, low: int, high: int) -> int:
        number: int = self._typed(where, value, int, low)
        if not low <= number <= high:
            self._fault(where, f"{_show(number)} is not within {low} to {high}")
            return low
        return number

    def _text(self, where: str, table: dict[str, Any], key: str) -> str:
        value: str = self._typed(f"{where}: {key}", table.get(key, "-"), str, "-")
        if not value.strip() or len(value) > 60 or not value.isprintable():
            self._fault(f"{where}: {key}", f"must be 1 to 60 printable characters, not {_show(value)}")
        return value

    def _id(self, where: str, value: Any) -> str:
        if isinstance(value, str) and _ID.fullmatch(value):
            return value
        self._fault(where, f"an id is 1 to 40 of a-z, 0-9 and _, not {_show(value)}")
        return _NO_ID

    def _count(self, what: str, count: int) -> None:
        low, high = limits(what, self.players)
        if not low <= count <= high:
            self._fault(what, f"{count} is not within {low} to {high}")


def _regions(names: list[str], connections: tuple[Connection, ...]) -> dict[str, str]:
    """For each location, one that stands for all that are connected with it."""
    region = {name: name for name in names}
    for connection in connections:
        if connection.first in region and connection.second in region:
            old, new = region[connection.second], region[connection.first]
            region = {name: new if stands == old else stands for name, stands in region.items()}
    return region


def _suggest(word: object, known: list[str] | tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word[:60], known, n=1) if isinstance(word, str) else []
    return f"; did you mean {near[0]!r}?" if near else ""


def _show(value: object) -> str:
    """A value as the file has it, shortened to fit a line."""
    try:
        text = repr(value)
    except ValueError:
        return "a number too long to print"
    return text if len(text) <= 60 else text[:57] + "..."


def _plain(name: str) -> str:
    """A name without quotes, unless it has unusual characters."""
    return name if len(name) <= 40 and name.isprintable() else _show(name)
