"""Attendance: who comes to the tables of this server and goes, told to those who sit there and to other servers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fogline.server.tables.live import Live
from fogline.server.tables.presence import Seen
from fogline.server.wire.messages import presence_of
from fogline.server.wire.wire import Presence

REMIND_EVERY = 60.0
"""Seconds after which other servers are told again who is here: one that says nothing any more has died."""

SETTLES_IN = 0.1
"""Seconds: what changes within them, as when a page is loaded anew, is told at once."""


class Place:
    """Where a person has a table open: a socket, or a stream."""

    __slots__ = ("game", "person")

    def __init__(self, game: str, person: str) -> None:
        self.game = game
        self.person = person


class Attendance:
    """Looks after the presence of every table in use."""

    def __init__(
        self,
        *,
        loaded: Mapping[str, Live],
        find: Callable[[str], Awaitable[Live]],
        clock: Callable[[], float],
        patience: float,
        tell: Callable[[list[str]], None],
        server: str,
    ) -> None:
        self._loaded = loaded
        self._find = find
        self._clock = clock
        self._patience = patience
        self._tell = tell  # the other servers, if there are any
        self._server = server
        self._untold: set[str] = set()  # tables of which the others are told in a moment

    # People here.

    @asynccontextmanager
    async def attended(self, place: Place, *, hidden: bool = False) -> AsyncIterator[None]:
        """Within it, somebody has a table open."""
        await self.enter(place, hidden=hidden)
        try:
            yield
        finally:
            live = self._loaded.get(place.game)
            if live is not None and live.presence.leave(place.person, place, self._clock()):
                self._changed(live, place.person)

    async def enter(self, place: Place, *, hidden: bool) -> None:
        """Somebody opens a table, or shows or hides what shows it."""
        live = await self._find(place.game)
        if place.person and live.presence.enter(place.person, place, hidden, self._clock()):
            self._changed(live, place.person)

    async def touch(self, game: str, person: str) -> None:
        """Somebody has done something at a table."""
        live = await self._find(game)
        if live.presence.touch(person, self._clock()):
            self._changed(live, person)

    async def messages(self, place: Place) -> AsyncGenerator[Presence, None]:
        """Who is there, whenever that changes, for those who sit at the table or are its host."""
        live = await self._find(place.game)
        changed = asyncio.Event()
        live.lookers.add(changed)
        told: Presence | None = None
        try:
            while True:
                changed.clear()
                viewer = live.table.viewer(place.person)
                message = presence_of(live.table, live.presence, self._patience, self._clock())
                if message != told and (viewer.chair is not None or viewer.host):
                    yield message
                    told = message
                await changed.wait()
                await asyncio.sleep(SETTLES_IN)
        finally:
            live.lookers.discard(changed)

    def _changed(self, live: Live, person: str) -> None:
        """Who only looks on, nobody is told of."""
        if live.table.chair_of(person) is not None:
            live.look_around()
            self._tell_soon(live.table.id)

    # People at other servers.

    def begin(self, live: Live) -> None:
        """A table comes into use: other servers may have people there."""
        self._tell([json.dumps({"server": self._server, "table": live.table.id})])

    async def keep_reminding(self) -> None:
        """Says again and again who is here, and looks whether another server has fallen silent."""
        while True:
            await asyncio.sleep(REMIND_EVERY)
            self._remind()

    def _remind(self) -> None:
        attended = [live for live in self._loaded.values() if live.presence.attended]
        if attended:
            self._tell([self._news(live) for live in attended])
        for live in self._loaded.values():
            live.look_around()

    def hear(self, text: str) -> None:
        """News of another server, or its question who is here. Raises ValueError for anything else."""
        server, game, people = _read(text)
        live = self._loaded.get(game)
        if server == self._server or live is None:
            return
        if people is None:
            self._tell_soon(game)
        else:
            live.presence.hear(server, people, self._clock())
            live.look_around()

    def _tell_soon(self, game: str) -> None:
        """However often people come and go, the others hear of it some times a second at most."""
        if not self._untold:
            asyncio.get_running_loop().call_later(SETTLES_IN, self._tell_all)
        self._untold.add(game)

    def _tell_all(self) -> None:
        games, self._untold = self._untold, set()
        self._tell([self._news(self._loaded[game]) for game in games if game in self._loaded])

    def _news(self, live: Live) -> str:
        seated = {chair.person for chair in live.table.chairs}
        people = {person: seen for person, seen in live.presence.here.items() if person in seated}
        return json.dumps({"server": self._server, "table": live.table.id, "people": people})


def _read(text: str) -> tuple[str, str, dict[str, Seen] | None]:
    try:
        found: dict[str, Any] = json.loads(text)
        people = found.get("people")
        seen = None if people is None else {person: Seen(*one) for person, one in people.items()}
        return found["server"], found["table"], seen
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("a notice that is not ours") from error
