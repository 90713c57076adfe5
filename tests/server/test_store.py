"""The store takes one entry for each number of a log, and keeps all that belongs to it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import psycopg
import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from fogline.server.storage.database import connect
from fogline.server.storage.store import CHANNEL, Append, NewTable, Store
from tests.postgresql import PostgreSQL
from tests.server.serving import PATIENCE


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    engine = connect(database_url)
    yield engine
    engine.dispose()


@pytest.fixture
def store(engine: Engine) -> Store:
    return Store(engine, "tests")


def new_table(id: str = "table", *guests: str, invite: str | None = None, at: float = 1.0) -> NewTable:
    return NewTable(id, bytes(32), "ann", "open", invite, f"{id} opened", guests, at)


def entry(game: str, ply: int, text: str = "entry", **others: object) -> Append:
    """An entry for a log, at a table that goes on."""
    plain = Append(game, ply, text, status="playing", invite=None, due=None, at=float(ply))
    return replace(plain, **others)  # type: ignore[arg-type]


def log_of(store: Store, game: str) -> list[str]:
    stored = store.load(game)
    assert stored is not None
    return stored.entries


# Logs.


def test_a_table_begins_with_its_first_entry(store: Store) -> None:
    store.open(replace(new_table(), secret=bytes(range(32))))
    stored = store.load("table")
    assert stored is not None
    assert (stored.id, stored.secret, stored.entries) == ("table", bytes(range(32)), ["table opened"])


def test_nobody_has_heard_of_a_table_that_was_not_opened(store: Store) -> None:
    assert store.load("table") is None


def test_a_table_is_opened_once(store: Store) -> None:
    store.open(new_table())
    with pytest.raises(IntegrityError):
        store.open(new_table())
    assert log_of(store, "table") == ["table opened"]


def test_a_log_is_read_from_any_number_on(store: Store) -> None:
    store.open(new_table())
    assert store.append([entry("table", 2, "second")]) == [True]
    assert store.append([entry("table", 3, "third")]) == [True]
    later = [store.load("table", after) for after in range(5)]
    assert [stored.entries for stored in later if stored] == [
        ["table opened", "second", "third"],
        ["second", "third"],
        ["third"],
        [],
        [],
    ]


def test_a_number_is_taken_once(store: Store) -> None:
    store.open(new_table())
    assert store.append([entry("table", 2, "mine")]) == [True]
    assert store.append([entry("table", 2, "yours")]) == [False]
    assert log_of(store, "table") == ["table opened", "mine"]


def test_each_entry_of_a_batch_is_answered_for_itself(store: Store) -> None:
    for id in "abc":
        store.open(new_table(id))
    store.append([entry("b", 2, "first")])
    assert store.append([entry("a", 2), entry("b", 2, "late"), entry("c", 2)]) == [True, False, True]
    assert [log_of(store, id)[1:] for id in "abc"] == [["entry"], ["first"], ["entry"]]


def test_of_two_entries_for_one_number_in_a_batch_the_first_is_taken(store: Store) -> None:
    store.open(new_table())
    assert store.append([entry("table", 2, "mine"), entry("table", 2, "yours")]) == [True, False]
    assert log_of(store, "table") == ["table opened", "mine"]


def test_two_entries_of_one_table_in_a_batch_are_answered_each_for_itself(store: Store) -> None:
    store.open(new_table())
    store.append([entry("table", 2)])
    assert store.append([entry("table", 2, "late"), entry("table", 3, "third")]) == [False, True]
    assert log_of(store, "table") == ["table opened", "entry", "third"]


def test_the_largest_batch_is_taken_at_once(store: Store) -> None:
    ids = [f"table{number:03}" for number in range(200)]
    for id in ids:
        store.open(new_table(id))
    assert store.append([entry(id, 2) for id in ids]) == [True] * 200
    assert store.append([entry(id, 2, "late") for id in ids]) == [False] * 200
    assert {log_of(store, id)[1] for id in ids} == {"entry"}


def test_of_many_threads_that_want_one_number_one_gets_it(engine: Engine) -> None:
    stores = [Store(engine, f"server{number}") for number in range(4)]
    stores[0].open(new_table())
    for ply in range(2, 22):
        start = Barrier(len(stores))

        def race(store: Store, ply: int = ply, start: Barrier = start) -> bool:
            start.wait()
            return store.append([entry("table", ply, store.process)])[0]

        with ThreadPoolExecutor(len(stores)) as threads:
            won = list(threads.map(race, stores))
        assert won.count(True) == 1
        assert log_of(stores[0], "table")[ply - 1] == f"server{won.index(True)}"


def test_of_those_who_write_at_once_each_has_a_turn(store: Store) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: store.open(new_table(f"table{number}")), range(200)))
    assert all(log_of(store, f"table{number}") for number in range(200))


def test_a_turn_that_does_not_come_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = connect(f"sqlite:///{tmp_path}/tables.db")
    store = Store(engine, "tests")
    monkeypatch.setattr("fogline.server.storage.store.STATEMENT_SECONDS", 0.05)
    with ThreadPoolExecutor(1) as thread, store._writing(), pytest.raises(SQLAlchemyError):
        thread.submit(store.check, 1.0).result(PATIENCE)
    store.check(1.0)
    engine.dispose()


def test_a_batch_is_stored_as_a_whole_or_not_at_all(store: Store) -> None:
    for id in "ab":
        store.open(new_table(id))
    taken = new_table("a")  # there is a table of this name already
    with pytest.raises(IntegrityError):
        store.append([entry("a", 2), entry("b", 2, opens=taken)])
    assert [log_of(store, id) for id in "ab"] == [["a opened"], ["b opened"]]


def test_a_rematch_is_opened_with_the_entry_that_says_so(store: Store) -> None:
    store.open(new_table("first", "ann", "ben"))
    assert store.append([entry("first", 2, opens=new_table("second", "ann", "ben"))]) == [True]
    assert log_of(store, "second") == ["second opened"]
    assert sorted(store.tables_of("ben", 10)) == ["first", "second"]


def test_a_rematch_whose_entry_came_second_is_never_opened(store: Store) -> None:
    store.open(new_table("first"))
    store.append([entry("first", 2, opens=new_table("second"))])
    assert store.append([entry("first", 2, opens=new_table("another"))]) == [False]
    assert store.load("another") is None


# Invitations.


def test_an_invitation_leads_to_its_table_for_as_long_as_it_holds(store: Store) -> None:
    store.open(new_table(invite="welcome"))
    assert store.invited("welcome") == "table"
    store.append([entry("table", 2, invite="renewed")])
    assert (store.invited("welcome"), store.invited("renewed")) == (None, "table")
    store.append([entry("table", 3, invite=None)])
    assert store.invited("renewed") is None


def test_no_two_tables_have_the_same_invitation(store: Store) -> None:
    store.open(new_table("first", invite="welcome"))
    with pytest.raises(IntegrityError):
        store.open(new_table("second", invite="welcome"))
    assert store.load("second") is None


def test_any_number_of_tables_have_none(store: Store) -> None:
    for id in "abc":
        store.open(new_table(id, invite=None))
    assert all(store.load(id) for id in "abc")


def test_an_entry_that_came_second_changes_no_invitation(store: Store) -> None:
    store.open(new_table(invite="welcome"))
    store.append([entry("table", 2, invite="welcome")])
    store.append([entry("table", 2, invite="stolen")])
    assert (store.invited("welcome"), store.invited("stolen")) == ("table", None)


# Guests.


def test_tables_are_listed_for_those_who_sit_there_the_last_changed_first(store: Store) -> None:
    store.open(new_table("old", "ann", at=1.0))
    store.open(new_table("new", "ann", "ben", at=2.0))
    assert (store.tables_of("ann", 10), store.tables_of("ben", 10)) == (["new", "old"], ["new"])
    store.append([entry("old", 2, at=3.0)])
    assert (store.tables_of("ann", 10), store.tables_of("ann", 1)) == (["old", "new"], ["old"])


def test_who_sits_down_and_stands_up_is_a_guest_meanwhile(store: Store) -> None:
    store.open(new_table("table", "ann"))
    store.append([entry("table", 2, joins="ben")])
    store.append([entry("table", 3, joins="ben")])  # with another name
    assert store.tables_of("ben", 10) == ["table"]
    store.append([entry("table", 4, leaves="ben")])
    assert (store.tables_of("ben", 10), store.tables_of("ann", 10)) == ([], ["table"])


def test_who_came_second_for_a_chair_is_no_guest(store: Store) -> None:
    store.open(new_table())
    store.append([entry("table", 2, joins="ben")])
    store.append([entry("table", 2, joins="cleo", leaves="ben")])
    assert (store.tables_of("ben", 10), store.tables_of("cleo", 10)) == (["table"], [])


def test_a_host_has_the_tables_that_are_not_over(store: Store) -> None:
    for id in ("open", "playing", "over", "closed"):
        store.open(new_table(id))
        store.append([entry(id, 2, status=id)])
    store.open(replace(new_table("of another"), host="ben"))
    assert (store.count_hosted("ann"), store.count_hosted("ben"), store.count_hosted("cleo")) == (2, 1, 0)


# People.


def test_people_are_known_once_they_came(store: Store) -> None:
    assert not store.knows("ann")
    store.add_person("ann", 1.0)
    assert (store.knows("ann"), store.knows("ben")) == (True, False)
    with pytest.raises(IntegrityError):
        store.add_person("ann", 2.0)


# What is due.


def due_at(store: Store, **times: float | None) -> None:
    for id, due in times.items():
        store.open(new_table(id))
        store.append([entry(id, 2, due=due)])


def test_what_is_due_is_told_the_longest_due_first(store: Store) -> None:
    due_at(store, later=8.0, sooner=7.0, tomorrow=99.0, never=None, now=10.0)
    assert store.take_due(10.0, 20.0, limit=10) == ["sooner", "later", "now"]


def test_not_more_is_told_than_asked_for(store: Store) -> None:
    due_at(store, a=1.0, b=2.0, c=3.0)
    assert [store.take_due(10.0, 20.0, limit=2) for _ in range(3)] == [["a", "b"], ["c"], []]


def test_what_was_taken_and_not_done_is_due_again(store: Store) -> None:
    due_at(store, table=1.0)
    assert [store.take_due(now, now + 10.0, limit=5) for now in (2.0, 3.0, 11.9, 12.0)] == [
        ["table"],
        [],
        [],
        ["table"],
    ]


def test_the_next_entry_says_anew_when_something_is_due(store: Store) -> None:
    due_at(store, table=1.0)
    store.take_due(2.0, 100.0, limit=5)
    store.append([entry("table", 3, due=4.0)])
    assert store.take_due(5.0, 100.0, limit=5) == ["table"]
    store.append([entry("table", 4, due=None)])
    assert store.take_due(1000.0, 2000.0, limit=5) == []


def test_an_entry_that_came_second_does_not_say_when_something_is_due(store: Store) -> None:
    due_at(store, table=1.0)
    store.append([entry("table", 2, due=None, status="over")])
    assert store.take_due(2.0, 3.0, limit=5) == ["table"]
    assert store.count_hosted("ann") == 1


def test_of_many_servers_that_look_for_what_is_due_one_takes_each_table(engine: Engine) -> None:
    stores = [Store(engine, f"server{number}") for number in range(4)]
    ids = [f"table{number:02}" for number in range(40)]
    due_at(stores[0], **dict.fromkeys(ids, 1.0))
    start = Barrier(len(stores))

    def look(store: Store) -> list[str]:
        start.wait()
        found = []
        while taken := store.take_due(2.0, 100.0, limit=3):
            found += taken
        return found

    with ThreadPoolExecutor(len(stores)) as threads:
        found = [id for taken in threads.map(look, stores) for id in taken]
    left = stores[0].take_due(2.0, 100.0, limit=100)  # that each of them left to another one, who had just left
    assert sorted(found + left) == ids


# Notices.


def test_everyone_is_told_of_every_entry_however_many_there_are(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    store = Store(connect(url), "tests")
    ids = [f"a-long-name-of-a-table-{number:04}" for number in range(600)]  # more than one notice holds
    for id in ids:
        store.open(new_table(id))
    with psycopg.connect(url, autocommit=True) as listener:
        listener.execute(f"LISTEN {CHANNEL}")
        store.append([entry(id, 2) for id in ids])
        store.append([entry("a-long-name-of-a-table-0000", 3, "the last")])
        heard: list[str] = []
        for notice in listener.notifies(timeout=PATIENCE):
            process, *grown = notice.payload.split()
            assert process == "tests"
            heard += grown
            if grown == ["a-long-name-of-a-table-0000:3"]:
                break
    assert heard == [*(f"{id}:2" for id in ids), "a-long-name-of-a-table-0000:3"]
    store.engine.dispose()


def test_nobody_is_told_of_an_entry_that_came_second(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    store = Store(connect(url), "tests")
    store.open(new_table())
    store.append([entry("table", 2)])
    with psycopg.connect(url, autocommit=True) as listener:
        listener.execute(f"LISTEN {CHANNEL}")
        store.append([entry("table", 2)])
        store.append([entry("table", 3)])
        heard = [notice.payload for notice in listener.notifies(timeout=PATIENCE, stop_after=1)]
    assert heard == ["tests table:3"]
    store.engine.dispose()


def test_what_a_clock_that_was_ahead_put_off_comes_as_soon_as_it_was_meant_to(store: Store) -> None:
    for game, changed, due in [
        ("ahead", 1000.0, 1003.0),
        ("moment", 10.5, 13.5),
        ("past", 9.0, 12.0),
        ("never", 1000.0, None),
    ]:
        store.open(new_table(game))
        store.append([entry(game, 2, due=due, at=changed)])
    store.set_back(10.0)
    assert store.take_due(12.9, 100.0, 10) == ["past"]
    assert sorted(store.take_due(13.0, 100.0, 10)) == ["ahead", "moment"]
    assert store.take_due(99.0, 200.0, 10) == []


def test_games_that_were_brought_along_are_deleted_after_a_time_and_no_others(store: Store) -> None:
    for game, status, at in [
        ("old", "imported", 1.0),
        ("older", "imported", 0.5),
        ("new", "imported", 3.0),
        ("ours", "over", 1.0),
    ]:
        store.open(replace(new_table(game, at=at), status=status))
    assert [store.delete_imported(2.0, limit=1) for _ in range(3)] == [1, 1, 0]
    assert [store.load(game) is not None for game in ("old", "older", "new", "ours")] == [False, False, True, True]
    store.open(new_table("old"))  # nothing of it is left


READ_ONLY = {"sqlite": "PRAGMA query_only=ON", "postgresql": "SET TRANSACTION READ ONLY"}


def test_a_database_that_can_be_read_and_takes_nothing_is_not_well(store: Store) -> None:
    store.check(1.0)
    event.listen(store.engine, "begin", lambda connection: connection.exec_driver_sql(READ_ONLY[store.engine.name]))
    assert not store.knows("ann")
    with pytest.raises(DBAPIError, match=r"read-?only"):
        store.check(2.0)


def test_a_table_that_nobody_waits_for_any_more_is_not_opened(store: Store) -> None:
    with pytest.raises(TimeoutError):
        store.open(new_table("late"), until=time.monotonic())
    store.open(new_table("soon"), until=time.monotonic() + PATIENCE)
    assert store.load("late") is None
    assert store.load("soon") is not None


def test_the_store_says_whether_the_database_answers(postgresql: PostgreSQL) -> None:
    store = Store(connect(postgresql.create_database()), "tests")
    store.check(1.0)
    postgresql.stop()
    with pytest.raises(Exception, match="refused"):
        store.check(1.0)
    postgresql.start()
    store.check(1.0)
    store.engine.dispose()
