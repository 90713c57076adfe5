"""Connections: with those who send nothing, take nothing, or send nonsense. Patience is shorter here than in life."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
import uvicorn
import uvloop
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from fogline.server.http import timeouts
from fogline.server.http.answering import Answering
from fogline.server.http.connections import SocketConnection
from fogline.server.http.flood import FloodGuard
from fogline.server.http.front import Front
from fogline.server.logs import tells_nothing_about_sockets
from tests.server import raw
from tests.server.raw import Line, Socket
from tests.server.serving import PATIENCE

AT_ONCE = 0.4
"""Seconds: more than a test on a busy machine takes between two lines."""

LARGE = b"x" * 50_000_000
"""More than lies on the way between two programs on one machine."""


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    await (_answer if scope["type"] == "http" else _talk)(scope["path"], receive, send)


async def _answer(path: str, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    body = LARGE if path == "/large" else b"fine"
    await send({"type": "http.response.body", "body": body, "more_body": path == "/endless"})
    while path == "/endless" and (await receive())["type"] != "http.disconnect":
        pass


async def _talk(path: str, receive: Receive, send: Send) -> None:
    """Sends bytes back as they are, and for every text a long answer."""
    await receive()
    if path == "/never":
        await receive()  # until nobody waits for it any more
        return
    if path.startswith("/refused"):
        await send({"type": "websocket.http.response.start", "status": 403, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"no"})
        return
    await send({"type": "websocket.accept"})
    if path == "/bye":
        await send({"type": "websocket.send", "bytes": LARGE})
        return
    while (message := await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "bytes": message.get("bytes") or b"x" * 1_000_000})


class Serving:
    """Our connections, in a thread."""

    def __init__(self) -> None:
        self.state = ServerState()
        self.config = uvicorn.Config(
            Answering(app),
            ws=partial(Front, SocketConnection),  # type: ignore[arg-type]
            log_config=None,
            lifespan="off",
        )
        self.config.load()
        self.loop = uvloop.new_event_loop()
        self.port = 0
        self.flooded: set[str] = set()

    @contextmanager
    def running(self) -> Iterator[None]:
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        server = self.loop.run_until_complete(self.loop.create_server(self._connection, sock=listener))
        thread = threading.Thread(target=self.loop.run_forever)
        thread.start()
        try:
            yield
            self.wait_for(0)
        finally:
            self.loop.call_soon_threadsafe(server.close)
            self.loop.call_soon_threadsafe(self.loop.stop)
            thread.join(PATIENCE)
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()

    def _connection(self) -> FloodGuard:
        options = {"config": self.config, "server_state": self.state, "app_state": {}, "_loop": self.loop}
        return FloodGuard(self.flooded.__contains__, **options)

    def wait_for(self, count: int) -> None:
        """Waits until so many are connected; and where nobody is, until nothing is going on any more."""
        end = time.monotonic() + PATIENCE
        while len(self.state.connections) != count or (not count and self.state.tasks):
            assert time.monotonic() < end, f"{len(self.state.connections)} connections, {len(self.state.tasks)} tasks"
            time.sleep(0.005)


@pytest.fixture
def served() -> Iterator[Serving]:
    """At the end of a test nobody may be connected any more."""
    serving = Serving()
    with serving.running():
        yield serving


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request must come at once, and be taken at once."""
    monkeypatch.setattr(timeouts, "REQUEST_SECONDS", AT_ONCE)
    monkeypatch.setattr(timeouts, "KEEP_ALIVE_SECONDS", AT_ONCE)
    monkeypatch.setattr(timeouts, "UNREAD_SECONDS", AT_ONCE)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request must come at once, and may be taken whenever somebody likes."""
    monkeypatch.setattr(timeouts, "REQUEST_SECONDS", AT_ONCE)
    monkeypatch.setattr(timeouts, "KEEP_ALIVE_SECONDS", AT_ONCE)
    monkeypatch.setattr(timeouts, "UNREAD_SECONDS", PATIENCE)


def others_are_cut_off(served: Serving) -> None:
    """So much time has passed that whoever had made no request would be cut off."""
    for _ in range(2):
        with Line(served.port) as silent:
            assert silent.read_to_the_end() == b""


def test_a_request_without_any_header_is_answered(served: Serving, caplog: pytest.LogCaptureFixture) -> None:
    with Line(served.port) as line:
        line.send(b"GET / HTTP/1.0\r\n\r\n")
        assert line.read_to_the_end().startswith(b"HTTP/1.1 200")
    assert caplog.records == []


# Who sends too much.


def test_strangers_who_flood_us_are_turned_away_unread(served: Serving) -> None:
    served.flooded.add("127.0.0.1")
    with Line(served.port) as line:
        line.send(raw.request("GET", "/endless"))
        answer = line.read_to_the_end()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 429 ")
    assert f"Content-Length: {len(body)}".encode() in head
    assert json.loads(body)["error"]["code"] == "too_many"
    assert not served.state.tasks


@pytest.mark.parametrize("name", ["Cookie", "authorization", "X-Forwarded-For"])
def test_whoever_may_be_somebody_is_heard_where_strangers_flood_us(served: Serving, name: str) -> None:
    served.flooded.add("127.0.0.1")
    with Line(served.port) as line:
        line.send(raw.request("GET", "/", {name: "somebody"}))
        line.read_until(b"fine")


@pytest.mark.usefixtures("impatient")
def test_whoever_says_nothing_where_strangers_flood_us_is_cut_off(served: Serving) -> None:
    served.flooded.add("127.0.0.1")
    with Line(served.port) as line:
        assert line.read_to_the_end() == b""


def test_strangers_are_heard_where_others_flood_us(served: Serving) -> None:
    served.flooded.add("127.0.0.2")
    with Line(served.port) as line:
        line.send(raw.request("GET", "/"))
        line.read_until(b"fine")


# Who sends nothing.


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "sent",
    [b"", b"\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET", b"x" * 100],
    ids=["nothing", "an empty line", "half a request", "half a second request", "no request"],
)
def test_whoever_makes_no_request_is_cut_off(served: Serving, sent: bytes) -> None:
    with Line(served.port) as line:
        line.send(sent)
        assert line.read_to_the_end().count(b"HTTP/1.1 200") == sent.count(b"\r\n\r\n")
        served.wait_for(0)


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request must come at once, but the next one may take as long as anybody likes."""
    monkeypatch.setattr(timeouts, "REQUEST_SECONDS", AT_ONCE)
    monkeypatch.setattr(timeouts, "KEEP_ALIVE_SECONDS", PATIENCE)


@pytest.mark.usefixtures("lasting")
def test_between_two_requests_a_connection_may_be_idle(served: Serving) -> None:
    with Line(served.port) as line:
        for _ in range(2):
            line.send(raw.request("GET", "/"))
            line.read_until(b"fine")
            others_are_cut_off(served)
        served.wait_for(1)


@pytest.mark.usefixtures("lasting")
def test_a_next_request_that_is_never_finished_is_cut_off(served: Serving) -> None:
    with Line(served.port) as line:
        line.send(raw.request("GET", "/"))
        line.read_until(b"fine")
        line.send(b"GET / HTTP/1.1\r\n")
        assert b"HTTP/1.1" not in line.read_to_the_end()  # nothing but the end of the first answer
        served.wait_for(0)


@pytest.mark.usefixtures("impatient")
def test_a_body_that_goes_on_after_the_answer_does_not_hold_a_connection(served: Serving) -> None:
    with Line(served.port) as line:
        line.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        line.read_until(b"fine")
        while served.state.connections:
            line.send(b"x")


@pytest.mark.usefixtures("impatient")
def test_whoever_is_being_answered_is_not_cut_off(served: Serving) -> None:
    with Line(served.port) as line:
        line.send(raw.request("GET", "/endless"))
        line.read_until(b"fine")
        others_are_cut_off(served)
        served.wait_for(1)


@pytest.mark.usefixtures("impatient")
def test_a_handshake_that_is_never_done_ends(served: Serving) -> None:
    with Line(served.port) as line:
        line.send(raw.request("GET", "/never", raw.HANDSHAKE))
        assert line.read_to_the_end() == b""
        served.wait_for(0)


@pytest.mark.usefixtures("impatient")
def test_an_open_socket_may_be_silent(served: Serving) -> None:
    with Socket(served.port, "/") as talk:
        others_are_cut_off(served)
        talk.send(raw.frame(raw.BINARY, b"still here"))
        assert talk.read(12)[2:] == b"still here"


# Who takes nothing.


@pytest.mark.usefixtures("impatient")
def test_whoever_takes_no_answer_is_cut_off(served: Serving) -> None:
    with Line(served.port) as line:
        line.send(raw.request("GET", "/large"))
        line.read_until(b"\r\n\r\n")
        served.wait_for(0)


@pytest.mark.usefixtures("impatient")
def test_whoever_takes_no_messages_is_cut_off(served: Serving) -> None:
    with Socket(served.port, "/") as talk:
        talk.send(raw.text("{}") * 100)
        served.wait_for(0)


@pytest.mark.usefixtures("impatient")
def test_a_socket_that_we_end_is_gone_though_its_last_words_are_not_read(served: Serving) -> None:
    with Socket(served.port, "/bye") as talk:
        served.wait_for(0)
        assert len(talk.read_to_the_end()) < len(LARGE)


class Parting(asyncio.Protocol):
    """Says as much as the system takes, and a little more, and closes."""

    def __init__(self, gone: asyncio.Future[None], app_state: dict[str, Any]) -> None:
        self._gone = gone

    def connection_made(self, transport: asyncio.WriteTransport) -> None:  # type: ignore[override]
        while not transport.get_write_buffer_size():
            transport.write(b"x" * 1000)
        transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone.set_result(None)


@pytest.mark.usefixtures("impatient")
def test_whatever_stands_behind_a_front_is_cut_off_though_little_is_unread() -> None:
    async def test() -> None:
        loop = asyncio.get_running_loop()
        gone: asyncio.Future[None] = loop.create_future()
        server = await loop.create_server(lambda: Front(partial(Parting, gone), app_state={}), "127.0.0.1", 0)
        with socket.create_connection(server.sockets[0].getsockname()):
            await asyncio.wait_for(gone, PATIENCE)
        server.close()

    asyncio.run(test())


@pytest.mark.usefixtures("waiting")
def test_whoever_takes_all_of_a_long_answer_gets_it(served: Serving) -> None:
    with Line(served.port) as line:
        line.send(raw.request("GET", "/large"))
        others_are_cut_off(served)
        line.read_until(b"\r\n\r\n")
        assert line.read_to_the_end().count(b"x") == len(LARGE)


class Pipe(asyncio.Transport):
    """Holds what the other side has not taken yet."""

    size = 1_000_000
    cut = False

    def get_write_buffer_size(self) -> int:
        return self.size

    def abort(self) -> None:
        self.cut = True


def test_whoever_takes_little_but_some_is_not_cut_off() -> None:
    async def test() -> None:
        pipe = Pipe()
        reader = timeouts.SlowReader(pipe)
        reader.start()
        for _ in range(5):
            pipe.size -= timeouts.LEAST_READ
            reader.look()
            assert not pipe.cut
        pipe.size -= timeouts.LEAST_READ - 1
        reader.look()
        assert pipe.cut

    asyncio.run(test())


# Who sends nonsense.


def test_what_came_before_nonsense_may_still_be_answered_by_the_application(
    served: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    with Socket(served.port, "/") as talk:
        talk.send(raw.frame(raw.BINARY, b"x") * 20 + raw.text(b"\xff") + raw.frame(raw.BINARY, b"y") * 20)
        assert (1007).to_bytes(2, "big") + b"not UTF-8" in talk.read_to_the_end()
    served.wait_for(0)
    assert [record for record in caplog.records if record.levelname in ("ERROR", "WARNING")] == []


def test_the_log_does_not_tell_at_which_table_somebody_looks(served: Serving, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    caplog.handler.addFilter(tells_nothing_about_sockets)
    for path, status in (("/secret", 101), ("/?secret", 101), ("/refused/secret", 403)):
        with Socket(served.port, path) as talk:
            assert talk.answer.status == status
    served.wait_for(0)
    assert "secret" not in caplog.text
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
