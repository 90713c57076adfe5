"""The PostgreSQL server of the tests does what the tests take for granted."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import closing, nullcontext
from pathlib import Path

import psycopg
import pytest
import sqlalchemy
from psycopg import Connection
from psycopg.rows import TupleRow

from tests.conformance import ROOT
from tests.postgresql import PostgreSQL
from tests.server.serving import PATIENCE

TABLES = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"


def connect(url: str) -> closing[Connection[TupleRow]]:
    return closing(psycopg.connect(url, autocommit=True))


def number(connection: Connection[TupleRow], query: str) -> int:
    row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def test_databases_are_empty_and_separate(postgresql: PostgreSQL) -> None:
    with connect(postgresql.create_database()) as one, connect(postgresql.create_database()) as other:
        assert number(one, TABLES) == number(other, TABLES) == 0
        one.execute("CREATE TABLE mine (id int)")
        assert (number(one, TABLES), number(other, TABLES)) == (1, 0)


def test_databases_go_even_with_someone_connected(postgresql: PostgreSQL) -> None:
    with connect(postgresql.create_database()) as connection:
        postgresql.empty_databases()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


def test_a_notice_reaches_another_connection(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    with connect(url) as listener, connect(url) as speaker:
        listener.execute("LISTEN moves")
        speaker.execute("NOTIFY moves, 'draw'")
        heard = [(notice.channel, notice.payload) for notice in listener.notifies(timeout=PATIENCE, stop_after=1)]
        assert heard == [("moves", "draw")]


@pytest.mark.parametrize("how", ["restart", "kill"])
def test_what_is_committed_survives(postgresql: PostgreSQL, how: str) -> None:
    url = postgresql.create_database()
    with connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS seven")
        if how == "restart":
            postgresql.restart()
        else:
            postgresql.kill()
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(url)
            postgresql.start()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT seven FROM kept")
    with connect(url) as connection:
        assert number(connection, "SELECT seven FROM kept") == 7


def test_both_databases_take_a_table(database_url: str) -> None:
    url = sqlalchemy.make_url(database_url)
    engine = sqlalchemy.create_engine(url if url.drivername == "sqlite" else url.set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("CREATE TABLE fresh (id int)"))
        assert connection.execute(sqlalchemy.text("SELECT count(*) FROM fresh")).scalar() == 0
    engine.dispose()


@pytest.mark.parametrize("state", ["running", pytest.param("frozen", marks=pytest.mark.thorough)])
def test_nothing_stays_when_the_tests_are_killed(state: str) -> None:
    script = (
        "import time; from contextlib import nullcontext; from tests.postgresql import PostgreSQL\n"
        "with PostgreSQL() as server:\n"
        f"  with server.frozen() if {state == 'frozen'} else nullcontext():\n"
        "    print(server.url('postgres'), server._folder, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True) as tests:
        assert tests.stdout is not None
        url, folder = tests.stdout.readline().split()
        with connect(url) if state == "running" else nullcontext():
            tests.kill()
            limit = time.monotonic() + PATIENCE
            while Path(folder).exists():
                assert time.monotonic() < limit
                time.sleep(0.02)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)


def test_without_postgresql_the_tests_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scripts").mkdir()
    finder = tmp_path / "scripts/postgresql"
    finder.write_text("#!/bin/sh\necho install it >&2; exit 1\n")
    finder.chmod(0o755)
    monkeypatch.setattr("tests.postgresql.ROOT", tmp_path)
    with pytest.raises(RuntimeError, match="install it"), PostgreSQL():
        pass
