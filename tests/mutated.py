"""Records and receipts that somebody has changed anywhere, and what each checker says of them in a word."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fogline.fairness import FairnessError, as_seen, check_fairness, hash_events
from fogline.fairness.entry import read_fairness
from fogline.fairness.faults import Damaged
from fogline.fairness.files import parse
from fogline.fairness.secret import Fairness
from fogline.maps.board import Board
from tests.dishonest import honest, older_receipt, sit_down

EXAMPLE = Path(__file__).parents[1] / "examples/check_receipt.py"
BASES = 6
"""Honest evenings that are changed: for two, three and four players, with a receipt and with an older one."""

ODD: list[Any] = [
    *(None, True, False, 0, 1, 2, -1, 1.0, 0.0, 1.5, 2**53 + 1, 10**21, [], {}, [1], ["0"], {"a": 1}),
    *("", "é", "\ud800", "\U0001d4b3", "__proto__", "constructor", "deck", "display", "ferry", "keep", "bot", "0" * 64),
]
KEYS = ["__proto__", "constructor", "toString", "é", "10", "seal", "count", "scheme", "card", "seat", "length", "given"]


class Change(NamedTuple):
    """One value of the pair [record, receipt] becomes another; none where it goes away."""

    place: list[Any]
    value: list[Any]  # of one, or of none


class Case(NamedTuple):
    base: int
    changes: list[Change]
    hashed: bool  # whether the receipt has the hash of the changed events


@cache
def _base(number: int) -> str:
    sitting = sit_down(Board.load("tiny"), 2 + number % 3, 10 * number)
    return json.dumps(honest(sitting) if number < BASES / 2 else older_receipt(sitting))


def base(number: int) -> list[Any]:
    found: list[Any] = json.loads(_base(number))
    return found


def cases(number: int, seed: int) -> Iterator[Case]:
    generator = random.Random(seed)
    for _ in range(number):
        at = generator.randrange(BASES)
        pair = base(at)
        changes = [_changed(pair, generator) for _ in range(generator.choice([1, 1, 1, 2]))]
        hashed = generator.random() < 0.4 and _hash_again(pair, changes)
        yield Case(at, changes, hashed)


def pair_of(case: Case) -> list[Any]:
    pair = base(case.base)
    for change in case.changes:
        _apply(pair, change)
    return pair


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from _places(one, (*at, key))


def _changed(pair: list[Any], generator: random.Random) -> Change:
    """Changes something. Events are most of a record: other things have their turn as often."""
    part = generator.choice(["events", "record", "receipt", "receipt"])
    places = [place for place in _places(pair) if len(place) > 1 and _part(place) == part]
    place = list(generator.choice(places))
    found = _at(pair, place)
    ways: list[Callable[[], Change]] = [lambda: Change(place, [copy.deepcopy(generator.choice(ODD))])] * 3
    ways.append(lambda: Change(place, []))
    if type(found) is int:
        ways.append(lambda: Change(place, [float(found)]))
        ways.append(lambda: Change(place, [found + 1]))
    if type(found) is bool:
        ways += [lambda: Change(place, [not found])] * 3
    if isinstance(found, dict):
        ways.append(lambda: Change([*place, generator.choice(KEYS)], [generator.choice(ODD)]))
    if isinstance(found, list) and found:
        ways.append(lambda: Change(place, [[*found, found[-1]]]))
        ways.append(lambda: Change(place, [found[::-1]]))
        ways.append(lambda: Change(place, [found[:-1]]))
    if isinstance(found, str):
        ways.append(lambda: Change(place, [generator.choice([found.upper(), found + " ", found + "\n", found[:-1]])]))
    change = generator.choice(ways)()
    if len(json.dumps(change)) > 3000:  # a whole list of events
        change = Change(place, [])
    _apply(pair, change)
    return change


def _part(place: tuple[Any, ...]) -> str:
    return "receipt" if place[0] == 1 else "events" if place[1] == "events" else "record"


def _at(pair: Any, place: list[Any]) -> Any:
    for key in place:
        pair = pair[key]
    return pair


def _apply(pair: list[Any], change: Change) -> None:
    *outer, key = change.place
    holder = _at(pair, outer)
    if change.value:
        holder[key] = copy.deepcopy(change.value[0])
    else:
        del holder[key]


def _hash_again(pair: list[Any], changes: list[Change]) -> bool:
    """As if the changed events had been shown, where they can be."""
    try:
        record, receipt = parse(json.dumps(pair))
        fairness = read_fairness(record["fairness"], record["players"])
        assert isinstance(fairness, Fairness)
        seat = record["fairness"]["seating"].index(receipt["chair"])
        seen = [as_seen(event, seat, at, fairness) for at, event in enumerate(record["events"])]
        change = Change([1, "seen"], [{"events": len(seen), "hash": hash_events(seen)}])
        _apply(pair, change)
    except (AssertionError, AttributeError, FairnessError, LookupError, TypeError, ValueError):
        return False
    changes.append(change)
    return True


# What the checkers say.


class Verdict(NamedTuple):
    word: str  # fair, doubt, cheat or damaged
    of_the_game: bool  # whether it is found in what the record alone says, of its cards or its map


def ask_module(pair: list[Any]) -> Verdict:
    try:
        record, receipt = parse(json.dumps(pair))
        proof = check_fairness(record, receipt=receipt)
    except FairnessError as error:
        return Verdict("damaged" if isinstance(error, Damaged) else "cheat", _is_of_the_game(error))
    return Verdict("fair" if proof.fair else "doubt", of_the_game=False)


def _is_of_the_game(error: FairnessError) -> bool:
    return error.event is not None or " map" in error.reason


@cache
def _example() -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "example"}
    exec(compile(EXAMPLE.read_text("utf-8"), EXAMPLE, "exec"), namespace)
    return namespace


def ask_example(pair: list[Any]) -> str:
    given, example = parse(json.dumps(pair)), _example()
    try:
        if example["problems"](*given):
            return "cheat"
        return "doubt" if list(example["doubts"](*given)) else "fair"
    except example["Damaged"]:
        return "damaged"
