"""The crowd: people who play at many tables at once, in their own process on their own core.

It takes orders, carries them out one after the other, and answers each. While it is busy it reports its progress.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import random
import resource
import statistics
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
from serving import PATIENCE, cpu_seconds, no_cookies, on_cores
from stored import Seated
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from fogline.server.wire.wire import PROTOCOL

_AT_ONCE = 16
"""The most requests and new people at a time: as many as keep a server busy."""


# Orders.


@dataclass(frozen=True, slots=True)
class Open:
    """Open tables, sit down, and begin to play: all over HTTP, as everyone does."""

    tables: int


@dataclass(frozen=True, slots=True)
class Seat:
    """Open tables of two bots, who play by themselves."""

    tables: int
    bot: str


@dataclass(frozen=True, slots=True)
class Gather:
    """Open tables as on a busy evening, each from its own address: of two people, and of one against a bot."""

    tables: int  # in all
    duels: int  # of them, those against a bot
    bot: str


@dataclass(frozen=True, slots=True)
class Take:
    """Sit down at tables that exist."""

    seated: list[Seated]


@dataclass(frozen=True, slots=True)
class Play:
    """Play at the first tables, and begin another game where one is over."""

    tables: int
    seconds: float | None = None  # None: until a game that began here is over at every table
    rate: float | None = None  # moves a second at all tables together, at fixed times; None: all answer at once
    warm_up: float = 0.0  # seconds that do not count


@dataclass(frozen=True, slots=True)
class Visit:
    """Both come to each of the tables, one of them moves, both see it, and they leave."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Stay:
    """One of two comes to each of the first tables, and stays, and does nothing."""

    tables: int


Order = Open | Seat | Gather | Take | Play | Visit | Stay


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of the order is done."""

    done: float
    total: float


@dataclass
class Result:
    """The result of an order."""

    errors: list[str] = field(default_factory=list)
    moves: int = 0
    games: int = 0  # that were finished
    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)  # seconds from a move to the view of the other seat
    answers: list[float] = field(default_factory=list)  # seconds from the state in which a bot must decide to the next
    crowd_busy: float = 0.0  # share of its core
    server_busy: float = 0.0
    computed: dict[str, float] = field(default_factory=dict)  # seconds of a core by process, the warm-up included


class Crowd:
    """The crowd, as the process that leads it sees it."""

    def __init__(
        self, url: str, server_process: int, cores: frozenset[int], leader: type[Leader] | None = None
    ) -> None:
        self._arguments = (url, server_process, leader or Leader)
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

    def cpu_seconds(self) -> float:
        assert self._process.pid is not None
        return cpu_seconds(self._process.pid)

    def ask(self, order: Order, progress: Callable[[float, float], None]) -> Result:
        self._connection.send(order)
        while isinstance(answer := self._connection.recv(), Progress):
            progress(answer.done, answer.total)
        assert isinstance(answer, Result)
        return answer


# In the process of the crowd.


def _run(connection: Connection, url: str, server_process: int, leader: type[Leader]) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # every person takes a file
    uvloop.run(leader(connection, url, server_process).follow_orders())


class Leader:
    """Carries out the orders."""

    def __init__(self, connection: Connection, url: str, server_process: int) -> None:
        self.connection = connection
        self.url = url
        self.server_process = server_process
        self.pairs: list[Pair] = []
        self.meter = Meter()
        self._clients: dict[str, httpx.AsyncClient] = {}  # by the address that their requests come from

    async def follow_orders(self) -> None:
        while True:
            try:
                order = await asyncio.to_thread(self.connection.recv)
            except EOFError:
                break
            self.meter.result = Result()
            try:
                await self.carry_out(order)
            except Exception as error:
                self.meter.blame(f"{type(order).__name__}: {error!r}")
            self.connection.send(self.meter.result)
        await asyncio.gather(*(pair.leave() for pair in self.pairs))
        await asyncio.gather(*(client.aclose() for client in self._clients.values()))

    async def carry_out(self, order: Order) -> None:
        await _CARRY_OUT[type(order)](self, order)

    async def open(self, order: Open) -> None:
        async def open_one() -> None:
            pair = Pair(self, await self._open_table())
            await pair.come()
            self.pairs.append(pair)

        await self.all([open_one() for _ in range(order.tables)])

    async def seat(self, order: Seat) -> None:
        async def seat_two() -> None:
            token = (await self.post("/people", ""))["token"]
            await self.post("/tables", token, chairs=[{"kind": "bot", "player": order.bot}] * 2)

        await self.all([seat_two() for _ in range(order.tables)])

    async def take(self, order: Take) -> None:
        self.pairs += [Pair(self, seated) for seated in order.seated]

    async def visit(self, order: Visit) -> None:
        await self.all([pair.visit() for pair in self.pairs[order.first : order.last]])

    async def stay(self, order: Stay) -> None:
        await self.all([pair.come(people=1) for pair in self.pairs[: order.tables]])

    async def play(self, order: Play) -> None:
        pairs = self.pairs[: order.tables]
        await self.all([pair.come() for pair in pairs if not pair.sockets])
        gc.collect()
        gc.disable()  # its pauses would be measured as the server's
        try:
            await self._measured(pairs, order)
        finally:
            gc.enable()

    async def _measured(self, pairs: Sequence[Pair], order: Play) -> None:
        for pair in pairs:
            pair.playing, pair.eager = True, order.rate is None
            await pair.go_on()
        pacing = asyncio.create_task(_pace(pairs, order.rate)) if order.rate else None
        await asyncio.sleep(order.warm_up)
        self.meter.begin(self.server_process)
        await self._let_pass(pairs, order)
        self.meter.end(self.server_process)
        if pacing:
            pacing.cancel()
            self.meter.still_waiting(at for pair in pairs for at in pair.unanswered())
            self.meter.still_thinking(pair.asked_at for pair in pairs if pair.asked_at is not None)
        for outcome in await asyncio.gather(*(pair.stop() for pair in pairs), return_exceptions=True):
            if isinstance(outcome, Exception):
                self.meter.blame(repr(outcome))

    async def _let_pass(self, pairs: Sequence[Pair], order: Play) -> None:
        """The time of the order; without one, runs until a game is over at every table, or something is wrong."""
        if order.seconds is not None:
            began = time.perf_counter()
            while (passed := time.perf_counter() - began) < order.seconds:
                self.connection.send(Progress(passed, order.seconds))
                await asyncio.sleep(min(0.5, order.seconds - passed))
            return
        while (done := sum(pair.games > 0 for pair in pairs)) < len(pairs) and not self.meter.result.errors:
            self.connection.send(Progress(done, len(pairs)))
            await asyncio.sleep(0.2)

    async def all(self, work: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Runs some at a time, and goes on to the next whatever becomes of one."""
        places, done = asyncio.Semaphore(_AT_ONCE), itertools.count(1)

        async def one(task: Coroutine[Any, Any, None]) -> None:
            async with places:
                try:
                    await task
                except (OSError, httpx.HTTPError, WebSocketException, RuntimeError) as error:
                    self.meter.blame(repr(error))
            self.connection.send(Progress(next(done), len(work)))

        await asyncio.gather(*map(one, work))

    async def _open_table(self) -> Seated:
        tokens = [(await self.post("/people", ""))["token"] for _ in range(2)]
        chairs = [{"kind": "me"}, {"kind": "open"}]
        table = (await self.post("/tables", tokens[0], chairs=chairs, name="Ann"))["table"]
        await self.post(f"/invites/{table['invite']}", tokens[1], name="Ben")
        return Seated(table["id"], (tokens[0], tokens[1]))

    async def post(self, path: str, token: str, address: str = "", **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        response = await self._client(address).post(path, json=body, headers=headers)
        if not response.is_success:
            raise RuntimeError(f"{path.rpartition('/')[2]}: {response.status_code} {response.text}")
        return response.json()

    def _client(self, address: str) -> httpx.AsyncClient:
        if address not in self._clients:
            transport = httpx.AsyncHTTPTransport(verify=False, local_address=address or None)
            base = f"{self.url}/api"
            self._clients[address] = httpx.AsyncClient(
                base_url=base, timeout=PATIENCE, transport=transport, cookies=no_cookies()
            )
        return self._clients[address]


_CARRY_OUT: dict[type, Callable[[Leader, Any], Coroutine[Any, Any, None]]] = {
    Open: Leader.open,
    Seat: Leader.seat,
    Take: Leader.take,
    Play: Leader.play,
    Visit: Leader.visit,
    Stay: Leader.stay,
}


async def _pace(pairs: Sequence[Pair], rate: float) -> None:
    """Makes moves due at fixed times, whether the server has answered the last ones or not."""
    order = itertools.cycle(random.sample(pairs, len(pairs)))
    began, moves = time.perf_counter(), set()
    for number in itertools.count():
        at = began + number / rate
        if (wait := at - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        # Between two games, or while a bot decides, nobody else can: then the move is the next table's.
        pair = next((pair for pair in itertools.islice(order, len(pairs)) if not pair.nobody_decides), pairs[0])
        pair.due.append(at)
        move = asyncio.create_task(pair.go_on())
        moves.add(move)
        move.add_done_callback(moves.discard)


class Meter:
    """The counts."""

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
        """Counts moves that nobody has seen at the end, as if they were seen now; otherwise
        they would not show at all.
        """
        now = time.perf_counter()
        self.result.latencies += [now - at for at in due]

    def answered(self, seconds: float) -> None:
        """Notes the answer of a bot."""
        if self.counts:
            self.result.answers.append(seconds)

    def still_thinking(self, asked: Iterable[float]) -> None:
        """Counts bots that have not answered at the end, if that has taken longer than most answers do."""
        now, usual = time.perf_counter(), statistics.median(self.result.answers or [0.0])
        self.result.answers += [now - at for at in asked if now - at > usual]

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


class Pair:
    """Two people at a table, who play one game after the other. One move is under way at a time."""

    def __init__(self, leader: Leader, seated: Seated, address: str = "") -> None:
        self.leader = leader
        self.address = address  # the address that they come from; any, if empty
        self.meter = leader.meter
        self.table, self.tokens = seated.table, seated.tokens
        self.games = 0
        self.playing = False  # whether they begin another game when one is over
        self.eager = False  # whether they decide at once
        self.due: deque[float] = deque()  # when they must decide, where they do not
        self.between_games = False
        self.asked_at: float | None = None  # since when a bot must decide
        self.sockets: list[ClientConnection] = []
        self._listening: list[asyncio.Task[None]] = []
        self.states: list[dict[str, Any]] = []  # what each has seen last, by chair
        self._sent: _Sent | None = None
        self._changed = asyncio.Event()

    async def come(self, people: int = 2) -> None:
        self.states = [{"n": 0, "view": None} for _ in self.tokens]
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
                    local_addr=(self.address, 0) if self.address else None,
                )
            )
        self._listening = [
            asyncio.create_task(self._listen(chair, socket)) for chair, socket in enumerate(self.sockets)
        ]
        await self._until(lambda: all(state["n"] for state in self.states[:people]))

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
        """Waits until both have seen everything."""
        await self._until(lambda: self._settled and not self.between_games)

    async def go_on(self) -> None:
        """Decides, if it is time to."""
        if not self._settled or self.between_games:
            return
        now = time.perf_counter()
        if self.states[0]["table"]["status"] == "over":
            if self.playing:
                self._play_again()
        elif self.nobody_decides:
            return
        elif self.eager:
            await self._move(now)
        elif self.due:
            await self._move(self.due.popleft())

    @property
    def nobody_decides(self) -> bool:
        """Whether it is nobody's turn here."""
        return self.between_games

    @property
    def _settled(self) -> bool:
        return self._sent is None and self.states[0]["n"] == self.states[1]["n"]

    async def _move(self, began: float) -> None:
        chair = next(chair for chair in (0, 1) if self.states[chair]["view"]["legal"])
        state = self.states[chair]
        action = random.choice(state["view"]["legal"])["action"]
        self._sent = _Sent(state["n"] + 1, began, 1 - chair)
        message = {"type": "play", "id": state["n"], "step": state["view"]["step"], "action": action}
        await self.sockets[chair].send(json.dumps(message))

    async def _listen(self, chair: int, socket: ClientConnection) -> None:
        try:
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "state":
                    await self.see(chair, message)
                elif message["type"] != "accepted":
                    self.meter.blame(f"the server says {message}")
            self.meter.blame(f"the server closed a socket: {socket.close_code}")
        except Exception as error:
            self.meter.blame(repr(error))

    async def see(self, chair: int, state: dict[str, Any]) -> None:
        self.states[chair] = state
        if self._sent is not None and self._sent.other == chair and state["n"] >= self._sent.n:
            self.meter.moved(time.perf_counter() - self._sent.began)
            self._sent = None
        self._changed.set()
        if all(seen["view"] for seen in self.states):
            await self.go_on()

    def _play_again(self) -> None:
        self.between_games = True
        self.games += 1
        self.meter.finished()
        self._anew = asyncio.create_task(self._begin_anew())  # the caller is listening to the old table
        self._anew.add_done_callback(self._begun_anew)

    async def _begin_anew(self) -> None:
        table = (await self.leader.post(f"/tables/{self.table}/again", self.tokens[0], self.address))["table"]["id"]
        await self.leader.post(f"/tables/{table}/start", self.tokens[0], self.address)
        await self.leave()
        self.table = table
        await self.come()
        self.between_games = False
        self._changed.set()
        await self.go_on()

    def _begun_anew(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            self.meter.blame(f"no new game: {error!r}")

    async def _until(self, happened: Callable[[], bool]) -> None:
        async def wait() -> None:
            while not happened():
                self._changed.clear()
                await self._changed.wait()

        try:
            await asyncio.wait_for(wait(), PATIENCE)
        except TimeoutError:
            raise RuntimeError("the server does not answer") from None
