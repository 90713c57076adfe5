"""A database that stands still for a minute, with the limits that hold for everybody: nobody waits, nothing is lost."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.postgresql import PostgreSQL
from tests.seeds import seeds
from tests.server.serving import PATIENCE, Served
from tests.server.tablemates import Company, Tablemate, Traffic, check_end, check_log, people_at, read_log

ANSWERED = 15.0
"""Seconds within which everybody has an answer. The server waits for 4; a busy machine adds to it."""

LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=100)
connection.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""

Trouble = Callable[[], AbstractContextManager[None]]

pytestmark = pytest.mark.thorough


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Within it, another process is about to write, and does not come to it."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", LOCK, path], stdin=pipe, stdout=pipe) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        yield
        other.communicate()


def test_postgresql_stands_still_for_a_minute(postgresql: PostgreSQL, tmp_path: Path) -> None:
    check_evening(postgresql.create_database(), tmp_path, postgresql.frozen, 60.0)


def test_sqlite_is_locked_for_forty_seconds(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    check_evening(f"sqlite:///{path}", tmp_path, lambda: locked(path), 40.0)


def check_evening(database: str, folder: Path, trouble: Trouble, seconds: float) -> None:
    with Served(database, folder) as server:
        company = asyncio.run(asyncio.wait_for(_evening(server, trouble, seconds), 8 * PATIENCE))
        server.kill()
        decided = [check_log(read_log(database, table), table, company.mates) for table in company.tables]
    assert sum(decided) > 0
    assert sum(mate.refusals for mate in company.mates) > 0
    assert max(mate.longest for mate in company.mates) < ANSWERED


async def _evening(server: Served, trouble: Trouble, seconds: float) -> Company:
    """People play, with a bot among them, while the database stands still and after."""
    traffic, enough = Traffic(), asyncio.Event()
    async with people_at([server.url], 4, random.Random(next(seeds(1))), traffic) as (stranger, *people):
        company = Company(people, enough)
        async with asyncio.TaskGroup() as evening:
            evening.create_task(company.play("racer"))
            await traffic.wait(20)
            with trouble():
                await _ask_for(seconds, stranger)
            await traffic.wait(20)
            enough.set()
        assert await _ask(stranger, "GET", "/health") == httpx.codes.OK
        assert await stranger.ask("GET", "/me/tables") == []  # what was refused has not happened
        for table in company.tables:
            for mate in company.mates:
                await check_end(table, mate)
    return company


async def _ask_for(seconds: float, stranger: Tablemate) -> None:
    """Again and again, whatever needs the database."""
    table: dict[str, Any] = {"chairs": [{"kind": "me"}, {"kind": "open"}]}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answers = await asyncio.gather(
            _ask(stranger, "GET", "/health"),
            _ask(stranger, "POST", "/api/people", new=True),  # somebody new: who is known need not be stored
            *(_ask(stranger, "POST", "/api/tables", **table) for _ in range(5)),
        )
        assert set(answers) == {httpx.codes.SERVICE_UNAVAILABLE}


async def _ask(person: Tablemate, method: str, path: str, *, new: bool = False, **body: Any) -> int:
    began = time.monotonic()
    headers = {} if new else person.headers
    answer = await person.http.request(method, person.urls[0] + path, json=body or None, headers=headers)
    assert time.monotonic() - began < ANSWERED, path
    return answer.status_code
