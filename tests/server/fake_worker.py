"""A worker for tests, in the process of the test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fogline.server.workers.remote_worker import WorkerLost
from fogline.server.workers.worker import WorkerDied


class FakeWorker:
    """Does a job when it is told to go on, in this process; it dies of some first jobs, or is lost."""

    def __init__(self, deaths: int = 0) -> None:
        self.lost = False
        self.done: list[Any] = []
        self._leave = asyncio.Semaphore(0)
        self.closed = False
        self._deaths = deaths

    def go_on(self, jobs: int) -> None:
        for _ in range(jobs):
            self._leave.release()

    async def do(self, function: Callable[..., Any], *arguments: Any) -> Any:
        await self._leave.acquire()
        if self.lost:
            raise WorkerLost
        if self._deaths:
            self._deaths -= 1
            raise WorkerDied
        self.done.append(arguments[0])
        return function(*arguments)

    async def close(self) -> None:
        self.closed = True


async def turns() -> None:
    """All that can happen by itself has happened."""
    for _ in range(20):
        await asyncio.sleep(0)
