"""The database: SQLite in a file, or PostgreSQL by its URL; connected, and brought to the newest version."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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

from fogline.server.storage.filelock import lock
from fogline.server.storage.timeout import cause

_MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATION_LOCK = 0x_F06_11_4E
"""PostgreSQL's number for "somebody is migrating"; only servers of this program use it."""

_DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}


STATEMENT_SECONDS = 3.0
"""Seconds that a statement may take, waiting for locks included; and seconds to connect."""

_TIMES = {
    "connect_timeout": f"{STATEMENT_SECONDS:.0f}",
    "options": f"-cstatement_timeout={STATEMENT_SECONDS * 1000:.0f}",
    # A database that vanishes is noticed within half a minute, not after hours.
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
"""Defaults for a PostgreSQL URL."""


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
        raise DatabaseError(f"{_shown(url)} cannot be opened: {cause(error)}") from None


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
        connection.execute(text("SET LOCAL statement_timeout = 0"))  # a large table takes as long as it takes
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
    on_windows = sys.platform == "win32"
    if on_windows:  # where no event loop can both start workers and hear of what other servers write
        raise DatabaseError("PostgreSQL is for servers on Linux and macOS; on Windows tables are kept in SQLite")
    timed = url.set(query={**_TIMES, **url.query})  # the operator's URL has the last word
    try:
        return create_engine(timed, pool_pre_ping=True, pool_size=5, max_overflow=5, pool_timeout=STATEMENT_SECONDS)
    except ImportError as error:  # without the library that it stands on, too, which is no missing module
        raise DatabaseError(f'PostgreSQL needs psycopg ({error}): pip install "fogline[postgresql]"') from None


def _sqlite(url: URL) -> Engine:
    if not url.database or url.database == ":memory:" or url.query:  # ?mode=memory, for example
        raise DatabaseError("a database in memory would lose every game: give a file, such as sqlite:///tables.db")
    _hold(Path(url.database))
    _make_private(Path(url.database).resolve())
    engine = create_engine(url, connect_args={"timeout": STATEMENT_SECONDS})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


_HELD: dict[Path, int] = {}


def _hold(path: Path) -> None:
    """Allows one server a file: nothing tells a second one what the first has written."""
    real = path.resolve()  # which may have several names
    beside = real.with_name(real.name + ".lock")
    if beside in _HELD:
        return
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock(descriptor)
    except OSError:
        os.close(descriptor)
        raise DatabaseError(f"another server is using {path}; several servers share a PostgreSQL database") from None
    _HELD[beside] = descriptor


def _make_private(path: Path) -> None:
    """Secrets of running games are for the owner only; SQLite gives the files beside it the same mode."""
    if not path.exists():
        path.touch(mode=0o600)
    elif _is_sqlite(path):
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            with suppress(FileNotFoundError, PermissionError):  # it is somebody else's, who lets us in
                path.with_name(name).chmod(0o600)


def _is_sqlite(path: Path) -> bool:
    """Whether it is a database or empty; any other file stays as it is."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(16) in (b"", b"SQLite format 3\0")


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # we begin transactions ourselves, see below
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # A transaction that first reads and then writes could find that another has written meanwhile.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")
