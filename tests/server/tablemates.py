"""Tablemates: people who play as a careful client does, whatever becomes of the server.

When the connection is lost they come back, say what they have seen, and send once more what was not acknowledged. All
that they decided and were told they remember, to be held against the log in the end.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import httpx
from sqlalchemy import select
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from fogline.fairness import hash_events, seal_of
from fogline.fairness.receipt import Seen
from fogline.game.record import audit, prove
from fogline.server.storage import database, schema
from fogline.server.tables.entries import Entry, Moved, read_entry
from fogline.server.wire.wire import PROTOCOL
from tests.server.serving import PATIENCE

PAUSE = 0.01
"""Seconds until somebody knocks again at a server that is gone."""


@dataclass
class Decided:
    """What somebody decided at a step, and the number under which it was acknowledged."""

    seat: int
    action: str
    sent: int = 0
    sent_at: float = 0.0
    number: int | None = None


@dataclass
class Told:
    """What somebody was told of a table."""

    n: int = 0
    state: dict[str, Any] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    commitment: str = ""

    @property
    def over(self) -> bool:
        return bool(self.state) and self.state["table"]["status"] == "over"

    def take_in(self, state: dict[str, Any]) -> None:
        """The next state follows from the last one seen, on whichever server that was."""
        assert state["after"] == self.n <= state["n"]
        self.commitment = self.commitment or state["table"]["commitment"]
        assert state["table"]["commitment"] == self.commitment
        self.n, self.state = state["n"], state
        self.events += state["events"]


class Traffic:
    """What goes over the wires, for those who wait for a moment to disturb it."""

    def __init__(self) -> None:
        self._sent = 0
        self._pulse = asyncio.Event()

    def count(self) -> None:
        self._sent += 1
        self._pulse.set()

    async def wait(self, more: int) -> None:
        """Until so many more decisions have been sent."""
        enough = self._sent + more
        while self._sent < enough:
            self._pulse.clear()
            await self._pulse.wait()


@dataclass
class Receipt:
    """What somebody keeps of a table, to hold its record against."""

    game: str
    commitment: str  # as it was before the seal was given
    salt: str
    chair: int | None = None
    sealed: bool = False  # the table has shown the seal in the chair
    kinds: list[str] = field(default_factory=list)  # who had the chairs at the lock
    seals: list[str | None] | None = None  # as they were before the salt was given
    given: bool = False
    revealed: bool = False
    differed: bool = False
    undealt: list[str] = field(default_factory=list)

    @property
    def seal(self) -> str:
        return seal_of(self.salt)

    def with_events(self, events: list[dict[str, Any]]) -> dict[str, Any]:
        return asdict(self) | {"seen": {"events": len(events), "hash": hash_events(events)}}


class Tablemate:
    """Somebody with a token, who knows one or several servers."""

    def __init__(
        self, urls: Sequence[str], http: httpx.AsyncClient, generator: random.Random, traffic: Traffic
    ) -> None:
        self.urls = urls
        self.http = http
        self.generator = generator
        self.traffic = traffic
        self.token = ""
        self.told: dict[str, Told] = {}
        self.decided: dict[tuple[str, int], Decided] = {}
        self.pending: list[int] = []  # the steps decided and not acknowledged, all at one table
        self.receipts: dict[str, Receipt] = {}
        self.refusals = 0  # while the database did not answer
        self.longest = 0.0  # seconds that a decision waited for its answer

    async def arrive(self) -> None:
        self.token = str((await self.ask("POST", "/people"))["token"])
        self.http.cookies.clear()  # or the next one would come as the same person

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def ask(self, method: str, path: str, **body: Any) -> Any:
        """Over HTTP, as often as it takes."""
        answer = await self._answer(method, path, **body)
        assert answer.is_success, f"{answer.status_code} {answer.text}"
        return answer.json()

    async def _answer(self, method: str, path: str, **body: Any) -> httpx.Response:
        while True:
            address = f"{self.generator.choice(self.urls)}/api{path}"
            try:
                answer = await self.http.request(method, address, json=body or None, headers=self.headers)
            except httpx.TransportError:
                await asyncio.sleep(PAUSE)
                continue
            if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                return answer
            await asyncio.sleep(PAUSE)

    async def open_table(self, *chairs: str, **settings: Any) -> str:
        """Chairs are "me", "open", or a bot's name."""
        kinds = [{"kind": c} if c in ("me", "open") else {"kind": "bot", "player": c} for c in chairs]
        table = (await self.ask("POST", "/tables", chairs=kinds, **settings))["table"]
        await self.seal(table)
        return str(table["id"])

    async def invite(self, table: str, guests: Sequence[Tablemate]) -> None:
        invite = (await self.ask("GET", f"/tables/{table}"))["table"]["invite"]
        for guest in guests:
            receipt = guest._new_receipt(await guest.ask("GET", f"/invites/{invite}"))
            guest._sealed(receipt, await guest.ask("POST", f"/invites/{invite}", name="Guest", seal=receipt.seal))

    # What keeps the table honest.

    async def seal(self, table: dict[str, Any]) -> None:
        """Commits to a salt, if there is still time for it."""
        if table["you"]["chair"] is not None:
            receipt = self._new_receipt(table)
            answer = await self.ask("PUT", f"/tables/{table['id']}/me", name="Somebody", seal=receipt.seal)
            self._sealed(receipt, answer)

    def _new_receipt(self, table: dict[str, Any]) -> Receipt:
        return Receipt(table["id"], table["commitment"], f"{self.generator.getrandbits(128):032x}")

    def _sealed(self, receipt: Receipt, answer: dict[str, Any]) -> None:
        receipt.chair = answer["table"]["you"]["chair"]
        if receipt.chair is not None and answer["table"]["seals"][receipt.chair] == receipt.seal:
            receipt.sealed = True
            receipt.kinds = _kinds_of(answer["table"])
            self.receipts[receipt.game] = receipt

    async def reveal(self, table: dict[str, Any]) -> None:
        """Reveals the salt, if it is time for it."""
        if table["status"] != "revealing":
            return
        receipt = self.receipts.get(table["id"])
        if receipt is not None and not receipt.given:
            assert table["commitment"] == receipt.commitment
            receipt.seals, receipt.kinds, receipt.given = table["seals"], _kinds_of(table), True
            answer = await self._answer("POST", f"/tables/{table['id']}/reveal", salt=receipt.salt)
            assert answer.is_success or answer.status_code == httpx.codes.CONFLICT, answer.text  # it waits no longer
            receipt.revealed = answer.is_success

    # What they play.

    async def finish(self, table: str, *, decides: bool = True) -> None:
        """Stays at a table until its game is over."""
        told = self.told.setdefault(table, Told())
        while not told.over or self.pending:
            try:
                async with self.socket(table, told.n) as socket:
                    await self._converse(socket, table, told, decides)
            except InvalidStatus as error:
                if error.response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    raise
                await asyncio.sleep(PAUSE)
            except (OSError, EOFError, WebSocketException):
                await asyncio.sleep(PAUSE)

    @asynccontextmanager
    async def socket(self, table: str, after: int = 0, url: str | None = None) -> AsyncIterator[ClientConnection]:
        address = (url or self.generator.choice(self.urls)).replace("http", "ws", 1)
        path = f"/api/tables/{table}/socket?protocol={PROTOCOL}&after={after}"
        settings: dict[str, Any] = {"open_timeout": PATIENCE, "ping_interval": None, "compression": None, "proxy": None}
        async with connect(address + path, additional_headers=self.headers, **settings) as socket:
            yield socket

    async def _converse(self, socket: ClientConnection, table: str, told: Told, decides: bool) -> None:
        for step in self.pending:
            await self._send(socket, table, step)
        async for text in socket:
            message = json.loads(text)
            self._take_time(table, message)
            if message["type"] == "accepted":
                self.pending.remove(message["id"])
                self.decided[table, message["id"]].number = message["n"]
            elif message["type"] == "rejected":
                assert message["code"] == "unavailable", message
                self.refusals += 1
                await asyncio.sleep(PAUSE)
                await self._send(socket, table, message["id"])
            else:
                assert message["type"] == "state", message
                told.take_in(message)
                await self.reveal(message["table"])
                if decides and self._decide(table, message):
                    await self._send(socket, table, self.pending[-1])
            if told.over and not self.pending:
                return

    def _take_time(self, table: str, message: dict[str, Any]) -> None:
        if message["type"] in ("accepted", "rejected"):
            waited = time.monotonic() - self.decided[table, message["id"]].sent_at
            self.longest = max(self.longest, waited)

    def _decide(self, table: str, state: dict[str, Any]) -> bool:
        """Whether there was something to decide that has not been decided before."""
        view, seat = state["view"], state["table"]["you"]["seat"]
        if view is None or seat not in view["deciding"] or (table, view["step"]) in self.decided:
            return False
        action = self.generator.choice(view["legal"])["action"]
        self.decided[table, view["step"]] = Decided(seat, action)
        self.pending.append(view["step"])
        return True

    async def _send(self, socket: ClientConnection, table: str, step: int) -> None:
        decided = self.decided[table, step]
        decided.sent += 1
        decided.sent_at = time.monotonic()
        self.traffic.count()
        await socket.send(json.dumps({"type": "play", "id": step, "step": step, "action": decided.action}))


def _kinds_of(table: dict[str, Any]) -> list[str]:
    return [chair["kind"] for chair in table["chairs"]]


@asynccontextmanager
async def people_at(
    urls: Sequence[str], number: int, generator: random.Random, traffic: Traffic
) -> AsyncIterator[list[Tablemate]]:
    """So many people, known to the servers."""
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        people = [Tablemate(urls, http, random.Random(generator.random()), traffic) for _ in range(number)]
        for mate in people:
            await mate.arrive()
        yield people


class Company:
    """People who play game after game, with a rematch each time, until it is enough."""

    def __init__(self, mates: Sequence[Tablemate], enough: asyncio.Event) -> None:
        self.mates = mates
        self.enough = enough
        self.tables: dict[str, bool] = {}  # whether another one follows, once a game is over

    async def play(self, *bots: str, **settings: Any) -> None:
        host, *guests = self.mates
        table = await host.open_table("me", *["open"] * len(guests), *bots, **settings)
        await host.invite(table, guests)
        async with asyncio.TaskGroup() as playing:
            for mate in self.mates:
                playing.create_task(self._play(mate, table))

    async def _play(self, mate: Tablemate, table: str) -> None:
        await mate.finish(table)
        while self.tables.setdefault(table, not self.enough.is_set()):
            again = (await mate.ask("POST", f"/tables/{table}/again"))["table"]
            table = again["id"]
            if again["status"] == "open":
                await mate.seal(again)
            if again["you"]["host"]:
                await mate.ask("POST", f"/tables/{table}/start")
            await mate.finish(table)


# What they remember, against what there is.


def read_log(url: str, table: str) -> list[tuple[int, Entry]]:
    """A log straight from the database, with its numbers."""
    engine = database.connect(url)
    found = select(schema.log.c.ply, schema.log.c.entry).where(schema.log.c.game == table).order_by(schema.log.c.ply)
    with engine.connect() as connection:
        entries = [(row.ply, read_entry(row.entry)) for row in connection.execute(found)]
    engine.dispose()
    return entries


def check_log(entries: Sequence[tuple[int, Entry]], table: str, mates: Sequence[Tablemate]) -> int:
    """Every decision that was acknowledged is there once, under its number, and nothing that nobody decided.

    Returns how many decisions of theirs there are.
    """
    assert [number for number, _ in entries] == list(range(1, len(entries) + 1))
    moves = [(number, entry) for number, entry in entries if isinstance(entry, Moved)]
    seats = 1 + max(entry.seat for _, entry in moves)
    # The first tickets are all chosen at step 0; from then on every move is one step.
    found = {(entry.seat, at if at >= seats else 0): (number, entry) for at, (number, entry) in enumerate(moves)}
    assert len(found) == len(moves), "something was decided twice"
    expected = {
        (decided.seat, step): decided for mate in mates for (at, step), decided in mate.decided.items() if at == table
    }
    assert {key for key, (_, entry) in found.items() if not entry.bot} == expected.keys()
    for key, decided in expected.items():
        number, entry = found[key]
        assert (str(entry.action), entry.bot) == (decided.action, False)
        assert decided.number is not None
        if decided.sent == 1:
            assert number == decided.number
        else:  # it may have been stored the first time, and acknowledged when others had already gone on
            assert number <= decided.number
    return len(expected)


async def check_end(table: str, mate: Tablemate) -> None:
    """Somebody has seen what there is to be seen of a game that is over, and it was a fair game by the rules."""
    told, fresh = mate.told[table], await mate.ask("GET", f"/tables/{table}")
    for _ in range(200):
        if told.events == fresh["events"]:
            break
        await asyncio.sleep(0.05)  # the last news may be under way
    assert told.events == fresh["events"]
    assert told.state["view"] == fresh["view"]
    assert told.state["table"] | {"again": None} == fresh["table"] | {"again": None}  # which comes after the end
    record = await mate.ask("GET", f"/tables/{table}/record")
    found = audit(record)
    assert (found.finished, found.fair) == (True, True), found.fairness
    assert record["fairness"]["commitment"] == told.commitment
    if (receipt := mate.receipts.get(table)) is not None:
        seen = prove(record, receipt=receipt.with_events(told.events)).seen
        in_time = receipt.revealed or record["fairness"]["salts"][receipt.chair] is not None
        assert seen == Seen(len(record["events"]), len(record["events"]), salted=in_time)
