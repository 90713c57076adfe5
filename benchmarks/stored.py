"""Tables written straight into a database, as if they had been played there: thousands of them in seconds."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from sqlalchemy import Engine, create_engine, event, insert, make_url, text

from fogline.fairness.secret import new_secret
from fogline.game.actions import Action, Keep
from fogline.maps.board import Board
from fogline.server.run import make_offer
from fogline.server.storage import schema
from fogline.server.storage.database import migrate
from fogline.server.tables.entries import Chair, Entry, Moved, Opened, Started, write_entry
from fogline.server.tables.people import new_key, new_token, person_of
from fogline.server.tables.table import Offer, Table

_BOT = Chair(kind="bot", player="racer")
_FIRST_TICKETS: list[Action] = [Keep("first"), Keep("second"), Keep("both")]
_AT_ONCE = 500
_LONGEST = 100
"""Moves: more than a random game of two has."""
_COPY = text("INSERT INTO log (game, ply, entry) SELECT :new, ply, entry FROM log WHERE game = :old")


@dataclass(frozen=True, slots=True)
class Seated:
    """A table, and the secrets of the two who sit at it, by chair."""

    table: str
    tokens: tuple[str, str]


def open_engine(url: str) -> Engine:
    """Writes to a new database that no server uses yet. Fast, without protection against a power cut."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "postgresql":
        engine = create_engine(parsed.set(drivername="postgresql+psycopg"))
    else:
        engine = create_engine(parsed)
        event.listen(engine, "connect", _be_careless)
    with engine.begin() as connection:
        migrate(connection)
    return engine


def write_running(engine: Engine, tables: int) -> Iterator[list[Seated]]:
    """Tables of two people, stopped anywhere between the deal and the end; ready when they are written."""
    generator, offer = random.Random(tables), _offer()
    for count in _batches(tables):
        rows, batch = _Rows(), []
        for _ in range(count):
            tokens = (new_token(), new_token())
            running = _play_some(offer, (_person(tokens[0]), _person(tokens[1])), generator)
            rows.add(running)
            batch.append(Seated(running.id, tokens))
        rows.write(engine)
        yield batch


def write_with_bots_due(engine: Engine, tables: int) -> None:
    """Tables at which a bot should have moved meanwhile: what a server finds when it comes back."""
    generator, offer, rows = random.Random(tables), _offer(), _Rows()
    for _ in range(tables):
        running = _play_some(offer, (_person(new_token()), _BOT), generator)
        rows.add(replace(running, due=time.time()))
    rows.write(engine)


def write_remembered(engine: Engine, tables: int, bot: str) -> list[Remembered]:
    """Finished games of a person against three bots, so a replay shows thoughts."""
    generator, offer, rows, remembered = random.Random(tables), _offer(), _Rows(), []
    for _ in range(tables):
        chairs = (_person(new_token()), *[Chair(kind="bot", player=bot)] * 3)
        played = _play(offer, chairs, generator)
        rows.add(played)
        remembered.append(Remembered(played.id, _record_of(played, offer)))
    rows.write(engine)
    return remembered


def write_finished(engine: Engine, tables: int, originals: int = 200) -> Iterator[int]:
    """Finished games; returns how many have been written.

    The first ones are real. The others are their logs under new ids: they could not be opened, because a table's id is
    part of its chance, but that makes no difference to a database.
    """
    generator, offer, rows = random.Random(tables), _offer(), _Rows()
    real = [
        _play(offer, (_person(new_token()), _person(new_token())), generator) for _ in range(min(originals, tables))
    ]
    for played in real:
        rows.add(played)
    rows.write(engine)
    yield len(real)

    ids = iter(sorted(new_key() for _ in range(tables - len(real))))  # sorted, they are written faster
    for count in _batches(tables - len(real)):
        copies = [(next(ids), generator.choice(real)) for _ in range(count)]
        with engine.begin() as connection:
            connection.execute(insert(schema.games), [replace(played, id=id).game_row() for id, played in copies])
            connection.execute(_COPY, [{"new": id, "old": played.id} for id, played in copies])
            guests = [{"person": person, "game": id} for id, played in copies for person in played.people()]
            connection.execute(insert(schema.guests), guests)
        yield count


@dataclass(frozen=True, slots=True)
class Remembered:
    """The table of a game that is over, and its record."""

    table: str
    record: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Played:
    """A table with its log."""

    id: str
    secret: bytes
    chairs: tuple[Chair, ...]
    status: str
    bots_turn: bool
    entries: list[Entry]
    due: float | None = None

    def people(self) -> list[str]:
        return [chair.person for chair in self.chairs if chair.person]

    def game_row(self) -> dict[str, Any]:
        row = {"id": self.id, "secret": self.secret, "host": self.people()[0], "status": self.status, "invite": None}
        return row | {"due": self.due, "created": self.entries[0].at, "changed": self.entries[-1].at}


@dataclass
class _Rows:
    """What goes into the tables of the database."""

    people: list[dict[str, Any]] = field(default_factory=list)
    games: list[dict[str, Any]] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)
    guests: list[dict[str, Any]] = field(default_factory=list)

    def add(self, played: _Played) -> None:
        self.people += [{"id": person, "created": 0.0} for person in played.people()]
        self.games.append(played.game_row())
        texts = enumerate(map(write_entry, played.entries), 1)
        self.log += [{"game": played.id, "ply": ply, "entry": entry} for ply, entry in texts]
        self.guests += [{"person": person, "game": played.id} for person in played.people()]

    def write(self, engine: Engine) -> None:
        with engine.begin() as connection:
            for name in ("people", "games", "log", "guests"):
                if rows := getattr(self, name):
                    connection.execute(insert(getattr(schema, name)), rows)


def _offer() -> Offer:
    return make_offer([Board.load()])


def _person(token: str) -> Chair:
    return Chair(kind="person", person=str(person_of(token)), name="Ann", salt="5a17" * 4)


def _play_some(offer: Offer, chairs: tuple[Chair, ...], generator: random.Random) -> _Played:
    """A game in progress; if a bot plays along, one that waits for it."""
    while True:
        played = _play(offer, chairs, generator, most=generator.randrange(_LONGEST))
        if played.status == "playing" and played.bots_turn == (_BOT in chairs):
            return played


def _play(offer: Offer, chairs: tuple[Chair, ...], generator: random.Random, most: int | None = None) -> _Played:
    """A game, decided at random: at a real table, since its chance comes from its secret."""
    at = time.time() - 3600
    entries: list[Entry] = [
        Opened(
            at=at,
            map="san_francisco",
            digest=offer.digests["san_francisco"],
            clock="none",
            spectators=True,
            autostart=True,
            chairs=chairs,
            host=chairs[0].person,
            invite=new_key(),
        ),
        Started(at=at),
    ]
    table = Table(new_key(), new_secret(), offer)
    for entry in entries:
        table.apply(entry)
    entries += islice(_decide(table, generator, at), most)
    return _Played(table.id, table.secret, chairs, table.status, bool(table.bots_deciding()), entries)


def _record_of(played: _Played, offer: Offer) -> dict[str, Any]:
    table = Table(played.id, played.secret, offer)
    for entry in played.entries:
        table.apply(entry)
    return table.game_record()


def _decide(table: Table, generator: random.Random, at: float) -> Iterator[Entry]:
    match = table.match
    assert match is not None
    while deciding := match.deciding():
        legal = _FIRST_TICKETS if match.choosing else match.game.legal_actions()
        action = generator.choice(legal)
        entry = Moved(at=at, seat=deciding[0], action=action, bot=table.is_bot(deciding[0]))
        table.apply(entry)
        yield entry


def _batches(count: int) -> Iterator[int]:
    for done in range(0, count, _AT_ONCE):
        yield min(_AT_ONCE, count - done)


def _be_careless(connection: sqlite3.Connection, _record: Any) -> None:
    for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-200000"):
        connection.execute(f"PRAGMA {pragma}")
