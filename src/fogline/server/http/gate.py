"""The gate: what every request and every socket passes.

It identifies the sender. It refuses a wrong origin, too many requests and too large ones, always with a clear message.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fogline.server.http.doors import Doors
from fogline.server.http.limits import Buckets
from fogline.server.metrics import METRICS
from fogline.server.refused import STATUS, Refused
from fogline.server.tables.hub import Hub
from fogline.server.tables.people import person_of
from fogline.server.workers.archive import Archive

IMPORT_PATH = "/api/records"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
_VERSIONS = ("1.0", "1.1")
_LOGGER = logging.getLogger(__name__)

T = TypeVar("T")

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

SECURE_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}
"""A browser that came by HTTPS keeps to it for a year, whatever a link says."""


def write_error(code: str, reason: str, rule: str | None = None) -> bytes:
    """The body of every answer that refuses something. A reason may quote what was sent: in ASCII, anything can be."""
    return json.dumps({"error": {"code": code, "reason": reason[:500], "rule": rule}}).encode()


class Reception:
    """What all requests and sockets share."""

    def __init__(self, hub: Hub) -> None:
        limits = hub.settings.limits
        self.hub = hub
        self.known: set[str] = set()  # people that the store has confirmed
        self.doors = Doors(limits)
        self.hosting: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # who is opening a table
        self.newcomers = Buckets.a_minute(limits.people_per_minute, "new people from one address")
        self.openings = Buckets.a_minute(limits.tables_per_person, "new tables from one address")
        self.imports = Buckets.an_hour(limits.imports_per_hour, "games brought along")
        self.imports_at = Buckets.an_hour(
            limits.imports_per_hour * limits.people_per_address, "games brought along from one address"
        )
        self._rates = Buckets(limits.requests_per_second, "requests")
        self._addresses = Buckets(limits.requests_per_second * limits.people_per_address, "requests from one address")
        self.archive = Archive(hub.settings)
        self._thread = ThreadPoolExecutor(1, "long work")

    def admit(self, connection: HTTPConnection, cost: float = 1) -> None:
        """Counts a request. Only known people have a count of their own: a stranger could make up a new one for each
        request.
        """
        person, address = find_person(connection), address_of(connection.scope)
        self._rates.take(person if person in self.known else address, cost)
        self._addresses.take(address, cost)

    def flooded(self, host: str) -> bool:
        """Whether the strangers at an address have used up their requests; known people there are still served."""
        return self._rates.spent(network_of(host))

    async def work(self, function: Callable[..., T], *arguments: Any) -> T:
        """Runs slow work, one job after the other, while others are served."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    async def close(self) -> None:
        await self.archive.close()
        self._thread.shutdown(cancel_futures=True)


class Gate:
    """An ASGI middleware around everything."""

    def __init__(self, app: ASGIApp, reception: Reception) -> None:
        self.app = app
        self.reception = reception
        self.settings = reception.hub.settings
        self.limits = self.settings.limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.monotonic()
        answer = _Answer(send, "http.response", is_secure(scope))
        try:
            self._admit(scope)
            body = _Body(receive, answer, self._largest(scope), self.limits.body_seconds)
            body.check(HTTPConnection(scope).headers)
            await self.app(scope, body.receive, answer.send)
        except Refused as refused:
            await answer.refuse(refused)
        except Exception:
            _LOGGER.exception("a request failed", extra={"route": _route(scope)})
            await answer.fail()
        finally:
            METRICS.requests.labels(_route(scope), answer.status).inc()
            taken = round(1000 * (time.monotonic() - began), 1)
            method = scope["method"] if scope["method"] in _METHODS else "other"
            _LOGGER.info(
                "request", extra={"method": method, "route": _route(scope), "status": answer.status, "ms": taken}
            )

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Answer(send, "websocket.http.response", is_secure(scope))
        try:
            self._admit(scope)
            await self.app(scope, receive, answer.send)
        except Refused as refused:
            await answer.refuse(refused)

    def _admit(self, scope: Scope) -> None:
        connection = HTTPConnection(scope)
        if scope.get("http_version", "1.1") not in _VERSIONS:
            raise Refused("invalid", "this server speaks HTTP/1.1")
        if scope.get("method") not in ("GET", "HEAD", "OPTIONS"):
            check_origin(connection.headers, self.settings.origins)
        self.reception.admit(connection, _cost(scope))

    def _largest(self, scope: Scope) -> int:
        return self.limits.record_bytes if scope["path"] == IMPORT_PATH else self.limits.body_bytes


def _cost(scope: Scope) -> int:
    """What takes long counts as many requests."""
    if scope["path"] == IMPORT_PATH:
        return 10
    if scope["path"].endswith("/picture.png"):
        return 5
    if scope["path"].endswith("/replay"):
        return 5 if "at" in QueryParams(scope["query_string"]) else 20
    return 1


class _Body:
    """A request's body, limited in bytes and in seconds."""

    def __init__(self, receive: Receive, answer: _Answer, most: int, seconds: float) -> None:
        self._receive = receive
        self._answer = answer
        self._left = most
        self._most = most
        self._end: float | None = time.monotonic() + seconds  # None once all of it is there

    def check(self, headers: Headers) -> None:
        """A request that declares itself too large is refused at once."""
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._most:
            raise Refused("too_large", self._too_large)

    async def receive(self) -> Message:
        wait = None if self._end is None else max(0.0, self._end - time.monotonic())
        try:
            async with asyncio.timeout(wait):
                message = await self._receive()
        except TimeoutError:
            self._give_up(408, "the request has not arrived in time")
            self._end = None
            return await self._receive()
        if not message.get("more_body"):
            self._end = None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self._give_up(413, self._too_large)
        return message

    @property
    def _too_large(self) -> str:
        return f"a request of this kind has at most {self._most} bytes"

    def _give_up(self, status: int, reason: str) -> None:
        if not self._answer.status:  # else it is answered already, and nobody reads its body
            raise HTTPException(status, reason)  # the one kind that FastAPI lets through while it reads a body


class _Answer:
    """An answer, with the headers that all have."""

    def __init__(self, send: Send, kind: str, secure: bool) -> None:
        self._send = send
        self._kind = kind
        self._headers = HEADERS | SECURE_HEADERS if secure else HEADERS
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == f"{self._kind}.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        elif message["type"] == "websocket.accept":
            self.status = 101
        elif message["type"] == "websocket.close" and not self.status:
            await self.refuse(Refused("not_found", "there is no socket here"))
            return
        await self._send(message)

    async def refuse(self, refused: Refused) -> None:
        METRICS.refusals.labels(refused.code).inc()
        await self._say(STATUS[refused.code], write_error(refused.code, refused.reason, refused.rule))

    async def fail(self) -> None:
        await self._say(500, write_error("failed", "something went wrong here; it has been written down"))

    async def _say(self, status: int, content: bytes) -> None:
        if self.status:  # the answer has begun
            return
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
        await self.send({"type": f"{self._kind}.start", "status": status, "headers": headers})
        await self.send({"type": f"{self._kind}.body", "body": content})


def check_origin(headers: Headers, origins: frozenset[str]) -> None:
    """A browser says which page a request comes from; only ours may send any."""
    origin = headers.get("origin")
    if origin is None:
        return
    host = headers.get("host", "")
    if origin not in origins and (not host or origin not in (f"http://{host}", f"https://{host}")):
        raise Refused("forbidden", "requests from other pages are not taken")


def is_secure(scope: Scope) -> bool:
    return scope["scheme"] in ("https", "wss")


def cookie_of(scope: Scope) -> str:
    """The cookie's name. Other sites under the same domain cannot set one of the first kind, and so make nobody act
    as somebody else; but it needs HTTPS.
    """
    return "__Host-fogline" if is_secure(scope) else "fogline"


def find_person(connection: HTTPConnection) -> str | None:
    """The secret that a request carries, unchecked.

    A program sends it in `Authorization: Bearer`, a browser in a cookie.
    """
    token = bearer_of(connection)
    return person_of(connection.cookies.get(cookie_of(connection.scope), "").strip() if token is None else token)


def bearer_of(connection: HTTPConnection) -> str | None:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def address_of(scope: Scope) -> str:
    """Where a request comes from."""
    client = scope.get("client")
    return network_of(client[0] if client else "")


@lru_cache(maxsize=10_000)
def network_of(host: str) -> str:
    """An owner of one IPv6 address has a whole network of them."""
    try:
        address = ip_address(host)
    except ValueError:
        return "unknown"
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped or f"{int(address) >> 64:x}::/64")


def _route(scope: Scope) -> str:
    """The route's pattern: a path may hold a table's id, which is a key and belongs in no log."""
    route = scope.get("route")
    return getattr(route, "path", "unknown")
