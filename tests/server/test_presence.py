"""Who is at a table: seen by those who sit there, at any server, and stored nowhere. Whose seat a bot may take."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing, suppress
from itertools import pairwise
from pathlib import Path

import pytest

from fogline.server.refused import Refused
from fogline.server.tables import decisions
from fogline.server.tables.attendance import Place, _read
from fogline.server.tables.clock import SECONDS
from fogline.server.tables.entries import Away, read_entry
from fogline.server.tables.hub import Hub
from fogline.server.tables.presence import LAPSES_AFTER, Presence, Seen
from fogline.server.tables.table import Table
from fogline.server.wire.wire import ChairPresence
from fogline.server.wire.wire import Presence as Told
from tests.postgresql import PostgreSQL
from tests.server.arrange import bot, done, opened, person, person_in, refuses, started
from tests.server.nursery import Forked
from tests.server.serving import Person, Served, receive, send
from tests.server.test_hub import Clock, awaited, begin, entries_of, hub_on, turns

MINUTES = 180.0

# What is known of one person.


def test_somebody_is_here_while_one_of_their_windows_shows_the_table() -> None:
    presence = Presence(0.0)
    assert presence.seen("ann", 5.0) is None
    assert presence.enter("ann", "laptop", False, 10.0)
    assert presence.seen("ann", 11.0) == Seen("here", 10.0)
    assert not presence.enter("ann", "phone", True, 12.0)
    assert presence.enter("ann", "laptop", True, 20.0)
    assert presence.seen("ann", 21.0) == Seen("hidden", 20.0)
    assert not presence.leave("ann", "phone", 25.0)
    assert presence.leave("ann", "laptop", 30.0)
    assert presence.seen("ann", 31.0) == Seen("gone", 20.0), "since they last looked, not since the window closed"
    assert presence.enter("ann", "laptop", False, 40.0)
    assert presence.absent("ann", 99.0) == 0.0


def test_a_hidden_window_that_connects_again_has_not_been_looked_at() -> None:
    presence = Presence(0.0)
    presence.enter("ann", 1, False, 10.0)
    presence.enter("ann", 1, True, 20.0)
    for at in (30.0, 40.0):
        presence.leave("ann", at, at)
        presence.enter("ann", at + 1, True, at)
    assert presence.absent("ann", 50.0) == 30.0


def test_who_was_never_seen_is_absent_since_the_table_is_in_use_and_not_longer() -> None:
    assert Presence(100.0).absent("ann", 130.0) == 30.0


def test_who_plays_without_a_window_has_been_seen_whenever_they_play() -> None:
    presence = Presence(0.0)
    assert presence.touch("ann", 50.0)
    assert presence.seen("ann", 60.0) == Seen("gone", 50.0)
    presence.enter("ann", 1, False, 70.0)
    assert not presence.touch("ann", 80.0)
    assert presence.absent("ann", 90.0) == 0.0


def test_of_those_who_do_not_sit_there_nothing_is_kept() -> None:
    presence = Presence(0.0)
    for number in range(100):
        presence.enter(f"stranger {number}", 1, False, 1.0)
        presence.leave(f"stranger {number}", 1, 2.0)
        presence.forget_others(["ann"])
    assert not presence.here


def test_other_servers_are_believed_until_they_fall_silent() -> None:
    presence = Presence(0.0)
    presence.enter("ann", 1, False, 10.0)
    presence.leave("ann", 1, 20.0)
    presence.hear("other", {"ann": Seen("here", 15.0)}, 25.0)
    assert presence.absent("ann", 25.0 + LAPSES_AFTER) == 0.0
    assert presence.seen("ann", 26.0 + LAPSES_AFTER) == Seen("gone", 25.0)
    presence.hear("other", {"ann": Seen("gone", 22.0)}, 30.0)
    assert presence.seen("ann", 31.0) == Seen("gone", 22.0)


# What people are told.


async def told(hub: Hub, game: str, who: str, heard: list[Told]) -> None:
    async with aclosing(hub.attendance.messages(Place(game, who))) as messages:
        async for one in messages:
            heard.append(one)


HERE = ChairPresence("here", None)


@awaited
async def test_those_who_sit_there_are_told_once_of_each_change_and_nobody_else(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")
        entries = len(entries_of(database_url, game))
        ann: list[Told] = []
        ben: list[Told] = []
        watcher: list[Told] = []
        hearing = [asyncio.ensure_future(told(hub, game, *one)) for one in (("ann", ann), ("ben", ben))]
        hearing.append(asyncio.ensure_future(told(hub, game, "a stranger", watcher)))
        await turns(lambda: len(ann) == 1)
        assert ann[0].chairs == (ChairPresence("gone", None), ChairPresence("gone", None))
        async with hub.attendance.attended(Place(game, "ann")):
            await turns(lambda: len(ann) == len(ben) == 2)
            assert ann[1].chairs[0] == HERE
            async with hub.attendance.attended(Place(game, "a stranger")), hub.attendance.attended(Place(game, "")):
                place = Place(game, "ben")
                async with hub.attendance.attended(place):
                    await turns(lambda: len(ben) == 3)
                    assert ben[2].chairs == (HERE, HERE)
                    for _ in range(50):  # back and forth, faster than anybody could follow
                        await hub.attendance.enter(place, hidden=True)
                        await hub.attendance.enter(place, hidden=False)
                    await hub.attendance.enter(place, hidden=True)
                    await turns(lambda: ben[-1].chairs[1] is not None and ben[-1].chairs[1].how == "hidden")
        await turns(lambda: all(one is not None and one.how == "gone" for one in ann[-1].chairs))
        assert all(before != after for before, after in pairwise(ann))
        assert len(ann) < 10
        assert watcher == []
        for task in hearing:
            task.cancel()
        assert len(entries_of(database_url, game)) == entries, "who comes and goes is not stored"


@awaited
async def test_people_at_another_server_are_seen(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    async with hub_on(url) as first, hub_on(url) as second:
        game = await begin(first, "Ann", "Ben")
        async with first.attendance.attended(Place(game, "ann")):
            heard: list[Told] = []
            hearing = asyncio.ensure_future(told(second, game, "ben", heard))  # it comes into use there: it asks
            await turns(lambda: bool(heard) and heard[-1].chairs[0] == HERE)
            async with second.attendance.attended(Place(game, "ben")):
                live = await first.live(game)
                await turns(
                    lambda: live.presence.absent("ben", first.clock()) == 0.0 and "ben" not in live.presence.here
                )
        await turns(lambda: heard[-1].chairs[0] is not None and heard[-1].chairs[0].how == "gone")
        hearing.cancel()
        with suppress(asyncio.CancelledError):
            await hearing


@awaited
async def test_nobody_is_replaced_who_is_at_another_server(postgresql: PostgreSQL) -> None:
    url, clock = postgresql.create_database(), Clock()
    async with hub_on(url, clock=clock) as first, hub_on(url, clock=clock) as second:
        game = await begin(first, "Ann", "Ben")
        await first.live(game)
        async with second.attendance.attended(Place(game, "ben")):
            live = await first.live(game)
            await turns(lambda: live.presence.seen("ben", clock()) is not None)
            clock.ahead = 120.0
            second.attendance._remind()
            await turns(lambda: live.presence._elsewhere[second.store.process][0] > clock() - 60.0)
            clock.ahead = 200.0
            with refuses("still_here"):
                await first.hand_over(game, "ann", 1)


@awaited
async def test_however_often_somebody_comes_and_goes_other_servers_are_told_now_and_then(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")
        news: list[list[str]] = []
        hub.attendance._tell = news.append
        place = Place(game, "ann")
        for number in range(500):
            await hub.attendance.enter(place, hidden=number % 2 == 0)
        await turns(lambda: bool(news))
        assert len(news) == 1
        assert json.loads(news[0][0])["people"]["ann"][0] == "here"


def test_what_is_no_news_is_no_news() -> None:
    for text in ("", "[]", "1", "{}", '{"server": "x"}', '{"server": "x", "table": "y", "people": {"a": 1}}'):
        with pytest.raises(ValueError, match=r".*"):
            _read(text)


# Whose seat a bot may take.


def waiting_for(table: Table) -> tuple[str, int]:
    """Somebody who waits, and the chair for which: the first tickets are chosen by all but one."""
    assert table.match is not None
    done(table, decisions.play(table, person_in(table, 0), 0, "keep both", 20.0))
    return person_in(table, 0), table.seating[1]


def ask(table: Table, who: str, chair: int, *, absent: float = MINUTES, at: float = 10.0 + MINUTES) -> Away | int:
    return decisions.hand_over(table, who, chair, absent, at, patience=MINUTES)


def test_who_waits_may_let_a_bot_play_for_somebody_who_has_been_gone() -> None:
    table = started("Ann", "Ben")
    who, chair = waiting_for(table)
    entry = ask(table, who, chair)
    assert isinstance(entry, Away)
    assert entry == Away(at=190.0, seat=1, why="gone")
    assert read_entry(entry.model_dump_json()) == entry
    done(table, entry)
    assert table.bots_deciding() == [1]
    assert ask(table, who, chair) == table.n, "asked twice, it happens once"
    gone = person_in(table, 1)
    with refuses("conflict", "come back first"):
        decisions.play(table, gone, 0, "keep both", 200.0)
    done(table, decisions.come_back(table, gone, 200.0))
    done(table, decisions.play(table, gone, 0, "keep both", 201.0))


@pytest.mark.parametrize(
    ("absent", "at"),
    [(0.0, 1e6), (MINUTES - 0.1, 1e6), (1e6, 10.0 + MINUTES - 0.1)],
    ids=["here", "just left", "just asked"],
)
def test_nobody_s_seat_is_taken_who_is_here_or_was_a_moment_ago(absent: float, at: float) -> None:
    table = started("Ann", "Ben")
    who, chair = waiting_for(table)
    with refuses("still_here"):
        ask(table, who, chair, absent=absent, at=at)


def test_nobody_else_may_and_no_other_seat() -> None:
    table = opened([person("Ann"), person("Ben"), bot()])
    done(table, decisions.start(table, "ann", 10.0))
    ann, ben, robot = range(3)
    for nobody in ("a stranger", ""):
        with refuses("forbidden"):
            ask(table, nobody, ben)
    with refuses("conflict", "yours"):
        ask(table, "ann", ann)
    with refuses("invalid"):
        ask(table, "ann", 3)
    assert ask(table, "ann", robot) == table.n
    seat = table.seating.index(ben)
    done(table, decisions.play(table, "ben", 0, "keep both", 20.0))
    with refuses("conflict", "nobody waits"):
        ask(table, "ann", ben)
    done(table, decisions.leave(table, "ben", 21.0))
    with refuses("conflict", "come back first"):
        ask(table, "ben", ann)
    assert seat in table.away


@pytest.mark.parametrize("clock", [name for name, seconds in SECONDS.items() if seconds is not None])
def test_where_a_clock_runs_it_alone_decides(clock: str) -> None:
    table = started("Ann", "Ben", clock=clock)
    who, chair = waiting_for(table)
    with refuses("conflict", "clock"):
        ask(table, who, chair)


def test_before_the_start_and_after_the_end_no_seat_is_taken() -> None:
    table = opened([person("Ann"), person("Ben")])
    with refuses("conflict"):
        ask(table, "ann", 1)


@awaited
async def test_who_comes_back_in_the_same_moment_keeps_the_seat_or_gets_it_back(database_url: str) -> None:
    """Many ask at once, again and again, while somebody comes and goes: at no time a bot plays for somebody who is here
    and has come back.
    """
    clock = Clock()
    async with hub_on(database_url, clock=clock, bot_delay=60.0) as hub:
        game = await begin(hub, "Ann", "Ben", "Cat")
        other = await begin(hub, "Dan", "Eve")
        clock.ahead = MINUTES + 1.0
        async with hub.attendance.attended(Place(game, "ben")):
            answers = await asyncio.gather(
                *(hub.hand_over(game, who, 1) for who in ("ann", "cat", "dan", "", "ben") * 5), return_exceptions=True
            )
            assert all(isinstance(one, Refused) for one in answers)
            with refuses("forbidden"):
                await hub.hand_over(other, "ann", 1)
        clock.ahead += 1.0
        with refuses("still_here"):
            await hub.hand_over(game, "ann", 1)
        clock.ahead += MINUTES
        answers = await asyncio.gather(*(hub.hand_over(game, who, 1) for who in ("ann", "cat") * 5))
        assert len(set(answers)) == 1, "it happens once"
        table = (await hub.live(game)).table
        assert table.away == {table.seating.index(1)}
        await hub.do(game, lambda table: decisions.come_back(table, "ben", clock()))
        async with hub.attendance.attended(Place(game, "ben")):
            with pytest.raises(Refused):
                await hub.hand_over(game, "ann", 1)
            assert not (await hub.live(game)).table.away


# Over sockets.


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("presence")
    with Forked(f"sqlite:///{folder}/fogline.db", folder, "--patience=0", "--bot-delay=60") as server:
        yield server


def test_a_page_says_whether_it_is_hidden_and_is_told_who_is_there(served: Served) -> None:
    ann, ben = Person(served.url), Person(served.url)
    table = ann.open_table("me", "open", name="Ann")["table"]
    ben.post(f"/invites/{table['invite']}", name="Ben")
    with ann.socket(table["id"], query="&hidden=false") as hers:
        assert receive(hers, "presence")["chairs"][0] == {"how": "here", "since": None}
        with ben.socket(table["id"], query="&hidden=true") as his:
            assert receive(hers, "presence")["chairs"][1]["how"] == "hidden"
            send(his, type="look", hidden=False)
            assert receive(hers, "presence")["chairs"][1] == {"how": "here", "since": None}
        gone = receive(hers, "presence")["chairs"][1]
        assert gone["how"] == "gone"
        assert gone["since"] is not None


def test_programs_and_spectators_are_told_nothing_of_it(served: Served) -> None:
    ann, watcher = Person(served.url), Person(served.url)
    table = ann.open_table("me", "racer", name="Ann")["table"]["id"]
    with ann.socket(table) as program, watcher.socket(table, query="&hidden=false") as looking:
        for one in (program, looking):
            receive(one)
        with ann.socket(table, query="&hidden=false") as page:
            receive(page, "presence")
        for one in (program, looking):
            send(one, type="why_not", id=7, action="pass")
            kinds: list[str] = []
            while not kinds or kinds[-1] not in ("answer", "rejected"):
                kinds.append(json.loads(one.recv(60.0))["type"])
            assert "presence" not in kinds


def test_a_seat_is_handed_over_and_taken_back_over_http(served: Served) -> None:
    ann, ben = Person(served.url), Person(served.url)
    table = ann.open_table("me", "open", name="Ann")["table"]
    ben.post(f"/invites/{table['invite']}", name="Ben")
    state = ann.get(f"/tables/{table['id']}")
    assert state["table"]["status"] == "playing"
    assert state["table"]["waiting"] is not None
    with ben.socket(table["id"]) as his:
        receive(his)
        refused = ann.http.post(f"/api/tables/{table['id']}/chairs/1/hand-over")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "still_here")
    while not ann.http.post(f"/api/tables/{table['id']}/chairs/1/hand-over").is_success:
        pass  # the server hears in a moment that his socket has closed
    handed = ben.get(f"/tables/{table['id']}")
    assert handed["table"]["chairs"][1]["away"]
    assert handed["view"]["legal"] == []
    ben.post(f"/tables/{table['id']}/back")
    assert ben.get(f"/tables/{table['id']}")["view"]["legal"]
