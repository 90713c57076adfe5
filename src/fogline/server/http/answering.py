"""Answering: tells the front of a connection what the application does with it."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from fogline.server.http.front import FRONT, Front


class Answering:
    """An ASGI middleware, around everything that comes from a connection with a front."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            with scope["state"][FRONT].answering():
                await self._app(scope, receive, send)
        else:
            await self._app(scope, receive, _Talk(scope["state"][FRONT], send).send)


class _Talk:
    """What the application says over a WebSocket."""

    def __init__(self, front: Front, send: Send) -> None:
        self._front = front
        self._send = send
        self._ended = False

    async def send(self, message: Message) -> None:
        self._front.begin_talk()
        self._ended |= message["type"] == "websocket.close"
        try:
            await self._send(message)
        except RuntimeError:
            if not (self._front.closing or self._ended):
                raise
            # It is closed: uvicorn calls it an error to say something over it that had to wait until then.
            raise ClientDisconnected from None
