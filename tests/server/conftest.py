"""The databases that the table server is tested on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgresql import PostgreSQL


@pytest.fixture(scope="session")
def _postgresql() -> Iterator[PostgreSQL]:
    """One server for each process of tests, so that a test may stop it and disturb no other."""
    with PostgreSQL(fsync=False) as server:  # kill -9 loses nothing without fsync either; only a power cut does
        yield server


@pytest.fixture
def postgresql(_postgresql: PostgreSQL) -> Iterator[PostgreSQL]:
    """A running PostgreSQL. The databases that the test creates go with the test."""
    yield _postgresql
    _postgresql.start()
    _postgresql.drop_databases()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new, empty database: the test runs once on each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/fogline.db"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.create_database()
