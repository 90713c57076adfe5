"""Session: who makes a request, and what the server does for them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import Response

from fogline.server.gate import COOKIE, address_of, find_person
from fogline.server.hub import Hub
from fogline.server.limits import Buckets, Limits
from fogline.server.messages import state_of
from fogline.server.metrics import METRICS
from fogline.server.people import new_token, person_of
from fogline.server.refused import Refused
from fogline.server.table import Table
from fogline.server.wire import State

KEEP_ALIVE = 15.0
"""Seconds after which a silent stream says nothing, so that nobody in between cuts it."""

_YEAR = 365 * 24 * 60 * 60
_TABLES_LISTED = 50
_KNOWN = 100_000


class Doors:
    """The sockets and streams that are open, for each person and in all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()

    @contextmanager
    def opened(self, person: str) -> Iterator[None]:
        if self._open[person] >= self._limits.sockets_per_person or self._open.total() >= self._limits.sockets:
            raise Refused("too_many", "too many sockets are open")
        self._open[person] += 1
        METRICS.sockets.inc()
        try:
            yield
        finally:
            METRICS.sockets.dec()
            self._open[person] -= 1
            if not self._open[person]:
                del self._open[person]


class Reception:
    """What all sessions of a server share."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.doors = Doors(hub.settings.limits)
        self.newcomers = Buckets(hub.settings.limits.people_per_minute / 60, "new people from one address")
        self.known: set[str] = set()  # people that the store has confirmed


class Session:
    """One request or socket."""

    def __init__(self, connection: HTTPConnection, reception: Reception) -> None:
        self.connection = connection
        self.reception = reception
        self.hub = reception.hub
        self.doors = reception.doors

    async def person(self) -> str:
        """Who it is; refused when nobody."""
        person = await self.anybody()
        if not person:
            raise Refused("unknown_person", "the server does not know you: POST /api/people first")
        return person

    async def anybody(self) -> str:
        """Who it is; empty for somebody unknown."""
        person = find_person(self.connection.headers)
        if person is None:
            return ""
        if person not in self.reception.known:
            if not await self.hub.ask(self.hub.store.knows, person):
                return ""
            if len(self.reception.known) >= _KNOWN:
                self.reception.known.clear()
            self.reception.known.add(person)
        return person

    async def new_person(self) -> str:
        """Somebody new; their secret."""
        self.reception.newcomers.take(address_of(self.connection.scope))
        token = new_token()
        await self.hub.ask(self.hub.store.add_person, person_of(token), self.hub.clock())
        return token

    def set_cookie(self, response: Response, token: str) -> None:
        secure = self.connection.url.scheme == "https"
        response.set_cookie(COOKIE, token, max_age=_YEAR, httponly=True, samesite="lax", secure=secure)

    async def may_host(self, person: str) -> None:
        most = self.hub.settings.limits.tables_per_person
        if await self.hub.ask(self.hub.store.count_hosted, person) >= most:
            raise Refused("too_many", f"you host {most} tables that are not over; finish or leave one first")

    async def invited(self, invite: str) -> str:
        table: str | None = await self.hub.ask(self.hub.store.invited, invite)
        if table is None:
            raise Refused("not_found", "this invitation is over: ask for a new link")
        return table

    async def tables_of(self, person: str) -> list[Table]:
        found = await self.hub.ask(self.hub.store.tables_of, person, _TABLES_LISTED)
        return [(await self.hub.live(table)).table for table in found]

    async def state(self, game: str, person: str, after: int = 0) -> State:
        table = await self.hub.look(game, person)
        return state_of(table, table.viewer(person), after)

    async def lines(self, game: str, person: str, after: int) -> AsyncIterator[bytes]:
        """States as JSON lines, with an empty line from time to time."""
        async with aclosing(self.hub.watch(game, person, after)) as states:
            coming = asyncio.ensure_future(anext(states))
            try:
                while True:
                    done, _ = await asyncio.wait([coming], timeout=KEEP_ALIVE)
                    if not done:
                        yield b"\n"
                        continue
                    yield coming.result() + b"\n"
                    coming = asyncio.ensure_future(anext(states))
            except (StopAsyncIteration, Refused):
                return
            finally:
                coming.cancel()
                await asyncio.gather(coming, return_exceptions=True)


def session_of(connection: HTTPConnection) -> Session:
    reception: Any = connection.app.state.reception
    return Session(connection, reception)
