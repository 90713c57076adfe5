"""Sockets: a table over a WebSocket, for one who sits at it or looks on."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Depends, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.websockets import WebSocketState

from fogline.server import decisions
from fogline.server.gate import check_origin
from fogline.server.limits import Bucket
from fogline.server.metrics import METRICS
from fogline.server.refused import Refused
from fogline.server.session import Session, session_of
from fogline.server.wire import (
    CLIENT_MESSAGE,
    PROTOCOL,
    Accepted,
    Answer,
    ClientMessage,
    Gone,
    Play,
    Rejected,
    Reload,
    ServerMessage,
    write,
)

router = APIRouter()

RESTARTING, REFUSED, OUTDATED = 1012, 4403, 4426
"""Why the server ends a conversation: come again at once; do not; load the page anew."""

Here = Annotated[Session, Depends(session_of)]


@router.websocket("/api/tables/{table}/socket")
async def socket(websocket: WebSocket, here: Here, table: str, protocol: int = 0, after: int = 0) -> None:
    try:
        check_origin(websocket.headers, here.hub.settings.origins)
        person = await here.anybody()
    except Refused:
        await websocket.close(REFUSED)  # before it is accepted, which the client sees as HTTP's 403
        return
    await websocket.accept()
    conversation = _Conversation(websocket, here, table, person)
    if protocol != PROTOCOL:
        text = f"the server speaks version {PROTOCOL} of the protocol, and you version {protocol}: load the page anew"
        await conversation.end(Reload(PROTOCOL, text), OUTDATED)
        return
    try:
        with here.doors.opened(person or conversation.address):
            await conversation.hold(after)
    except Refused as refused:
        await conversation.end(Gone(refused.reason), REFUSED)


class _Conversation:
    def __init__(self, websocket: WebSocket, here: Session, table: str, person: str) -> None:
        self.websocket = websocket
        self.here = here
        self.table = table
        self.person = person
        self.rate = Bucket(here.hub.settings.limits.messages_per_second)

    @property
    def address(self) -> str:
        client = self.websocket.client
        return client.host if client else "unknown"

    async def hold(self, after: int) -> None:
        """Tells and listens at the same time, until one of both has an end."""
        await self.here.hub.look(self.table, self.person)
        telling = asyncio.ensure_future(self._tell(after))
        listening = asyncio.ensure_future(self._listen())
        try:
            done, _ = await asyncio.wait([telling, listening], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except WebSocketDisconnect:
            pass
        finally:
            telling.cancel()
            listening.cancel()
            await asyncio.gather(telling, listening, return_exceptions=True)

    async def end(self, message: ServerMessage, code: int) -> None:
        if self.websocket.application_state == WebSocketState.CONNECTED:
            try:
                await self._say(message)
                await self.websocket.close(code)
            except (WebSocketDisconnect, RuntimeError):
                pass  # the other side was quicker

    async def _tell(self, after: int) -> None:
        async with aclosing(self.here.hub.watch(self.table, self.person, after)) as states:
            async for state in states:
                await self.websocket.send_text(state.decode())
        await self.websocket.close(RESTARTING)

    async def _listen(self) -> None:
        while True:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await self._say(await self._answer(message.get("text")))

    async def _answer(self, text: str | None) -> ServerMessage:
        number: int | None = None
        try:
            if not self.rate.take():
                raise Refused("too_many", "too many messages; wait a little")
            message = _read(text)
            number = message.id
            if isinstance(message, Play):
                return await self._play(message)
            refused = decisions.why_not(await self.here.hub.look(self.table, self.person), self.person, message.action)
            return (
                Answer(number, True, None, None) if not refused else Answer(number, False, refused.reason, refused.rule)
            )
        except Refused as refused:
            METRICS.refusals.labels(refused.code).inc()
            return Rejected(number, refused.code, refused.reason, refused.rule)

    async def _play(self, message: Play) -> Accepted:
        now = self.here.hub.clock
        n = await self.here.hub.do(
            self.table, lambda table: decisions.play(table, self.person, message.step, message.action, now())
        )
        return Accepted(message.id, n)

    async def _say(self, message: ServerMessage) -> None:
        await self.websocket.send_text(write(message).decode())


def _read(text: str | None) -> ClientMessage:
    if text is None:
        raise Refused("invalid", "messages are JSON texts")
    try:
        return CLIENT_MESSAGE.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Refused("invalid", f"{where}: {first['msg']}" if where else str(first["msg"])) from None
