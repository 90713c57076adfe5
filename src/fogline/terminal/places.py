"""Finds locations and routes of a board by a few typed letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fogline.maps.board import Board, Route
from fogline.maps.mapfile import Location
from fogline.terminal.labels import SMALL_WORDS


def find_locations(text: str, board: Board) -> list[str]:
    """The ids that the text can mean: itself, or ids that begin with it, or ids with a word that does."""
    wanted = _joined(text)
    if not wanted:
        return []
    if wanted in board.location_number:
        return [wanted]
    spellings = {location.id: list(_spellings(location)) for location in board.locations}
    begin = [key for key, texts in spellings.items() if any(text.startswith(wanted) for text in texts)]
    return begin or [key for key, texts in spellings.items() if any(f"_{wanted}" in text for text in texts)]


def find_routes(text: str, board: Board) -> list[Route]:
    """The routes that the text can mean: an id, with or without its `:1`, or the beginnings of one or two locations."""
    if text in board.route_number:
        return [board.route(text)]
    ends, _, number = text.partition(":")
    pairs = [_found(parts, board) for parts in _halves(ends)]
    routes = [route for route in board.routes if any(_joins(route, first, second) for first, second in pairs)]
    if not routes:
        here = find_locations(ends, board)
        routes = [route for route in board.routes if route.first in here or route.second in here]
    return [route for route in routes if not number or route.id.endswith(f":{number}")]


def _spellings(location: Location) -> Iterator[str]:
    """Id and name, with and without `the` in front."""
    for text in (location.id, _joined(location.name)):
        yield text
        first, _, rest = text.partition("_")
        if first in SMALL_WORDS and rest:
            yield rest


def _joined(text: str) -> str:
    return "_".join(re.findall(r"[^\W_]+", text.lower()))


def _halves(text: str) -> Iterator[tuple[str, str]]:
    """All the ways to read a text as two locations; a hyphen separates them."""
    if re.search(r"[-–]", text):
        first, second = re.split(r"[-–]", text, maxsplit=1)
        yield first, second
        return
    words = text.split()
    for i in range(1, len(words)):
        yield " ".join(words[:i]), " ".join(words[i:])


def _found(parts: tuple[str, str], board: Board) -> tuple[list[str], list[str]]:
    return find_locations(parts[0], board), find_locations(parts[1], board)


def _joins(route: Route, some: Iterable[str], others: Iterable[str]) -> bool:
    return (route.first in some and route.second in others) or (route.second in some and route.first in others)
