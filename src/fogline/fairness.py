"""Provable fairness: a game's record shows by itself that nobody chose what chance brought.

Before the deal a table shows its commitment, the SHA-256 of a secret. Everyone who sits down adds a salt, and after the
game the table reveals the secret. Secret, salts and the table's id give every seed of the game. So anyone can work out
who sits where, which card comes from the deck each time and in which order the tickets lie, and compare:

    python fairness.py game.json [--map my_city.toml]

This file needs nothing but Python, knows nothing of the program that ran the table, and is meant to be read from top to
bottom. It asks where chance came from, not whether the decisions were legal: `fogline audit` asks that. A record that
passes both is a game by the rules in which people decided, the secret did the rest, and there was nothing else.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import secrets
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

CARDS = ("blue", "green", "black", "purple", "red", "orange", "ferry")
SOUVENIRS = ("bell", "lantern", "sourdough", "heart", "crab", "sea_lion", "fortune_cookie")


class FairnessError(ValueError):
    """A record that is not fair, or cannot be checked: at which event (from 0), where there is one."""

    def __init__(self, reason: str, event: int | None = None) -> None:
        self.reason = reason if len(reason) <= 500 else reason[:497] + "..."
        self.event = event
        super().__init__(self.reason if event is None else f"event {event}: {self.reason}")


def _require(condition: bool, reason: str) -> None:
    if not condition:
        raise FairnessError(reason)


# The secret, and all that comes from it.


def new_secret() -> bytes:
    return secrets.token_bytes(32)


@dataclass(frozen=True, slots=True)
class Fairness:
    """A table's secret, its id, and a salt for each of its chairs: together they are all of its chance.

    >>> fairness = Fairness(bytes(32), "table-1", ("c0ffee", "", "7ea"))
    >>> fairness.seating()
    [0, 2, 1]
    >>> f"{fairness.seed(0):#018x}"
    '0x31b7d207d0cff3b6'
    """

    secret: bytes = field(repr=False)  # a repr ends up in logs
    game: str
    salts: tuple[str, ...]

    def __post_init__(self) -> None:
        _require(type(self.secret) is bytes and len(self.secret) == 32, "a secret has 32 bytes")
        _require(_is_text(self.game, r"[A-Za-z0-9_-]+"), "the id of a table is a text of A-Z, a-z, 0-9, _ and -")
        _require(len(self.salts) in (2, 3, 4), "a table has 2 to 4 chairs, with a salt for each")
        _require(all(_is_text(salt, r"[0-9a-f]{0,64}") for salt in self.salts), "a salt is up to 64 of 0-9 and a-f")

    @property
    def commitment(self) -> str:
        """What the table shows at the start: it fixes the secret and does not tell it."""
        return hashlib.sha256(self.secret).hexdigest()

    def digest(self, label: str) -> bytes:
        message = f"{self.game}:{label}:{'-'.join(self.salts)}"
        return hmac.digest(self.secret, message.encode("utf-8"), "sha256")

    def seed(self, step: int) -> int:
        """The seed of a step: step 0 is the deal, and each action is one more, in the order in which they happen."""
        return int.from_bytes(self.digest(str(step))[:8], "big")

    def player_seed(self, seat: int, step: int) -> int:
        """The seed of a program that decides this step for a seat. What it decides, no check of chance can tell."""
        return int.from_bytes(self.digest(f"player {seat} {step}")[:8], "big")

    def seating(self) -> list[int]:
        """The chair that holds each seat: the chairs, shuffled."""
        digest, order = self.digest("seating"), list(range(len(self.salts)))
        for k, place in enumerate(range(len(order) - 1, 0, -1)):
            other = int.from_bytes(digest[4 * k : 4 * k + 4], "big") % (place + 1)
            order[place], order[other] = order[other], order[place]
        return order

    def revealed(self) -> dict[str, Any]:
        """What a record carries as its `fairness`."""
        return {
            "game": self.game,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "salts": list(self.salts),
            "seating": self.seating(),
        }


class Chance:
    """The generator that a step's seed sets going: MWC64X, a multiply-with-carry of 64 bits."""

    def __init__(self, seed: int) -> None:
        left, right = seed >> 32, seed & 0xFFFFFFFF
        for turn in range(4):
            mixed = right ^ turn
            mixed = ((mixed ^ (mixed >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
            mixed = ((mixed ^ (mixed >> 16)) * 0x846CA68B) & 0xFFFFFFFF
            left, right = right, left ^ mixed ^ (mixed >> 16)
        self.state = (((left & 0x7FFFFFFF) + 1) << 32) | right

    def below(self, bound: int) -> int:
        """The next number, from 0 up to, and without, the bound."""
        self.state = (self.state & 0xFFFFFFFF) * 4294883355 + (self.state >> 32)
        word = (self.state ^ (self.state >> 32)) & 0xFFFFFFFF
        return (word * bound) >> 32


# The check.


@dataclass(frozen=True, slots=True)
class Proof:
    """What was checked in a record, and comes from the secret."""

    commitment: str
    seating: tuple[int, ...]
    cards: int  # those that came from the deck
    tickets: int  # those that were offered

    def __str__(self) -> str:
        chairs = " ".join(map(str, self.seating))
        return f"commitment {self.commitment}, seating {chairs}, {self.cards} cards, {self.tickets} tickets"


def check_fairness(record: Any, map_data: dict[str, Any] | None = None) -> Proof:
    """Raises FairnessError unless everything that chance brought comes from the secret that the record reveals.

    A map of one's own must be given, as read from its TOML.
    """
    _require(type(record) is dict, "a record is a JSON object")
    _require("fairness" in record, "the record has no fairness: it does not say where its chance comes from")
    _require(type(record.get("players")) is int and record["players"] in (2, 3, 4), "players must be 2, 3 or 4")
    _require(type(record.get("events")) is list, "events must be a list")
    _require(_is_text(record.get("map"), r"[a-z0-9_]{1,40}"), "map must be a map's id")
    pieces = read_pieces(_built_in_map(record["map"]) if map_data is None else map_data)
    _require(record["map"] == pieces.map, f"the record is of the map {record['map']}, not {_exact(pieces.map)}")

    told, fairness = record["fairness"], read_fairness(record["fairness"], record["players"])
    seating, seed = fairness.seating(), f"{fairness.seed(0):#018x}"
    _require(told["commitment"] == fairness.commitment, "the secret is not the one of the commitment")
    _require(told["seating"] == seating, f"the secret gives the seating {seating}, not {_exact(told['seating'])}")
    _require(record.get("seed") == seed, f"the secret gives the seed {seed}, not {_exact(record.get('seed'))}")
    table = _Table(record["events"], record["players"], pieces, fairness)
    table.follow()
    return Proof(fairness.commitment, tuple(seating), table.cards_seen, table.tickets_seen)


class _Table:
    """The table, as far as chance needs it. What comes next is worked out first; then the record must say the same."""

    def __init__(self, events: list[Any], players: int, pieces: Pieces, fairness: Fairness) -> None:
        self.events = events
        self.at = 0  # the next event
        self.players = players
        self.fairness = fairness
        self.step = 0
        self.chance = Chance(fairness.seed(0))
        self.deck = list(pieces.cards)  # sorted by kind
        self.display: list[str] = []
        self.discard: list[str] = []
        self.tickets = list(pieces.tickets)  # from top to bottom
        self.offered: list[str] = []
        self.stack_size = 3 if players == 4 else 2
        self.stacks = {location: [souvenir] * self.stack_size for location, souvenir in pieces.landmarks.items()}
        self.owned: set[tuple[int, str]] = set()  # which seat has which souvenir
        self.choice: list[str] = []  # two locations, while a seat must choose between their tokens
        self.cards_seen = self.tickets_seen = 0

    def follow(self) -> None:
        self.deal()
        while self.at < len(self.events):
            if self.value("e", str) in ("last_round", "end"):
                self.at += 1  # nobody decides them, and they bring nothing
            else:
                self.act()

    def deal(self) -> None:
        """Two cards for every seat, five for the display, the tickets shuffled, and the first two offered."""
        for seat in range(self.players):
            self.expect({"e": "deal", "seat": seat, "cards": [self.next_card(), self.next_card()]})
        self.display = [self.next_card() for _ in range(min(5, len(self.deck)))]
        self.expect({"e": "display", "cards": self.display})
        self.reset_ferries()
        for place in range(len(self.tickets) - 1, 0, -1):
            other = self.chance.below(place + 1)
            self.tickets[place], self.tickets[other] = self.tickets[other], self.tickets[place]
        self.offer(0)

    def act(self) -> None:
        """One action, which is one step: chance has a new seed for it."""
        self.step += 1
        self.chance = Chance(self.fairness.seed(self.step))
        actions = self.possible_actions()
        if self.value("e", str) not in actions:
            self.fail(f"{' or '.join(actions)} must come here, not {_exact(self.events[self.at])}")
        actions[self.value("e", str)]()

    def possible_actions(self) -> dict[str, Callable[[], None]]:
        """Where none of these comes next, an action is missing, or there is one too many."""
        if self.offered:
            return {"keep": self.keep}
        if self.step <= self.players + 2:  # every seat has kept its first tickets, and two stacks are placed
            return {"place": self.place}
        if self.choice:
            return {"token": self.token}
        return {"draw": self.draw, "claim": self.claim, "offer": self.draw_tickets, "pass": self.skip}

    def keep(self) -> None:
        kept = self.value("tickets", list)
        others = [ticket for ticket in self.offered if ticket not in kept]
        if not kept or len(kept) + len(others) != len(self.offered):
            self.fail(f"{_exact(kept)} is not one or both of the tickets offered")
        self.at += 1
        self.offered = []
        self.tickets += others  # to the bottom
        if self.step < self.players:
            self.offer(self.step)  # the first tickets of the next seat

    def place(self) -> None:
        size = 1 if self.players == 2 else self.stack_size
        self.stacks[self.value("location", str)] = [self.value("souvenir", str)] * size
        self.at += 1

    def draw(self) -> None:
        card = self.value("card", str)
        if self.value("from", str) == "deck":
            if not self.deck:
                self.fail("the deck is empty")
            self.expect(self.events[self.at] | {"card": self.next_card()})
            self.recycle()
        else:
            if card not in self.display:
                self.fail(f"{_exact(card)} is not on display")
            self.at += 1
            self.display.remove(card)
            self.fill_display()

    def draw_tickets(self) -> None:
        self.offer(self.value("seat", int))

    def claim(self) -> None:
        """The payment is discarded. A token follows: the only one, or one to choose, which is an action of its own."""
        seat, route, payment = self.value("seat", int), self.value("route", str), self.value("cards", dict)
        for card, count in payment.items():
            if card not in CARDS or type(count) is not int or not 0 < count <= 8:
                self.fail(f"{_exact(payment)} is no payment")
            self.discard += [card] * count
        self.at += 1
        self.recycle()
        self.fill_display()
        ends = route.partition(":")[0].split("-")
        tokens = [end for end in ends if self.stacks.get(end) and (seat, self.stacks[end][0]) not in self.owned]
        if len(tokens) > 1:
            self.choice = tokens
        elif tokens:
            souvenir = self.stacks[tokens[0]].pop()
            self.expect({"e": "token", "seat": seat, "location": tokens[0], "souvenir": souvenir})
            self.owned.add((seat, souvenir))

    def token(self) -> None:
        seat, location = self.value("seat", int), self.value("location", str)
        if location not in self.choice:
            self.fail(f"a token of {' or '.join(self.choice)} must come here, not of {_exact(location)}")
        self.at += 1
        self.owned.add((seat, self.stacks[location].pop()))
        self.choice = []

    def skip(self) -> None:
        self.at += 1

    # What follows from an action.

    def next_card(self) -> str:
        """Any card of the deck, with equal chance: it is the top card of a deck whose order nobody knows."""
        self.cards_seen += 1
        return self.deck.pop(self.chance.below(len(self.deck)))

    def fill_display(self) -> None:
        if len(self.display) < 5:
            self.turn_up()
            self.reset_ferries()

    def turn_up(self) -> None:
        while len(self.display) < 5 and self.deck:
            self.display.append(self.next_card())
            self.expect({"e": "flip", "card": self.display[-1]})
            self.recycle()

    def reset_ferries(self) -> None:
        """A display with three ferries is discarded, while there is a deck, but at most three times in a row."""
        for _ in range(3):
            if self.display.count("ferry") >= 3 and self.deck:
                self.expect({"e": "reset", "cards": sorted(self.display)})
                self.discard += self.display
                self.display = []
                self.turn_up()

    def recycle(self) -> None:
        """The discard pile becomes the deck at once when that is empty."""
        if not self.deck and self.discard:
            self.expect({"e": "recycle"})
            self.deck, self.discard = sorted(self.discard, key=CARDS.index), []

    def offer(self, seat: int) -> None:
        if not self.tickets:
            self.fail("no ticket is left to offer")
        self.offered, self.tickets = self.tickets[:2], self.tickets[2:]
        self.tickets_seen += len(self.offered)
        self.expect({"e": "offer", "seat": seat, "tickets": self.offered})

    # The record.

    def expect(self, event: dict[str, Any]) -> None:
        """The next event must be this one."""
        if self.at == len(self.events):
            self.fail(f"the record stops where {_exact(event)} must follow")
        found = self.events[self.at]
        if self.value("e", str) == "reset":
            found = found | {"cards": sorted(self.value("cards", list), key=_exact)}  # a display has no order
        if _exact(found) != _exact(event):
            self.fail(f"{_exact(event)} must come here, not {_exact(found)}")
        self.at += 1

    def value(self, key: str, kind: type) -> Any:
        """A value of the next event."""
        event = self.events[self.at]
        found = event.get(key) if type(event) is dict else None
        if type(found) is not kind:
            self.fail(f"{_exact(event)} is no event of a record")
        return found

    def fail(self, reason: str) -> NoReturn:
        raise FairnessError(reason, self.at)


# Records and maps, which may be anything until they are read.


def read_fairness(entry: Any, players: int) -> Fairness:
    """What a record carries as its `fairness`; only its form is checked."""
    keys = ("game", "commitment", "secret", "salts", "seating")
    _require(type(entry) is dict and set(entry) == set(keys), f"fairness must have {', '.join(keys)}")
    for key in ("commitment", "secret"):
        _require(_is_text(entry[key], "[0-9a-f]{64}"), f"fairness: {key} must be 64 characters of 0-9 and a-f")
    for key, kind in (("salts", str), ("seating", int)):
        listed = type(entry[key]) is list and [type(value) for value in entry[key]] == [kind] * players
        _require(listed, f"fairness: {key} must list {players}, one for each player")
    return Fairness(bytes.fromhex(entry["secret"]), entry["game"], tuple(entry["salts"]))


@dataclass(frozen=True, slots=True)
class Pieces:
    """What chance needs to know of a map."""

    map: str
    cards: tuple[str, ...]  # sorted by kind
    tickets: tuple[str, ...]
    landmarks: dict[str, str]  # locations, and the souvenirs that lie there


def read_pieces(map_data: dict[str, Any]) -> Pieces:
    """The pieces of a good map; `fogline map check` says whether it is one."""
    try:
        counts = map_data.get("cards", {card: 8 if card == "ferry" else 6 for card in CARDS})
        cards = [card for card in CARDS for _ in range(min(counts.get(card, 0), 40))]
        tickets = ["-".join(ticket["between"]) for ticket in map_data["tickets"]]
        landmarks = [key for key, location in map_data["locations"].items() if location.get("landmark")]
        souvenirs = map(str, map_data.get("souvenirs", SOUVENIRS))
        pieces = Pieces(map_data["id"], tuple(cards), tuple(tickets), dict(zip(landmarks, souvenirs, strict=False)))
    except (AttributeError, LookupError, TypeError):
        raise FairnessError("the map is damaged: `fogline map check` says where") from None
    _require(min(len(cards), len(tickets)) >= 8, "the map is too small: four seats need 8 cards and 8 tickets")
    return pieces


def load_map(path: Path) -> dict[str, Any]:
    text = _read(path)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FairnessError(f"{path} is not TOML: {error}") from None


def _built_in_map(name: str) -> dict[str, Any]:
    """A map that lies beside this file: a record does not choose which file is read."""
    path = Path(__file__).with_name("maps") / f"{name}.toml"
    _require(path.is_file(), f"the map {name} does not come with the program: give its file")
    return load_map(path)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise FairnessError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise FairnessError(f"{path} is not a text file") from None


def _record_texts(path: Path) -> list[str]:
    """The records of a file: a single one, or one a line."""
    text = _read(path)
    lines = [line for line in text.split("\n") if line.strip()]
    return lines if lines and all(line.startswith("{") for line in lines[:2]) else [text]


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FairnessError(f"the record is not JSON: {error}") from None


def _exact(value: Any) -> str:
    """A JSON value as a text, in which 1, 1.0 and true differ."""
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        return "something too deep"


def _is_text(value: Any, pattern: str) -> bool:
    return type(value) is str and re.fullmatch(pattern, value) is not None


# The program.


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check that nobody chose what chance brought in recorded games.")
    parser.add_argument("file", type=Path, help="a record, or a file with one a line")
    parser.add_argument("--map", type=Path, metavar="FILE", help="the map file, where the map is one of your own")
    options = parser.parse_args(arguments)
    try:
        map_data = None if options.map is None else load_map(options.map)
        texts = _record_texts(options.file)
    except FairnessError as error:
        parser.error(str(error))
    status = 0
    for number, text in enumerate(texts, 1):
        try:
            sys.stdout.write(f"game {number}: fair: {check_fairness(_parse(text), map_data)}\n")
        except FairnessError as error:
            sys.stderr.write(f"game {number}: not fair: {error}\n")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
