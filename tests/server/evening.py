"""Evenings: a story told at a real server, by people with real sockets, one of whom writes down all that is said.

The server runs in a thread, so that what is random elsewhere, keys, tokens, secrets, chance and the time, can be what
the test says.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import logging
import random
import secrets
import signal
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from pathlib import Path
from queue import Queue
from typing import Any, Self

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from fogline.fairness import seal_of
from fogline.game.actions import board_actions
from fogline.server import logs, run
from fogline.server.http.limits import Limits
from fogline.server.metrics import Metrics
from fogline.server.settings import Settings
from fogline.server.tables import hub
from fogline.server.tables.table import Offer, Table
from fogline.server.wire.wire import PROTOCOL
from tests.server.arrange import OFFER
from tests.server.pairs import NAMES, WATCHER, Cast, Seat, Story, Telling, ToldChance, ToldTable, any_texts
from tests.server.serving import PATIENCE

Heard = list[tuple[str, bytes]]
"""By which way something was said, and what."""


class House:
    """A server on a real socket, in a thread of its own, at whose tables stories are told."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.words: deque[str] = deque()  # the next keys and tokens, which are random elsewhere
        self.secret = b""
        self.stories: dict[str, Story] = {}  # by the table's id
        self.metrics = Metrics()
        self.log = io.StringIO()
        self._database = f"sqlite:///{folder}/{secrets.token_hex(4)}.db"
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._news: Queue[Callable[[], object] | BaseException] = Queue()  # how to stop it, or why it has stopped

    @contextmanager
    def serving(self) -> Iterator[Self]:
        with pytest.MonkeyPatch.context() as patch, logging_to(self.log), self._listener:
            self._arrange(patch)
            settings = Settings(OFFER, Limits(*[1_000_000] * len(fields(Limits))), bot_delay=60.0)
            thread = threading.Thread(target=self._serve, args=(settings,), daemon=True)
            thread.start()
            stop = self._news.get(timeout=PATIENCE)
            if isinstance(stop, BaseException):
                raise stop
            try:
                yield self
            finally:
                stop()
                thread.join(PATIENCE)
            assert not thread.is_alive()
            assert self._news.empty()

    def _serve(self, settings: Settings) -> None:
        try:
            run.serve(self._database, settings, self._listener)
        except BaseException as error:
            self._news.put(error)

    def _arrange(self, patch: pytest.MonkeyPatch) -> None:
        """Everything that is random becomes what the test says."""
        house = self

        class Server(run.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                stop = partial(self.handle_exit, signal.SIGTERM, None)
                house._news.put(partial(asyncio.get_running_loop().call_soon_threadsafe, stop))

        def table(id: str, secret: bytes, offer: Offer) -> Table:
            return ToldTable(id, secret, offer, ToldChance(self.stories[id]))

        patch.setattr(run, "Server", Server)
        patch.setattr(run, "Hub", lambda store, settings: hub.Hub(store, settings, lambda: self.now))
        patch.setattr(hub, "Table", table)
        patch.setattr(hub, "new_secret", lambda: self.secret)
        everywhere = {"new_key": self.words.popleft, "new_token": self.words.popleft, "METRICS": self.metrics}
        for module in [module for name, module in sys.modules.items() if name.startswith("fogline.server.")]:
            for name in everywhere.keys() & vars(module).keys():
                patch.setattr(module, name, everywhere[name])


@contextmanager
def logging_to(stream: io.StringIO) -> Iterator[None]:
    """Logs as a server does, but to here; the clients, which are in the same process, do not."""
    root, clients = logging.getLogger(), logging.getLogger("httpx")
    handlers, levels = root.handlers[:], (root.level, clients.level)
    logs.set_up("json")
    clients.setLevel(logging.WARNING)
    for handler in root.handlers:
        assert isinstance(handler, logging.StreamHandler)
        handler.setStream(stream)
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(levels[0])
        clients.setLevel(levels[1])


class Evening:
    """A story, told by people over HTTP and sockets; one of them writes down all that the server says."""

    def __init__(self, house: House, telling: Telling, story: Story, cast: Cast, viewer: Seat) -> None:
        self.house = house
        self.telling = telling
        self.story = story
        self.cast = cast
        self.viewer = viewer
        self.heard: Heard = []
        self.state: dict[str, Any] = {}  # the last one
        self.n = 0
        chair = telling.chair_of(viewer)
        self.listener = story.players if chair is None else chair  # after the chairs comes the spectator
        self.tokens = tokens_of(telling, cast)
        self.http = httpx.Client(base_url=house.url, timeout=PATIENCE, verify=False)
        self.path = f"/api/tables/{telling.id}"
        house.stories[telling.id] = story

    def tell(self) -> Heard:
        """All that the viewer heard, up to the last action but one."""
        generator = random.Random(f"evening {self.telling.seed}")
        choices = list(self.story.moves[: self.story.players])
        generator.shuffle(choices)
        with self.http:
            self._open()
            with self._connect(0) as self.socket:
                self._hear()
                self._gather()
                for seat, action in (*choices, *self.story.moves[self.story.players : -1]):
                    self._happen(self._decide, seat, str(action), over_socket=generator.random() < 0.5)
        return self.heard

    # What happens.

    def _open(self) -> None:
        for person, token in enumerate(self.tokens):
            self.house.words.append(token)
            self._request(person, "POST", "/api/people")
        self.house.words.extend((self._invite(0), self.telling.id))
        self.house.secret = self.cast.secret
        self.house.now = self._now()
        chairs = [{"kind": "me"}] + [{"kind": "open"}] * (self.story.players - 1)
        table = {"map": self.story.board.id, "clock": self.telling.clock, "autostart": False}
        self._request(0, "POST", "/api/tables", chairs=chairs, name=NAMES[0], **table)
        self.n = 1

    def _invite(self, number: int) -> str:
        """For this table alone."""
        return self.cast.invites[number][:8] + self.telling.id[-8:]

    def _gather(self) -> None:
        invite = f"/api/invites/{self._invite(0)}"
        for chair in range(1, self.story.players):
            self._request(chair, "GET", invite)
            guest = {"name": NAMES[chair], "seal": seal_of(f"{chair}")}
            self._happen(self._request, chair, "POST", invite, **guest)
        self.house.words.append(self._invite(1))
        self._happen(self._request, 0, "POST", f"{self.path}/invite")
        for chair in range(self.story.players):
            guest = {"name": NAMES[chair], "seal": self.telling.seal(chair)}
            self._happen(self._request, chair, "PUT", f"{self.path}/me", **guest)
        self._happen(self._request, 0, "POST", f"{self.path}/start")
        for chair, salt in enumerate(self.telling.salts):
            self._happen(self._request, chair, "POST", f"{self.path}/reveal", salt=salt)

    def _happen(self, act: Callable[..., None], *arguments: Any, **named: Any) -> None:
        """Something that makes one entry; then people ask this and that."""
        self.house.now = self._now()
        act(*arguments, **named)
        self.n += 1
        if self.state["n"] < self.n:
            self._hear()
        generator = random.Random(f"{self.telling.id} {self.n}")
        for ask in generator.sample(ASKED, 2):
            ask(self, generator)
        self._others_ask(generator.randrange(self.story.players))

    def _decide(self, seat: int, action: str, *, over_socket: bool) -> None:
        decision = {"step": self.step, "action": action}
        if seat == self.viewer and over_socket:
            # The answer and the new state may come in either order.
            self._send("play", **decision)
            self.heard += sorted([self._receive(), self._receive()])
        else:
            self._request(self.telling.seating[seat], "POST", f"{self.path}/actions", **decision)

    def _others_ask(self, person: int) -> None:
        """Others ask something else in each game of a pair: that is for them alone."""
        if person != self.listener:
            action = random.Random(self.cast.secret + bytes([self.n % 256])).choice(board_actions(self.story.board))
            self._request(person, "POST", f"{self.path}/why-not", action=str(action))

    # What the viewer asks.

    def look(self, generator: random.Random) -> None:
        self._get(self.path, after=generator.randrange(self.n + 3))

    def list_tables(self, generator: random.Random) -> None:
        self._get("/api/me/tables")

    def fetch_record(self, generator: random.Random) -> None:
        self._get(f"{self.path}/record")

    def fetch_replay(self, generator: random.Random) -> None:
        eyes = generator.choice(["all", "public", *map(str, range(self.story.players))])
        self._get(f"{self.path}/replay", eyes=eyes, at=generator.randrange(self.step + 2))
        self._get(f"{self.path}/replay", at=generator.randrange(self.step + 1))

    def ask_why_not(self, generator: random.Random) -> None:
        for text in any_texts(self.story.board, generator)[-2:]:
            self._request(self.listener, "POST", f"{self.path}/why-not", action=text)
            self._send("why_not", action=text)
            self.heard.append(self._receive())

    def decide_in_vain(self, generator: random.Random) -> None:
        for text in any_texts(self.story.board, generator)[-2:]:
            decision = {"step": self._vain_step(text, generator), "action": text}
            self._request(self.listener, "POST", f"{self.path}/actions", **decision)
            self._send("play", **decision)
            self.heard.append(self._receive())

    def reconnect(self, generator: random.Random) -> None:
        with self._connect(generator.randrange(self.n + 3)) as connection:
            assert connection.response is not None
            self.heard.append(("accepted", _header_bytes(list(connection.response.headers.raw_items()))))
            self.heard.append(("reconnected", str(connection.recv(PATIENCE)).encode()))

    def stream(self, generator: random.Random) -> None:
        path, after = f"{self.path}/stream", {"after": generator.randrange(self.n + 3)}
        with self.http.stream("GET", path, params=after, headers=self._headers(self.listener)) as response:
            self.heard.append(("stream", _response_bytes(response) + next(response.iter_lines()).encode()))

    def _vain_step(self, text: str, generator: random.Random) -> int:
        """A step that the viewer does not decide with this: the text is not legal, or the step is another one."""
        view = self.state["view"]
        legal = {choice["action"] for choice in view["legal"]} if view else set()
        other = generator.choice((self.step + 1, max(0, self.step - 1))) if self.step else 1
        return other if text in legal else generator.choice((self.step, other))

    # How.

    @property
    def step(self) -> int:
        view = self.state["view"]
        return int(view["step"]) if view else 0

    def _now(self) -> float:
        return 1_000_000.0 + 2.5 * self.n

    def _headers(self, person: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[person]}"}

    def _get(self, path: str, **query: Any) -> None:
        response = self.http.get(path, params=query, headers=self._headers(self.listener))
        self.heard.append((f"GET {path}", _response_bytes(response) + response.content))

    def _request(self, person: int, method: str, path: str, **body: Any) -> None:
        response = self.http.request(method, path, headers=self._headers(person), json=body)
        self.http.cookies.clear()
        assert response.status_code < 500
        if person == self.listener:
            self.heard.append((f"{method} {path}", _response_bytes(response) + response.content))

    def _connect(self, after: int) -> ClientConnection:
        address = self.house.url.replace("http", "ws", 1)
        path = f"{self.path}/socket?protocol={PROTOCOL}&after={after}"
        return connect(address + path, additional_headers=self._headers(self.listener), open_timeout=PATIENCE)

    def _send(self, kind: str, **message: Any) -> None:
        self.socket.send(json.dumps({"type": kind, "id": 7} | message))

    def _receive(self) -> tuple[str, bytes]:
        text = str(self.socket.recv(PATIENCE))
        message = json.loads(text)
        if message["type"] == "state":
            self.state = message
        return "socket", text.encode()

    def _hear(self) -> None:
        """The next state, which is that of the last entry."""
        self.heard.append(self._receive())
        assert self.state["n"] == self.n


ASKED: list[Callable[[Evening, random.Random], None]] = [
    Evening.look,
    Evening.list_tables,
    Evening.fetch_record,
    Evening.fetch_replay,
    Evening.ask_why_not,
    Evening.decide_in_vain,
    Evening.reconnect,
    Evening.stream,
]


def tokens_of(telling: Telling, cast: Cast) -> list[str]:
    """The tokens of all who sit at the table, by chair, and of the spectator."""
    people = (telling.id + person for person in (*cast.people, WATCHER))
    return [hashlib.sha256(person.encode()).hexdigest()[:43] for person in people]


def _response_bytes(response: httpx.Response) -> bytes:
    headers = [(str(name), str(value)) for name, value in response.headers.multi_items()]
    return str(response.status_code).encode() + _header_bytes(headers)


def _header_bytes(headers: list[tuple[str, str]]) -> bytes:
    """All headers but those that are never the same twice."""
    kept = [(name, value) for name, value in headers if name.lower() not in ("date", "sec-websocket-accept")]
    return json.dumps(kept).encode()
