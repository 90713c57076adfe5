"""A database that is frozen, locked or full: people are told so, and in the end nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import psycopg
import pytest
from sqlalchemy import Connection, event

from fogline.server.refused import Refused
from fogline.server.storage import database
from fogline.server.storage.store import Store
from fogline.server.tables.hub import Hub
from tests.postgresql import PostgreSQL
from tests.server.arrange import OPEN_CHAIR, person
from tests.server.serving import PATIENCE
from tests.server.test_hub import (
    awaited,
    begin,
    choose,
    everything_said,
    hub_on,
    open_table,
    play,
    play_some,
    stored_table,
    table_of,
    until,
)

T = TypeVar("T")

SHORT = 0.3
"""Seconds in place of several, after which a database that stands still is given up."""


async def patiently(ask: Callable[[], Awaitable[T]]) -> T:
    """As a person does who is told to try again."""
    while True:
        with suppress(Refused):
            return await ask()


async def check_refusals(hub: Hub, game: str, decision: tuple[str, int, str]) -> None:
    """Nobody waits for ever, whatever they want, and however often."""
    for _ in range(3):
        with pytest.raises(Refused, match="unavailable: the database does not answer; nothing is lost, try again"):
            await play(hub, game, *decision)
    with pytest.raises(Refused, match="unavailable"):
        await open_table(hub, person("Cleo"), OPEN_CHAIR, host="cleo")
    with pytest.raises(Refused, match="unavailable"):
        await hub.check()


async def check_recovery(hub: Hub, game: str, decision: tuple[str, int, str], number: int) -> None:
    """The decision has happened once, and so has everything else; what was refused has not."""
    assert await patiently(lambda: play(hub, game, *decision)) == number + 1
    await play_some(hub, game, 1000, random.Random(2))
    assert everything_said(await table_of(hub, game)) == everything_said(stored_table(hub, game))
    assert await hub.ask(hub.store.tables_of, "cleo", 10) == []
    await hub.check()


class Checked(Store):
    """A store that counts how often it is tried."""

    times = 0

    def check(self, at: float) -> None:
        self.times += 1
        super().check(at)


@awaited
async def test_it_is_tried_once_for_all_who_ask_at_the_same_time(database_url: str) -> None:
    async with hub_on(database_url, store=Checked) as hub:
        assert isinstance(hub.store, Checked)
        for times in (1, 2):
            await asyncio.gather(*(hub.check() for _ in range(50)))
            assert hub.store.times == times


@awaited
async def test_a_database_that_is_frozen(postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch) -> None:
    async with hub_on(postgresql.create_database()) as hub:
        game = await begin(hub, "Ann", "Ben")
        decision, number = choose(await table_of(hub, game), random.Random(1)), (await table_of(hub, game)).n
        with monkeypatch.context() as patch, postgresql.frozen():
            patch.setattr("fogline.server.storage.timeout.ANSWER_SECONDS", SHORT)
            await check_refusals(hub, game, decision)
        await check_recovery(hub, game, decision, number)


class Held(Store):
    """A store that adds to logs only while it is free to."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.free = threading.Event()
        self.free.set()

    def append(self, appends: Any) -> list[bool]:
        assert self.free.wait(PATIENCE)
        return super().append(appends)


@awaited
async def test_what_is_stored_after_all_is_seen_though_nobody_asks(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fogline.server.tables.hub.LOOK_EVERY", 0.01)
    async with hub_on(database_url, store=Held) as hub:
        game = await begin(hub, "Ann", "Ben")
        live = await hub.live(game)
        number = live.table.n
        assert isinstance(hub.store, Held)
        with monkeypatch.context() as patch:
            patch.setattr("fogline.server.storage.timeout.ANSWER_SECONDS", SHORT)
            hub.store.free.clear()
            with pytest.raises(Refused, match="unavailable"):
                await play(hub, game, *choose(live.table, random.Random(1)))
            await hub._refresh(live)
            behind = live.behind
        hub.store.free.set()
        await patiently(lambda: until(hub, game, lambda table: table.n == number + 1))
        assert behind  # the log could be read all the time, but who knew what was still to come?


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Within it, somebody else has the tables for themselves."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(url) as stranger:
            stranger.execute("LOCK TABLE log, people")
            yield


@awaited
async def test_a_database_that_somebody_has_locked(
    database_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database, "STATEMENT_SECONDS", SHORT)
    monkeypatch.setitem(database._TIMES, "options", f"-cstatement_timeout={1000 * SHORT:.0f}")
    async with hub_on(database_url, listens=False) as hub:
        game = await begin(hub, "Ann", "Ben")
        decision, number = choose(await table_of(hub, game), random.Random(1)), (await table_of(hub, game)).n
        with locked(database_url):
            await check_refusals(hub, game, decision)
        await check_recovery(hub, game, decision, number)
    assert reasons(caplog) & {"database is locked", "canceling statement due to statement timeout"}


async def fill_disk(hub: Hub, game: str) -> tuple[tuple[str, int, str], int]:
    """Plays until a decision finds no room any more: that decision (a shorter one may have room), and its number."""
    generator = random.Random(1)
    while True:
        table = await table_of(hub, game)
        decision = choose(table, generator)
        try:
            await play(hub, game, *decision)
        except Refused:
            return decision, table.n


@awaited
async def test_a_disk_that_is_full(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    pages = 1  # the database stays as large as it is

    def limit(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    async with hub_on(f"sqlite:///{tmp_path}/tables.db", listens=False) as hub:
        game = await begin(hub, "Ann", "Ben")
        event.listen(hub.store.engine, "begin", limit)
        decision, number = await fill_disk(hub, game)
        with pytest.raises(Refused, match="unavailable: the database does not answer; nothing is lost, try again"):
            await play(hub, game, *decision)
        pages = 1_000_000
        await check_recovery(hub, game, decision, number)
    assert "database or disk is full" in reasons(caplog)


def reasons(caplog: pytest.LogCaptureFixture) -> set[str]:
    """What the log tells whoever runs the server."""
    return {vars(record)["reason"] for record in caplog.records if record.levelname == "ERROR"}


@awaited
async def test_no_table_is_opened_for_somebody_who_waits_no_longer(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        with pytest.raises(Refused, match="unavailable"):
            await open_table(hub, person("Cleo"), OPEN_CHAIR, host="cleo", until=time.monotonic())
        assert await hub.ask(hub.store.tables_of, "cleo", 10) == []
