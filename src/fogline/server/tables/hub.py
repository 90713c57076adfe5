"""The hub: tables that are in use, kept the same as the store, and everyone who looks at them.

The store is the truth. A table changes here when its next entry has been stored, by this server or by another one.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from fogline.fairness.secret import new_secret
from fogline.server.metrics import METRICS
from fogline.server.refused import Refused
from fogline.server.settings import Settings
from fogline.server.storage.notices import Notices
from fogline.server.storage.store import NewTable, Store, Stored
from fogline.server.storage.timeout import ANSWER_SECONDS, deadline, in_time, no_answer
from fogline.server.storage.writer import Writer
from fogline.server.tables import decisions
from fogline.server.tables.appends import make_append, new_table
from fogline.server.tables.attendance import Attendance
from fogline.server.tables.entries import (
    Chair,
    Entry,
    Imported,
    read_entry,
    write_entry,
)
from fogline.server.tables.live import Live
from fogline.server.tables.people import new_key
from fogline.server.tables.table import OPEN, Table, Unreadable
from fogline.server.tables.tasks import Tasks
from fogline.server.workers.bots import STAND_IN, Bots

_LOGGER = logging.getLogger(__name__)

T = TypeVar("T")

LOOK_EVERY = 1.0
TAKEN_FOR = 10.0
DUE_AT_ONCE = 200
TAKE_OVER_AT_ONCE = 4
"""Tables that are fetched and made at the same time: more would keep everyone else waiting."""

APPLIED_AT_ONCE = 20
"""Entries of a table that is fetched."""

FORGET_EVERY = 15.0
DELETE_EVERY = 3600.0
DELETED_AT_ONCE = 100

LONGEST_TIMER = 3600.0
"""What is due later is found in the store when its time has come."""

Decide = Callable[[Table], Entry | int]
"""What shall happen at a table: the entry to be made, or, when there is nothing to do, the number of the last one."""


class Hub:
    """All that happens goes through `do`; all that is seen comes from `watch` or `look`."""

    def __init__(self, store: Store, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.stopping = False
        self._writer = Writer(store)
        self._bots = Bots(settings)
        self._live: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._tasks = Tasks()
        self._checking: asyncio.Task[None] | None = None
        self._asked: set[asyncio.Future[Any]] = set()  # of the store, in threads that nobody can stop
        self._taking_over = asyncio.Semaphore(TAKE_OVER_AT_ONCE)
        self._notices: Notices | None = None  # where there are other servers
        self.attendance = Attendance(
            loaded=self._live,
            find=self.live,
            clock=self.clock,
            patience=settings.patience,
            tell=self._tell_others,
            server=store.process,
        )

    # Its life.

    async def start(self) -> None:
        self._bots.start()
        if self.store.notifies:
            heard = self.attendance.hear
            self._notices = Notices(self.store.engine, self.store.process, self._heard, self._missed, heard)
            self._tasks.spawn(self._notices.listen())
            await asyncio.wait_for(self._notices.ready.wait(), 30)
            self._tasks.spawn(self.attendance.keep_reminding())
        self._tasks.spawn(self._look_for_due())
        self._tasks.spawn(self._forget_unused())
        self._tasks.spawn(self._delete_imported())

    def stop(self) -> None:
        """Sends everyone who watches away; what is being stored is still stored."""
        self.stopping = True
        for live in self._live.values():
            live.changed()

    async def close(self) -> None:
        self.stop()
        for live in self._live.values():
            live.cancel_timer()
        await self._writer.close()
        await self._tasks.close()
        if self._asked:  # what comes too late would be done behind the back of the next server
            await asyncio.wait(self._asked, timeout=ANSWER_SECONDS)
        await self._bots.close()

    @property
    def loaded(self) -> int:
        return len(self._live)

    # What happens.

    async def open(self, chairs: list[Chair], host: str, *, map: str, until: float = math.inf, **settings: Any) -> str:
        """Opens a table and returns its id, unless it took too long for somebody who waits until then."""
        if map not in self.settings.offer.boards:
            known = ", ".join(self.settings.offer.boards)
            raise Refused("invalid", f"there is no map {map[:40]!r}; there are {known}")
        digest, at = self.settings.offer.digests[map], self.clock()
        entry = decisions.open_table(host, chairs, map=map, digest=digest, invite=new_key(), at=at, **settings)
        new = new_table(new_key(), entry)
        await self.ask(self.store.open, new, min(until, deadline()))
        await self.do(new.id, self._autostart)
        return new.id

    async def bring(self, record: dict[str, Any], names: tuple[str, ...], host: str) -> str:
        """Takes in a game that was played elsewhere, which must have been audited."""
        digest = self.settings.offer.digests[record["map"]]
        entry = Imported(at=self.clock(), record=record, digest=digest, names=names, host=host)
        new = NewTable(new_key(), new_secret(), host, "imported", None, write_entry(entry), (), entry.at)
        await self.ask(self.store.open, new, deadline())
        return new.id

    async def sit(self, game: str, person: str, name: str, seal: str, invite: str) -> int:
        await self.do(game, lambda table: decisions.sit(table, person, name, seal, self.clock(), invite=invite))
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

    async def hand_over(self, game: str, person: str, chair: int) -> int:
        """Lets a bot play on for somebody who has been gone for long."""
        live = await self.live(game)
        if self._notices is not None and not self._notices.ready.is_set():
            raise Refused("unavailable", "who is at other servers is not known just now: try again")

        def decide(table: Table) -> Entry | int:
            at = self.clock()
            who = table.chairs[chair].person if chair < len(table.chairs) else ""
            absent = live.presence.absent(who, at)
            return decisions.hand_over(table, person, chair, absent, at, patience=self.settings.patience)

        return await self.do(game, decide)

    async def do(self, game: str, decide: Decide) -> int:
        """Makes something happen. Returns the number of the entry once it is stored, or raises Refused."""
        # Whoever asks may hang up; what has begun is finished all the same.
        return await asyncio.shield(self._tasks.spawn(self._do(game, decide)))

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
            async with in_time(), live.lock:
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
                live.cache.clear()
            live.used = time.monotonic()

    async def live(self, game: str) -> Live:
        """A table in use, fetched from the store where it was not."""
        found = self._live.get(game)
        if found is None:
            if game not in self._loading:
                self._loading[game] = self._tasks.spawn(self._load(game))
            found = await asyncio.shield(self._loading[game])
        if found.behind:
            async with in_time(), found.lock:
                await self._catch_up(found)
        found.used = time.monotonic()
        return found

    # Inside.

    async def _load(self, game: str) -> Live:
        try:
            stored = await self.ask(self.store.load, game)
            if stored is None:
                raise Refused("not_found", "there is no such table")
            live = self._live[game] = Live(await self._replayed(stored), self.clock())
            self.attendance.begin(live)
            self._set_timer(live)
            return live
        except Unreadable as error:
            raise Refused("conflict", str(error)) from None
        except ValidationError:
            raise Refused("conflict", "a newer server has written to this table: update this one") from None
        finally:
            del self._loading[game]

    async def _replayed(self, stored: Stored) -> Table:
        """A whole game takes as long as ten moves: others have theirs in between."""
        table = Table(stored.id, stored.secret, self.settings.offer)
        for number, entry in enumerate(stored.entries, 1):
            table.apply(read_entry(entry))
            if number % APPLIED_AT_ONCE == 0:
                await asyncio.sleep(0)
        return table

    async def _do(self, game: str, decide: Decide) -> int:
        live = await self.live(game)
        async with in_time(), live.lock:
            while True:
                try:
                    entry = decide(live.table)
                    if isinstance(entry, int):
                        return entry
                    after = live.table.after(entry)
                except Refused:
                    if await self._grew(live):
                        continue
                    raise
                if await self._stored(live, entry, after):
                    self._turn_to(live, after)
                    return after.n
                METRICS.conflicts.inc()
                await self._catch_up(live)

    async def _stored(self, live: Live, entry: Entry, after: Table) -> bool:
        try:
            with METRICS.storing.time():
                return await self._writer.append(make_append(live.table, entry, after, self.settings.bot_delay))
        except (SQLAlchemyError, asyncio.CancelledError) as error:
            # It may have been stored, or not: the store will tell when it answers again.
            live.behind = True
            if isinstance(error, SQLAlchemyError):
                raise no_answer(error) from None
            raise

    def _turn_to(self, live: Live, after: Table) -> None:
        """What is stored becomes what everyone sees."""
        METRICS.entries.inc(after.n - live.table.n)
        live.table = after
        live.used = time.monotonic()
        live.changed()
        self._set_timer(live)

    async def _catch_up(self, live: Live) -> None:
        """Reads what the store knows more; with the table's lock held."""
        if live.behind:
            await self._writer.settle()
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
        live.cancel_timer()
        live.table.set_back(self.clock())
        due = live.table.due(self.settings.bot_delay)
        if due is not None and not self.stopping and due - self.clock() < LONGEST_TIMER:
            wait = max(0.0, due - self.clock())
            game = live.table.id
            live.timer = asyncio.get_running_loop().call_later(wait, lambda: self._tasks.spawn(self._advance(game)))

    async def _advance(self, game: str) -> None:
        """Does what is due at a table: a clock has run out, or a bot must decide."""
        try:
            live = await self.live(game)
            table = live.table
            if table.deadline is not None and table.deadline <= self.clock():
                await self.do(game, lambda table: decisions.run_out(table, self.clock()))
            elif bots := table.bots_deciding():
                await self._ask_bot(live, bots[0])
            else:
                self._set_timer(live)  # a timer may come a moment too early
        except Refused as refused:
            if refused.code != "unavailable":
                _LOGGER.warning("not advanced", extra={"table": game[:6], "reason": refused.code})

    async def _ask_bot(self, live: Live, seat: int) -> None:
        """Once for each decision: a table that waits for long in the queue is found due again."""
        assert live.table.match is not None
        decision = (live.table.match.step, seat)
        if live.thinking == decision:
            return
        live.thinking = decision
        try:
            await self._play_bot(live.table, seat)
        finally:
            if live.thinking == decision:
                live.thinking = None

    async def _play_bot(self, table: Table, seat: int) -> None:
        match = table.match
        assert match is not None
        step = match.step
        name = table.chairs[table.seating[seat]].player or STAND_IN
        # While the first tickets are chosen, the step of each seat's choice is the one at which it will be carried out.
        seed = table.fairness.player_seed(seat, (seat if match.choosing else step) + 1)
        with METRICS.thinking.time():
            action = await self._bots.choose(table.host, name, seed, match.view(seat))
        await self.do(table.id, lambda table: decisions.play_bot(table, seat, step, action, self.clock()))

    async def _look_for_due(self) -> None:
        """Takes over what nobody does: after a restart, or when another server has died."""
        latest = math.inf
        while True:
            try:
                now = self.clock()
                if now < latest:  # the first time, and when the clock has been set back
                    await self.ask(self.store.set_back, now)
                latest = now
                for game in await self.ask(self.store.take_due, now, now + TAKEN_FOR, DUE_AT_ONCE):
                    self._tasks.spawn(self._take_over(game))
                for live in self._live.values():
                    if live.behind and not live.lock.locked():
                        self._tasks.spawn(self._refresh(live))
            except Refused as refused:
                _LOGGER.error("cannot look for what is due", extra={"reason": refused.code})
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
                    live.cancel_timer()  # what is due is in the store
                    del self._live[game]

    async def _delete_imported(self) -> None:
        while True:
            before = self.clock() - self.settings.keep_imports
            with suppress(Refused):  # the database does not answer: there is time
                while await self.ask(self.store.delete_imported, before, DELETED_AT_ONCE):
                    pass
            await asyncio.sleep(DELETE_EVERY)

    async def _heard(self, grown: dict[str, int]) -> None:
        for game, ply in grown.items():
            live = self._live.get(game)
            if live is not None and live.table.n < ply:
                self._tasks.spawn(self._refresh(live))
            elif game in self._loading:
                self._tasks.spawn(self._refresh_loaded(game, ply))

    async def _refresh_loaded(self, game: str, ply: int) -> None:
        """It may have been read before it grew."""
        live = await self.live(game)
        if live.table.n < ply:
            await self._refresh(live)

    async def _missed(self) -> None:
        for live in list(self._live.values()):
            self.attendance.begin(live)
            self._tasks.spawn(self._refresh(live))

    def _tell_others(self, news: list[str]) -> None:
        """Nobody waits until they know; if the database does not answer, they hear it with the next reminder."""
        if self._notices is not None and not self.stopping:
            self._tasks.spawn(self.ask(self.store.tell, news))

    async def _refresh(self, live: Live) -> None:
        async with live.lock:
            try:
                async with in_time():
                    await self._catch_up(live)
            except Refused:
                live.behind = True

    async def check(self) -> None:
        """Whether something can be stored. Who asks while that is being tried hears the same, so many cost little."""
        if self._checking is None or self._checking.done():
            self._checking = self._tasks.spawn(self.ask(self.store.check, self.clock()))
        await asyncio.shield(self._checking)

    async def ask(self, function: Callable[..., T], *arguments: Any) -> T:
        """Asks the store something, in a thread, which goes on when nobody waits for it any more."""
        asked = asyncio.ensure_future(asyncio.to_thread(function, *arguments))
        self._asked.add(asked)
        asked.add_done_callback(self._answered)
        try:
            async with in_time():
                return await asyncio.shield(asked)
        except SQLAlchemyError as error:
            raise no_answer(error) from None

    def _answered(self, asked: asyncio.Future[Any]) -> None:
        self._asked.discard(asked)
        if not asked.cancelled():
            asked.exception()  # whoever has asked was told so, or has gone
