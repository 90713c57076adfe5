"""Honest games by the thousand: none may be called unfair, whatever happens to the servers meanwhile.

    python -m tests.server.honesty --games 10000

People play game after game over two servers on one PostgreSQL, with rematches, with bots and without. They come and go
over either server. Every few games one of the servers is killed, or stopped and started again. At the end of each game
everyone holds its record against their own receipt, and some bring the record along to a server as an imported game.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.postgresql import PostgreSQL
from tests.server.nursery import Forked
from tests.server.tablemates import Company, Tablemate, Traffic, check_end, check_log, people_at, read_log

GAMES = 250
"""Played until the servers begin with an empty database again."""

COMPANIES = ((2, ()), (3, ()), (2, ("racer",)), (1, ("random", "racer")))
"""How many people, and which bots."""

DECISIONS = 200
"""Between two disturbances, at most."""

IMPORTED = 20
"""One game of so many is brought along."""


class Evening:
    """Some hundred games on two servers."""

    def __init__(self, servers: Sequence[Forked], generator: random.Random, games: int) -> None:
        self.servers, self.generator, self.games = servers, generator, games
        self.traffic, self.enough = Traffic(), asyncio.Event()
        self.companies: list[Company] = []
        self.kills = self.restarts = 0

    @property
    def tables(self) -> int:
        return sum(len(company.tables) for company in self.companies)

    async def run(self) -> None:
        count = sum(people for people, _ in COMPANIES)
        async with people_at([server.url for server in self.servers], count, self.generator, self.traffic) as people:
            guests = iter(people)
            async with asyncio.TaskGroup() as playing:
                for number, bots in COMPANIES:
                    company = Company([next(guests) for _ in range(number)], self.enough)
                    self.companies.append(company)
                    playing.create_task(company.play(*bots, map="tiny"))
                await self._disturb()
                self.enough.set()
            for company in self.companies:
                await self._check(company)

    async def _disturb(self) -> None:
        while self.tables < self.games:
            await self.traffic.wait(self.generator.randrange(1, DECISIONS))
            server = self.generator.choice(self.servers)
            if self.generator.random() < 0.5:
                server.kill()
                self.kills += 1
            else:
                await asyncio.to_thread(server.stop)
                self.restarts += 1
            server.launch()

    async def _check(self, company: Company) -> None:
        for table in company.tables:
            for mate in company.mates:
                await check_end(table, mate)
            if self.generator.randrange(IMPORTED) == 0:
                await _bring_along(company.mates[0], table)


async def _bring_along(mate: Tablemate, table: str) -> None:
    """The record of an imported game is the one that was brought."""
    record = await mate.ask("GET", f"/tables/{table}/record")
    imported = await mate.ask("POST", "/records", record=record)
    assert await mate.ask("GET", f"/tables/{imported['id']}/record") == record


def play_evening(postgresql: PostgreSQL, folder: Path, generator: random.Random, games: int) -> Evening:
    url = postgresql.create_database()
    limits = ["--limit=imports_per_hour=1000000"]
    with Forked(url, folder, *limits) as one, Forked(url, folder, *limits) as other:
        evening = Evening([one, other], generator, games)
        asyncio.run(evening.run())
        assert one.troubles() + other.troubles() == []
    for company in evening.companies:
        for table in company.tables:
            check_log(read_log(url, table), table, company.mates)
    return evening


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    games = kills = restarts = 0
    generator, begun = random.Random(options.seed), time.monotonic()
    with PostgreSQL(fsync=False) as postgresql, tempfile.TemporaryDirectory() as folder:
        while games < options.games:
            evening = play_evening(postgresql, Path(folder), generator, min(GAMES, options.games - games))
            games, kills, restarts = games + evening.tables, kills + evening.kills, restarts + evening.restarts
            minutes = (time.monotonic() - begun) / 60
            told = f"{games:,} honest games, {kills} kills, {restarts} restarts, {minutes:.1f} minutes"
            print(f"{told}: none called unfair, nothing lost or done twice", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
