"""The crowd: people who play at many tables at once, in a process of its own and on a core of its own.

It is given orders, carries them out one after the other, and answers each; while it is busy it says how far it is.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import random
import resource
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Self

import httpx
import uvloop
from serving import PATIENCE, cpu_seconds, on_cores
from stored import Seated
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from fogline.server.wire import PROTOCOL

_AT_ONCE = 16
"""Requests, and people who come: as many as keep a server busy."""


# Orders.


@dataclass(frozen=True, slots=True)
class Open:
    """Open tables, sit down, and begin to play: all over HTTP, as everyone does."""

    tables: int


@dataclass(frozen=True, slots=True)
class Take:
    """Sit down at tables that exist."""

    seated: list[Seated]


@dataclass(frozen=True, slots=True)
class Play:
    """Play at the first tables, and begin another game where one is over."""

    tables: int
    seconds: float | None = None  # None: until a game that began here is over at every table
    rate: float | None = None  # moves a second at all tables together, come what may; None: all answer at once
    warm_up: float = 0.0  # seconds that do not count


@dataclass(frozen=True, slots=True)
class Visit:
    """Both come to each of the tables, one of them moves, both see it, and go."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Stay:
    """One of two comes to each of the first tables, and stays, and does nothing."""

    tables: int


Order = Open | Take | Play | Visit | Stay


@dataclass(frozen=True, slots=True)
class Progress:
    """So much of the order is done."""

    done: float
    total: float


@dataclass
class Result:
    """What came of an order."""

    errors: list[str] = field(default_factory=list)
    moves: int = 0
    games: int = 0  # that were finished
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)  # seconds from a move to the view of the other seat
    crowd_busy: float = 0.0  # share of its core
    server_busy: float = 0.0


class Crowd:
    """The crowd, as seen from the process that leads it."""

    def __init__(self, url: str, server_process: int, cores: frozenset[int]) -> None:
        self._arguments = (url, server_process)
        self._cores = cores

    def __enter__(self) -> Self:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_run, args=(theirs, *self._arguments), daemon=True)
        with on_cores(self._cores):
            self._process.start()
        theirs.close()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()
        if error is not None:
            self._process.terminate()  # it may be in the middle of something
        self._process.join(PATIENCE)

    def ask(self, order: Order, progress: Callable[[float, float], None]) -> Result:
        self._connection.send(order)
        while isinstance(answer := self._connection.recv(), Progress):
            progress(answer.done, answer.total)
        assert isinstance(answer, Result)
        return answer


# In the process of the crowd.


def _run(connection: Connection, url: str, server_process: int) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # every person takes a file
    uvloop.run(_Leader(connection, url, server_process).follow_orders())


class _Leader:
    def __init__(self, connection: Connection, url: str, server_process: int) -> None:
        self.connection = connection
        self.url = url
        self.server_process = server_process
        self.pairs: list[_Pair] = []
        self.tally = _Tally()

    async def follow_orders(self) -> None:
        async with httpx.AsyncClient(base_url=f"{self.url}/api", timeout=PATIENCE) as self.http:
            while True:
                try:
                    order = await asyncio.to_thread(self.connection.recv)
                except EOFError:
                    break
                self.tally.result = Result()
                try:
                    await _CARRY_OUT[type(order)](self, order)
                except Exception as error:
                    self.tally.blame(f"{type(order).__name__}: {error!r}")
                self.connection.send(self.tally.result)
            await asyncio.gather(*(pair.leave() for pair in self.pairs))

    async def open(self, order: Open) -> None:
        async def open_one() -> None:
            pair = _Pair(self, await self._open_table())
            await pair.come()
            self.pairs.append(pair)

        await self._all([open_one() for _ in range(order.tables)])

    async def take(self, order: Take) -> None:
        self.pairs += [_Pair(self, seated) for seated in order.seated]

    async def visit(self, order: Visit) -> None:
        await self._all([pair.visit() for pair in self.pairs[order.first : order.last]])

    async def stay(self, order: Stay) -> None:
        await self._all([pair.come(people=1) for pair in self.pairs[: order.tables]])

    async def play(self, order: Play) -> None:
        pairs = self.pairs[: order.tables]
        await self._all([pair.come() for pair in pairs if not pair.sockets])
        gc.collect()
        gc.disable()  # its pauses would be measured as the server's
        try:
            await self._measured(pairs, order)
        finally:
            gc.enable()

    async def _measured(self, pairs: Sequence[_Pair], order: Play) -> None:
        for pair in pairs:
            pair.playing, pair.eager = True, order.rate is None
            await pair.go_on()
        pacing = asyncio.create_task(_pace(pairs, order.rate)) if order.rate else None
        await asyncio.sleep(order.warm_up)
        self.tally.begin(self.server_process)
        await self._let_pass(pairs, order)
        self.tally.end(self.server_process)
        if pacing:
            pacing.cancel()
            self.tally.still_waiting(at for pair in pairs for at in pair.unanswered())
        for outcome in await asyncio.gather(*(pair.stop() for pair in pairs), return_exceptions=True):
            if isinstance(outcome, Exception):
                self.tally.blame(repr(outcome))

    async def _let_pass(self, pairs: Sequence[_Pair], order: Play) -> None:
        """The time of the order; without one, until a game is over at every table, or something is wrong."""
        if order.seconds is not None:
            began = time.perf_counter()
            while (passed := time.perf_counter() - began) < order.seconds:
                self.connection.send(Progress(passed, order.seconds))
                await asyncio.sleep(min(0.5, order.seconds - passed))
            return
        while (done := sum(pair.games > 0 for pair in pairs)) < len(pairs) and not self.tally.result.errors:
            self.connection.send(Progress(done, len(pairs)))
            await asyncio.sleep(0.2)

    async def _all(self, work: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Some at a time, and on to the next whatever becomes of one."""
        places, done = asyncio.Semaphore(_AT_ONCE), itertools.count(1)

        async def one(task: Coroutine[Any, Any, None]) -> None:
            async with places:
                try:
                    await task
                except (OSError, httpx.HTTPError, WebSocketException, RuntimeError) as error:
                    self.tally.blame(repr(error))
            self.connection.send(Progress(next(done), len(work)))

        await asyncio.gather(*map(one, work))

    async def _open_table(self) -> Seated:
        tokens = [(await self.post("/people", ""))["token"] for _ in range(2)]
        salts = [random.randbytes(16).hex() for _ in range(2)]
        chairs = [{"kind": "me"}, {"kind": "open"}]
        table = (await self.post("/tables", tokens[0], chairs=chairs, name="Ann", salt=salts[0]))["table"]
        await self.post(f"/invites/{table['invite']}", tokens[1], name="Ben", salt=salts[1])
        return Seated(table["id"], (tokens[0], tokens[1]))

    async def post(self, path: str, token: str, **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        response = await self.http.post(path, json=body, headers=headers)
        self.http.cookies.clear()
        if not response.is_success:
            raise RuntimeError(f"{path.rpartition('/')[2]}: {response.status_code} {response.text}")
        return response.json()


_CARRY_OUT: dict[type, Callable[[_Leader, Any], Coroutine[Any, Any, None]]] = {
    Open: _Leader.open,
    Take: _Leader.take,
    Play: _Leader.play,
    Visit: _Leader.visit,
    Stay: _Leader.stay,
}


async def _pace(pairs: Sequence[_Pair], rate: float) -> None:
    """Moves become due at fixed times, whether the server has answered the last ones or not."""
    order = itertools.cycle(random.sample(pairs, len(pairs)))
    began, moves = time.perf_counter(), set()
    for number in itertools.count():
        at = began + number / rate
        if (wait := at - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        # Between two games there is nothing to decide: then the move is the next table's.
        pair = next((pair for pair in itertools.islice(order, len(pairs)) if not pair.between_games), pairs[0])
        pair.due.append(at)
        move = asyncio.create_task(pair.go_on())
        moves.add(move)
        move.add_done_callback(moves.discard)


class _Tally:
    """What is counted while it counts."""

    def __init__(self) -> None:
        self.result = Result()
        self.counts = False

    def begin(self, server_process: int) -> None:
        self.counts = True
        self._began = time.perf_counter(), time.process_time(), cpu_seconds(server_process)

    def end(self, server_process: int) -> None:
        self.counts = False
        now = time.perf_counter(), time.process_time(), cpu_seconds(server_process)
        seconds, crowd, server = (after - before for after, before in zip(now, self._began, strict=True))
        self.result.seconds = seconds
        self.result.crowd_busy, self.result.server_busy = crowd / seconds, server / seconds

    def moved(self, latency: float) -> None:
        if self.counts:
            self.result.moves += 1
            self.result.latencies.append(latency)

    def still_waiting(self, due: Iterable[float]) -> None:
        """Moves that nobody has seen at the end: as if they were seen now, since they would else not show at all."""
        now = time.perf_counter()
        self.result.latencies += [now - at for at in due]

    def finished(self) -> None:
        self.result.games += self.counts

    def blame(self, error: str) -> None:
        self.result.errors.append(error[:500])


@dataclass(frozen=True, slots=True)
class _Sent:
    """A move that the other one has not seen yet."""

    n: int  # the number of the state that shows it
    began: float
    other: int


class _Pair:
    """Two people at a table, who play one game after the other. One move is under way at a time."""

    def __init__(self, leader: _Leader, seated: Seated) -> None:
        self.leader = leader
        self.tally = leader.tally
        self.table, self.tokens = seated.table, seated.tokens
        self.games = 0
        self.playing = False  # whether they begin another game when one is over
        self.eager = False  # whether they decide at once
        self.due: deque[float] = deque()  # when they must decide, where they do not
        self.between_games = False
        self.sockets: list[ClientConnection] = []
        self._listening: list[asyncio.Task[None]] = []
        self._states: list[dict[str, Any]] = []  # what each has seen last, by chair
        self._sent: _Sent | None = None
        self._changed = asyncio.Event()

    async def come(self, people: int = 2) -> None:
        self._states = [{"n": 0, "view": None} for _ in self.tokens]
        address = self.leader.url.replace("http", "ws", 1) + f"/api/tables/{self.table}/socket?protocol={PROTOCOL}"
        for token in self.tokens[:people]:
            headers = {"Authorization": f"Bearer {token}"}
            self.sockets.append(
                await connect(
                    address,
                    additional_headers=headers,
                    compression=None,
                    ping_interval=None,
                    open_timeout=PATIENCE,
                    close_timeout=PATIENCE,
                )
            )
        self._listening = [
            asyncio.create_task(self._listen(chair, socket)) for chair, socket in enumerate(self.sockets)
        ]
        await self._until(lambda: all(state["n"] for state in self._states[:people]))

    async def leave(self) -> None:
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)
        await asyncio.gather(*(socket.close() for socket in self.sockets), return_exceptions=True)
        self.sockets, self._listening = [], []

    async def visit(self) -> None:
        await self.come()
        self.due.append(time.perf_counter())
        await self.go_on()
        await self.settle()
        await self.leave()

    async def stop(self) -> None:
        self.playing = self.eager = False
        self.due.clear()
        await self.settle()

    def unanswered(self) -> list[float]:
        """When the moves were due that the other one has not seen."""
        return [*self.due, *([self._sent.began] if self._sent else [])]

    async def settle(self) -> None:
        """Until both have seen everything."""
        await self._until(lambda: self._settled and not self.between_games)

    async def go_on(self) -> None:
        """Decides, where it is time to."""
        if not self._settled or self.between_games:
            return
        now = time.perf_counter()
        if self._states[0]["table"]["status"] == "over":
            if self.playing:
                self._play_again()
        elif self.eager:
            await self._move(now)
        elif self.due:
            await self._move(self.due.popleft())

    @property
    def _settled(self) -> bool:
        return self._sent is None and self._states[0]["n"] == self._states[1]["n"]

    async def _move(self, began: float) -> None:
        chair = next(chair for chair in (0, 1) if self._states[chair]["view"]["legal"])
        state = self._states[chair]
        action = random.choice(state["view"]["legal"])["action"]
        self._sent = _Sent(state["n"] + 1, began, 1 - chair)
        message = {"type": "play", "id": state["n"], "step": state["view"]["step"], "action": action}
        await self.sockets[chair].send(json.dumps(message))

    async def _listen(self, chair: int, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "state":
                    await self._see(chair, message)
                elif message["type"] != "accepted":
                    self.tally.blame(f"the server says {message}")
            self.tally.blame(f"the server closed a socket: {socket.close_code}")
        except Exception as error:
            self.tally.blame(repr(error))

    async def _see(self, chair: int, state: dict[str, Any]) -> None:
        self._states[chair] = state
        if self._sent is not None and self._sent.other == chair and state["n"] >= self._sent.n:
            self.tally.moved(time.perf_counter() - self._sent.began)
            self._sent = None
        self._changed.set()
        if all(seen["view"] for seen in self._states):
            await self.go_on()

    def _play_again(self) -> None:
        self.between_games = True
        self.games += 1
        self.tally.finished()
        self._anew = asyncio.create_task(self._begin_anew())  # whoever calls this is listening to the old table
        self._anew.add_done_callback(self._begun_anew)

    async def _begin_anew(self) -> None:
        table = (await self.leader.post(f"/tables/{self.table}/again", self.tokens[0]))["table"]["id"]
        await self.leader.post(f"/tables/{table}/start", self.tokens[0])
        await self.leave()
        self.table = table
        await self.come()
        self.between_games = False
        self._changed.set()
        await self.go_on()

    def _begun_anew(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            self.tally.blame(f"no new game: {error!r}")

    async def _until(self, happened: Callable[[], bool]) -> None:
        async def wait() -> None:
            while not happened():
                self._changed.clear()
                await self._changed.wait()

        try:
            await asyncio.wait_for(wait(), PATIENCE)
        except TimeoutError:
            raise RuntimeError("the server does not answer") from None
