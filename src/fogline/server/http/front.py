"""The front: it stands before a protocol, and ends connections on which no request comes or no answer is taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from fogline.server.http.timeouts import SlowReader, until_next_request, until_request

FRONT = "fogline.front"
"""Under which a request's scope has the front in its state."""


class Front(asyncio.Protocol):
    """Hands everything on to the protocol behind it, of which it knows no more than that asyncio calls it.

    Without this, whoever connects and keeps silent keeps a connection for ever, and whoever asks and never reads what
    comes back fills the memory.
    """

    def __init__(self, behind: Callable[..., asyncio.Protocol], app_state: dict[str, Any], **options: Any) -> None:
        self._before: Front | None = app_state.get(FRONT)  # of the request that became a WebSocket
        self._behind = behind(app_state=app_state | {FRONT: self}, **options)
        self._silent = until_request(self._end)
        self._idle = until_next_request(self._end)
        self._answering = 0

    @property
    def closing(self) -> bool:
        return self._transport.is_closing()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Within it, nobody is expected to make a request, however much else comes meanwhile."""
        self._answering += 1
        self._silent.stop()
        self._idle.stop()
        try:
            yield
        finally:
            self._answering -= 1
            if not self._answering and not self.closing:
                self._idle.start()

    def begin_talk(self) -> None:
        """A WebSocket is open: it may be silent from now on."""
        self._silent.stop()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport, self._slow = transport, SlowReader(transport)
        transport.set_write_buffer_limits(high=0)  # to hear of every byte that is not taken
        if self._before is not None:
            self._before.stop()
        self._silent.start()
        self._behind.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._idle.running:  # the next request has begun
            self._idle.stop()
            self._silent.start()
        self._behind.data_received(data)

    def eof_received(self) -> bool | None:
        return self._behind.eof_received()

    def pause_writing(self) -> None:
        self._slow.start()
        self._behind.pause_writing()

    def resume_writing(self) -> None:
        self._slow.stop()
        self._behind.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop()
        self._behind.connection_lost(exc)

    def stop(self) -> None:
        self._silent.stop()
        self._idle.stop()
        self._slow.stop()

    def _end(self) -> None:
        """When the last answer has been taken, which may take its time."""
        self._transport.close()
