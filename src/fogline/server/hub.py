"""The hub: tables that are in use, kept the same as the store, and everyone who looks at them.

The store is the truth. A table changes here when its next entry has been stored, by this server or by another one.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from fogline.fairness import new_secret
from fogline.server import decisions
from fogline.server.bots import STAND_IN, Bots
from fogline.server.entries import Again, Chair, Entry, Filled, Imported, Opened, Sat, Stood, read_entry, write_entry
from fogline.server.messages import state_of
from fogline.server.metrics import METRICS
from fogline.server.notices import Notices
from fogline.server.people import new_key
from fogline.server.refused import Refused
from fogline.server.settings import Settings
from fogline.server.store import Append, NewTable, Store
from fogline.server.table import OPEN, Table, Unreadable, Viewer
from fogline.server.wire import write
from fogline.server.writer import Writer

_LOGGER = logging.getLogger(__name__)

T = TypeVar("T")

GRACE = 2.0
"""Seconds after which others may do what a server had to do, and did not."""

LOOK_EVERY = 1.0
TAKEN_FOR = 10.0
DUE_AT_ONCE = 200
TAKE_OVER_AT_ONCE = 4
"""Tables that are fetched and made at the same time: more would keep everyone else waiting."""

FORGET_EVERY = 15.0
SAYINGS = 64
"""Messages of one state that are kept: whoever asks for ever other ones must not fill the memory."""

LONGEST_TIMER = 3600.0
"""What is due later is found in the store when its time has come."""

Decide = Callable[[Table], Entry | int]
"""What shall happen at a table: the entry to be made, or, when there is nothing to do, the number of the last one."""


class Live:
    """A table in use."""

    __slots__ = ("behind", "lock", "sayings", "table", "timer", "used", "watchers")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()  # one thing after the other
        self.watchers: set[asyncio.Event] = set()
        self.timer: asyncio.TimerHandle | None = None
        self.sayings: dict[tuple[Viewer, int], bytes] = {}  # messages of the present state that were already made
        self.used = time.monotonic()
        self.behind = False  # the store may know more

    def message(self, viewer: Viewer, after: int) -> bytes:
        key = (viewer, after)
        if key not in self.sayings:
            if len(self.sayings) >= SAYINGS:
                self.sayings.clear()
            self.sayings[key] = write(state_of(self.table, viewer, after))
        return self.sayings[key]

    def changed(self) -> None:
        self.sayings.clear()
        for watcher in self.watchers:
            watcher.set()


class Hub:
    """All that happens goes through `do`; all that is seen comes from `watch` or `look`."""

    def __init__(self, store: Store, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.stopping = False
        self._writer = Writer(store)
        self._bots = Bots()
        self._live: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._taking_over = asyncio.Semaphore(TAKE_OVER_AT_ONCE)

    # Its life.

    async def start(self) -> None:
        if self.store.notifies:
            notices = Notices(self.store.engine, self.store.process, self._heard, self._missed)
            self._spawn(notices.listen())
            await asyncio.wait_for(notices.ready.wait(), 30)
        self._spawn(self._look_for_due())
        self._spawn(self._forget_unused())

    def stop(self) -> None:
        """Sends everyone who watches away; what is being stored is still stored."""
        self.stopping = True
        for live in self._live.values():
            live.changed()

    async def close(self) -> None:
        self.stop()
        for live in self._live.values():
            _cancel_timer(live)
        await self._writer.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._bots.close()

    @property
    def loaded(self) -> int:
        return len(self._live)

    # What happens.

    async def open(self, chairs: list[Chair], host: str, *, map: str, **settings: Any) -> str:
        """Opens a table and returns its id."""
        if map not in self.settings.offer.boards:
            known = ", ".join(self.settings.offer.boards)
            raise Refused("invalid", f"there is no map {map[:40]!r}; there are {known}")
        digest, at = self.settings.offer.digests[map], self.clock()
        entry = decisions.open_table(host, chairs, map=map, digest=digest, invite=new_key(), at=at, **settings)
        new = _new_table(new_key(), entry)
        await self.ask(self.store.open, new)
        await self.do(new.id, self._autostart)
        return new.id

    async def bring(self, record: dict[str, Any], names: tuple[str, ...], host: str) -> str:
        """Takes in a game that was played elsewhere, which must have been audited."""
        digest = self.settings.offer.digests[record["map"]]
        entry = Imported(at=self.clock(), record=record, digest=digest, names=names, host=host)
        new = NewTable(new_key(), new_secret(), host, "imported", None, write_entry(entry), (), entry.at)
        await self.ask(self.store.open, new)
        return new.id

    async def sit(self, game: str, person: str, name: str, salt: str, invite: str | None = None) -> int:
        await self.do(game, lambda table: decisions.sit(table, person, name, salt, self.clock(), invite=invite))
        return await self.do(game, self._autostart)

    def _autostart(self, table: Table) -> Entry | int:
        ready = table.status == OPEN and table.autostart and table.full
        return decisions.start(table, table.host, self.clock()) if ready else table.n

    async def play_again(self, game: str, person: str) -> str:
        """Opens the table of a rematch, or finds the one that somebody else has opened meanwhile."""
        new = new_key()

        def decide(table: Table) -> Entry | int:
            entry = decisions.play_again(table, person, new, self.clock())
            return table.n if isinstance(entry, str) else entry

        await self.do(game, decide)
        return (await self.live(game)).table.again

    async def do(self, game: str, decide: Decide) -> int:
        """Makes something happen. Returns the number of the entry once it is stored, or raises Refused."""
        # Whoever asks may hang up; what has begun is finished all the same.
        return await asyncio.shield(self._spawn(self._do(game, decide)))

    async def look(self, game: str, person: str) -> Table:
        """A table, to read from it at once."""
        live = await self.live(game)
        if not live.table.may_watch(person):
            raise Refused("forbidden", "the host of this table wants no spectators")
        return live.table

    async def watch(self, game: str, person: str, after: int = 0) -> AsyncGenerator[bytes, None]:
        """The state of a table whenever it changes, for as long as one may watch."""
        live = await self.live(game)
        if after > live.table.n:  # seen at another server
            async with live.lock:
                await self._grew(live)
        changed = asyncio.Event()
        live.watchers.add(changed)
        try:
            seen = after if 0 <= after <= live.table.n else 0
            first = True
            while not self.stopping:
                changed.clear()
                if not live.table.may_watch(person):
                    raise Refused("forbidden", "the host of this table wants no spectators")
                if first or live.table.n > seen:
                    first = False
                    number = live.table.n
                    yield live.message(live.table.viewer(person), seen)
                    seen = number
                    continue  # it may have changed while this was being sent
                await changed.wait()
        finally:
            live.watchers.discard(changed)
            if not live.watchers:
                live.sayings.clear()
            live.used = time.monotonic()

    async def live(self, game: str) -> Live:
        """A table in use, fetched from the store where it was not."""
        found = self._live.get(game)
        if found is None:
            if game not in self._loading:
                self._loading[game] = self._spawn(self._load(game))
            found = await asyncio.shield(self._loading[game])
        if found.behind:
            async with found.lock:
                await self._catch_up(found)
        found.used = time.monotonic()
        return found

    # Inside.

    async def _load(self, game: str) -> Live:
        try:
            stored = await self.ask(self.store.load, game)
            if stored is None:
                raise Refused("not_found", "there is no such table")
            table = Table(game, stored.secret, self.settings.offer)
            for entry in stored.entries:
                table.apply(read_entry(entry))
            live = self._live[game] = Live(table)
            self._set_timer(live)
            return live
        except Unreadable as error:
            raise Refused("conflict", str(error)) from None
        except ValidationError:
            raise Refused("conflict", "a newer server has written to this table: update this one") from None
        finally:
            del self._loading[game]

    async def _do(self, game: str, decide: Decide) -> int:
        live = await self.live(game)
        async with live.lock:
            while True:
                try:
                    entry = decide(live.table)
                except Refused:
                    if await self._grew(live):
                        continue
                    raise
                if isinstance(entry, int):
                    return entry
                after = live.table.after(entry)
                if await self._stored(live, entry, after):
                    self._turn_to(live, after)
                    return after.n
                METRICS.conflicts.inc()
                await self._catch_up(live)

    async def _stored(self, live: Live, entry: Entry, after: Table) -> bool:
        try:
            with METRICS.storing.time():
                return await self._writer.append(self._append(live.table, entry, after))
        except SQLAlchemyError as error:
            # It may have been stored, or not: the store will tell when it answers again.
            live.behind = True
            _LOGGER.error("not stored", extra={"reason": type(error).__name__})
            raise Refused("unavailable", "the database does not answer; nothing is lost, try again") from None

    def _append(self, before: Table, entry: Entry, after: Table) -> Append:
        due = after.due(self.settings.bot_delay)
        return Append(
            game=after.id,
            ply=after.n,
            entry=write_entry(entry),
            status=after.status,
            invite=after.invite or None,
            due=None if due is None else due + GRACE,
            at=entry.at,
            joins=entry.person if isinstance(entry, Sat) else None,
            leaves=before.chairs[entry.chair].person or None if isinstance(entry, Stood | Filled) else None,
            opens=_new_table(entry.table, _rematch(before, entry)) if isinstance(entry, Again) else None,
        )

    def _turn_to(self, live: Live, after: Table) -> None:
        """What is stored becomes what everyone sees."""
        METRICS.entries.inc(after.n - live.table.n)
        live.table = after
        live.used = time.monotonic()
        live.changed()
        self._set_timer(live)

    async def _catch_up(self, live: Live) -> None:
        """Reads what the store knows more; with the table's lock held."""
        stored = await self.ask(self.store.load, live.table.id, live.table.n)
        table = live.table
        for entry in stored.entries if stored else ():
            table = table.after(read_entry(entry))
        live.behind = False
        if table.n > live.table.n:
            self._turn_to(live, table)

    async def _grew(self, live: Live) -> bool:
        """Whether another server has made entries of which we had not heard yet; with the table's lock held."""
        before = live.table.n
        if self.store.notifies:
            await self._catch_up(live)
        return live.table.n > before

    # What happens by itself.

    def _set_timer(self, live: Live) -> None:
        _cancel_timer(live)
        due = live.table.due(self.settings.bot_delay)
        if due is not None and not self.stopping and due - self.clock() < LONGEST_TIMER:
            wait = max(0.0, due - self.clock())
            game = live.table.id
            live.timer = asyncio.get_running_loop().call_later(wait, lambda: self._spawn(self._advance(game)))

    async def _advance(self, game: str) -> None:
        """Does what is due at a table: a clock has run out, or a bot must decide."""
        try:
            live = await self.live(game)
            table = live.table
            if table.deadline is not None and table.deadline <= self.clock():
                await self.do(game, lambda table: decisions.run_out(table, self.clock()))
            elif bots := table.bots_deciding():
                await self._play_bot(table, bots[0])
            else:
                self._set_timer(live)  # a timer may come a moment too early
        except Refused as refused:
            if refused.code != "unavailable":
                _LOGGER.warning("not advanced", extra={"table": game[:6], "reason": refused.code})

    async def _play_bot(self, table: Table, seat: int) -> None:
        match = table.match
        assert match is not None
        step = match.step
        name = table.chairs[table.seating[seat]].player or STAND_IN
        # While the first tickets are chosen, the step of each seat's choice is the one at which it will be carried out.
        seed = table.fairness.player_seed(seat, (seat if match.choosing else step) + 1)
        with METRICS.thinking.time():
            action = await self._bots.choose(name, seed, match.view(seat))
        await self.do(table.id, lambda table: decisions.play_bot(table, seat, step, action, self.clock()))

    async def _look_for_due(self) -> None:
        """Takes over what nobody does: after a restart, or when another server has died."""
        while True:
            try:
                now = self.clock()
                for game in await self.ask(self.store.take_due, now, now + TAKEN_FOR, DUE_AT_ONCE):
                    self._spawn(self._take_over(game))
                for live in self._live.values():
                    if live.behind:
                        self._spawn(self._refresh(live))
            except (SQLAlchemyError, Refused) as error:
                _LOGGER.error("cannot look for what is due", extra={"reason": type(error).__name__})
            await asyncio.sleep(LOOK_EVERY)

    async def _take_over(self, game: str) -> None:
        with suppress(Refused):
            async with self._taking_over:
                live = await self.live(game)
            due = live.table.due(self.settings.bot_delay)
            if due is not None and due <= self.clock():
                await self._advance(game)

    async def _forget_unused(self) -> None:
        while True:
            await asyncio.sleep(FORGET_EVERY)
            long_ago = time.monotonic() - self.settings.forget_after
            for game, live in list(self._live.items()):
                if not live.watchers and live.used < long_ago and not live.lock.locked():
                    _cancel_timer(live)  # what is due is in the store
                    del self._live[game]

    async def _heard(self, grown: dict[str, int]) -> None:
        for game, ply in grown.items():
            live = self._live.get(game)
            if live is not None and live.table.n < ply:
                self._spawn(self._refresh(live))

    async def _missed(self) -> None:
        for live in list(self._live.values()):
            self._spawn(self._refresh(live))

    async def _refresh(self, live: Live) -> None:
        async with live.lock:
            try:
                await self._catch_up(live)
            except (SQLAlchemyError, Refused):
                live.behind = True

    async def ask(self, function: Callable[..., T], *arguments: Any) -> T:
        """Asks the store something, in a thread."""
        try:
            return await asyncio.to_thread(function, *arguments)
        except SQLAlchemyError as error:
            _LOGGER.error("the database does not answer", extra={"reason": type(error).__name__})
            raise Refused("unavailable", "the database does not answer; try again") from None

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, Refused):
            _LOGGER.error("a task failed", exc_info=error)


def _cancel_timer(live: Live) -> None:
    if live.timer is not None:
        live.timer.cancel()
        live.timer = None


def _new_table(id: str, entry: Opened) -> NewTable:
    guests = tuple(chair.person for chair in entry.chairs if chair.person)
    return NewTable(id, new_secret(), entry.host, OPEN, entry.invite or None, write_entry(entry), guests, entry.at)


def _rematch(table: Table, entry: Again) -> Opened:
    """The same people and bots, at the same kind of table; whoever comes first is its host."""
    return Opened(
        at=entry.at,
        map=table.map,
        digest=table.offer.digests[table.map],
        clock=table.clock,
        spectators=table.spectators,
        autostart=False,
        # The old salts are known to whoever makes the new secret: people bring new ones.
        chairs=tuple(chair.model_copy(update={"salt": ""}) for chair in table.chairs),
        host=entry.person,
        invite=new_key(),
    )
