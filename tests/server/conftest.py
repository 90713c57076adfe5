"""The databases that the table server is tested on, a server, and people who come to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgresql import PostgreSQL
from tests.server.patience import be_patient
from tests.server.playing import serving
from tests.server.serving import Person, Served

be_patient()


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
    _postgresql.empty_databases()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new, empty database: the test runs once on each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/fogline.db"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.create_database()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Whoever needs another server has a fixture of this name."""
    with serving(request.param, request, tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture
def ann(served: Served) -> Person:
    return Person(served.url)


@pytest.fixture
def bob(served: Served) -> Person:
    return Person(served.url)


@pytest.fixture
def eve(served: Served) -> Person:
    """Somebody who sits nowhere."""
    return Person(served.url)
