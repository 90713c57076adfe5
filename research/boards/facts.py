"""Facts: what is known of the printed board, which is in no rulebook. Every edition of ours keeps to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from fogline.maps.mapfile import GREY, Connection, MapFile

LANDMARKS = {"alcatraz", "golden_gate_bridge", "the_embarcadero", "sunset", "potrero_hill"}
LENGTHS = {1, 2, 3, 5}
FERRIES = {("fort_mason", "golden_gate_bridge"): 5, ("alcatraz", "pier_39"): 3}
"""Two of the three ferry routes, and the most spaces that they may have: the first has just as many."""

TICKETS, MEAN_VALUE = 24, 6.0
BETWEEN_LANDMARKS = ("golden_gate_bridge", "potrero_hill")


def broken_facts(map_file: MapFile) -> list[str]:
    """What a map does not keep, a line for each."""
    return [fact for fact, holds in _facts(map_file) if not holds]


def _facts(map_file: MapFile) -> Iterator[tuple[str, bool]]:
    connections, tickets = map_file.connections, map_file.tickets
    yield "five landmarks", {place.id for place in map_file.locations if place.landmark} == LANDMARKS
    yield "routes of 1, 2, 3 and 5 spaces", {each.length for each in connections} == LENGTHS
    yield "one route of 5", sum(len(each.colours) for each in connections if each.length == 5) == 1
    ferries = {ends_of(each): each.length for each in connections if each.ferries}
    yield (
        "three ferry routes, with one symbol each",
        (len(ferries) == 3 and all(each.ferries <= 1 for each in connections)),
    )
    yield "Golden Gate Bridge - Fort Mason has 5", ferries.get(("fort_mason", "golden_gate_bridge")) == 5
    yield "the other ferries at most 3", sorted(ferries.values())[:2] <= [3, 3]
    yield "Pier 39 - Alcatraz is a ferry", ("alcatraz", "pier_39") in ferries
    yield "a black route of 3 at Potrero Hill", any(_is_black_example(each) for each in connections)
    yield "24 tickets", len({ends_of(ticket) for ticket in tickets}) == TICKETS
    yield "tickets are worth 6 on average", abs(float(np.mean([t.value for t in tickets])) - MEAN_VALUE) < 0.05
    yield "a ticket Golden Gate Bridge - Potrero Hill", BETWEEN_LANDMARKS in {ends_of(ticket) for ticket in tickets}
    spaces = distances(map_file)
    names = [place.id for place in map_file.locations]
    ways = [spaces[names.index(ticket.first), names.index(ticket.second)] for ticket in tickets]
    yield "tickets are worth their shortest path", ways == [ticket.value for ticket in tickets]


def _is_black_example(each: Connection) -> bool:
    return "potrero_hill" in ends_of(each) and each.length == 3 and "black" in each.colours


def ends_of(each: object) -> tuple[str, str]:
    """The two locations of a connection or of a ticket, in the order of the alphabet."""
    first, second = sorted((getattr(each, "first"), getattr(each, "second")))  # noqa: B009  (of either kind)
    return first, second


def distances(map_file: MapFile) -> np.ndarray:
    """The fewest spaces between any two locations."""
    names = [place.id for place in map_file.locations]
    found = np.full((len(names), len(names)), 999)
    np.fill_diagonal(found, 0)
    for each in map_file.connections:
        first, second = names.index(each.first), names.index(each.second)
        found[first, second] = found[second, first] = min(each.length, found[first, second])
    for middle in range(len(names)):
        found = np.minimum(found, found[:, middle, None] + found[None, middle])
    return found


def spaces_of_each_colour(map_file: MapFile) -> Counter[str]:
    """How many spaces there are of each colour, grey apart."""
    found: Counter[str] = Counter()
    for each in map_file.connections:
        for colour in each.colours:
            if colour != GREY:
                found[colour] += each.length
    return found
