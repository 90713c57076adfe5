"""Tasks that go on by themselves: nobody waits for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from fogline.server.refused import Refused

_LOGGER = logging.getLogger(__name__)

T = TypeVar("T")


class Tasks:
    """Keeps them, because the loop forgets whatever nobody holds, and logs those that fail."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    async def close(self) -> None:
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) and not isinstance(error, Refused):
            _LOGGER.error("a task failed", exc_info=error)
