"""The gate: what every request passes, whatever it is for.

It knows who comes, turns away who may not come from there, comes too often or brings too much, and sends nobody away
with more than a clear word.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fogline.server.hub import Hub
from fogline.server.limits import Buckets, Limits
from fogline.server.metrics import METRICS
from fogline.server.people import person_of
from fogline.server.refused import STATUS, Refused

COOKIE = "fogline"
IMPORT_PATH = "/api/records"
_LOGGER = logging.getLogger(__name__)

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # a link to a table is a key to it
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def error_body(code: str, reason: str, rule: str | None = None) -> dict[str, Any]:
    return {"error": {"code": code, "reason": reason, "rule": rule}}


class Gate:
    """An ASGI middleware around everything."""

    def __init__(self, app: ASGIApp, hub: Hub) -> None:
        self.app = app
        self.hub = hub
        self.limits: Limits = hub.settings.limits
        self.rates = Buckets(self.limits.requests_per_second, "requests")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.monotonic()
        answer = _Answer(send)
        try:
            self._admit(scope)
            body = _Body(receive, self._largest(scope))
            await self.app(scope, body.receive, answer.send)
        except Refused as refused:
            await answer.refuse(refused)
        except asyncio.CancelledError:
            raise
        except Exception:
            _LOGGER.exception("a request failed", extra={"route": _route(scope)})
            await answer.fail()
        finally:
            METRICS.requests.labels(_route(scope), answer.status).inc()
            taken = round(1000 * (time.monotonic() - began), 1)
            _LOGGER.info(
                "request",
                extra={"method": scope["method"], "route": _route(scope), "status": answer.status, "ms": taken},
            )

    def _admit(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            check_origin(headers, self.hub.settings.origins)
        self.rates.take(find_person(headers) or address_of(scope))

    def _largest(self, scope: Scope) -> int:
        return self.limits.record_bytes if scope["path"] == IMPORT_PATH else self.limits.body_bytes


class _Body:
    """A request's body, up to so many bytes."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most
        self._most = most

    async def receive(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise Refused("too_large", f"a request of this kind has at most {self._most} bytes")
        return message


class _Answer:
    """An answer, with the headers that all have."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)

    async def refuse(self, refused: Refused) -> None:
        await self._say(STATUS[refused.code], error_body(refused.code, refused.reason, refused.rule))

    async def fail(self) -> None:
        await self._say(500, error_body("failed", "something went wrong here; it has been written down"))

    async def _say(self, status: int, body: dict[str, Any]) -> None:
        if self.status:  # the answer has begun
            return
        headers = [(b"content-type", b"application/json")]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": json.dumps(body).encode()})


def check_origin(headers: Headers, origins: frozenset[str]) -> None:
    """A browser says which page a request comes from: only ours may send any."""
    origin = headers.get("origin")
    if origin is None:
        return
    host = headers.get("host", "")
    if origin not in origins and origin not in (f"http://{host}", f"https://{host}"):
        raise Refused("forbidden", "requests from other pages are not taken")


def find_token(headers: Headers) -> str | None:
    """The secret that a request carries: a program's in `Authorization: Bearer`, a browser's in a cookie."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return cookie.value if cookie else None


def find_person(headers: Headers) -> str | None:
    """Whoever the request says it comes from, which is not checked here."""
    token = find_token(headers)
    return person_of(token) if token else None


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "unknown"


def _route(scope: Scope) -> str:
    """The route's pattern: a path may hold a table's id, which is a key and belongs in no log."""
    route = scope.get("route")
    return getattr(route, "path", "unknown")
