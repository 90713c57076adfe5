"""The writer: entries that arrive while others are being stored are stored together, in one transaction."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from fogline.server.storage.store import Append, Store

LARGEST_BATCH = 200


class Writer:
    """The one thread that adds to logs that have begun.

    Otherwise a disk that syncs in 5 ms would allow 200 moves a second, and no more.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, "writer")
        self._waiting: list[tuple[Append, asyncio.Future[bool]]] = []
        self._task: asyncio.Task[None] | None = None

    async def append(self, one: Append) -> bool:
        """Whether the entry has been stored; False when its number was taken already.

        A caller that is cancelled meanwhile cannot know. But what has not begun by then is never stored.
        """
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((one, future))
        if self._task is None:
            self._task = asyncio.create_task(self._store_waiting())
        return await future

    async def settle(self) -> None:
        """Waits until what is being stored now has been stored, or has failed."""
        await asyncio.get_running_loop().run_in_executor(self._thread, lambda: None)

    async def close(self) -> None:
        while self._task is not None:  # more may come meanwhile
            await self._task
        self._thread.shutdown()

    async def _store_waiting(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:LARGEST_BATCH], self._waiting[LARGEST_BATCH:]
                await self._store_batch(batch)
        finally:
            self._task = None

    async def _store_batch(self, arrived: list[tuple[Append, asyncio.Future[bool]]]) -> None:
        # In the order of their games, so that two servers never wait for each other.
        batch = sorted((pair for pair in arrived if not pair[1].done()), key=lambda pair: pair[0].game)
        if not batch:
            return
        loop = asyncio.get_running_loop()
        try:
            stored = await loop.run_in_executor(self._thread, self._store.append, [one for one, _ in batch])
        except Exception as error:
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in zip(batch, stored, strict=True):
            if not future.done():
                future.set_result(result)
