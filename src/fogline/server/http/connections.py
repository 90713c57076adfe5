"""Connections: uvicorn's, refined where it has no setting, and nobody who stands before it or behind could do it.

Each method says which attack it stops. Without it, a test in `tests/server` fails.
"""

from __future__ import annotations

import re

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from fogline.server.http.gate import HEADERS, write_error

MOST_PIECES = 64
"""The most pieces of a message: an empty piece has no size that a limit would stop."""

MOST_WAITING = 256
"""The most messages that may wait for an answer."""

MOST_HEADERS, LONGEST_HEADER = 100, 8_000
"""The largest handshake: a little below the size that the websockets library refuses without a word."""

TOO_MUCH, NOT_TEXT = 4429, 1007
_KEY = re.compile(rb"[A-Za-z0-9+/]{22}==")


class HttpConnection(H11Protocol):
    """A connection until it becomes a WebSocket, or ends."""

    def _should_upgrade(self) -> bool:
        """Stops handshakes that the websockets library leaves unanswered: they are requests like any other."""
        return _is_handshake(self.scope["method"], self.headers) and super()._should_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Stops nonsense in the middle of an answer, which would be an error in the log; and has our words."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = write_error("invalid", "this is no HTTP request")
            headers = [*HEADERS.items(), ("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
            response = h11.Response(status_code=400, headers=[*headers, ("Connection", "close")], reason=b"Bad Request")
            for event in (response, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket, from its handshake on."""

    def handle_ping(self) -> None:
        """Stops pings whose pongs nobody reads, which would fill the memory."""
        pongs = self.conn.data_to_send()
        if self.writable.is_set():
            self.transport.write(b"".join(pongs))

    def handle_cont(self, event: Frame) -> None:
        """Stops messages in endless pieces of nothing, which would fill the memory."""
        if len(self.frames) >= MOST_PIECES:
            self._fail(TOO_MUCH, "too many pieces")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Stops thousands of messages at once, which would wait in memory, and texts that fill the log with errors."""
        if self.queue.qsize() >= MOST_WAITING:
            self._fail(TOO_MUCH, "too many messages")
        elif self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self._fail(NOT_TEXT, "not UTF-8")
        else:
            super().send_receive_event_to_app()

    def _fail(self, code: int, reason: str) -> None:
        if not self.close_sent:
            self.conn.fail(code, reason)
            self.handle_parser_exception()


def _is_handshake(method: str, headers: list[tuple[bytes, bytes]]) -> bool:
    found = dict(headers)
    return (
        method == "GET"
        and len(found) == len(headers) <= MOST_HEADERS
        and all(len(name) + len(value) <= LONGEST_HEADER for name, value in headers)
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
