"""Timeouts: how long a connection may go without a request, and without anything of an answer being taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

REQUEST_SECONDS = 20.0
"""That somebody has to make a request, or a WebSocket of one."""

KEEP_ALIVE_SECONDS = 75.0
"""That a connection may be idle between two requests. Proxies and clients keep theirs for up to a minute, and should be
the ones to close it: otherwise a request that is under way meets a connection that is being closed, and is lost.
"""

UNREAD_SECONDS, LEAST_READ = 30.0, 10_000
"""Within which so many bytes of what waits to be taken must be, or all of it."""


class Timeout:
    """Calls somebody unless it is stopped in time."""

    def __init__(self, seconds: float, end: Callable[[], None]) -> None:
        self._seconds = seconds
        self._end = end
        self._timer: asyncio.TimerHandle | None = None

    @property
    def running(self) -> bool:
        return self._timer is not None

    def start(self) -> None:
        """Where it has been started already, the time runs on."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._over)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _over(self) -> None:
        self._timer = None
        self._end()


def until_request(end: Callable[[], None]) -> Timeout:
    return Timeout(REQUEST_SECONDS, end)


def until_next_request(end: Callable[[], None]) -> Timeout:
    return Timeout(KEEP_ALIVE_SECONDS, end)


class SlowReader:
    """Cuts a connection off when too little is taken of what waits for the other side."""

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport
        self._timeout = Timeout(UNREAD_SECONDS, self.look)
        self._size = 0

    def start(self) -> None:
        self._size = self._transport.get_write_buffer_size()
        self._timeout.start()

    def stop(self) -> None:
        self._timeout.stop()

    def look(self) -> None:
        if self._transport.get_write_buffer_size() > self._size - LEAST_READ:
            self._transport.abort()
        else:
            self.start()
