"""The store: logs of tables, kept in a database."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress
from threading import Lock

from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import TimeoutError as TurnTimeout

from fogline.server.storage.database import STATEMENT_SECONDS
from fogline.server.storage.schema import games, guests, log, people

CHANNEL = "fogline"
PEOPLE = "fogline_people"
"""The channels of notices: which logs have grown, and who is at the tables."""

_NOBODY = "nobody"
"""No person has it as an id: theirs are hashes."""

_NOTICE_BYTES = 7_000
"""PostgreSQL carries up to 8,000 bytes a notice."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be opened, with its first entry."""

    id: str
    secret: bytes
    host: str
    status: str
    invite: str | None
    entry: str
    guests: tuple[str, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Append:
    """An entry to be added to a log, and what the table's row says with it."""

    game: str
    ply: int
    entry: str
    status: str
    invite: str | None
    due: float | None
    at: float
    joins: str | None = None  # a person who sits down with this entry
    leaves: str | None = None
    opens: NewTable | None = None  # a table that exists from this entry on


@dataclass(frozen=True, slots=True)
class Stored:
    """A log, or the part that was asked for."""

    id: str
    secret: bytes
    entries: list[str]


class Store:
    """All methods block: they are called from threads."""

    def __init__(self, engine: Engine, process: str) -> None:
        self.engine = engine
        self._writes = engine.execution_options(writes=True)
        self._turn = Lock()
        self.process = process  # our name in the notices to other servers
        dialect = postgresql if self.notifies else sqlite
        self._take_number = dialect.insert(log).on_conflict_do_nothing().returning(log.c.game, log.c.ply)
        self._join = dialect.insert(guests).on_conflict_do_nothing()
        found = dialect.insert(people)
        self._check = found.on_conflict_do_update(index_elements=["id"], set_={"created": found.excluded.created})

    @property
    def notifies(self) -> bool:
        return self.engine.dialect.name == "postgresql"

    # Tables.

    def open(self, new: NewTable, until: float = math.inf) -> None:
        """Opens a table, unless that takes too long: the client was then told to try again, and would have two."""
        with self._writing() as connection:
            self._open(connection, new)
            if time.monotonic() > until:
                raise TimeoutError

    def append(self, appends: Sequence[Append]) -> list[bool]:
        """Adds entries to logs, all in one transaction, and says for each whether its number was still free."""
        with self._writing() as connection:
            rows = [{"game": one.game, "ply": one.ply, "entry": one.entry} for one in appends]
            taken = {(row.game, row.ply) for row in connection.execute(self._take_number, rows)}
            answers = [_take(taken, (one.game, one.ply)) for one in appends]
            won = list(compress(appends, answers))
            if won:
                self._follow(connection, won)
        return answers

    def load(self, game: str, after: int = 0) -> Stored | None:
        """The entries of a log after this number."""
        with self.engine.connect() as connection:
            secret = connection.scalar(select(games.c.secret).where(games.c.id == game))
            if secret is None:
                return None
            found = connection.scalars(
                select(log.c.entry).where(log.c.game == game, log.c.ply > after).order_by(log.c.ply)
            )
            return Stored(game, bytes(secret), list(found))

    def invited(self, invite: str) -> str | None:
        """The table that an invitation is for."""
        with self.engine.connect() as connection:
            return connection.scalar(select(games.c.id).where(games.c.invite == invite))

    def take_due(self, now: float, until: float, limit: int) -> list[str]:
        """Tables at which something is due. Until the given time, no other server is told of them."""
        with self._writing() as connection:
            due = select(games.c.id).where(games.c.due <= now).order_by(games.c.due).limit(limit)
            if self.notifies:
                due = due.with_for_update(skip_locked=True)
            taken = list(connection.scalars(due))
            if taken:
                connection.execute(update(games).where(games.c.id.in_(taken)).values(due=until))
        return taken

    def set_back(self, now: float) -> None:
        """Limits how far ahead a table's due time may be, in case a clock was ahead."""
        ahead = (games.c.due > now) & (games.c.changed > now) & (games.c.due > games.c.changed)
        with self._writing() as connection:
            connection.execute(update(games).where(ahead).values(due=now + games.c.due - games.c.changed))

    def count_hosted(self, person: str) -> int:
        """The tables of a host that are not over."""
        running = (games.c.host == person) & games.c.status.in_(("open", "revealing", "playing"))
        with self.engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(games).where(running)) or 0

    def tables_of(self, person: str, limit: int) -> list[str]:
        """The tables at which a person sits, those that changed last first."""
        found = (
            select(games.c.id)
            .join(guests, guests.c.game == games.c.id)
            .where(guests.c.person == person)
            .order_by(games.c.changed.desc())
            .limit(limit)
        )
        with self.engine.connect() as connection:
            return list(connection.scalars(found))

    def delete_imported(self, before: float, limit: int) -> int:
        """Deletes games that were imported before then; returns how many."""
        with self._writing() as connection:
            old = select(games.c.id).where(games.c.status == "imported", games.c.created < before).limit(limit)
            if self.notifies:
                old = old.with_for_update(skip_locked=True)
            found = list(connection.scalars(old))
            if found:
                connection.execute(delete(log).where(log.c.game.in_(found)))
                connection.execute(delete(games).where(games.c.id.in_(found)))
        return len(found)

    # People.

    def tell(self, news: Sequence[str]) -> None:
        """Tells all servers who is at tables; nothing of it is stored."""
        with self.engine.begin() as connection:
            for one in news:
                connection.execute(_NOTIFY, {"channel": PEOPLE, "notice": one})

    def add_person(self, person: str, at: float) -> None:
        with self._writing() as connection:
            connection.execute(insert(people).values(id=person, created=at))

    def knows(self, person: str) -> bool:
        with self.engine.connect() as connection:
            return connection.scalar(select(people.c.id).where(people.c.id == person)) is not None

    def check(self, at: float) -> None:
        """Raises unless something can be stored: it tries, in a row that is nobody's."""
        with self._writing() as connection:
            connection.execute(self._check, {"id": _NOBODY, "created": at})

    # Inside.

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that writes.

        SQLite lets one of them proceed and makes the others retry after ever longer sleeps, so a write of a millisecond
        could delay a move by many. So those of this process take turns.
        """
        if self.notifies:
            with self._writes.begin() as connection:
                yield connection
            return
        if not self._turn.acquire(timeout=STATEMENT_SECONDS):
            raise TurnTimeout("others are still writing")
        try:
            with self._writes.begin() as connection:
                yield connection
        finally:
            self._turn.release()

    def _open(self, connection: Connection, new: NewTable) -> None:
        row = {"id": new.id, "secret": new.secret, "host": new.host, "status": new.status, "invite": new.invite}
        connection.execute(insert(games).values(**row, created=new.at, changed=new.at))
        connection.execute(insert(log).values(game=new.id, ply=1, entry=new.entry))
        if new.guests:
            connection.execute(self._join, [{"person": person, "game": new.id} for person in new.guests])

    def _follow(self, connection: Connection, won: Sequence[Append]) -> None:
        """Writes what follows from entries that were added."""
        rows = [
            {"of": one.game, "status": one.status, "invite": one.invite, "due": one.due, "changed": one.at}
            for one in won
        ]
        connection.execute(_UPDATE, rows)
        for one in won:
            if one.joins:
                connection.execute(self._join, {"person": one.joins, "game": one.game})
            if one.leaves:
                gone = (guests.c.person == one.leaves) & (guests.c.game == one.game)
                connection.execute(delete(guests).where(gone))
            if one.opens:
                self._open(connection, one.opens)
        if self.notifies:
            self._notify(connection, won)

    def _notify(self, connection: Connection, won: Sequence[Append]) -> None:
        """Tells all servers which logs have grown; they hear of it when the transaction is done."""
        notice = self.process
        for one in won:
            if len(notice) > _NOTICE_BYTES:
                connection.execute(_NOTIFY, {"channel": CHANNEL, "notice": notice})
                notice = self.process
            notice += f" {one.game}:{one.ply}"
        connection.execute(_NOTIFY, {"channel": CHANNEL, "notice": notice})


def _take(taken: set[tuple[str, int]], number: tuple[str, int]) -> bool:
    """Whether this entry got the number: of two in one batch, the first does."""
    won = number in taken
    taken.discard(number)
    return won


_UPDATE = (
    update(games)
    .where(games.c.id == bindparam("of"))
    .values(status=bindparam("status"), invite=bindparam("invite"), due=bindparam("due"), changed=bindparam("changed"))
)
_NOTIFY = text("SELECT pg_notify(:channel, :notice)")
