"""The writer stores together what arrives while it is busy, and tells each whether it was stored."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Semaphore
from typing import Any, cast

import pytest

from fogline.server.storage.store import Append, Store
from fogline.server.storage.writer import LARGEST_BATCH, Writer
from tests.server.serving import PATIENCE


class SlowStore:
    """Stores a batch each time it is told to go on. Entries of an even number were there already."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.go_on = Semaphore(0)
        self.fails = False

    def append(self, appends: Sequence[Append]) -> list[bool]:
        assert self.go_on.acquire(timeout=PATIENCE)
        self.batches.append([one.game for one in appends])
        if self.fails:
            raise OSError("the disk is full")
        return [one.ply % 2 == 1 for one in appends]


def entry(game: str, ply: int = 1) -> Append:
    return Append(game, ply, "entry", status="playing", invite=None, due=None, at=0.0)


def start(store: SlowStore) -> Writer:
    return Writer(cast(Store, store))


async def arrive(writer: Writer, *entries: Append) -> list[asyncio.Task[bool]]:
    """They have arrived when this returns."""
    coming = [asyncio.create_task(writer.append(one)) for one in entries]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return coming


def test_what_arrives_while_something_is_stored_is_stored_together() -> None:
    async def scenario() -> None:
        store = SlowStore()
        writer = start(store)
        first = await arrive(writer, entry("a"))
        others = await arrive(writer, *map(entry, "bcdef"))
        store.go_on.release(2)
        assert await asyncio.gather(*first, *others) == [True] * 6
        assert store.batches == [["a"], ["b", "c", "d", "e", "f"]]
        await writer.close()

    asyncio.run(scenario())


def test_a_batch_is_in_the_order_of_its_games_and_everyone_gets_their_own_answer() -> None:
    async def scenario() -> None:
        store = SlowStore()
        writer = start(store)
        await arrive(writer, entry("first"))
        coming = await arrive(writer, entry("c", 2), entry("a", 1), entry("d", 4), entry("b", 3))
        store.go_on.release(2)
        assert await asyncio.gather(*coming) == [False, True, False, True]
        assert store.batches[1] == ["a", "b", "c", "d"]  # two servers never wait for each other
        await writer.close()

    asyncio.run(scenario())


def test_a_batch_does_not_grow_without_end() -> None:
    async def scenario() -> None:
        store = SlowStore()
        writer = start(store)
        await arrive(writer, entry("first"))
        coming = await arrive(writer, *(entry(f"{number:04}") for number in range(2 * LARGEST_BATCH + 1)))
        store.go_on.release(4)
        await asyncio.gather(*coming)
        assert [len(batch) for batch in store.batches] == [1, LARGEST_BATCH, LARGEST_BATCH, 1]
        await writer.close()

    asyncio.run(scenario())


def test_a_failure_is_told_to_all_of_its_batch_and_to_nobody_else() -> None:
    async def scenario() -> None:
        store = SlowStore()
        writer = start(store)
        store.fails = True
        failing = await arrive(writer, entry("a"))
        store.go_on.release()
        found: list[Any] = await asyncio.gather(*failing, return_exceptions=True)
        store.fails = False
        coming = await arrive(writer, entry("b"))
        store.go_on.release()
        assert [str(error) for error in found] == ["the disk is full"]
        assert await asyncio.gather(*coming) == [True]
        await writer.close()

    asyncio.run(scenario())


def test_closing_waits_for_whatever_arrives_until_then() -> None:
    async def scenario() -> None:
        store = SlowStore()
        writer = start(store)
        coming = await arrive(writer, entry("a"))
        closing = asyncio.create_task(writer.close())
        coming += await arrive(writer, entry("b"))
        store.go_on.release()
        await coming[0]
        coming += await arrive(writer, entry("c"))
        assert not closing.done()
        store.go_on.release(2)
        await closing
        assert [task.result() for task in coming] == [True] * 3

    asyncio.run(scenario())


@pytest.mark.parametrize("busy", [False, True])
def test_a_writer_closes_once_and_for_all(busy: bool) -> None:
    async def scenario() -> None:
        store = SlowStore()
        writer = start(store)
        coming = await arrive(writer, *[entry("a")] * busy)
        store.go_on.release()
        await writer.close()
        await writer.close()
        assert [task.result() for task in coming] == [True] * busy

    asyncio.run(scenario())


def test_what_nobody_waits_for_any_more_is_not_stored() -> None:
    async def scenario() -> None:
        store = SlowStore()
        writer = start(store)
        begun = await arrive(writer, entry("a"))
        waiting = await arrive(writer, entry("b"), entry("c"))
        begun[0].cancel()
        waiting[0].cancel()
        store.go_on.release(2)
        assert await waiting[1]
        assert store.batches == [["a"], ["c"]]
        alone = await arrive(writer, entry("d"))
        last = await arrive(writer, entry("e"))
        last[0].cancel()
        store.go_on.release()
        await alone[0]
        await writer.close()
        assert store.batches[2:] == [["d"]]

    asyncio.run(scenario())


def test_who_waits_until_all_is_settled_comes_after_what_is_being_stored() -> None:
    async def scenario() -> None:
        store = SlowStore()
        writer = start(store)
        coming = await arrive(writer, entry("a"))
        settling = asyncio.create_task(writer.settle())
        await asyncio.sleep(0)
        assert not settling.done()
        store.go_on.release()
        await settling
        assert store.batches == [["a"]]
        await asyncio.gather(*coming)
        await writer.close()

    asyncio.run(scenario())
