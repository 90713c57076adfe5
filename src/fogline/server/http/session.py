"""Session: who makes a request, and what the server does for them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import AbstractContextManager, aclosing, asynccontextmanager
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from fogline.server.http.gate import Reception, address_of, cookie_of, find_person, is_secure
from fogline.server.refused import Refused
from fogline.server.storage.timeout import in_time
from fogline.server.tables.attendance import Place
from fogline.server.tables.people import new_token, person_of
from fogline.server.tables.table import Table
from fogline.server.wire.messages import state_of
from fogline.server.wire.wire import State
from fogline.server.workers.archive import NOT_JSON

KEEP_ALIVE = 15.0
"""Seconds after which a silent stream sends an empty line, so that no proxy cuts it."""

TABLE_ID = r"^[A-Za-z0-9_-]{16}$"

T = TypeVar("T")

_JSON = re.compile(r"\s*application/([^;]+\+)?json\s*(;|$)", re.I)

_YEAR = 365 * 24 * 60 * 60
_TABLES_LISTED = 50
_KNOWN = 100_000


class Session:
    """One request or socket."""

    def __init__(self, connection: HTTPConnection, reception: Reception) -> None:
        self.connection = connection
        self.reception = reception
        self.hub = reception.hub
        self.address = address_of(connection.scope)

    async def person(self) -> str:
        """Who it is; refused when nobody."""
        person = await self.anybody()
        if not person:
            raise Refused("unknown_person", "the server does not know you: POST /api/people first")
        return person

    async def anybody(self) -> str:
        """Who it is; empty for somebody unknown."""
        person = find_person(self.connection)
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
        self.reception.newcomers.take(self.address)
        token = new_token()
        await self.hub.ask(self.hub.store.add_person, person_of(token), self.hub.clock())
        return token

    def set_cookie(self, response: Response, token: str) -> None:
        scope = self.connection.scope
        secure = is_secure(scope)
        response.set_cookie(cookie_of(scope), token, max_age=_YEAR, httponly=True, samesite="lax", secure=secure)

    @asynccontextmanager
    async def hosting(self, person: str) -> AsyncIterator[float]:
        """Within it, until the time that it gives, the person may open a table.

        One after the other: who asks twice at once is counted twice.
        """
        most = self.hub.settings.limits.tables_per_person
        lock = self.reception.hosting.setdefault(person, asyncio.Lock())
        async with in_time() as until, lock:
            if await self.hub.ask(self.hub.store.count_hosted, person) >= most:
                raise Refused("too_many_tables", f"you host {most} tables that are not over; finish or leave one first")
            self.reception.openings.take(self.address)
            yield until

    def count_import(self, person: str) -> None:
        """Refused when the person, or all at this address, have brought along too many games lately."""
        self.reception.imports.take(person)
        self.reception.imports_at.take(self.address)

    def door(self, person: str) -> AbstractContextManager[None]:
        """Open for as long as a socket or stream is."""
        return self.reception.doors.opened(person, self.address)

    async def invited(self, invite: str) -> str:
        table: str | None = await self.hub.ask(self.hub.store.invited, invite)
        if table is None:
            raise Refused("not_found", "this invitation is over: ask for a new link")
        return table

    async def tables_of(self, person: str) -> list[Table]:
        found = await self.hub.ask(self.hub.store.tables_of, person, _TABLES_LISTED)
        tables = []
        for table in found:
            try:
                tables.append((await self.hub.live(table)).table)
            except Refused as refused:
                if refused.code != "conflict":  # its map has gone; the other tables have not
                    raise
        return tables

    async def state(self, game: str, person: str, after: int = 0) -> State:
        table = await self.hub.look(game, person)
        return state_of(table, table.viewer(person), after)

    async def while_waiting(self, work: Coroutine[Any, Any, T]) -> T:
        """Works only as long as the client waits for the result."""
        doing, leaving = asyncio.ensure_future(work), asyncio.ensure_future(self._leaving())
        try:
            await asyncio.wait((doing, leaving), return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                return doing.result()
            raise Refused("too_slow", "you have gone before the answer came")
        finally:
            doing.cancel()
            leaving.cancel()
            await asyncio.gather(doing, leaving, return_exceptions=True)

    async def body(self) -> bytes:
        """All that came with a request, which must say that it is JSON."""
        assert isinstance(self.connection, Request)
        if not _JSON.match(self.connection.headers.get("content-type", "")):
            raise Refused("invalid", NOT_JSON)
        try:
            return await self.connection.body()
        except ClientDisconnect:
            raise Refused("too_slow", "you have gone before all of it came") from None

    async def _leaving(self) -> None:
        assert isinstance(self.connection, Request)
        while (await self.connection.receive())["type"] != "http.disconnect":
            pass

    async def lines(self, game: str, person: str, after: int) -> AsyncGenerator[bytes, None]:
        """States as JSON lines, with an empty line from time to time."""
        with self.door(person):
            attended = self.hub.attendance.attended(Place(game, person))
            async with attended, aclosing(self._lines(game, person, after)) as lines:
                async for line in lines:
                    yield line

    async def _lines(self, game: str, person: str, after: int) -> AsyncGenerator[bytes, None]:
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


async def session_of(connection: HTTPConnection) -> Session:
    """Asynchronous, since FastAPI hands every other dependency to a thread."""
    reception: Any = connection.app.state.reception
    return Session(connection, reception)
