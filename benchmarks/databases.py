"""New, empty databases: files of SQLite, or databases on a PostgreSQL server."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Protocol

import psycopg
from psycopg import sql
from sqlalchemy import make_url


class Databases(Protocol):
    """Where databases come from."""

    kind: str  # with its version

    def new(self) -> str:
        """The URL of a new database."""
        ...

    def chill(self, url: str) -> None:
        """Makes the system forget what it has read of a database, if that can be done."""
        ...


@contextmanager
def databases(server: str | None, folder: Path) -> Iterator[Databases]:
    """Without a server, files in the folder."""
    if server is None:
        yield _Files(folder)
        return
    created = _Created(server)
    try:
        yield created
    finally:
        created.drop()


class _Files:
    def __init__(self, folder: Path) -> None:
        self.kind = f"SQLite {sqlite3.sqlite_version}"
        self._folder = folder

    def new(self) -> str:
        return f"sqlite:///{self._folder}/{token_hex(4)}.db"

    def chill(self, url: str) -> None:
        with Path(str(make_url(url).database)).open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class _Created:
    def __init__(self, server: str) -> None:
        self._server = server
        self._names: list[str] = []
        with psycopg.connect(server) as connection:
            number = connection.info.server_version
        self.kind = f"PostgreSQL {number // 10_000}.{number % 10_000}"

    def new(self) -> str:
        name = f"fogline_benchmark_{token_hex(4)}"
        self._execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        self._names.append(name)
        return make_url(self._server).set(database=name).render_as_string(hide_password=False)

    def chill(self, url: str) -> None:
        """Its cache is its own."""

    def drop(self) -> None:
        for name in self._names:
            self._execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))

    def _execute(self, statement: sql.Composed) -> None:
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(statement)
