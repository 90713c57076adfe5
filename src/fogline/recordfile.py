"""Files of game records, and the outward form of a record: before it is replayed, its structure is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from fogline.fairness import FairnessError, read_fairness
from fogline.game import FORMAT, PLAYER_COUNTS
from fogline.mapfile import CARDS


class RecordError(ValueError):
    """A record that is damaged or breaks a rule: at which event (from 0), and by which rule, where there is one."""

    def __init__(self, reason: str, *, event: int | None = None, rule: str | None = None) -> None:
        self.event = event
        self.rule = rule
        self.reason = reason
        where = "" if event is None else f"event {event}: "
        super().__init__(where + (f"{rule} {reason}" if rule else reason))

    def __reduce__(self) -> tuple[Any, ...]:
        return _record_error, (self.reason, self.event, self.rule)


def _record_error(reason: str, event: int | None, rule: str | None) -> RecordError:
    return RecordError(reason, event=event, rule=rule)


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """The records of a file, one after the other; only checked to be JSON objects."""
    for where, text in record_texts(path):
        yield parse_record(text, where)


def record_texts(path: str | Path) -> Iterator[tuple[str, str]]:
    """The text of each record of a file, and how to speak of it."""
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
            begin = list(islice(lines, 2))
            # One record a line, even if one of the first two is damaged; or a single record on many lines.
            if any(_is_object(line) for _, line in begin):
                yield from ((f"line {number}", line) for number, line in chain(begin, lines))
            else:
                yield "the file", "".join(line for _, line in chain(begin, lines))
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not a text file") from None


def parse_record(text: str, where: str = "the text") -> dict[str, Any]:
    """A record from its JSON; only checked to be an object."""
    if not text.strip():
        raise RecordError(f"{where} is empty, which is not JSON")
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where} is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise RecordError(f"{where}: a record is a JSON object")
    return record


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def exact(value: Any) -> str:
    """A JSON value as a text, in which 1, 1.0 and true differ."""
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        return "something too deep"


def describe(value: Any) -> str:
    text = exact(value)
    return text if len(text) <= 200 else text[:197] + "..."


# The structure of a record, before its meaning.

_SEED = re.compile(r"0x[0-9a-f]{1,16}")
_KEYS = ("format", "map", "players", "seed", "events")


def check_structure(record: Any) -> None:
    """Raises RecordError unless this is a record in its outward form: the right keys, values of the right kinds."""
    if not isinstance(record, dict):
        raise RecordError("a record is a JSON object")
    missing = [key for key in _KEYS if key not in record]
    unknown = [key for key in record if key not in (*_KEYS, "scores", "winners", "fairness")]
    if missing:
        raise RecordError(f"missing keys: {', '.join(missing)}")
    if unknown:
        raise RecordError(f"unknown keys: {describe(unknown)}")
    if record["format"] != FORMAT:
        raise RecordError(f"format is {record['format']!r}; this program reads {FORMAT}")
    if type(record["players"]) is not int or record["players"] not in PLAYER_COUNTS:
        raise RecordError("players must be 2, 3 or 4", rule="1.7")
    if not isinstance(record["map"], str) or not re.fullmatch(r"[a-z0-9_]{1,40}", record["map"]):
        raise RecordError("map must be a map's id")
    if not isinstance(record["seed"], str) or not _SEED.fullmatch(record["seed"]):
        raise RecordError("seed must be a text such as 0x00000000000000ff")
    if not isinstance(record["events"], list):
        raise RecordError("events must be a list")
    for number, event in enumerate(record["events"]):
        _check_event(number, event)
    _check_fairness(record)


def _check_fairness(record: dict[str, Any]) -> None:
    """A record may say where its chance comes from."""
    try:
        if "fairness" in record:
            read_fairness(record["fairness"], record["players"])
    except FairnessError as error:
        raise RecordError(error.reason) from None


def _check_event(number: int, event: Any) -> None:
    if not isinstance(event, dict) or not isinstance(event.get("e"), str) or event["e"] not in _EVENT_KEYS:
        raise RecordError(f"an event is an object whose e is one of {', '.join(_EVENT_KEYS)}", event=number)
    keys = _EVENT_KEYS[event["e"]]
    if set(event) != {"e", *keys}:
        raise RecordError(
            f"a {event['e']} event has e, {', '.join(keys) or 'and nothing else'}; not {sorted(event)}", event=number
        )
    for key in keys:
        kind = "payment" if (event["e"], key) == ("claim", "cards") else key
        if not _VALUES[kind](event[key]):
            raise RecordError(f"{key} of a {event['e']} event cannot be {describe(event[key])}", event=number)


def _whole(value: Any) -> bool:
    return type(value) is int and 0 <= value <= 100


def _texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 8 and all(isinstance(text, str) for text in value)


def _payment(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and 0 < len(value) <= 2
        and all(card in CARDS and _whole(n) and n for card, n in value.items())
    )


_EVENT_KEYS: dict[str, tuple[str, ...]] = {
    "deal": ("seat", "cards"),
    "display": ("cards",),
    "reset": ("cards",),
    "offer": ("seat", "tickets"),
    "keep": ("seat", "tickets"),
    "place": ("seat", "location", "souvenir", "count"),
    "draw": ("seat", "from", "card"),
    "flip": ("card",),
    "recycle": (),
    "claim": ("seat", "route", "cards"),
    "token": ("seat", "location", "souvenir"),
    "pass": ("seat",),
    "last_round": ("seat",),
    "end": ("reason",),
}

_VALUES: dict[str, Callable[[Any], bool]] = {
    "seat": _whole,
    "count": _whole,
    "card": lambda value: isinstance(value, str) and value in CARDS,
    "cards": lambda value: _texts(value) and all(card in CARDS for card in value),
    "payment": _payment,
    "tickets": _texts,
    "location": lambda value: isinstance(value, str),
    "souvenir": lambda value: isinstance(value, str),
    "route": lambda value: isinstance(value, str),
    "from": lambda value: value in ("deck", "display"),
    "reason": lambda value: isinstance(value, str),
}
