"""Two servers on one PostgreSQL: of what is raced through both one wins, the other is told, and both tell the same."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fogline.server.settings import Settings
from fogline.server.storage.database import connect
from fogline.server.storage.store import CHANNEL, Store
from fogline.server.tables.entries import Again, Away, Locked, Moved, Sat, Started
from fogline.server.tables.hub import Hub
from tests.postgresql import PostgreSQL
from tests.seeds import seeds
from tests.server.arrange import OFFER, person
from tests.server.nursery import Forked
from tests.server.serving import PATIENCE
from tests.server.tablemates import Company, Tablemate, Traffic, check_end, check_log, people_at, read_log
from tests.tier import pick


@pytest.fixture
def seed() -> int:
    """Of all that is chosen at random."""
    return next(seeds(1))


@pytest.fixture
def url(postgresql: PostgreSQL) -> str:
    return postgresql.create_database()


@pytest.fixture
def servers(url: str, tmp_path: Path) -> Iterator[list[Forked]]:
    with Forked(url, tmp_path) as one, Forked(url, tmp_path) as other:
        yield [one, other]


class Rival:
    """Somebody who asks both servers for something at the same time."""

    def __init__(self, mate: Tablemate) -> None:
        self.mate = mate

    async def ask(self, server: int, method: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        address = f"{self.mate.urls[server]}/api{path}"
        return await self.mate.http.request(method, address, json=body, headers=self.mate.headers)

    async def look(self, server: int, table: str) -> httpx.Response:
        return await self.ask(server, "GET", f"/tables/{table}")

    async def state(self, server: int, table: str, number: int = 0) -> Any:
        """Of this number at least: a notice may be under way."""
        while True:
            state = (await self.look(server, table)).json()
            if state["n"] >= number:
                return state


@asynccontextmanager
async def rivals(servers: list[Forked], number: int) -> AsyncIterator[list[Rival]]:
    async with people_at([server.url for server in servers], number, random.Random(0), Traffic()) as people:
        yield [Rival(mate) for mate in people]


def run(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 5 * PATIENCE))


async def race(*starters: Awaitable[httpx.Response]) -> list[httpx.Response]:
    """All at once; nothing that happens may be a server's fault."""
    answers = await asyncio.gather(*starters)
    assert all(answer.status_code < 500 for answer in answers), [answer.text for answer in answers]
    return answers


def code(answer: httpx.Response) -> str:
    """How something was refused; empty when it was not."""
    return "" if answer.is_success else str(answer.json()["error"]["code"])


async def same(people: list[Rival], table: str) -> Any:
    """Once both servers have heard of everything, everyone is told the same by both, to the byte."""
    for rival in people:
        found = [await rival.look(server, table) for server in (0, 1)]
        while len({answer.json()["n"] for answer in found}) > 1:  # a notice is under way
            found = [await rival.look(server, table) for server in (0, 1)]
        assert found[0].content == found[1].content
    return found[0].json()


def kinds(url: str, table: str) -> Counter[type]:
    return Counter(type(entry) for _, entry in read_log(url, table))


# Decisions.

RACED_GAMES = pick(3, 3)


def test_of_two_decisions_for_one_seat_one_happens(seed: int, url: str, servers: list[Forked]) -> None:
    async def scenario() -> None:
        generator = random.Random(seed)
        async with rivals(servers, 4) as people:
            table = await open_full(people, autostart=True, map=pick("tiny", "san_francisco"))
            wins: Counter[int] = Counter()
            for _ in range(RACED_GAMES):
                await race_a_game(people, table, generator, wins)
                table = await race_for_rematch(url, people, table)
            assert min(wins[0], wins[1]) > pick(3, 20)  # both servers have won some
            assert wins.total() > pick(20, 300)
            conflicts = [await metric(server, "fogline_conflicts_total") for server in servers]
            assert sum(conflicts) > pick(3, 20)  # they have met

    run(scenario())
    assert [server.troubles() for server in servers] == [[], []]


async def open_full(people: list[Rival], **settings: Any) -> str:
    """A table at which all sit."""
    host, *guests = people
    table = await host.mate.open_table("me", *["open"] * len(guests), **settings)
    await host.mate.invite(table, [guest.mate for guest in guests])
    locked = (await same(people, table))["table"]
    await asyncio.gather(*(rival.mate.reveal(locked) for rival in people))
    return table


async def race_a_game(people: list[Rival], table: str, generator: random.Random, wins: Counter[int]) -> None:
    """Every decision goes through both servers at once, with another action at each where there is another."""
    number = (await same(people, table))["n"]
    while True:
        # One server knows of all that happened before; the other one may not have heard of it yet.
        at = generator.randrange(2)
        states = [await rival.state(at, table, number) for rival in people]
        if states[0]["view"]["phase"] == "over":
            break
        deciders = [
            (rival, state["view"]) for rival, state in zip(people, states, strict=True) if state["view"]["legal"]
        ]
        for server, taken in await asyncio.gather(*(race_a_decision(*one, table, generator) for one in deciders)):
            wins[server] += 1
            number = max(number, taken)
        if generator.random() < 0.2:
            await same(people, table)
    await same(people, table)


async def race_a_decision(rival: Rival, view: dict[str, Any], table: str, generator: random.Random) -> tuple[int, int]:
    """Which server took the decision, and under which number."""
    actions = [choice["action"] for choice in view["legal"]]
    raced = generator.sample(actions, 2) if len(actions) > 1 else actions * 2
    order = generator.sample([0, 1], 2)
    path = f"/tables/{table}/actions"
    answers = await race(
        *(rival.ask(server, "POST", path, {"step": view["step"], "action": raced[server]}) for server in order)
    )
    codes = [code(answer) for answer in answers]
    # The same decision twice is one decision; of two different ones, one comes second.
    assert sorted(codes) == (["", ""] if raced[0] == raced[1] else ["", "late"]), [answer.text for answer in answers]
    won = codes.index("")
    return order[won], answers[won].json()["n"]


async def race_for_rematch(url: str, people: list[Rival], table: str) -> str:
    """Everyone asks both servers for another table; there is one."""
    answers = await race(
        *(rival.ask(server, "POST", f"/tables/{table}/again") for rival in people for server in (0, 1))
    )
    (again,) = {answer.json()["table"]["id"] for answer in answers}
    assert kinds(url, table)[Again] == 1
    await race(*(rival.ask(server, "POST", f"/tables/{again}/start") for rival in people for server in (0, 1)))
    assert (await same(people, again))["table"]["status"] == "playing"
    assert kinds(url, again)[Started] == 1
    return str(again)


async def metric(server: Forked, name: str) -> float:
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        text = (await http.get(f"{server.url}/metrics")).text
    (line,) = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return float(line.split()[1])


# Before the start.

TABLES = pick(5, 25)
"""At which each of these races is run."""


@pytest.mark.parametrize("autostart", [False, True])
def test_the_last_chair_goes_to_one_of_two(autostart: bool, url: str, servers: list[Forked]) -> None:
    async def scenario() -> None:
        async with rivals(servers, 3) as (host, *guests):
            for _ in range(TABLES):
                table = await host.mate.open_table("me", "open", autostart=autostart)
                path = f"/invites/{(await host.state(0, table))['table']['invite']}"
                answers = await race(*(guest.ask(at, "POST", path, {}) for at, guest in enumerate(guests)))
                codes = [code(answer) for answer in answers]
                # Once the game has started, the invitation itself is over.
                assert sorted(codes) in (["", "conflict"], ["", "not_found"] if autostart else [])
                assert [await sits(guest, table) for guest in guests] == [not code for code in codes]
                state = await same([host, *guests], table)
                assert state["table"]["status"] == ("revealing" if autostart else "open")
                found = kinds(url, table)
                assert (found[Sat], found[Locked]) == (2, int(autostart))  # the host has sat down with a seal

    run(scenario())
    assert [server.troubles() for server in servers] == [[], []]


async def sits(rival: Rival, table: str) -> bool:
    """Whether the list of one's tables has this one. Where it stands depends on time: older tables may change, too."""
    return table in [one["id"] for one in (await rival.ask(0, "GET", "/me/tables")).json()]


def test_a_chair_that_the_host_gives_to_a_bot_while_somebody_comes_has_one_of_them(
    url: str, servers: list[Forked]
) -> None:
    async def scenario() -> None:
        async with rivals(servers, 2) as (host, guest):
            for number in range(TABLES):
                table = await host.mate.open_table("me", "open", autostart=False)
                path = f"/invites/{(await host.state(0, table))['table']['invite']}"
                there = number % 2
                filled, came = await race(
                    host.ask(1 - there, "PUT", f"/tables/{table}/chairs/1", {"player": "racer"}),
                    guest.ask(there, "POST", path, {}),
                )
                # The host may turn out a guest; whoever comes second for the chair finds it taken.
                assert (code(filled), code(came)) in (("", ""), ("", "conflict"))
                state = await same([host, guest], table)
                assert state["table"]["chairs"][1]["kind"] == "bot"
                assert not await sits(guest, table)
                assert kinds(url, table)[Sat] == 1 + (code(came) == "")

    run(scenario())
    assert [server.troubles() for server in servers] == [[], []]


def test_a_table_starts_once_with_whoever_sits_there_then(url: str, servers: list[Forked]) -> None:
    async def scenario() -> None:
        async with rivals(servers, 1) as (host,):
            for number in range(TABLES):
                table = await host.mate.open_table("me", "racer", autostart=False)
                there = number % 2
                *started, filled = await race(
                    host.ask(0, "POST", f"/tables/{table}/start"),
                    host.ask(1, "POST", f"/tables/{table}/start"),
                    host.ask(there, "PUT", f"/tables/{table}/chairs/1", {"player": "random"}),
                )
                assert ([code(answer) for answer in started], code(filled) in ("", "conflict")) == (["", ""], True)
                state = await same([host], table)
                assert state["table"]["chairs"][1]["player"] == ("racer" if code(filled) else "random")
                assert kinds(url, table)[Locked] == 1

    run(scenario())
    assert [server.troubles() for server in servers] == [[], []]


# When a server dies.


@pytest.mark.thorough
def test_another_server_does_what_was_due_at_one_that_died(url: str, servers: list[Forked], tmp_path: Path) -> None:
    """Nobody looks at the table: the other server finds it by itself."""

    async def scenario() -> None:
        async with rivals([slow], 1) as (host,):
            table = await host.mate.open_table("me", "racer")
            state = await host.state(0, table)
            action = state["view"]["legal"][0]["action"]
            await race(host.ask(0, "POST", f"/tables/{table}/actions", {"step": 0, "action": action}))
            number = (await host.state(0, table))["n"]
        slow.kill()
        await asyncio.to_thread(await_entry, url, table, number + 1)
        moves = [entry for _, entry in read_log(url, table) if isinstance(entry, Moved)]
        assert [move.bot for move in moves[:2]] == [False, True]

    with Forked(url, tmp_path, "--bot-delay=5") as slow:
        run(scenario())
    assert [server.troubles() for server in servers] == [[], []]


@pytest.mark.thorough
def test_another_server_sees_to_the_clock_of_one_that_died(url: str, servers: list[Forked]) -> None:
    async def scenario() -> None:
        table = await leave_behind(url, seconds_left=1.0)
        await asyncio.to_thread(await_entry, url, table, 4)
        entries = [entry for _, entry in read_log(url, table)]
        (began,) = [entry.at for entry in entries if isinstance(entry, Started)]
        away = [entry for entry in entries if isinstance(entry, Away)]
        assert {entry.why for entry in away} == {"clock"}
        assert all(entry.at >= began + 30.0 for entry in away)

    run(scenario())
    assert [server.troubles() for server in servers] == [[], []]


async def leave_behind(url: str, seconds_left: float) -> str:
    """A game whose clock has not much left, and that no server has in memory."""
    hub = Hub(Store(connect(url), "gone"), Settings(OFFER), clock=lambda: time.time() - 30.0 + seconds_left)
    chairs = [person("Ann"), person("Ben")]
    settings: dict[str, Any] = {"map": "san_francisco", "clock": "30s", "spectators": True, "autostart": True}
    table = await hub.open(chairs, "ann", **settings)
    await hub.close()
    hub.store.engine.dispose()
    return table


def await_entry(url: str, table: str, number: int) -> None:
    """Until the log of a table is so long."""
    with psycopg.connect(url, autocommit=True) as listener:
        listener.execute(f"LISTEN {CHANNEL}")
        with closing(listener.notifies(timeout=PATIENCE)) as notices:
            while len(read_log(url, table)) < number:
                assert next(notices, None), "nothing has happened"


def test_people_whose_server_is_killed_play_on_at_the_other(seed: int, url: str, servers: list[Forked]) -> None:
    async def disturb(generator: random.Random, traffic: Traffic) -> None:
        for _ in range(10):
            await traffic.wait(generator.randrange(1, 25))
            server = generator.choice(servers)
            server.kill()
            await traffic.wait(generator.randrange(5, 15))  # without it
            server.launch()

    run(play_meanwhile(url, servers, random.Random(seed), disturb))
    assert [server.troubles() for server in servers] == [[], []]


# When the database dies.


A_MOMENT = 5.0
"""Seconds."""


@pytest.mark.thorough
def test_servers_outlive_their_database(seed: int, url: str, servers: list[Forked], postgresql: PostgreSQL) -> None:
    async def disturb(generator: random.Random, traffic: Traffic) -> None:
        for _ in range(pick(1, 4)):
            await traffic.wait(generator.randrange(10, 40))
            await asyncio.to_thread(postgresql.restart)
            await traffic.wait(generator.randrange(10, 40))
            await asyncio.to_thread(postgresql.kill)
            assert [await health(server) for server in servers] == [503, 503]
            with suppress(TimeoutError):  # all may be waiting for news that nobody can send now
                await asyncio.wait_for(traffic.wait(5), A_MOMENT)  # nobody gives up
            await asyncio.to_thread(postgresql.start)

    run(play_meanwhile(url, servers, random.Random(seed), disturb))
    for server in servers:
        assert events_of(server.troubles()) <= {
            "not stored",
            "the database does not answer",
            "cannot look for what is due",
        }
        assert "notices lost" in {entry["event"] for entry in server.entries()}


def test_who_comes_while_the_database_is_away_is_told_to_come_again(
    servers: list[Forked], postgresql: PostgreSQL
) -> None:
    """Whatever this server has in memory: neither the person nor the table, the person alone, or both."""

    async def scenario() -> None:
        async with rivals(servers, 2) as (host, stranger):
            chairs = {"chairs": [{"kind": "me"}, {"kind": "open"}]}
            table = (await host.ask(0, "POST", "/tables", chairs)).json()["table"]["id"]
            there = servers[1].url
            postgresql.kill()
            with pytest.raises(InvalidStatus, match="503"):
                await first_word(stranger, table, there)
            postgresql.start()
            await stranger.mate.http.get(f"{there}/api/me/tables", headers=stranger.mate.headers)
            postgresql.kill()
            with pytest.raises(ConnectionClosed) as closed:
                await first_word(stranger, table, there)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == COME_AGAIN
            postgresql.start()
            seen = await first_word(stranger, table, there)
            postgresql.kill()
            assert await first_word(stranger, table, there) == seen

    run(scenario())


COME_AGAIN = 1012


async def first_word(rival: Rival, table: str, url: str) -> Any:
    async with rival.mate.socket(table, url=url) as socket:
        return await socket.recv()


async def health(server: Forked) -> int:
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        return (await http.get(f"{server.url}/health")).status_code


def events_of(troubles: list[dict[str, Any]]) -> set[str]:
    """What went wrong, none of it with an exception that nobody expected."""
    assert not any("exception" in trouble for trouble in troubles), troubles
    return {trouble["event"] for trouble in troubles}


async def play_meanwhile(
    url: str,
    servers: list[Forked],
    generator: random.Random,
    disturb: Callable[[random.Random, Traffic], Coroutine[Any, Any, None]],
) -> None:
    """People at both servers play game after game while something is disturbed, and nothing of it is lost."""
    enough, traffic = asyncio.Event(), Traffic()
    async with people_at([server.url for server in servers], 4, generator, traffic) as people:
        company = Company(people, enough)
        async with asyncio.TaskGroup() as evening:
            evening.create_task(company.play())
            await disturb(generator, traffic)
            enough.set()
        for table in company.tables:
            check_log(read_log(url, table), table, people)
            for mate in people:
                await check_end(table, mate)
            await same([Rival(mate) for mate in people], table)
