"""Proposes boards: other lengths for some routes of three, and other tickets, such that more tickets go together.

    python -m research.boards.candidates --out boards --shorter 8 --tickets 5 7 --seed 1

A candidate keeps all that is known of the printed board (`research.boards.facts`). Among those, the search looks for
boards on which somebody who draws tickets can complete many of them with one network of routes. That is worked out
without an opponent, and so it only proposes: `research.boards.measure` tells what trained players make of a board.
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numba import njit
from rich.progress import track

import fogline.maps
from fogline.maps.mapfile import Connection, MapFile, Ticket
from fogline.maps.reader import parse_map
from research.boards.facts import BETWEEN_LANDMARKS, MEAN_VALUE, broken_facts, distances, ends_of, spaces_of_each_colour

MAPS = Path(fogline.maps.__file__).parent

CARS = 18
"""That a network may use: with two left, the last round begins (7.1)."""

OFFERS = 5
"""How many times a dreamed-up player is offered two tickets."""

EXTRA = 3
"""The most spaces that it adds to its network for a ticket that is offered later."""


@dataclass(frozen=True)
class Range:
    """Which values tickets may have; the one between the landmarks may have any."""

    least: int
    most: int


@njit(cache=True)
def completed_alone(spaces: np.ndarray, firsts: np.ndarray, seconds: np.ndarray, orders: np.ndarray) -> float:
    """How many tickets a player completes alone, on average over some orders of the ticket deck."""
    total = 0
    for order in orders:
        own, left = spaces.copy(), CARS
        for offer in range(OFFERS):
            for ticket in order[2 * offer : 2 * offer + 2]:
                more = own[firsts[ticket], seconds[ticket]]
                if more <= left and (offer == 0 or more <= EXTRA):
                    left -= more
                    total += 1
                    _build(own, firsts[ticket], seconds[ticket])
    return total / len(orders)


@njit(cache=True)
def _build(own: np.ndarray, first: int, second: int) -> None:
    """Joins all locations on one shortest way: from now on there are no spaces between them."""
    size, at = len(own), first
    while at != second:
        nearest = -1  # the next location on the way
        for place in range(size):
            on_way = own[at, place] > 0 and own[at, place] + own[place, second] == own[at, second]
            if on_way and (nearest < 0 or own[at, place] < own[at, nearest]):
                nearest = place
        if nearest < 0:
            return  # joined already
        for one in range(size):
            for other in range(size):
                through = min(own[one, at] + own[nearest, other], own[one, nearest] + own[at, other])
                own[one, other] = min(own[one, other], through)
        at = nearest


def may_be_shorter(each: Connection) -> bool:
    """A single route of three on land, other than the rulebook's black example."""
    example = "potrero_hill" in ends_of(each) and "black" in each.colours
    return each.length == 3 and len(each.colours) == 1 and not each.ferries and not example


class Search:
    """Simulated annealing over which routes are shorter and which tickets there are."""

    def __init__(self, base: MapFile, shorter: int, values: Range, most_at_one: int, seed: int) -> None:
        self.base, self.values, self.most_at_one = base, values, most_at_one
        self.random = np.random.default_rng(seed)
        self.names = [place.id for place in base.locations]
        self.orders = np.array([self.random.permutation(len(base.tickets))[: 2 * OFFERS] for _ in range(160)])
        self.choice = [number for number, each in enumerate(base.connections) if may_be_shorter(each)]
        self.shorter = set(self.random.choice(self.choice, shorter, replace=False).tolist())
        self.spaces = distances(self._map(self.shorter))
        self.pairs = self._first_pairs(len(base.tickets))
        self.score = self._score(self.shorter, self.pairs)

    def _first_pairs(self, count: int) -> list[tuple[int, int]]:
        always = self._between_landmarks()
        others = [pair for pair in self._possible(self.spaces) if pair != always]
        return [always, *(others[at] for at in self.random.permutation(len(others))[: count - 1])]

    def _between_landmarks(self) -> tuple[int, int]:
        first, second = sorted(self.names.index(name) for name in BETWEEN_LANDMARKS)
        return first, second

    def _possible(self, spaces: np.ndarray) -> list[tuple[int, int]]:
        firsts, seconds = np.nonzero(np.triu((self.values.least <= spaces) & (spaces <= self.values.most), 1))
        return list(zip(firsts.tolist(), seconds.tolist(), strict=True))

    def _map(self, shorter: set[int]) -> MapFile:
        connections = tuple(
            replace(each, length=2) if number in shorter else each for number, each in enumerate(self.base.connections)
        )
        return replace(self.base, connections=connections)

    def _score(self, shorter: set[int], pairs: list[tuple[int, int]]) -> float:
        """Tickets completed alone, less what makes a board lopsided."""
        changed = self._map(shorter)
        spaces = distances(changed)
        ways = np.array([spaces[pair] for pair in pairs])
        ends = Counter(end for pair in pairs for end in pair)
        crowded = sum(max(0, count - self.most_at_one) for count in ends.values())
        outside = sum(
            not self.values.least <= way <= self.values.most
            for way, pair in zip(ways, pairs, strict=True)
            if pair != self._between_landmarks()
        )
        colours = spaces_of_each_colour(changed).values()
        firsts, seconds = np.array(pairs).T
        return float(
            completed_alone(spaces, firsts, seconds, self.orders)
            - 8 * max(0.0, abs(ways.mean() - MEAN_VALUE) - 0.02)
            - 0.5 * (crowded + outside + len(self.names) - len(ends))
            - 0.2 * max(0, max(colours) - min(colours) - 2)
        )

    def step(self, heat: float) -> None:
        shorter, pairs = set(self.shorter), list(self.pairs)
        if shorter and len(shorter) < len(self.choice) and self.random.random() < 0.15:
            shorter.remove(int(self.random.choice(sorted(shorter))))
            shorter.add(int(self.random.choice(sorted(set(self.choice) - shorter))))
        else:
            possible = sorted(set(self._possible(distances(self._map(shorter)))) - set(pairs))
            changed = int(self.random.integers(1, len(pairs)))  # the first one stays
            pairs[changed] = possible[int(self.random.integers(len(possible)))]
        score = self._score(shorter, pairs)
        if math.log(max(1e-12, self.random.random())) * heat < score - self.score:
            self.shorter, self.pairs, self.score = shorter, pairs, score

    def best(self, steps: int) -> MapFile:
        for at in track(range(steps), "searching"):
            self.step(0.15 * (1 - at / steps) ** 2 + 1e-6)
        changed = self._map(self.shorter)
        spaces = distances(changed)
        named = [(self.names[first], self.names[second], int(spaces[first, second])) for first, second in self.pairs]
        named.sort(key=lambda ticket: -ticket[2])
        return replace(changed, tickets=tuple(Ticket(*ticket) for ticket in named))


def write_over(text: str, changed: MapFile, name: str) -> str:
    """The text of a map file with another id, and with the lengths and tickets of a candidate."""
    text = re.sub(r'^id = ".*"', f'id = "{name}"', text, count=1, flags=re.M)
    for each in changed.connections:
        ends = re.escape(f'between = ["{each.first}", "{each.second}"], length = ')
        text = re.sub(rf"({ends})\d+", rf"\g<1>{each.length}", text)
    lines = [f'    {{ between = ["{t.first}", "{t.second}"], value = {t.value} }},\n' for t in changed.tickets]
    return re.sub(r"(^tickets = \[\n)(?:    .*\n)*", lambda found: found[1] + "".join(lines), text, flags=re.M)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", type=Path, default=MAPS / "san_francisco.toml", help="the map file to change")
    parser.add_argument("--out", type=Path, default=Path("boards"), help="the folder to write to (%(default)s)")
    parser.add_argument("--name", default="candidate", help="the id of the new map (%(default)s)")
    parser.add_argument("--shorter", type=int, default=8, help="how many routes of three get two (%(default)s)")
    parser.add_argument("--tickets", type=int, nargs=2, default=(5, 7), metavar=("LEAST", "MOST"), help="their values")
    parser.add_argument("--most-at-one", type=int, default=4, help="tickets at one location at most (%(default)s)")
    parser.add_argument("--steps", type=int, default=20_000, help="of the search (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    text = options.board.read_text("utf-8")
    search = Search(parse_map(text), options.shorter, Range(*options.tickets), options.most_at_one, options.seed)
    found = search.best(options.steps)
    for fact in broken_facts(found):
        print(f"does not keep: {fact}")
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"{options.name}.toml"
    path.write_text(write_over(text, found, options.name), "utf-8")
    print(f"{search.score:.3f} tickets completed alone; wrote {path}")


if __name__ == "__main__":
    main()
