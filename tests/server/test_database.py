"""The database is brought to the newest version, and whatever stands against it is said in clear words."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from fogline.server.storage.database import DatabaseError, connect, migrate
from fogline.server.storage.schema import METADATA
from tests.postgresql import PostgreSQL

NEWEST = "0001"


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    engine = connect(url)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def version(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


# Migrations.


def test_a_new_database_is_brought_to_the_newest_version(database_url: str) -> None:
    with connected(database_url) as connection:
        assert version(connection) == NEWEST


def test_the_migrations_lead_to_the_schema_that_the_program_uses(database_url: str) -> None:
    with connected(database_url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, METADATA) == []


def test_a_database_of_the_newest_version_is_left_as_it_is(database_url: str) -> None:
    with connected(database_url) as connection:
        connection.execute(text("INSERT INTO people VALUES ('ann', 1.5)"))
    with connected(database_url) as connection:
        assert version(connection) == NEWEST
        assert connection.execute(text("SELECT id, created FROM people")).all() == [("ann", 1.5)]


def test_a_database_of_a_later_program_is_not_touched(database_url: str) -> None:
    with connected(database_url) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseError, match="version 9999, which this program does not know"):
        connect(database_url)


def test_a_migration_that_fails_leaves_nothing_behind(database_url: str) -> None:
    with connected(database_url) as connection:
        METADATA.drop_all(connection)
        connection.execute(text("DELETE FROM alembic_version"))
        connection.execute(text("CREATE TABLE log (id integer)"))  # in the way of ours, which comes after `games`
    with pytest.raises(DatabaseError, match=r"cannot be opened: .*log.* already exists"):
        connect(database_url)
    with connected(without_log(database_url)) as connection:
        assert version(connection) == NEWEST


def without_log(url: str) -> str:
    """The database with the table out of the way that made the migration fail: what else it left would do so again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fogline.server.storage.database.migrate", lambda connection: None)
        with connected(url) as connection:
            connection.execute(text("DROP TABLE log"))
    return url


def test_servers_that_start_together_migrate_one_after_the_other(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    with ThreadPoolExecutor(8) as threads:
        for engine in threads.map(connect, [url] * 8):
            with engine.begin() as connection:
                assert version(connection) == NEWEST
            engine.dispose()


def test_migrating_twice_on_one_connection_does_nothing(database_url: str) -> None:
    with connected(database_url) as connection:
        migrate(connection)
        assert version(connection) == NEWEST


# URLs.


@pytest.mark.parametrize(
    "url",
    [
        "",
        "tables.db",
        "mysql://localhost/fogline",
        "nonsense://x/y",
        "postgresql://localhost:port/fogline",
        "postgresql://[::1/fogline",
    ],
)
def test_a_url_that_is_none_is_answered_with_two_that_are(url: str) -> None:
    with pytest.raises(DatabaseError, match=r"as sqlite:///path/to/tables\.db or as postgresql://user:password@"):
        connect(url)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///file:x?mode=memory"])
def test_a_database_in_memory_is_refused(url: str) -> None:
    with pytest.raises(DatabaseError, match="in memory would lose every game: give a file"):
        connect(url)


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"missing/tables\.db cannot be opened: No such file or directory$"):
        connect(f"sqlite:///{tmp_path}/missing/tables.db")


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="cannot be opened: unable to open database file"):
        connect(f"sqlite:///{tmp_path}")


def test_another_file_is_no_database_and_stays_as_it_is(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann! " * 1000)
    with pytest.raises(DatabaseError, match="cannot be opened: file is not a database"):
        connect(f"sqlite:///{letter}")
    assert letter.read_text() == "Dear Ann! " * 1000


def test_a_postgresql_server_that_is_not_there_is_said_without_the_password() -> None:
    with pytest.raises(DatabaseError, match=r"ann:\*\*\*@127\.0\.0\.1:1/fogline cannot be opened: .*refused") as found:
        connect("postgresql://ann:opensesame@127.0.0.1:1/fogline")
    assert "opensesame" not in str(found.value)


def test_a_postgresql_database_that_is_not_there_is_named(postgresql: PostgreSQL) -> None:
    with pytest.raises(DatabaseError, match='database "nowhere" does not exist'):
        connect(postgresql.url("nowhere"))


@pytest.mark.parametrize("driver", ["postgresql+psycopg2", "postgresql+asyncpg"])
def test_whatever_driver_a_url_names_ours_is_taken(driver: str, postgresql: PostgreSQL) -> None:
    with connected(postgresql.create_database().replace("postgresql", driver, 1)) as connection:
        assert connection.engine.driver == "psycopg"


def test_sqlite_is_reached_by_its_own_driver_alone(tmp_path: Path) -> None:
    with connected(f"sqlite+aiosqlite:///{tmp_path}/tables.db") as connection:
        assert connection.engine.driver == "pysqlite"


# What a file promises.


def test_an_entry_that_sqlite_has_taken_is_on_the_disk(tmp_path: Path) -> None:
    with connected(f"sqlite:///{tmp_path}/tables.db") as connection:
        settings = [connection.scalar(text(f"PRAGMA {name}")) for name in ("journal_mode", "synchronous")]
        assert settings == ["wal", 2]  # 2 is FULL: every commit is synced


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


NAMES = ("tables.db", "tables.db-wal", "tables.db-shm", "tables.db.lock")


@pytest.fixture
def careless() -> Iterator[None]:
    """Whatever is made may be read and written by anybody, unless it is said otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("careless")
def test_a_new_file_and_all_beside_it_are_their_owners_alone(tmp_path: Path) -> None:
    with connected(f"sqlite:///{tmp_path}/tables.db") as connection:
        connection.execute(text("INSERT INTO people VALUES ('ann', 1.5)"))
        assert modes(tmp_path) == dict.fromkeys(NAMES, 0o600)


@pytest.mark.usefixtures("careless")
def test_an_old_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "other.db").symlink_to(tmp_path / "tables.db")
    with closing(sqlite3.connect(tmp_path / "tables.db")) as old:
        old.executescript("PRAGMA journal_mode=WAL; CREATE TABLE theirs (id integer)")
        assert set(modes(tmp_path).values()) == {0o644}
        with connected(f"sqlite:///{tmp_path}/other.db"):
            assert modes(tmp_path).items() >= dict.fromkeys(NAMES, 0o600).items()


@pytest.mark.usefixtures("careless")
def test_a_file_that_is_no_database_can_be_read_as_before(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann! " * 1000)
    with pytest.raises(DatabaseError, match="cannot be opened: file is not a database"):
        connect(f"sqlite:///{letter}")
    assert modes(tmp_path)["letter.txt"] == 0o666


# One server a file. The servers of these tests are processes: within one, a file may be opened again.

CONNECT = """
import sys
from fogline.server.storage.database import DatabaseError, connect
try:
    connect(sys.argv[1])
except DatabaseError as error:
    print(error)
else:
    print("opened", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_server(url: str) -> Iterator[str]:
    """Another process opens the database; what it says. Until the end of the block it goes on."""
    command = [sys.executable, "-c", CONNECT, url]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


def test_a_second_server_on_one_file_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    with another_server(url) as first:
        assert first == "opened"
        with another_server(url) as second:
            assert (
                second == f"another server is using {tmp_path}/tables.db; several servers share a PostgreSQL database"
            )
    with another_server(url) as third:
        assert third == "opened"


def test_a_second_server_is_refused_by_whatever_name_it_knows_the_file(tmp_path: Path) -> None:
    (tmp_path / "other.db").symlink_to(tmp_path / "tables.db")
    with another_server(f"sqlite:///{tmp_path}/tables.db"), another_server(f"sqlite:///{tmp_path}/other.db") as second:
        assert second.startswith("another server is using")


def test_a_second_server_on_one_postgresql_database_is_welcome(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    with another_server(url) as first, another_server(url) as second:
        assert (first, second) == ("opened", "opened")
