"""Heads: `HEAD` is answered at every address like `GET`, without the body."""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Heads:
    """An ASGI middleware around everything that answers `GET`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        asked = {**scope, "method": "GET"}
        with suppress(ClientDisconnect):  # so it looks to an answer that goes on, such as a stream
            await self._app(asked, receive, _Head(send).send)
        scope["route"] = asked.get("route")  # for those around, who count and log


class _Head:
    """The beginning of an answer, and its end at once."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._ended = False

    async def send(self, message: Message) -> None:
        if self._ended:
            raise OSError("the answer to a HEAD has no more than its head")
        if message["type"] == "http.response.start":
            await self._send(message)
        else:
            self._ended = True
            await self._send({"type": "http.response.body", "body": b""})
