"""The database: SQLite in a file, or PostgreSQL by its URL; connected, and brought to the newest version."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import platformdirs
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

_MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATION_LOCK = 0x_F06_11_4E
"""PostgreSQL's number for "somebody is migrating"; only servers of this program use it."""

_DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}


class DatabaseError(Exception):
    """The database cannot be used; the text says why."""


def default_url() -> str:
    folder = Path(platformdirs.user_data_dir("fogline", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'tables.db'}"


def connect(text_url: str) -> Engine:
    """An engine on a database of the newest version."""
    url = _parse(text_url)
    try:
        return _migrated(_sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url))
    except OSError as error:
        raise DatabaseError(f"{_shown(url)} cannot be opened: {error.strerror or error}") from None
    except DBAPIError as error:
        cause = str(error.orig).strip().splitlines()
        raise DatabaseError(f"{_shown(url)} cannot be opened: {cause[0] if cause else error}") from None


def _migrated(engine: Engine) -> Engine:
    try:
        with engine.begin() as connection, _one_at_a_time(connection):
            migrate(connection)
    except BaseException:
        engine.dispose()
        raise
    return engine


def migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    newest = ScriptDirectory.from_config(config).get_current_head()
    found = MigrationContext.configure(connection).get_current_revision()
    if found == newest:
        return
    try:
        command.upgrade(config, "head")
    except CommandError:
        raise DatabaseError(
            f"the database is of version {found}, which this program does not know: update it"
        ) from None


@contextmanager
def _one_at_a_time(connection: Connection) -> Iterator[None]:
    """Servers that start together migrate one after the other."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
    yield


def _parse(text_url: str) -> URL:
    try:
        url = make_url(text_url)
        return url.set(drivername=_DRIVERS[url.get_backend_name()])
    except (ArgumentError, ValueError, KeyError):  # a port that is no number is a ValueError
        raise DatabaseError(
            "a database is given as sqlite:///path/to/tables.db or as postgresql://user:password@host/name"
        ) from None


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def _postgresql(url: URL) -> Engine:
    return create_engine(url, pool_pre_ping=True, pool_size=5, max_overflow=5)


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:" or url.query:  # ?mode=memory, for example
        raise DatabaseError("a database in memory would lose every game: give a file, such as sqlite:///tables.db")
    _hold(Path(url.database))
    engine = create_engine(url, connect_args={"timeout": 30})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


_HELD: dict[Path, int] = {}


def _hold(path: Path) -> None:
    """One server a file: nothing tells a second one what the first has written."""
    real = path.resolve()  # which may have several names
    lock = real.with_name(real.name + ".lock")
    if lock in _HELD:
        return
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise DatabaseError(f"another server is using {path}; several servers share a PostgreSQL database") from None
    _HELD[lock] = descriptor


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # we begin transactions ourselves, see below
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # A transaction that first reads and then writes could find that another has written meanwhile.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")
