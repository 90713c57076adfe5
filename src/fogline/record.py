"""The game record: read it, replay it, and audit it against the rules.

A record is one JSON object a game; a file holds one, or many with one a line. An audit needs no seed and no trust: it
plays the recorded decisions, makes chance bring what the record says it brought, and compares every event with what the
rules say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fogline.actions import Action, Claim, Draw, DrawTickets, Keep, Pass, Place, Token
from fogline.board import Board
from fogline.events import Event
from fogline.game import FORMAT, PLAYERS, Game
from fogline.mapfile import CARDS, FERRY
from fogline.mapreader import built_in_maps
from fogline.refusals import IllegalAction
from fogline.rules.chance import TAPE_LENGTH


class RecordError(ValueError):
    """A record that is damaged or breaks a rule: at which event (from 0), and by which rule, where there is one."""

    def __init__(self, reason: str, *, event: int | None = None, rule: str | None = None) -> None:
        self.event = event
        self.rule = rule
        self.reason = reason
        where = "" if event is None else f"event {event}: "
        super().__init__(where + (f"{rule} {reason}" if rule else reason))


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found in a record that breaks no rule."""

    game: Game
    finished: bool
    from_seed: bool  # the seed and the decisions alone give every event again


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """The records of a file, one after the other; only checked to be JSON objects."""
    for where, text in record_texts(path):
        yield parse_record(text, where)


def record_texts(path: str | Path) -> Iterator[tuple[str, str]]:
    """The text of each record of a file, and how to speak of it."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
            number, first = next(lines, (1, ""))
            if _parses(first):
                yield f"line {number}", first
                yield from ((f"line {number}", line) for number, line in lines)
            else:
                yield "the file", first + "".join(line for _, line in lines)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path} is not a text file") from None


def parse_record(text: str, where: str = "the text") -> dict[str, Any]:
    """A record from its JSON; only checked to be an object."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where} is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise RecordError(f"{where}: a record is a JSON object")
    return record


def replay(record: dict[str, Any], board: Board | None = None, *, at: int | None = None) -> Game:
    """The game that a record tells; raises RecordError where the record is wrong. A map of one's own must be given.

    With `at`, it is the game as it stood before that event, or before the decision that the event follows from.
    """
    return _Replay(record, board).run(at)


def audit(record: dict[str, Any], board: Board | None = None) -> Audit:
    """Replays a record against the rules, and checks its scores and winners."""
    game = replay(record, board)
    if game.over:
        _check_result(record, game)
    elif "scores" in record or "winners" in record:
        raise RecordError("the game has not ended, so it has no scores and no winners", rule="7.1")
    return Audit(game, game.over, _comes_from_seed(record, game))


class _Replay:
    """Walks through the events of a record; `at` is the next one."""

    def __init__(self, record: dict[str, Any], board: Board | None) -> None:
        check_structure(record)
        self.events: list[Event] = record["events"]
        self.players: int = record["players"]
        self.board = board if board is not None else _load_board(record["map"])
        if self.board.id != record["map"]:
            raise RecordError(f"the record is of the map {record['map']}, not {self.board.id}")
        self.seed = int(record["seed"], 16)
        self.at = 0

    def run(self, at: int | None) -> Game:
        game = self._begin()
        while self.at < len(self.events) and not game.over:
            before = game.copy() if at is not None else game
            self._decide(game)
            if at is not None and self.at > at:
                return before
        if self.at < len(self.events):
            raise RecordError("the game is over, but the record goes on", event=self.at, rule="7.1")
        return game

    def _begin(self) -> Game:
        game = Game(self.board, players=self.players, seed=self.seed, cards=self._chance_cards())
        game._stack_tickets(self._ticket_order())
        self._compare(game.events)
        return game

    def _decide(self, game: Game) -> None:
        event = self.events[self.at]
        if event["e"] not in _DECISIONS:
            raise RecordError(f"no {event['e']} happens here", event=self.at, rule=self._rule(event))
        if event["seat"] != game.seat:
            raise RecordError(f"seat {game.seat} must decide, not seat {event['seat']}", event=self.at, rule="3.1")
        action = self._understand(event, game)
        try:
            events = game._play(action, self._chance_cards())
        except IllegalAction as error:
            raise RecordError(error.refusal.reason, event=self.at, rule=error.rule) from None
        self._compare(events)

    def _understand(self, event: Event, game: Game) -> Action:
        if event["e"] != "keep":
            return _DECISIONS[event["e"]](event)
        offer = list(game.position.offered())
        kept = [offer[:1], offer[1:], offer]
        if not offer or event["tickets"] not in kept:
            text = "the tickets kept are not one or both of those offered"
            raise RecordError(text, event=self.at, rule=self._rule(event))
        return Keep(("first", "second", "both")[kept.index(event["tickets"])])

    def _chance_cards(self) -> list[str]:
        """The cards that came from the deck, from this event up to the next one that somebody decides."""
        cards: list[str] = []
        for number, event in enumerate(self.events[self.at : self.at + TAPE_LENGTH]):
            kind = event["e"]
            if kind in _DECISIONS and (number > 0 or kind not in ("draw", "claim")):
                break
            if kind in ("deal", "display"):
                cards.extend(event["cards"])
            elif kind == "flip" or (kind == "draw" and event["from"] == "deck"):
                cards.append(event["card"])
        return cards[:TAPE_LENGTH]

    def _ticket_order(self) -> list[str]:
        """The ticket deck that the offers reveal: tickets come in its order until those put at the bottom come back."""
        offered = [ticket for event in self.events if event["e"] == "offer" for ticket in event["tickets"]]
        known = self.board.ticket_number
        return list(dict.fromkeys([*(ticket for ticket in offered if ticket in known), *known]))

    def _compare(self, expected: Sequence[Event]) -> None:
        """The next events must be these."""
        for event in expected:
            if self.at >= len(self.events):
                raise RecordError(
                    f"the record stops where {_describe(event)} must follow", event=self.at, rule=self._rule(event)
                )
            found = self.events[self.at]
            if _normal(found) != _normal(event):
                self._mismatch(found, event)
            self.at += 1

    def _mismatch(self, found: Event, expected: Event) -> None:
        """Says what is wrong with the first event that differs."""
        drawn = found.get("card", "")
        if found["e"] == expected["e"] and drawn != expected.get("card", ""):
            raise RecordError(f"no {drawn} card is left in the deck", event=self.at, rule="1.4")
        text = f"{_describe(expected)} must come here, not {_describe(found)}"
        raise RecordError(text, event=self.at, rule=self._rule(expected))

    def _rule(self, event: Event) -> str:
        """The rule that an event follows here: the first tickets have one of their own."""
        setting_up = all(event["e"] in _SETTING_UP for event in self.events[: self.at])
        return "2.5" if setting_up and event["e"] in ("offer", "keep") else _RULES[event["e"]]


_SETTING_UP = frozenset({"deal", "display", "reset", "flip", "recycle", "offer", "keep"})

_DECISIONS: dict[str, Callable[[Event], Action]] = {
    "keep": lambda event: Keep("both"),
    "place": lambda event: Place(event["location"]),
    "draw": lambda event: Draw("deck" if event["from"] == "deck" else event["card"]),
    "offer": lambda event: DrawTickets(),
    "claim": lambda event: _claim(event["route"], dict(event["cards"])),
    "token": lambda event: Token(event["location"]),
    "pass": lambda event: Pass(),
}
"""How a decision is read from its event. At a turn, an offer shows the decision to draw tickets."""

_RULES = {
    "deal": "2.4",
    "display": "2.4",
    "reset": "3.7",
    "offer": "6.1",
    "keep": "6.1",
    "place": "2.7",
    "draw": "3.2",
    "flip": "3.3",
    "recycle": "3.8",
    "claim": "4.1",
    "token": "5.1",
    "pass": "8.3",
    "last_round": "7.1",
    "end": "7.1",
}
"""The rule that an event of each kind follows."""


def _claim(route: str, payment: dict[str, int]) -> Claim:
    ferries = payment.pop(FERRY, 0)
    colour, cards = next(iter(payment.items()), (None, 0))
    return Claim(route, colour, cards, ferries)


def _check_result(record: dict[str, Any], game: Game) -> None:
    expected = game.record()
    for seat, score in enumerate(expected["scores"]):
        found = record.get("scores")
        if not isinstance(found, list) or len(found) != game.players:
            raise RecordError(f"scores must list all {game.players} seats", rule="9.1")
        if _exact(found[seat]) != _exact(score):
            rule = next((rule for key, rule in _SCORE_RULES.items() if _get(found[seat], key) != score[key]), "9.1")
            raise RecordError(f"seat {seat}'s score is {_describe(score)}", rule=rule)
    if _exact(record.get("winners")) != _exact(expected["winners"]):
        raise RecordError(f"the winners are {expected['winners']}", rule="9.3")


_SCORE_RULES = {"routes": "4.6", "tokens": "9.2"}


def _get(table: Any, key: str) -> Any:
    return table.get(key) if isinstance(table, dict) else None


def _comes_from_seed(record: dict[str, Any], game: Game) -> bool:
    again = Game(game.board, players=game.players, seed=game.seed)
    try:
        for action in game.actions:
            again.play(action)
    except IllegalAction:
        return False
    return [_normal(event) for event in again.events] == [_normal(event) for event in record["events"]]


def _load_board(name: str) -> Board:
    """A built-in map: a record does not choose which file is read."""
    if name not in built_in_maps():
        raise RecordError(f"the map {name!r} does not come with the program: give its file")
    return Board.load(name)


def _normal(event: Event) -> Event:
    """An event with the order taken out of what has none."""
    return event | {"cards": sorted(event["cards"])} if event["e"] == "reset" else event


def _exact(value: Any) -> str:
    """A JSON value as a text, in which 1, 1.0 and true differ."""
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        return "something too deep"


def _describe(value: Any) -> str:
    text = _exact(value)
    return text if len(text) <= 200 else text[:197] + "..."


# The structure of a record, before its meaning.

_SEED = re.compile(r"0x[0-9a-f]{1,16}")
_KEYS = ("format", "map", "players", "seed", "events")


def check_structure(record: Any) -> None:
    """Raises RecordError unless this is a record in its outward form: the right keys, values of the right kinds."""
    if not isinstance(record, dict):
        raise RecordError("a record is a JSON object")
    missing = [key for key in _KEYS if key not in record]
    unknown = [key for key in record if key not in (*_KEYS, "scores", "winners")]
    if missing or unknown:
        raise RecordError(f"missing keys: {missing}; unknown keys: {unknown}")
    if record["format"] != FORMAT:
        raise RecordError(f"format is {record['format']!r}; this program reads {FORMAT}")
    if type(record["players"]) is not int or record["players"] not in PLAYERS:
        raise RecordError("players must be 2, 3 or 4", rule="1.7")
    if not isinstance(record["map"], str) or not re.fullmatch(r"[a-z0-9_]{1,40}", record["map"]):
        raise RecordError("map must be a map's id")
    if not isinstance(record["seed"], str) or not _SEED.fullmatch(record["seed"]):
        raise RecordError("seed must be a text such as 0x00000000000000ff")
    if not isinstance(record["events"], list):
        raise RecordError("events must be a list")
    for number, event in enumerate(record["events"]):
        _check_event(number, event)


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
            raise RecordError(f"{key} of a {event['e']} event cannot be {_describe(event[key])}", event=number)


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


def _parses(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
