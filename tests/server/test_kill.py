"""What was acknowledged survives: the server is killed again and again in the middle of play, without a last word."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from itertools import count, product
from pathlib import Path

import pytest

from fogline.server.tables.entries import Away, Entry, Moved, Started
from tests import tier
from tests.postgresql import PostgreSQL
from tests.seeds import seeds
from tests.server.nursery import Forked
from tests.server.serving import PATIENCE
from tests.server.tablemates import Company, Tablemate, Traffic, check_end, check_log, people_at, read_log
from tests.tier import pick

KILLS = pick(5, 100)
"""On each database."""

FIRST_STARTS = pick(2, 10)
"""That are killed while the database is being made."""


@pytest.fixture
def seed() -> int:
    """Of all that is chosen at random."""
    return next(seeds(1))


def test_nothing_that_was_acknowledged_is_lost_or_done_twice_when_the_server_is_killed(
    seed: int, database_url: str, tmp_path: Path
) -> None:
    with Forked(database_url, tmp_path) as server:
        people, absent = asyncio.run(asyncio.wait_for(_evening(server, random.Random(seed)), 8 * PATIENCE))
        server.kill()
        decided = {table: _check(database_url, table, company.mates) for company in people for table in company.tables}
        assert sum(decided.values()) > KILLS
        if absent:
            _check_clock([entry for _, entry in read_log(database_url, absent)])
        assert server.troubles() == []
    mates = [mate for company in people for mate in company.mates]
    assert (
        sum(decided.sent > 1 for mate in mates for decided in mate.decided.values()) > KILLS / 10
    )  # had to be repeated


async def _evening(server: Forked, generator: random.Random) -> tuple[list[Company], str]:
    """Two companies play game after game, with bots and without.

    Where there is time for it, somebody has left a table with a clock, which takes half a minute to run out.
    """
    traffic, enough = Traffic(), asyncio.Event()
    async with people_at([server.url], 7, generator, traffic) as (absent, *people):
        companies = [Company(people[:4], enough), Company(people[4:], enough)]
        left = await absent.open_table("me", "racer", "random", clock="30s") if tier.thorough else ""
        async with asyncio.TaskGroup() as evening:
            evening.create_task(companies[0].play(clock="60s"))
            evening.create_task(companies[1].play("racer", "racer"))
            await _kill_often(server, generator, traffic)
            enough.set()
        for company in companies:
            for table, mate in product(company.tables, company.mates):
                await check_end(table, mate)
        if left:
            await absent.finish(left, decides=False)
            await check_end(left, absent)
    return companies, left


async def _kill_often(server: Forked, generator: random.Random, traffic: Traffic) -> None:
    for _ in range(KILLS):
        if generator.random() < 0.1:
            await asyncio.sleep(generator.uniform(0, 0.5))  # while it starts, perhaps
        else:
            await traffic.wait(generator.randrange(1, 16))
            await asyncio.sleep(generator.choice([0, generator.uniform(0, 0.002), generator.uniform(0, 0.02)]))
        server.kill()
        server.launch()


def _check(database: str, table: str, mates: Sequence[Tablemate]) -> int:
    return check_log(read_log(database, table), table, mates)


def _check_clock(entries: Sequence[Entry]) -> None:
    """The clock of the one who never came has run out once, in its time, and a bot has played for them."""
    began = next(entry.at for entry in entries if isinstance(entry, Started))
    (away,) = [entry for entry in entries if isinstance(entry, Away)]
    assert (away.why, away.at >= began + 30.0) == ("clock", True)
    assert all(entry.bot for entry in entries if isinstance(entry, Moved))
    assert away.seat in {entry.seat for entry in entries if isinstance(entry, Moved)}


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Makes the URLs of new, empty databases."""
    if request.param == "postgresql":
        server: PostgreSQL = request.getfixturevalue("postgresql")
        return server.create_database
    return (f"sqlite:///{tmp_path}/fogline{number}.db" for number in count()).__next__


def test_a_server_that_was_killed_when_it_first_started_starts_all_the_same(
    seed: int, new_database: Callable[[], str], tmp_path: Path
) -> None:
    generator = random.Random(seed)
    for _ in range(FIRST_STARTS):
        server = Forked(new_database(), tmp_path)
        server.launch()
        time.sleep(generator.uniform(0, 0.1))  # about as long as it takes until the database is made
        server.kill()
        with server:
            assert server.troubles() == []
