"""What an earlier version has stored is opened, shown, played to its end and checked by this one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from fogline.game.record import audit
from fogline.game.recordfile import read_records
from fogline.maps.board import Board
from fogline.server.refused import Refused
from fogline.server.run import make_offer
from fogline.server.storage.schema import games
from fogline.server.tables import decisions
from fogline.server.tables.hub import Hub
from fogline.server.tables.table import CLOSED, IMPORTED, OPEN, OVER, PLAYING, Table
from fogline.server.wire.messages import state_of
from fogline.server.wire.replays import make_replay, reel_of
from tests.boards import DATA, tiny_but
from tests.server import stored
from tests.server.arrange import viewers
from tests.server.stored import PEOPLE, an_hour_later, reveal
from tests.server.test_hub import awaited, begin, choose, everything_said, hub_on, play, stored_table, table_of, turns

VERSIONS = sorted(path.name for path in DATA.glob("version-*"))


@pytest.fixture(params=[*VERSIONS, "this version"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What each version has stored, and what this one stores."""
    if request.param in VERSIONS:
        return DATA / str(request.param)
    stored.write(tmp_path / "stored")
    return tmp_path / "stored"


@pytest.fixture
def url(folder: Path, tmp_path: Path) -> str:
    return stored.read_database(folder, tmp_path / "upgraded.db")


def all_games(hub: Hub) -> list[str]:
    with hub.store.engine.connect() as connection:
        return list(connection.scalars(select(games.c.id)))


async def tables(hub: Hub, *statuses: str) -> list[Table]:
    found = [await table_of(hub, game) for game in all_games(hub)]
    return [table for table in found if table.status in statuses]


def begun(folder: Path) -> dict[str, Any]:
    return {line["table"]: line["record"] for line in read_records(folder / "begun.jsonl")}


@awaited
async def test_tables_in_every_state_are_shown_as_they_were(url: str, folder: Path) -> None:
    async with hub_on(url, clock=an_hour_later, listens=False) as hub:
        found = await tables(hub, OPEN, PLAYING, OVER, CLOSED, IMPORTED)
        assert {table.status for table in found} == {OPEN, PLAYING, OVER, CLOSED, IMPORTED}
        assert len(found) == len(all_games(hub))
        for table in found:
            assert [state_of(table, table.viewer(who)).n for who in viewers(table)] == [table.n] * len(viewers(table))
        assert {table.id: table.match.game.record() for table in found if table.match} == begun(folder)


@awaited
async def test_games_under_way_are_played_to_their_end_by_the_chance_they_began_with(url: str, folder: Path) -> None:
    async with hub_on(url, clock=an_hour_later) as hub:
        for before in await tables(hub, PLAYING):
            await play_to_the_end(hub, before.id)
            record = (await table_of(hub, before.id)).game_record()
            so_far = begun(folder)[before.id]["events"]
            assert record["events"][: len(so_far)] == so_far
            assert record["fairness"]["commitment"] == before.fairness.commitment
            assert (audit(record).finished, audit(record).fair) == (True, True)


@awaited
async def test_tables_that_wait_for_people_are_taken_played_and_played_again(url: str) -> None:
    async with hub_on(url, clock=an_hour_later) as hub:
        for table in await tables(hub, OPEN):
            if not table.full:
                await hub.sit(table.id, PEOPLE["ben"], "Ben", "", table.invite)
            await hub.do(table.id, lambda table: decisions.start(table, table.host, hub.clock()))
            await reveal(hub, table.id)
            await play_to_the_end(hub, table.id)
            assert audit((await table_of(hub, table.id)).game_record()).fair
            again = await table_of(hub, await hub.play_again(table.id, PEOPLE["ann"]))
            assert (again.status, again.host) == (OPEN, PEOPLE["ann"])


@awaited
async def test_games_that_are_over_are_replayed_and_checked(url: str, folder: Path) -> None:
    async with hub_on(url, clock=an_hour_later, listens=False) as hub:
        found = await tables(hub, OVER, IMPORTED)
        records = list(read_records(folder / "records.jsonl"))
        for table in found:
            assert table.game_record() in records
            assert make_replay(reel_of(table, table.viewer(""), "all", None)).frames[-1].view.phase == "over"
        rematches = {table.id for table in await tables(hub, OPEN)}
        assert any(table.again in rematches for table in found)


@pytest.mark.parametrize(("old", "new"), [('name = "Hill"', 'name = "Høj"'), ("x = 960", "x = 961")])
@awaited
async def test_tables_stay_open_when_a_map_gets_other_labels_or_places(url: str, old: str, new: str) -> None:
    async with hub_on(url, clock=an_hour_later, listens=False) as hub:
        opened = await begin(hub, "Ann", "Ben", map="tiny")
    async with hub_on(
        url, clock=an_hour_later, offer=make_offer([Board.load(), tiny_but(old, new)]), listens=False
    ) as hub:
        assert opened in all_games(hub)
        for game in all_games(hub):
            await table_of(hub, game)


@awaited
async def test_tables_are_closed_to_all_when_a_map_plays_otherwise(url: str, folder: Path) -> None:
    other = {table for table, record in begun(folder).items() if record["map"] == "tiny"}
    async with hub_on(
        url, clock=an_hour_later, offer=make_offer([Board.load(), tiny_but("value = 2", "value = 3")]), listens=False
    ) as hub:
        for game in other:
            with pytest.raises(Refused, match="conflict: this game was played on a map 'tiny' that is not here, or"):
                await hub.look(game, "ann")
        for game in begun(folder).keys() - other:
            await hub.look(game, PEOPLE["ann"])


def test_records_are_as_good_as_on_the_day_they_were_written(folder: Path) -> None:
    found = [audit(record) for record in read_records(folder / "records.jsonl")]
    assert all(one.finished for one in found)
    assert [one.fair for one in found] == [True] * (len(found) - 1) + [None]


async def play_to_the_end(hub: Hub, game: str) -> None:
    """People decide at random, bots by themselves; after that, the log alone tells the same."""
    generator = random.Random(game)
    while (table := await table_of(hub, game)).status == PLAYING:
        if table.bots_deciding():
            await turns(lambda before=table: hub._live[game].table is not before)  # type: ignore[misc]
        else:
            await play(hub, game, *choose(table, generator))
    assert everything_said(table) == everything_said(stored_table(hub, game))
