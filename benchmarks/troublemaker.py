"""The troublemaker: one person, from one address, who does everything at once that might keep others waiting.

It tries each thing as often as the server's limits allow, or a little more often; `/health` far more often.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
import uvloop
from serving import PATIENCE, cpu_seconds, no_cookies, on_cores
from stored import Remembered

from fogline.server.http.limits import Limits
from fogline.server.wire.wire import PROTOCOL

TABLES = 30
"""The most tables that a person may host."""

SOCKETS = 40
"""Sockets that are never read: the person's, and strangers'."""

PAUSE = 4.0
"""Seconds between two messages over a socket that is never read."""

REPLAYS, GLANCES, IMPORTS, RACES = 1.0, 1.0, 2.0, 1.0
"""Requests a second. With the messages they use up a person's allowance, since they count as twenty, five, ten and
four.
"""

HEALTH = 1_000
"""Requests a second for `/health`, each over its own connection."""

AT_ONCE = 200
"""The most of these that wait for an answer: a client that fills the system's queues only delays itself."""


@dataclass(frozen=True, slots=True)
class Aim:
    """Where the troublemaker goes, and what it knows there."""

    url: str
    bot: str
    remembered: Sequence[Remembered]


class Troublemaker:
    """Runs in its own process, from the beginning to the end of a block."""

    def __init__(self, aim: Aim, cores: frozenset[int]) -> None:
        self._aim = aim
        self._cores = cores
        self.done: Counter[str] = Counter()
        """What was tried, and how often the server answered what."""

    def __enter__(self) -> Self:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_run, args=(theirs, self._aim), daemon=True)
        with on_cores(self._cores):
            self._process.start()
        theirs.close()
        self._connection.recv()  # when the trouble has begun
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with suppress(OSError, EOFError):
            self._connection.send("enough")
            if self._connection.poll(PATIENCE):
                self.done = self._connection.recv()
        self._connection.close()
        self._process.join(PATIENCE)

    def cpu_seconds(self) -> float:
        assert self._process.pid is not None
        return cpu_seconds(self._process.pid)


# In the process of the troublemaker.


def _run(connection: Connection, aim: Aim) -> None:
    uvloop.run(_make_trouble(connection, aim))


async def _make_trouble(connection: Connection, aim: Aim) -> None:
    trouble = _Trouble(aim)
    async with trouble.known():
        doing = [asyncio.create_task(what) for what in trouble.everything()]
        connection.send("begun")
        await asyncio.to_thread(connection.recv)
        for task in doing:
            task.cancel()
        await asyncio.gather(*doing, return_exceptions=True)
    connection.send(trouble.done)


class _Trouble:
    def __init__(self, aim: Aim) -> None:
        self.aim = aim
        self.done: Counter[str] = Counter()
        address = urlsplit(aim.url)
        self._where = str(address.hostname), int(address.port or 80)

    @asynccontextmanager
    async def known(self) -> AsyncIterator[None]:
        """A person, and a friend who hosts the table of the race."""
        transport = httpx.AsyncHTTPTransport(verify=False, limits=httpx.Limits(max_connections=None))
        async with httpx.AsyncClient(
            base_url=f"{self.aim.url}/api", timeout=PATIENCE, transport=transport, cookies=no_cookies()
        ) as self._http:
            self._token, self._friend = [await self._become() for _ in range(2)]
            yield

    def everything(self) -> list[Any]:
        return [
            self._open_tables(),
            self._pace(REPLAYS, self._replays()),
            self._pace(GLANCES, self._glances()),
            self._pace(IMPORTS, self._imports()),
            self._race(),
            self._ask_health(),
        ]

    # What is tried.

    async def _open_tables(self) -> None:
        """Opens tables of bots, and sockets at the first of them that are never read."""
        chairs = [{"kind": "bot", "player": self.aim.bot}] * 2
        tables = []
        for _ in range(TABLES):
            response = await self._ask("tables", "POST", "/tables", json={"chairs": chairs})
            if response is not None and response.status_code == 201:
                tables.append(response.json()["table"]["id"])
        async with asyncio.TaskGroup() as group:
            for number, table in zip(range(SOCKETS), itertools.cycle(tables), strict=False):
                group.create_task(self._never_read(table, self._token if number % 2 else ""))

    async def _never_read(self, table: str, token: str) -> None:
        """Asks again and again and reads no answer, until the server cuts the connection."""
        head = f"GET /api/tables/{table}/socket?protocol={PROTOCOL} HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\n"
        head += "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        head += f"Authorization: Bearer {token}\r\n\r\n" if token else "\r\n"
        while True:
            self.done["sockets"] += 1
            with suppress(OSError):
                _, writer = await asyncio.open_connection(*self._where, limit=1_000)
                try:
                    writer.write(head.encode())
                    while not writer.is_closing():
                        await asyncio.sleep(PAUSE)
                        writer.write(_masked(b'{"type":"why_not","id":1,"action":"pass"}'))
                        await writer.drain()
                finally:
                    writer.transport.abort()
            await asyncio.sleep(1.0)

    def _replays(self) -> Callable[[], Awaitable[Any]]:
        """Asks for replays with all thoughts, of one game after the other."""
        games = itertools.cycle(self.aim.remembered)
        return lambda: self._ask("replays", "GET", f"/tables/{next(games).table}/replay?eyes=all")

    def _glances(self) -> Callable[[], Awaitable[Any]]:
        """Asks for frames of a replay, none of which is cached."""
        where = ((at, game.table) for at in itertools.count(1) for game in self.aim.remembered)

        def ask() -> Awaitable[Any]:
            at, table = next(where)
            return self._ask("glances", "GET", f"/tables/{table}/replay?eyes=all&at={at}")

        return ask

    def _imports(self) -> Callable[[], Awaitable[Any]]:
        """Imports games: good ones with as much beside them as a request may have, and bad ones."""
        bodies = itertools.cycle([body for game in self.aim.remembered for body in _padded(game.record)])
        headers = {"Content-Type": "application/json"}
        return lambda: self._ask("imports", "POST", "/records", content=next(bodies), headers=headers)

    async def _race(self) -> None:
        """Sits down, is removed, and changes its name at the same time."""
        chairs = [{"kind": "me"}, {"kind": "open"}]
        wanted = {"chairs": chairs, "autostart": False}
        response = await self._ask("races", "POST", "/tables", self._friend, json=wanted)
        if response is None or response.status_code != 201:
            return
        table = response.json()["table"]
        invite, path = f"/invites/{table['invite']}", f"/tables/{table['id']}"
        for number in itertools.count():
            await self._ask("races", "POST", invite, json={"name": "Eve"})
            await asyncio.gather(
                self._ask("races", "PUT", f"{path}/chairs/1", self._friend, json={}),
                *(self._ask("races", "PUT", f"{path}/me", json={"name": f"Eve {number} {n}"}) for n in range(3)),
            )
            await asyncio.sleep(1 / RACES)

    async def _ask_health(self) -> None:
        """Sends the shortest possible request, each over a new connection."""
        loop, waiting = asyncio.get_running_loop(), set[_Asking]()
        async for _ in _beats(HEALTH):
            if len(waiting) < AT_ONCE:
                with suppress(OSError):
                    await loop.create_connection(lambda: _Asking(waiting, self.done), *self._where)

    # How.

    async def _become(self) -> str:
        response = await self._http.post("/people")
        return str(response.json()["token"])

    async def _ask(self, what: str, method: str, path: str, token: str = "", **request: Any) -> httpx.Response | None:
        headers = {"Authorization": f"Bearer {token or self._token}", **request.pop("headers", {})}
        try:
            response = await self._http.request(method, path, headers=headers, **request)
        except httpx.HTTPError as error:
            self.done[f"{what} {type(error).__name__}"] += 1
            return None
        self.done[f"{what} {response.status_code}"] += 1
        return response

    async def _pace(self, rate: float, ask: Callable[[], Awaitable[Any]]) -> None:
        """Asks at fixed times, whether the server has answered or not, but never waits for many answers."""
        waiting: set[asyncio.Future[Any]] = set()
        async for _ in _beats(rate):
            if len(waiting) < AT_ONCE:
                task = asyncio.ensure_future(ask())
                waiting.add(task)
                task.add_done_callback(waiting.discard)


class _Asking(asyncio.Protocol):
    """One request for `/health`, for as little as possible: this process may compute on the server's cores."""

    def __init__(self, waiting: set[_Asking], done: Counter[str]) -> None:
        self._waiting = waiting
        self._done = done
        self._status = "none"

    def connection_made(self, transport: asyncio.WriteTransport) -> None:  # type: ignore[override]
        self._waiting.add(self)
        transport.write(b"GET /health HTTP/1.0\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        if self._status == "none":
            self._status = data[9:12].decode()

    def connection_lost(self, exc: Exception | None) -> None:
        self._done[f"health {self._status}"] += 1
        self._waiting.discard(self)


async def _beats(rate: float) -> AsyncIterator[None]:
    """Yields this many times a second, and skips what was missed."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    while True:
        due = max(due + 1 / rate, loop.time() - 0.1)
        if (wait := due - loop.time()) > 0:
            await asyncio.sleep(wait)
        yield


def _padded(record: dict[str, Any]) -> list[bytes]:
    most = Limits().record_bytes
    good = json.dumps({"record": record}).encode()
    small = json.dumps({"record": record | {"more": [{}] * ((most - len(good)) // 4 - 10)}}).encode()
    return [good + b" " * (most - len(good)), small]


def _masked(text: bytes) -> bytes:
    """A frame of a client, with a mask that changes nothing."""
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text
