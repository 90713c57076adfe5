"""Stored games: tables in every state, and records, as one version of the server has written them.

Every later version must open them, play them to their end and find them fair.

python -m tests.server.stored version-2      # writes tests/data/version-2, for when what is stored has changed
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, closing
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fogline.fairness import seal_of
from fogline.game.game import Game
from fogline.server.settings import Settings
from fogline.server.storage.database import connect
from fogline.server.storage.store import Store
from fogline.server.tables import decisions
from fogline.server.tables.entries import Chair
from fogline.server.tables.hub import Hub
from fogline.server.tables.people import person_of
from fogline.server.tables.table import OVER, REVEALING, Table
from tests.boards import DATA, load_board
from tests.policies import play_out
from tests.seeds import Lots
from tests.server.arrange import OFFER, OPEN_CHAIR, bot, person_in

TOKENS = {name: (name * 43)[:43] for name in ("ann", "ben", "cleo", "dan")}
"""Of those who sit at the tables."""

PEOPLE = {name: str(person_of(token)) for name, token in TOKENS.items()}
SALTS = {"ann": "c0ffee", "ben": "", "cleo": "7ea", "dan": "0123456789abcdef" * 4}
BEGAN = 1_790_000_000
"""The second at which all this began; it was in September 2026."""


def an_hour_later() -> float:
    """The time, where it is still the day of those games: nobody's clock has run out."""
    return BEGAN + 3600 + time.monotonic() - _NOW


_NOW = time.monotonic()


class Evening:
    """People who open tables and play; bots move when they are told to, and nothing happens by itself."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.generator = random.Random(1)

    async def open(self, *chairs: Chair, map: str = "tiny", **others: Any) -> str:
        settings: dict[str, Any] = {"clock": "none", "spectators": True, "autostart": True} | others
        game = await self.hub.open(list(chairs), PEOPLE["ann"], map=map, **settings)
        await reveal(self.hub, game)
        return game

    async def sit(self, game: str, name: str) -> None:
        invite = (await self.table(game)).invite
        await self.hub.sit(game, PEOPLE[name], name.title(), somebody(name).seal, invite)

    async def do(self, game: str, decide: Any, *arguments: Any) -> None:
        await self.hub.do(game, lambda table: decide(table, *arguments, self.hub.clock()))

    async def table(self, game: str) -> Table:
        return (await self.hub.live(game)).table

    async def play(self, game: str, moves: int) -> str:
        """So many decisions, or all until the game is over."""
        for _ in range(moves):
            table = await self.table(game)
            if table.status == OVER:
                break
            await self._decide(table)
        return game

    async def _decide(self, table: Table) -> None:
        assert table.match is not None
        seat = self.generator.choice(table.match.deciding())
        if table.is_bot(seat):
            await self.hub._play_bot(table, seat)
        else:
            action = str(self.generator.choice(table.match.view(seat).legal_actions))
            await self.do(table.id, decisions.play, person_in(table, seat), table.match.step, action)


def somebody(name: str) -> Chair:
    seal = seal_of(SALTS[name]) if SALTS[name] else ""
    return Chair(kind="person", person=PEOPLE[name], name=name.title(), seal=seal)


async def reveal(hub: Hub, game: str) -> None:
    """If it is time for it, everyone at the table reveals their salt."""
    table = (await hub.live(game)).table
    for name, person in PEOPLE.items():
        if table.status == REVEALING and table.chair_of(person) is not None and SALTS[name]:
            await hub.do(game, partial(decisions.reveal, person=person, salt=SALTS[name], at=hub.clock()))


async def before_the_start(evening: Evening) -> None:
    """People have come, gone and changed their minds; one table was given up."""
    game = await evening.open(somebody("ann"), *[OPEN_CHAIR] * 3, clock="3d", autostart=False, map="san_francisco")
    for name in ("ben", "cleo", "dan"):
        await evening.sit(game, name)
    await evening.do(game, decisions.leave, PEOPLE["ben"])
    await evening.do(game, decisions.fill, PEOPLE["ann"], 1, "planner")
    await evening.do(game, decisions.fill, PEOPLE["ann"], 2, "")
    await evening.do(game, decisions.invite, PEOPLE["ann"], "invitation-of-me")
    await evening.do(game, decisions.watch, PEOPLE["ann"], False)
    closed = await evening.open(somebody("ann"), OPEN_CHAIR)
    await evening.do(closed, decisions.leave, PEOPLE["ann"])


async def under_way(evening: Evening) -> None:
    """Some choose their first tickets, others are in the middle; some are away, or have come back."""
    ann, ben, cleo, dan = map(somebody, PEOPLE)
    await evening.play(await evening.open(ann, ben, cleo, map="san_francisco"), 2)
    await evening.play(await evening.open(ann, ben, clock="1d"), 7)
    await evening.play(await evening.open(ben, bot("planner"), ann, map="san_francisco"), 60)
    await evening.play(await evening.open(bot("racer"), bot("random"), bot("planner")), 9)
    left = await evening.play(await evening.open(dan, ann, bot(), ben, clock="3d", map="san_francisco"), 30)
    for name in ("dan", "ben"):
        await evening.do(left, decisions.leave, PEOPLE[name])
    await evening.play(left, 12)
    await evening.do(left, decisions.come_back, PEOPLE["ben"])
    await evening.play(left, 8)


async def after_the_end(evening: Evening) -> None:
    """There is a rematch; and games were brought along, one with its secret and one without."""
    rematch = await evening.play(await evening.open(somebody("ann"), somebody("ben"), clock="60s"), 1000)
    await evening.hub.play_again(rematch, PEOPLE["ben"])
    four = [somebody("cleo"), somebody("dan"), bot("racer"), somebody("ann")]
    await evening.play(await evening.open(*four, map="san_francisco"), 1000)
    record = (await evening.table(rematch)).game_record()
    await evening.hub.bring(record, ("Ann", ""), PEOPLE["cleo"])
    await evening.hub.bring(record_without_fairness(), ("Zoë", "Ben", "Fog 🌁"), PEOPLE["dan"])


def record_without_fairness() -> dict[str, Any]:
    return play_out(Game(load_board("tiny"), players=3, seed=5), 5).record()


@asynccontextmanager
async def hub_at(path: Path) -> AsyncIterator[Hub]:
    engine = connect(f"sqlite:///{path}")
    hub = Hub(Store(engine, "stored"), Settings(OFFER, bot_delay=86_400), count(BEGAN + 0.5).__next__)
    try:
        yield hub
    finally:
        await hub.close()
        engine.dispose()


async def fill_database(path: Path) -> dict[str, Table]:
    """All the tables that are then in the database."""
    async with hub_at(path) as hub:
        for person in PEOPLE.values():
            hub.store.add_person(person, hub.clock())
        evening = Evening(hub)
        for chapter in (before_the_start, under_way, after_the_end):
            await chapter(evening)
        return {game: live.table for game, live in hub._live.items()}


def write(folder: Path) -> None:
    folder.mkdir()
    with TemporaryDirectory() as place:
        path = Path(place) / "tables.db"
        tables = asyncio.run(fill_database(path))
        with closing(sqlite3.connect(path)) as database:
            (folder / "tables.sql").write_text("".join(f"{line}\n" for line in database.iterdump()), "utf-8")
    finished = [table.game_record() for table in tables.values() if table.status == OVER]
    (folder / "records.jsonl").write_text(_lines([*finished, record_without_fairness()]), "utf-8")
    begun = [{"table": game, "record": table.match.game.record()} for game, table in tables.items() if table.match]
    (folder / "begun.jsonl").write_text(_lines(begun), "utf-8")


def _lines(records: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def read_database(folder: Path, path: Path) -> str:
    """The URL of a database with all these tables."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript((folder / "tables.sql").read_text("utf-8"))
    return f"sqlite:///{path}"


if __name__ == "__main__":
    Lots(lambda: "stored games").take_over()
    write(DATA / sys.argv[1])
