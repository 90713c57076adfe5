"""A table in use: what everyone who looks at it needs beside the table itself."""

from __future__ import annotations

import asyncio
import time

from fogline.server.tables.presence import Presence
from fogline.server.tables.table import Table, Viewer
from fogline.server.wire.messages import state_of
from fogline.server.wire.wire import write

CACHED = 64
"""Messages of one state that are kept: whoever asks for ever other ones must not fill the memory."""


class Live:
    """A table in use."""

    __slots__ = ("behind", "cache", "lock", "lookers", "presence", "table", "thinking", "timer", "used", "watchers")

    def __init__(self, table: Table, at: float = 0.0) -> None:
        self.table = table
        self.presence = Presence(at)
        self.lock = asyncio.Lock()  # one thing after the other
        self.watchers: set[asyncio.Event] = set()
        self.lookers: set[asyncio.Event] = set()  # of those who are told who is there
        self.timer: asyncio.TimerHandle | None = None
        self.cache: dict[tuple[Viewer, int], bytes] = {}  # messages of the present state that were already made
        self.used = time.monotonic()
        self.behind = False  # the store may know more
        self.thinking: tuple[int, int] | None = None  # the step and seat for which a bot is asked

    def message(self, viewer: Viewer, after: int) -> bytes:
        key = (viewer, after)
        if key not in self.cache:
            if len(self.cache) >= CACHED:
                self.cache.clear()
            self.cache[key] = write(state_of(self.table, viewer, after))
        return self.cache[key]

    def changed(self) -> None:
        self.cache.clear()
        for watcher in self.watchers:
            watcher.set()
        self.look_around()  # other chairs are other people

    def look_around(self) -> None:
        """Somebody may have come or gone."""
        self.presence.forget_others(chair.person for chair in self.table.chairs)
        for looker in self.lookers:
            looker.set()

    def cancel_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
