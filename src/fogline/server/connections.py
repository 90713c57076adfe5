"""Connections: uvicorn's, with no patience for those who send no request, take no answer, or break the protocol.

Without this, somebody who pings and never reads what comes back fills the memory, and whoever connects and keeps silent
keeps a connection for ever.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from fogline.server.gate import HEADERS, write_error

REQUEST_SECONDS = 20.0
"""That somebody has to make a request, or a WebSocket of one."""

UNREAD_SECONDS, LEAST_READ = 30.0, 10_000
"""Within which so many bytes of what waits to be taken must be, or all of it."""

MOST_PIECES = 64
"""In which a message may come: an empty piece has no size that would be limited."""

MOST_WAITING = 256
"""Messages that may have come before the first of them is answered."""

MOST_HEADERS, LONGEST_HEADER = 100, 8_000
"""Of a handshake: a little less than what the websockets library is silent about."""

TOO_MUCH, NOT_TEXT = 4429, 1007
_KEY = re.compile(rb"[A-Za-z0-9+/]{22}==")

_QUIET = logging.getLogger("fogline.server.connections")
_QUIET.setLevel(logging.WARNING)
"""Below it, uvicorn tells the address of every WebSocket, and so the ids of tables."""


class Patience:
    """Calls somebody unless it is stopped in time."""

    def __init__(self, seconds: float, end: Callable[[], None]) -> None:
        self._seconds = seconds
        self._end = end
        self._timer: asyncio.TimerHandle | None = None

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


class Unread:
    """What waits to be taken by the other side: cuts the connection when too little of it is."""

    def __init__(self) -> None:
        self._patience = Patience(UNREAD_SECONDS, self.look)
        self._transport: asyncio.Transport | None = None
        self._size = 0

    def start(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._size = transport.get_write_buffer_size()
        self._patience.start()

    def stop(self) -> None:
        self._patience.stop()

    def look(self) -> None:
        assert self._transport is not None
        if self._transport.get_write_buffer_size() > self._size - LEAST_READ:
            self._transport.abort()
        else:
            self.start(self._transport)


class HttpConnection(H11Protocol):
    """Until it becomes a WebSocket, or ends."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._silent, self._unread = Patience(REQUEST_SECONDS, self._cut_off), Unread()
        self._upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def _should_upgrade(self) -> bool:
        """What only pretends to be a handshake is answered like any other request."""
        return _is_handshake(self.scope["method"], self.headers) and super()._should_upgrade()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        super().handle_websocket_upgrade(event)
        self._upgraded = True

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._silent.stop()
        self._unread.stop()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread.start(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread.stop()

    def send_400_response(self, msg: str) -> None:
        """In our own words; and where an answer has begun, there is no place for another."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = write_error("invalid", "this is no HTTP request")
            headers = [*HEADERS.items(), ("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
            response = h11.Response(status_code=400, headers=[*headers, ("Connection", "close")], reason=b"Bad Request")
            for event in (response, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _watch(self) -> None:
        """Waits for a request for as long as none is being answered, however much else comes meanwhile."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self._upgraded:
            self._silent.stop()
        else:
            self._silent.start()

    def _cut_off(self) -> None:
        """When the last answer has been taken, which may take its time."""
        self.transport.close()
        self._unread.start(self.transport)


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket, from its handshake on."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._unread = Unread()
        self.logger = self.conn.logger = _QUIET

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.loop.call_later(REQUEST_SECONDS, self._expect_handshake)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unread.stop()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread.start(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread.stop()

    def handle_ping(self) -> None:
        """Who does not read gets no pongs, which would pile up here."""
        pongs = self.conn.data_to_send()
        if self.writable.is_set():
            self.transport.write(b"".join(pongs))

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_PIECES:
            self._fail(TOO_MUCH, "too many pieces")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.queue.qsize() >= MOST_WAITING:
            self._fail(TOO_MUCH, "too many messages")
        elif self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self._fail(NOT_TEXT, "not UTF-8")
        else:
            super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # to close it would wait until the other side has read everything

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._unread.start(self.transport)

    async def send(self, message: Any) -> None:
        if self.close_sent:  # and the application has not heard of it yet
            raise ClientDisconnected
        await super().send(message)
        self.handshake_complete |= self.close_sent  # which uvicorn forgets where it was refused

    def _expect_handshake(self) -> None:
        if not self.handshake_complete:
            self.transport.abort()

    def _fail(self, code: int, reason: str) -> None:
        if not self.close_sent:
            self.conn.fail(code, reason)
            self.handle_parser_exception()


def _is_handshake(method: str, headers: list[tuple[bytes, bytes]]) -> bool:
    found = dict(headers)
    return (
        method == "GET"
        and len(found) == len(headers) <= MOST_HEADERS
        and max(len(name) + len(value) for name, value in headers) <= LONGEST_HEADER
        and not found.keys() & {b"content-length", b"transfer-encoding"}
        and found.get(b"sec-websocket-version") == b"13"
        and _KEY.fullmatch(found.get(b"sec-websocket-key", b"")) is not None
    )


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
