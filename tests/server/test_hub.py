"""The hub keeps tables the same as the store, and everyone who looks at them up to date."""

from __future__ import annotations

import asyncio
import functools
import json
import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Any, ParamSpec

import psycopg
import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from fogline.game.view import View
from fogline.server.refused import Refused
from fogline.server.run import make_offer
from fogline.server.settings import Settings
from fogline.server.storage.database import connect
from fogline.server.storage.store import CHANNEL, Store, Stored
from fogline.server.tables import decisions
from fogline.server.tables.entries import Away, Chair, Moved, read_entry
from fogline.server.tables.hub import APPLIED_AT_ONCE, Hub
from fogline.server.tables.table import OPEN, OVER, PLAYING, Offer, Table
from fogline.server.wire.messages import state_of
from fogline.server.wire.wire import write
from tests.boards import tiny_but
from tests.postgresql import PostgreSQL
from tests.server.arrange import OFFER, OPEN_CHAIR, bot, finished, person, person_in
from tests.server.serving import PATIENCE
from tests.tier import pick

P = ParamSpec("P")


def awaited(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Runs a test in a loop of its own; with the loop end the threads, and then nobody needs the databases."""

    @functools.wraps(test)
    def run(*arguments: P.args, **named: P.kwargs) -> None:
        try:
            asyncio.run(asyncio.wait_for(test(*arguments, **named), PATIENCE))
        finally:
            while ENGINES:
                ENGINES.pop().dispose()

    return run


ENGINES: list[Engine] = []


# Hubs, and what happens there.


class Clock:
    """A clock that goes as fast as any, and can be set."""

    def __init__(self, ahead: float = 0.0) -> None:
        self.ahead = ahead

    def __call__(self) -> float:
        return time.time() + self.ahead


@asynccontextmanager
async def hub_on(
    url: str,
    *,
    clock: Callable[[], float] = time.time,
    offer: Offer = OFFER,
    store: type[Store] = Store,
    bot_delay: float = 0.0,
    forget_after: float = 60.0,
    listens: bool = True,
) -> AsyncIterator[Hub]:
    ENGINES.append(connect(url))
    settings = Settings(offer, bot_delay=bot_delay, forget_after=forget_after)
    hub = Hub(store(ENGINES[-1], f"hub{len(ENGINES)}"), settings, clock)
    if listens:
        await hub.start()
    try:
        yield hub
    finally:
        await hub.close()


async def open_table(hub: Hub, *chairs: Chair, host: str = "ann", **others: Any) -> str:
    settings: dict[str, Any] = {"map": "san_francisco", "clock": "none", "spectators": True, "autostart": True} | others
    return await hub.open(list(chairs), host, **settings)


async def begin(hub: Hub, *names: str, **settings: Any) -> str:
    """A game between people that has just begun; the first is the host."""
    return await open_table(hub, *map(person, names), host=names[0].lower(), **settings)


async def sit(hub: Hub, game: str, who: str, name: str) -> int:
    """Somebody comes by the link, which is the same as long as nobody changes it."""
    return await hub.sit(game, who, name, "", hub._live[game].table.invite)


async def table_of(hub: Hub, game: str) -> Table:
    return (await hub.live(game)).table


def stored_table(hub: Hub, game: str) -> Table:
    """The table as its log alone tells it."""
    stored = hub.store.load(game)
    assert stored is not None
    table = Table(game, stored.secret, hub.settings.offer)
    for entry in stored.entries:
        table.apply(read_entry(entry))
    return table


async def play(hub: Hub, game: str, who: str, step: int, action: str) -> int:
    return await hub.do(game, lambda table: decisions.play(table, who, step, action, hub.clock()))


def choose(table: Table, generator: random.Random) -> tuple[str, int, str]:
    """Who decides next, at which step, and what."""
    assert table.match is not None
    seat = generator.choice(table.match.deciding())
    action = generator.choice(table.match.view(seat).legal_actions)
    return person_in(table, seat), table.match.step, str(action)


async def play_some(hub: Hub, game: str, times: int, generator: random.Random) -> None:
    for _ in range(times):
        table = await table_of(hub, game)
        if table.status == OVER:
            return
        await play(hub, game, *choose(table, generator))


async def message(hub: Hub, game: str, who: str, after: int = 0) -> bytes:
    """The first thing that somebody is told."""
    async with aclosing(hub.watch(game, who, after)) as states:
        return await anext(states)


async def until(hub: Hub, game: str, seen: Callable[[Table], bool]) -> Table:
    """Watches until the table is as it should be."""
    async with aclosing(hub.watch(game, "ann")) as states:
        async for _ in states:
            table = await table_of(hub, game)
            if seen(table):
                return table
    raise AssertionError("the hub has stopped")


async def turns(condition: Callable[[], bool]) -> None:
    """Lets the others run until something holds of which nobody is told."""
    while not condition():
        await asyncio.sleep(0.005)


def said(table: Table, after: int = 0) -> list[bytes]:
    """What each viewer is told."""
    return [write(state_of(table, table.viewer(who), after)) for who in ("ann", "ben", "nobody")]


def everything_said(table: Table) -> list[list[bytes]]:
    """What each viewer is told, whatever they have seen before."""
    return [said(table, after) for after in range(table.n + 1)]


# Tables and their store.


@awaited
async def test_a_table_that_was_forgotten_is_the_same_when_it_comes_back(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fogline.server.tables.hub.FORGET_EVERY", 0.01)
    async with hub_on(database_url, forget_after=0.1) as hub:
        generator = random.Random(1)
        game = await begin(hub, "Ann", "Ben")
        for moves in pick((0, 1000), (0, 1, 20, 1000)):
            await play_some(hub, game, moves, generator)
            before = await table_of(hub, game)
            told = [await message(hub, game, who) for who in ("ann", "ben", "nobody")]
            await turns(lambda: hub.loaded == 0)
            assert [await message(hub, game, who) for who in ("ann", "ben", "nobody")] == told
            after = await table_of(hub, game)
            assert after is not before
            assert everything_said(after) == everything_said(before)
        assert before.status == OVER


@awaited
async def test_a_table_is_not_forgotten_while_somebody_watches(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fogline.server.tables.hub.FORGET_EVERY", 0.01)
    async with hub_on(database_url, forget_after=0.1) as hub:
        watched = await open_table(hub, person("Ann"), OPEN_CHAIR)
        async with aclosing(hub.watch(watched, "ann")) as states:
            await anext(states)
            for _ in range(2):
                await open_table(hub, person("Ann"), OPEN_CHAIR)
                await turns(lambda: hub.loaded == 1)
            await sit(hub, watched, "ben", "Ben")
            assert json.loads(await anext(states))["table"]["chairs"][1]["name"] == "Ben"
        await turns(lambda: hub.loaded == 0)


@awaited
async def test_others_go_on_while_a_long_game_is_fetched(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")
        await play_some(hub, game, 1000, random.Random(1))
        stored = hub.store.load(game)
        assert stored is not None
        fetching = asyncio.create_task(hub._replayed(stored))
        turns_of_others = 0
        while not fetching.done():
            await asyncio.sleep(0)
            turns_of_others += 1
        assert turns_of_others >= len(stored.entries) // APPLIED_AT_ONCE > 1


@awaited
async def test_a_table_that_grows_while_it_is_fetched_is_shown_as_it_is_then(database_url: str) -> None:
    read, go_on = threading.Event(), threading.Event()

    class Held(Store):
        def load(self, game: str, after: int = 0) -> Stored | None:
            found = super().load(game, after)
            read.set()
            go_on.wait()
            return found

    async with hub_on(database_url) as first, hub_on(database_url, store=Held, listens=False) as second:
        game = await begin(first, "Ann", "Ben")
        fetching = asyncio.create_task(second.live(game))
        await turns(read.is_set)
        try:
            n = await play(first, game, "ann", 0, "keep both")
            await second._heard({game: n})
        finally:
            go_on.set()
        live = await fetching
        await turns(lambda: live.table.n == n)


@awaited
async def test_many_who_come_at_once_find_the_same_table(database_url: str) -> None:
    async with hub_on(database_url) as first:
        game = await begin(first, "Ann", "Ben")
    async with hub_on(database_url) as hub:
        found = await asyncio.gather(*(hub.live(game) for _ in range(50)))
        assert len(set(map(id, found))) == hub.loaded == 1


@awaited
async def test_a_table_that_is_nowhere_is_refused_each_time(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        for _ in range(2):
            with pytest.raises(Refused, match="not_found: there is no such table"):
                await hub.look("nowhere", "ann")
        found = await asyncio.gather(*(hub.look("nowhere", "ann") for _ in range(5)), return_exceptions=True)
        assert [type(one) for one in found] == [Refused] * 5


@awaited
async def test_a_map_that_has_changed_since_makes_a_table_unreadable_and_no_other(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        old = await begin(hub, "Ann", "Ben", map="tiny")
        other = await begin(hub, "Ann", "Ben")
    changed = make_offer([OFFER.boards["san_francisco"], tiny_but("value = 2", "value = 3")])
    async with hub_on(database_url, offer=changed) as hub:
        with pytest.raises(Refused, match="conflict: this game was played on a map 'tiny' that is not here, or has"):
            await hub.look(old, "ann")
        assert (await hub.look(other, "ann")).status == PLAYING


@awaited
async def test_what_many_do_at_once_happens_one_after_the_other(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        games = [await open_table(hub, *[OPEN_CHAIR] * 4, autostart=False) for _ in range(5)]
        people = [f"person{number}" for number in range(6)]
        came = await asyncio.gather(
            *(sit(hub, game, who, who.title()) for who in people for game in games), return_exceptions=True
        )
        assert sum(isinstance(one, Refused) for one in came) == 2 * len(games)  # six people, four chairs
        for game in games:
            table = await table_of(hub, game)
            assert (table.n, table.full, len({chair.person for chair in table.chairs})) == (5, True, 4)
            assert everything_said(stored_table(hub, game)) == everything_said(table)


@awaited
async def test_a_caller_who_goes_away_does_not_tear_a_table_from_its_store(database_url: str) -> None:
    generator = random.Random(2)
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")
        hung_up = 0
        for _ in range(100):
            table = await table_of(hub, game)
            if table.status == OVER:
                break
            call = asyncio.create_task(play(hub, game, *choose(table, generator)))
            for _ in range(generator.randrange(6)):
                await asyncio.sleep(0)
            hung_up += call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            async with (await hub.live(game)).lock:  # behind whatever is still being stored
                assert said(await table_of(hub, game)) == said(stored_table(hub, game))
        assert hung_up > 20
        assert (await table_of(hub, game)).n > 20


@awaited
async def test_a_caller_who_goes_away_while_a_table_is_fetched_leaves_it_to_the_others(database_url: str) -> None:
    async with hub_on(database_url) as first:
        game = await begin(first, "Ann", "Ben")
    async with hub_on(database_url) as hub:
        impatient, patient = (asyncio.create_task(hub.look(game, "ann")) for _ in range(2))
        await asyncio.sleep(0)
        impatient.cancel()
        assert (await patient).status == PLAYING
        with pytest.raises(asyncio.CancelledError):
            await impatient


# Those who watch.


def events_of(state: bytes) -> list[Any]:
    return list(json.loads(state)["events"])


@awaited
async def test_a_slow_watcher_is_told_in_one_go_what_happened_meanwhile(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")
        async with aclosing(hub.watch(game, "ann")) as states:
            first = json.loads(await anext(states))
            await play_some(hub, game, 25, random.Random(3))
            second = json.loads(await anext(states))
            assert (first["after"], second["after"], second["n"]) == (0, first["n"], first["n"] + 25)
            assert first["events"] + second["events"] == events_of(await message(hub, game, "ann"))


@awaited
async def test_watchers_of_any_speed_are_told_every_event_once(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")

        async def watch(who: str, pace: int) -> tuple[list[Any], int]:
            """All the events that somebody is told who takes so many turns of the loop to read a state."""
            told, states_seen, number = [], 0, 0
            async with aclosing(hub.watch(game, who)) as states:
                async for text in states:
                    state = json.loads(text)
                    assert state["after"] == number < state["n"]
                    number, states_seen = state["n"], states_seen + 1
                    told += state["events"]
                    if state["table"]["status"] == OVER:
                        return told, states_seen
                    for _ in range(pace):
                        await asyncio.sleep(0.001)
            raise AssertionError("the hub has stopped")

        watchers = [(who, pace) for who in ("ann", "ben", "nobody") for pace in (0, 3, 20)]
        watching = [asyncio.create_task(watch(*watcher)) for watcher in watchers]
        await play_some(hub, game, 1000, random.Random(4))
        for (who, _), (told, states_seen) in zip(watchers, await asyncio.gather(*watching), strict=True):
            assert told == events_of(await message(hub, game, who))
            assert 1 < states_seen <= (await table_of(hub, game)).n


@pytest.mark.parametrize("ahead", [1, 1000])
@awaited
async def test_who_claims_to_have_seen_more_than_there_is_starts_anew(ahead: int, database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")
        await play_some(hub, game, 5, random.Random(5))
        number = (await table_of(hub, game)).n
        assert await message(hub, game, "ann", number + ahead) == await message(hub, game, "ann", 0)
        assert await message(hub, game, "ann", -ahead) == await message(hub, game, "ann", 0)
        assert json.loads(await message(hub, game, "ann", number))["after"] == number


@awaited
async def test_who_comes_back_is_told_what_happened_since(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")
        await play_some(hub, game, 30, random.Random(6))
        table = await table_of(hub, game)
        everything = events_of(await message(hub, game, "ben"))
        for after in range(table.n + 1):
            since = events_of(await message(hub, game, "ben", after))
            assert everything[table.event_counts[after] :] == since


@awaited
async def test_a_spectator_who_is_sent_away_is_told_so(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")
        async with aclosing(hub.watch(game, "nobody")) as strangers, aclosing(hub.watch(game, "ben")) as guests:
            await anext(strangers)
            await anext(guests)
            await hub.do(game, lambda table: decisions.watch(table, "ann", False, hub.clock()))
            with pytest.raises(Refused, match="forbidden: the host of this table wants no spectators"):
                await anext(strangers)
            assert not json.loads(await anext(guests))["table"]["spectators"]


@awaited
async def test_a_hub_that_stops_sends_everyone_home(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        games = [await begin(hub, "Ann", "Ben") for _ in range(3)]

        async def watch(game: str) -> int:
            return len([state async for state in hub.watch(game, "ann")])

        watching = [asyncio.create_task(watch(game)) for game in games for _ in range(3)]
        await turns(lambda: all(len(live.watchers) == 3 for live in hub._live.values()))
        hub.stop()
        assert await asyncio.gather(*watching) == [1] * 9
        assert [state async for state in hub.watch(games[0], "ann")] == []  # nor does anybody come in


@awaited
async def test_nobody_is_told_of_what_a_closing_hub_did_not_store(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    games, answers = [], []
    for moment in (1, 2, 3, 5, 10, 20, 40):
        async with hub_on(database_url) as hub:
            new = [await open_table(hub, person("Ann"), OPEN_CHAIR, OPEN_CHAIR) for _ in range(5)]
            coming = [asyncio.create_task(sit(hub, game, "ben", "Ben")) for game in new]
            for _ in range(moment):
                await asyncio.sleep(0)
            if moment == 40:
                await coming[0]  # however slow the machine is, somebody comes in time
        games += new
        answers += await asyncio.gather(*coming, return_exceptions=True)
    async with hub_on(database_url) as hub:
        came = [(await table_of(hub, game)).chair_of("ben") is not None for game in games]
    assert {False, True} <= set(came)
    assert all(came[at] for at, answer in enumerate(answers) if isinstance(answer, int))
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@awaited
async def test_a_hub_with_bots_at_play_closes_without_a_sound(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(5):
        async with hub_on(database_url) as hub:
            games = [await open_table(hub, bot(), bot()) for _ in range(5)]
            await until(hub, games[0], lambda table: table.n > 10)
    assert [record.getMessage() for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []


# Sitting down, and playing again.


@awaited
async def test_a_table_starts_by_itself_when_the_last_chair_is_taken(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await open_table(hub, person("Ann"), OPEN_CHAIR, OPEN_CHAIR)
        await asyncio.gather(sit(hub, game, "ben", "Ben"), sit(hub, game, "cleo", "Cleo"))
        assert ((await table_of(hub, game)).status, (await table_of(hub, game)).n) == (PLAYING, 4)


@awaited
async def test_who_has_a_chair_is_told_so_whatever_the_others_do(database_url: str) -> None:
    """Whoever takes the last chair is not to blame when another one has been given up before the start."""
    async with hub_on(database_url) as hub:
        game = await open_table(hub, person("Ann"), OPEN_CHAIR, person("Cleo"))
        live = await hub.live(game)
        async with live.lock:  # both wait, and Cleo goes between Ben's coming and the start
            coming = asyncio.create_task(sit(hub, game, "ben", "Ben"))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            going = asyncio.create_task(
                hub.do(game, lambda table: decisions.leave(table, "cleo", hub.clock())),
            )
            await asyncio.sleep(0)
        await asyncio.gather(coming, going)
        table = await table_of(hub, game)
        assert (table.status, table.chair_of("ben"), table.chair_of("cleo")) == (OPEN, 1, None)


@awaited
async def test_a_table_of_bots_alone_plays_to_its_end(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await open_table(hub, bot(), bot("random"))
        table = await until(hub, game, lambda table: table.status == OVER)
        assert everything_said(table) == everything_said(stored_table(hub, game))


@awaited
async def test_all_who_want_to_play_again_find_one_table(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        game = await begin(hub, "Ann", "Ben")
        with pytest.raises(Refused, match="conflict: this game is not over yet"):
            await hub.play_again(game, "ann")
        await play_some(hub, game, 1000, random.Random(7))
        found = await asyncio.gather(*(hub.play_again(game, who) for who in ("ann", "ben") * 5))
        again = await table_of(hub, found[0])
        assert len(set(found)) == 1
        assert (again.status, [chair.name for chair in again.chairs]) == (OPEN, ["Ann", "Ben"])


@awaited
async def test_a_map_that_is_not_here_is_refused(database_url: str) -> None:
    async with hub_on(database_url) as hub:
        with pytest.raises(Refused, match="invalid: there is no map 'atlantis'; there are san_francisco, tiny"):
            await begin(hub, "Ann", "Ben", map="atlantis")


# What happens by itself.


@awaited
async def test_a_clock_goes_on_while_no_hub_runs(database_url: str) -> None:
    async with hub_on(database_url, clock=Clock(ahead=-29.0)) as hub:
        game = await begin(hub, "Ann", "Ben", clock="30s")
    async with hub_on(database_url, clock=Clock()) as hub:
        table = await until(hub, game, lambda table: table.status == OVER)
    away = [entry for entry in entries_of(database_url, game) if isinstance(entry, Away)]
    assert (sorted(entry.seat for entry in away), {entry.why for entry in away}) == ([0, 1], {"clock"})
    assert all(entry.at >= table_began(database_url, game) + 30.0 for entry in away)
    assert table.away == {0, 1}


@awaited
async def test_what_is_due_is_done_though_nobody_watches(database_url: str) -> None:
    async with hub_on(database_url, clock=Clock(ahead=-40.0)) as hub:
        game = await begin(hub, "Ann", "Ben", clock="30s")
    async with hub_on(database_url, clock=Clock()) as hub:
        await turns(lambda: stored_table(hub, game).status == OVER)


@pytest.mark.thorough
@awaited
async def test_what_is_due_at_a_table_that_was_forgotten_is_done(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fogline.server.tables.hub.FORGET_EVERY", 0.01)
    monkeypatch.setattr("fogline.server.tables.appends.GRACE", 0.0)
    async with hub_on(database_url, bot_delay=1.5, forget_after=0.1) as hub:
        game = await open_table(hub, person("Ann"), bot())
        await turns(lambda: hub.loaded == 0)
        assert stored_table(hub, game).n == 2
        await turns(lambda: stored_table(hub, game).n > 2)


@awaited
async def test_a_timer_that_comes_too_early_comes_again(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops round their timers: one that came a moment before the clock runs out must not be the last."""
    monkeypatch.setattr("fogline.server.tables.hub.LOOK_EVERY", 1000.0)  # so that nobody else does it
    clock = Clock()
    async with hub_on(database_url, clock=clock) as hub:
        game = await begin(hub, "Ann", "Ben", clock="30s")
        timer = (await hub.live(game)).timer
        assert timer is not None
        timer.cancel()  # it comes now
        clock.ahead = 29.5
        await hub._advance(game)
        await until(hub, game, lambda table: bool(table.away))


DAY = 86_400.0


@awaited
async def test_a_game_that_was_brought_along_is_kept_for_ninety_days(database_url: str) -> None:
    record = finished("Ann", "Ben", map="tiny").game_record()
    async with hub_on(database_url) as hub:
        game = await hub.bring(record, ("", ""), "ann")
    for days in (89, 91):
        async with hub_on(database_url, clock=Clock(ahead=days * DAY)) as hub:
            later = await hub.bring(record, ("", ""), "ann")
            if days == 91:
                await turns(lambda: hub.store.load(game) is None)
            assert hub.store.load(later) is not None
            assert (hub.store.load(game) is None) == (days == 91)


@awaited
async def test_bots_play_on_when_the_clock_is_set_back(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fogline.server.tables.hub.LOOK_EVERY", 1000.0)  # so that timers alone do it
    clock = Clock()
    async with hub_on(database_url, clock=clock, bot_delay=0.1) as hub:
        game = await open_table(hub, bot(), bot("random"), map="tiny")
        clock.ahead = -DAY
        await hub.do(game, lambda table: decisions.watch(table, "ann", False, hub.clock()))
        await until(hub, game, lambda table: table.status == OVER)


@awaited
async def test_bots_that_nobody_watches_play_on_when_the_clock_was_set_back(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fogline.server.tables.appends.GRACE", 0.0)
    async with hub_on(database_url, clock=Clock(ahead=DAY), bot_delay=1.0) as hub:
        game = await open_table(hub, bot(), bot("random"), map="tiny")
    async with hub_on(database_url) as hub:
        await turns(lambda: stored_table(hub, game).status == OVER)


@awaited
async def test_a_closed_hub_leaves_no_thread_that_changes_the_store(database_url: str) -> None:
    """One that took what is due by a clock of its own would take it from the next server, perhaps for a day."""
    asked, answer = threading.Event(), threading.Event()

    class Slow(Store):
        def take_due(self, now: float, until: float, limit: int) -> list[str]:
            asked.set()
            answer.wait()
            return super().take_due(now, until, limit)

    async with AsyncExitStack() as stack:
        await stack.enter_async_context(hub_on(database_url, store=Slow))
        await turns(asked.is_set)
        closing = asyncio.create_task(stack.aclose())
        try:
            await asyncio.sleep(0.05)
            assert not closing.done()
        finally:
            answer.set()
        await closing


@awaited
async def test_a_clock_runs_out_in_its_time_when_that_of_the_machine_was_set_back(database_url: str) -> None:
    async with hub_on(database_url, clock=Clock(ahead=DAY)) as hub:
        game = await begin(hub, "Ann", "Ben", clock="30s")
    clock = Clock()
    async with hub_on(database_url, clock=clock) as hub:
        await table_of(hub, game)
        clock.ahead = 31.0
        await hub._advance(game)
        assert (await table_of(hub, game)).away


@awaited
async def test_a_bot_decides_the_same_after_a_restart(database_url: str) -> None:
    """So that two servers that both take over do the same."""
    async with hub_on(database_url, bot_delay=1000.0) as hub:
        game = await open_table(hub, bot("random"), bot("random"))
        table = await table_of(hub, game)
        await hub._play_bot(table, 0)
        chosen = hub.store.load(game)
    async with hub_on(database_url, bot_delay=1000.0) as hub:
        await hub._play_bot(table, 0)  # from the state before
        again = hub.store.load(game)
    assert chosen == again


@awaited
async def test_a_bot_is_asked_once_for_a_decision_however_long_it_takes(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = [], asyncio.Event()

    async def choose(_host: str, _name: str, seed: int, view: View) -> str:
        asked.append(seed)
        await answered.wait()
        return str(view.legal_actions[0])

    async with hub_on(database_url, bot_delay=1000.0) as hub:
        monkeypatch.setattr(hub._bots, "choose", choose)
        live = await hub.live(await open_table(hub, bot(), bot()))
        asking = [asyncio.create_task(hub._ask_bot(live, 0)) for _ in range(3)]
        await turns(lambda: len(asked) > 0)
        answered.set()
        await asyncio.gather(*asking)
        assert (len(asked), live.table.bots_deciding()) == (1, [1])
        await hub._ask_bot(live, 1)
        assert len(asked) == 2


def entries_of(url: str, game: str) -> list[Any]:
    store = Store(connect(url), "reader")
    stored = store.load(game)
    store.engine.dispose()
    assert stored is not None
    return [read_entry(entry) for entry in stored.entries]


def table_began(url: str, game: str) -> float:
    return float(entries_of(url, game)[1].at)


# When the store does not answer.


class Moody(Store):
    """A store that fails when it is told to: before it has stored something, or after."""

    mood = ""

    def append(self, appends: Any) -> list[bool]:
        if self.mood == "before":
            raise OperationalError("", {}, Exception("the disk is full"))
        answers = super().append(appends)
        if self.mood == "after":
            raise OperationalError("", {}, Exception("the connection was lost"))
        return answers

    def load(self, game: str, after: int = 0) -> Any:
        if self.mood == "deaf":
            raise OperationalError("", {}, Exception("the connection was lost"))
        return super().load(game, after)


def moody(hub: Hub, mood: str) -> None:
    assert isinstance(hub.store, Moody)
    hub.store.mood = mood


@pytest.mark.parametrize("mood", ["before", "after"])
@awaited
async def test_a_decision_sent_again_after_a_failure_happens_once(mood: str, database_url: str) -> None:
    async with hub_on(database_url, store=Moody) as hub:
        game = await begin(hub, "Ann", "Ben")
        generator = random.Random(8)
        for _ in range(10):
            decision = choose(await table_of(hub, game), generator)
            number = (await table_of(hub, game)).n
            moody(hub, mood)
            with pytest.raises(Refused, match="unavailable: the database does not answer"):
                await play(hub, game, *decision)
            moody(hub, "")
            assert await play(hub, game, *decision) == number + 1
            assert everything_said(await table_of(hub, game)) == everything_said(stored_table(hub, game))


@awaited
async def test_what_was_stored_after_all_is_seen_though_nobody_asks(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fogline.server.tables.hub.LOOK_EVERY", 0.01)
    async with hub_on(database_url, store=Moody) as hub:
        game = await begin(hub, "Ann", "Ben")
        async with aclosing(hub.watch(game, "ann")) as states:
            number = json.loads(await anext(states))["n"]
            decision = choose(await table_of(hub, game), random.Random(9))
            moody(hub, "after")
            with pytest.raises(Refused, match="unavailable"):
                await play(hub, game, *decision)
            assert json.loads(await anext(states))["n"] == number + 1


@awaited
async def test_a_table_that_could_not_be_fetched_can_be_later(database_url: str) -> None:
    async with hub_on(database_url) as first:
        game = await begin(first, "Ann", "Ben")
    async with hub_on(database_url, store=Moody) as hub:
        moody(hub, "deaf")
        with pytest.raises(Refused, match="unavailable"):
            await hub.look(game, "ann")
        moody(hub, "")
        assert (await hub.look(game, "ann")).status == PLAYING


@awaited
async def test_bots_play_on_when_the_store_answers_again(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fogline.server.tables.hub.LOOK_EVERY", 0.01)
    monkeypatch.setattr("fogline.server.tables.appends.GRACE", 0.01)
    monkeypatch.setattr("fogline.server.tables.hub.TAKEN_FOR", 0.1)
    async with hub_on(database_url, store=Moody, bot_delay=0.01) as hub:
        game = await open_table(hub, bot(), bot())
        for mood in ("before", "after") * 3:
            await play_on(hub, game)
            moody(hub, mood)
            await turns(lambda: hub._live[game].behind)
            moody(hub, "")
        await until(hub, game, lambda table: table.status == OVER)
        assert everything_said(await table_of(hub, game)) == everything_said(stored_table(hub, game))


async def play_on(hub: Hub, game: str) -> None:
    """Until something more has happened."""
    number = (await table_of(hub, game)).n
    await until(hub, game, lambda table: table.n > number)


# Two hubs on one database.


@awaited
async def test_a_hub_hears_of_what_happens_at_another(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    async with hub_on(url) as here, hub_on(url) as there:
        game = await begin(here, "Ann", "Ben")
        async with aclosing(there.watch(game, "ben")) as states:
            state = await anext(states)
            generator = random.Random(10)
            for _ in range(20):
                number = await play(here, game, *choose(await table_of(here, game), generator))
                while json.loads(state)["n"] < number:
                    state = await anext(states)
            assert await message(there, game, "ben") == await message(here, game, "ben")


@awaited
async def test_a_game_is_played_through_two_hubs_in_turn(postgresql: PostgreSQL) -> None:
    """Whatever a hub has not heard of yet, it asks the store before it refuses anyone."""
    url = postgresql.create_database()
    async with hub_on(url) as here, hub_on(url, listens=False) as there:
        game = await begin(here, "Ann", "Ben")
        await there.look(game, "ann")
        generator, hubs = random.Random(11), [here, there]
        table = await table_of(here, game)
        for number in range(2, 60):
            hub = generator.choice(hubs)
            assert await play(hub, game, *choose(table, generator)) == number + 1
            table = await table_of(hub, game)
        assert everything_said(stored_table(here, game)) == everything_said(table)


@awaited
async def test_who_has_seen_more_at_another_hub_is_not_told_of_the_past(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    async with hub_on(url) as here, hub_on(url, listens=False) as there:
        game = await begin(here, "Ann", "Ben")
        await there.look(game, "ann")
        await play_some(here, game, 5, random.Random(12))
        number = (await table_of(here, game)).n
        assert json.loads(await message(there, game, "ann", number))["n"] == number


@awaited
async def test_two_hubs_that_both_have_bots_to_move_move_each_once(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    async with hub_on(url) as here, hub_on(url) as there:
        game = await open_table(here, bot(), bot(), bot("random"))
        tables = await asyncio.gather(*(until(hub, game, lambda table: table.status == OVER) for hub in (here, there)))
        assert everything_said(tables[0]) == everything_said(tables[1])
        moves = [entry for entry in entries_of(url, game) if isinstance(entry, Moved)]
        assert tables[0].match is not None
        assert len(moves) == len(tables[0].match.game.actions)


@awaited
async def test_a_notice_that_nobody_understands_does_not_make_a_hub_deaf(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    async with hub_on(url) as here, hub_on(url) as there:
        game = await begin(here, "Ann", "Ben")
        async with aclosing(there.watch(game, "ann")) as states:
            await anext(states)
            with psycopg.connect(url, autocommit=True) as speaker:
                for nonsense in ("", "who are you", "server table:x"):
                    speaker.execute("SELECT pg_notify(%s, %s)", [CHANNEL, nonsense])
            number = await play(here, game, *choose(await table_of(here, game), random.Random(13)))
            assert json.loads(await anext(states))["n"] == number


@pytest.mark.thorough
@awaited
async def test_a_hub_whose_connections_are_cut_hears_again(postgresql: PostgreSQL) -> None:
    url = postgresql.create_database()
    async with hub_on(url) as here, hub_on(url) as there:
        game = await begin(here, "Ann", "Ben")
        generator = random.Random(14)
        async with aclosing(there.watch(game, "ann")) as states:
            await anext(states)
            for _ in range(3):
                with psycopg.connect(url, autocommit=True) as speaker:
                    speaker.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
                number = await play(here, game, *choose(await table_of(here, game), generator))
                while json.loads(await anext(states))["n"] < number:
                    pass
