"""Floods: strangers who ask for more than they may are turned away unread."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

from fogline.server.http.connections import HttpConnection
from fogline.server.http.front import Front
from fogline.server.http.gate import HEADERS, write_error
from fogline.server.http.timeouts import Timeout, until_request
from fogline.server.metrics import METRICS

_NAMED = re.compile(rb"\n(cookie|authorization|x-forwarded-for) *:", re.I)


class FloodGuard(asyncio.Protocol):
    """Lets connections in. Who comes from where strangers flood us must first say something that is not from nobody:
    to turn somebody away here costs a quarter of what it costs to read what they ask.
    """

    def __init__(self, flooded: Callable[[str], bool], **options: Any) -> None:
        self._flooded = flooded
        self._options = options
        self._silent: Timeout | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        peer = transport.get_extra_info("peername")
        if peer and self._flooded(peer[0]):
            self._silent = until_request(transport.abort)
            self._silent.start()
        else:
            self._let_in()

    def data_received(self, data: bytes) -> None:
        self._stop_waiting()
        if _is_nobodys(data):
            METRICS.refusals.labels("too_many").inc()
            self._transport.write(_TURNED_AWAY)
            self._transport.close()
        else:
            self._let_in().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()

    def _let_in(self) -> Front:
        front = Front(HttpConnection, **self._options)
        self._transport.set_protocol(front)
        front.connection_made(self._transport)
        return front

    def _stop_waiting(self) -> None:
        if self._silent is not None:
            self._silent.stop()


def _is_nobodys(data: bytes) -> bool:
    """Whether it is a whole request that plainly says of nobody that it comes from them."""
    return data.startswith(b"GET ") and data.endswith(b"\r\n\r\n") and not _NAMED.search(data)


def _turned_away() -> bytes:
    body = write_error("too_many", "too many requests; wait a little")
    headers = HEADERS | {"Cache-Control": "no-store", "Content-Type": "application/json", "Connection": "close"}
    lines = [f"{name}: {value}\r\n" for name, value in (*headers.items(), ("Content-Length", len(body)))]
    return f"HTTP/1.1 429 Too Many Requests\r\n{''.join(lines)}\r\n".encode() + body


_TURNED_AWAY = _turned_away()
