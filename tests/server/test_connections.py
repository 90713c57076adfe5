"""Connections: with those who send nothing, take nothing, or send nonsense. Patience is shorter here than in life."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn
import uvloop
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from fogline.server import connections
from fogline.server.connections import HttpConnection, SocketConnection
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
        self.config = uvicorn.Config(app, http=HttpConnection, ws=SocketConnection, log_config=None, lifespan="off")
        self.config.load()
        self.loop = uvloop.new_event_loop()
        self.port = 0

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

    def _connection(self) -> HttpConnection:
        return HttpConnection(config=self.config, server_state=self.state, app_state={}, _loop=self.loop)

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
    monkeypatch.setattr(connections, "REQUEST_SECONDS", AT_ONCE)
    monkeypatch.setattr(connections, "UNREAD_SECONDS", AT_ONCE)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request must come at once, and may be taken whenever somebody likes."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", AT_ONCE)
    monkeypatch.setattr(connections, "UNREAD_SECONDS", PATIENCE)


def others_are_cut_off(served: Serving) -> None:
    """So much time has passed that whoever had made no request would be cut off."""
    for _ in range(2):
        with Line(served.port) as silent:
            assert silent.read_to_the_end() == b""


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
        pipe, unread = Pipe(), connections.Unread()
        unread.start(pipe)
        for _ in range(5):
            pipe.size -= connections.LEAST_READ
            unread.look()
            assert not pipe.cut
        pipe.size -= connections.LEAST_READ - 1
        unread.look()
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
    for path, status in (("/secret", 101), ("/?secret", 101), ("/refused/secret", 403)):
        with Socket(served.port, path) as talk:
            assert talk.answer.status == status
    served.wait_for(0)
    assert "secret" not in caplog.text
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
