"""Files of game records, and the outward form of a record: before it is replayed, its structure is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any

from fogline.fairness import FairnessError
from fogline.fairness.entry import read_fairness
from fogline.game.game import FORMAT, PLAYER_COUNTS
from fogline.maps.mapfile import CARDS


class RecordError(ValueError):
    """A record that is damaged or breaks a rule. It names the event (from 0) and the rule, where there is one."""

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
    """The records of a file, one after the other. It checks only that each is a JSON object."""
    for where, text in record_texts(path):
        yield parse_record(text, where)


def record_texts(path: str | Path) -> Iterator[tuple[str, str]]:
    """The text of each record of a file, and a name for it in messages."""
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
    """A record from its JSON. It checks only that it is an object."""
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
    """A JSON value as a text that tells 1, 1.0 and true apart."""
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        return "something too deep"


def describe(value: Any) -> str:
    """A value as messages show it, shortened."""
    text = exact(value)
    return text if len(text) <= 200 else text[:197] + "..."


# The structure of a record, before its meaning.

LONGEST_TEXT = 200
"""In characters: longer than any name, secret or salt, and too short to hide a book in a record."""

_SEED = re.compile(r"0x[0-9a-f]{1,16}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_KEYS = ("format", "map", "players", "seed", "events")
_OPTIONAL = ("digest", "about", "scores", "winners", "fairness")
_ABOUT = ("date", "program", "seats")
_ABOUT_A_SEAT = ("name", "player", "version")


def check_structure(record: Any) -> None:
    """Raises RecordError unless this is a record in its outward form: the right keys, values of the right kinds."""
    if not isinstance(record, dict):
        raise RecordError("a record is a JSON object")
    missing = [key for key in _KEYS if key not in record]
    unknown = [key for key in record if key not in (*_KEYS, *_OPTIONAL)]
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
    _check_digest(record.get("digest", "0" * 64))
    _check_about(record.get("about", {}), record["players"])
    _check_fairness(record)


def _check_digest(digest: Any) -> None:
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise RecordError("digest must be 64 hexadecimal digits")


def _check_about(about: Any, players: int) -> None:
    """Checks who played, and when. Nothing in it is required."""
    _check_texts("about", about, _ABOUT)
    try:
        datetime.fromisoformat(about.get("date", "2000-01-01"))
    except ValueError:
        raise RecordError(f"about: date is one of ISO 8601, not {describe(about['date'])}") from None
    seats = about.get("seats", [{}] * players)
    if not isinstance(seats, list) or len(seats) != players:
        raise RecordError(f"about: seats lists all {players}, from seat 0 on")
    for number, seat in enumerate(seats):
        _check_texts(f"about: seat {number}", seat, _ABOUT_A_SEAT)


def _check_texts(where: str, table: Any, keys: tuple[str, ...]) -> None:
    """Checks that these keys hold texts; the seats are checked by themselves."""
    if not isinstance(table, dict) or any(key not in keys for key in table):
        raise RecordError(f"{where} has {', '.join(keys)}, and nothing else")
    for key, value in table.items():
        if key != "seats" and not _text(value):
            raise RecordError(f"{where}: {key} is a text of at most {LONGEST_TEXT} characters")


def _check_fairness(record: dict[str, Any]) -> None:
    """Checks where the record says that its chance comes from, if it does."""
    try:
        if "fairness" in record:
            read_fairness(record["fairness"], record["players"])
    except FairnessError as error:
        raise RecordError(error.reason) from None
    if not _is_short(record.get("fairness")):
        raise RecordError(f"fairness: a text has at most {LONGEST_TEXT} characters")


def _is_short(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_short, value.values()))
    if isinstance(value, list):
        return all(map(_is_short, value))
    return not isinstance(value, str) or len(value) <= LONGEST_TEXT


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


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT


def _texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 8 and all(map(_text, value))


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
    "location": _text,
    "souvenir": _text,
    "route": _text,
    "from": lambda value: value in ("deck", "display"),
    "reason": _text,
}
