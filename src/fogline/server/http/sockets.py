"""Sockets: a table over a WebSocket, for a player or a spectator."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing, suppress
from typing import Annotated

from fastapi import APIRouter, Depends, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.websockets import WebSocketState

from fogline.server.http.limits import Bucket
from fogline.server.http.session import TABLE_ID, Session, session_of
from fogline.server.metrics import METRICS
from fogline.server.refused import Refused
from fogline.server.tables import decisions
from fogline.server.tables.attendance import Place
from fogline.server.wire.messages import answer, rejection
from fogline.server.wire.wire import (
    CLIENT_MESSAGE,
    PROTOCOL,
    Accepted,
    ClientMessage,
    Gone,
    Look,
    Play,
    Reload,
    ServerMessage,
    write,
)

router = APIRouter()

RESTARTING, REFUSED, OUTDATED, FLOOD = 1012, 4403, 4426, 4429
"""Why the server ends a conversation: reconnect at once; do not; reload the page; send less."""

Here = Annotated[Session, Depends(session_of)]


@router.websocket("/api/tables/{table}/socket")
async def socket(
    websocket: WebSocket, here: Here, table: str, *, protocol: int = 0, after: int = 0, hidden: bool | None = None
) -> None:
    person = await here.anybody()
    await websocket.accept()
    conversation = _Conversation(websocket, here, table, person, hidden)
    if protocol != PROTOCOL:
        text = f"the server speaks version {PROTOCOL} of the protocol, and you version {protocol}: load the page anew"
        await conversation.end(Reload(PROTOCOL, text), OUTDATED)
        return
    try:
        with here.door(person):
            await conversation.hold(after)
    except Refused as refused:
        if refused.code == "unavailable":  # the database will be back, and so will they
            await conversation.close(RESTARTING)
        else:
            await conversation.end(Gone(refused.reason), REFUSED)
    except Flood:
        await conversation.end(Gone("too many messages"), FLOOD)


class Flood(Exception):
    """The client keeps sending too much, whatever the answer."""


class _Conversation:
    def __init__(self, websocket: WebSocket, here: Session, table: str, person: str, hidden: bool | None) -> None:
        self.websocket = websocket
        self.here = here
        self.table = table
        self.person = person
        self.hidden = hidden  # None for programs, which are not told who is there
        self.place = Place(table, person)
        self.rate = Bucket(here.hub.settings.limits.messages_per_second)
        self.patience = Bucket(here.hub.settings.limits.messages_per_second)  # with messages over the rate

    async def hold(self, after: int) -> None:
        """Tells and listens at the same time, until either ends."""
        if not re.fullmatch(TABLE_ID, self.table):
            raise Refused("not_found", "there is no such table")
        await self.here.hub.look(self.table, self.person)
        async with self.here.hub.attendance.attended(self.place, hidden=bool(self.hidden)):
            work = [self._tell(after), self._listen()]
            work += [] if self.hidden is None else [self._tell_who_is_there()]
            tasks = [asyncio.ensure_future(one) for one in work]
            try:
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            except WebSocketDisconnect:
                pass
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def end(self, message: ServerMessage, code: int) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the other side was quicker
            if self.websocket.application_state == WebSocketState.CONNECTED:
                await self._say(message)
        await self.close(code)

    async def close(self, code: int) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            if self.websocket.application_state == WebSocketState.CONNECTED:
                await self.websocket.close(code)

    async def _tell(self, after: int) -> None:
        async with aclosing(self.here.hub.watch(self.table, self.person, after)) as states:
            async for state in states:
                await self.websocket.send_text(state.decode())
        await self.websocket.close(RESTARTING)

    async def _tell_who_is_there(self) -> None:
        async with aclosing(self.here.hub.attendance.messages(self.place)) as messages:
            async for message in messages:
                await self.websocket.send_text(write(message).decode())

    async def _listen(self) -> None:
        while True:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            reply = await self._answer(message.get("text"))
            if self.websocket.application_state != WebSocketState.CONNECTED:
                return  # closed while the answer was found
            if reply is not None:
                await self._say(reply)

    async def _answer(self, text: str | None) -> ServerMessage | None:
        number: int | None = None
        try:
            self._count()
            message = _read(text)
            if isinstance(message, Look):
                await self.here.hub.attendance.enter(self.place, hidden=message.hidden)
                return None
            number = message.id
            if isinstance(message, Play):
                return await self._play(message)
            refused = decisions.why_not(await self.here.hub.look(self.table, self.person), self.person, message.action)
            return answer(number, refused)
        except Refused as refused:
            METRICS.refusals.labels(refused.code).inc()
            return rejection(number, refused)

    def _count(self) -> None:
        if not self.rate.take():
            if not self.patience.take():
                raise Flood
            raise Refused("too_many", "too many messages; wait a little")
        self.here.reception.admit(self.websocket)

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
        where = ".".join(str(part) for part in first["loc"])[:100]
        if first["type"].startswith("union_tag"):
            raise Refused("invalid", "the type of a message is play, why_not or look") from None
        raise Refused("invalid", f"{where}: {first['msg']}" if where else str(first["msg"])) from None
