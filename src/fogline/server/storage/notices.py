"""Notices: how servers on one PostgreSQL database learn what the others have stored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from sqlalchemy import Engine

from fogline.server.storage.store import CHANNEL, PEOPLE

_LOGGER = logging.getLogger(__name__)
_PAUSE = 1.0
"""Seconds between two attempts to reach the database."""

_Heard = Callable[[dict[str, int]], Awaitable[None]]
_Missed = Callable[[], Awaitable[None]]
_HeardOfPeople = Callable[[str], None]


class Notices:
    """Listens until it is cancelled. After a lost connection, it reports that something may have been missed."""

    def __init__(
        self, engine: Engine, process: str, heard: _Heard, missed: _Missed, heard_of_people: _HeardOfPeople
    ) -> None:
        url = engine.url.set(drivername="postgresql")
        self._address = url.render_as_string(hide_password=False)
        self._process = process
        self._heard = heard
        self._missed = missed
        self._heard_of_people = heard_of_people
        self.ready = asyncio.Event()

    async def listen(self) -> None:
        import psycopg  # noqa: PLC0415  (a server with SQLite does without)

        while True:
            try:
                await self._listen_once()
            except (psycopg.Error, ValueError) as error:  # or a notice that is not ours
                _LOGGER.warning("notices lost", extra={"reason": type(error).__name__})
            self.ready.clear()
            await asyncio.sleep(_PAUSE)

    async def _listen_once(self) -> None:
        import psycopg  # noqa: PLC0415  (likewise)

        async with await psycopg.AsyncConnection.connect(self._address, autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            await connection.execute(f"LISTEN {PEOPLE}")
            self.ready.set()
            await self._missed()
            async for notice in connection.notifies():
                if notice.channel == PEOPLE:
                    self._heard_of_people(notice.payload)
                    continue
                process, *grown = notice.payload.split()
                if process != self._process:
                    await self._heard(dict(_game_and_ply(one) for one in grown))


def _game_and_ply(text: str) -> tuple[str, int]:
    game, ply = text.split(":")
    return game, int(ply)
