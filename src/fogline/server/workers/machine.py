"""A machine: another computer on which bots think, too, for as long as it is there."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable

from fogline.maps.board import Board
from fogline.server.workers.jobs import version
from fogline.server.workers.pool import Pool
from fogline.server.workers.remote_worker import RemoteWorker, WorkerLost
from fogline.server.workers.thinkers import ThinkersAt
from fogline.server.workers.worker import Prepare

CONNECTING_AT_ONCE = 8
"""OpenSSH turns away some of those who come when ten have not yet said who they are."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds until a machine that was lost is tried again; the pauses grow until it has lasted as long as the longest."""

_LOGGER = logging.getLogger(__name__)


class Machine:
    """Its workers come and go together: what ends one of them has most often befallen the machine."""

    def __init__(self, at: ThinkersAt, boards: Iterable[Board], niceness: int, prepare: Prepare) -> None:
        self._at = at
        self._boards = tuple(boards)
        self._niceness = niceness
        self._prepare = prepare
        self._version = version()  # now: the sources may be updated while the server runs
        self._connecting = asyncio.Semaphore(CONNECTING_AT_ONCE)
        self._pause = FIRST_PAUSE
        self._away: str | None = ""  # why, as it was told last; None while it is there

    async def lend(self, pool: Pool) -> None:
        """Gives its workers to the pool, again and again."""
        while True:
            began = time.monotonic()
            try:
                async with asyncio.TaskGroup() as workers:
                    for _ in range(self._at.processes):
                        workers.create_task(self._lend_one(pool))
            except* WorkerLost as lost:
                self._is_away(str(lost.exceptions[0]))
            await asyncio.sleep(self._next_pause(time.monotonic() - began))

    async def _lend_one(self, pool: Pool) -> None:
        worker = RemoteWorker(self._at, self._boards, self._niceness, self._prepare)
        try:
            async with self._connecting:
                await worker.start(self._version)
            await worker.prepare()
            self._is_there()
            with pool.joined_by(worker):
                raise WorkerLost(await worker.ended())
        finally:
            await worker.close()

    def _is_there(self) -> None:
        if self._away is not None:
            self._away = None
            _LOGGER.info("bots think elsewhere, too", extra={"host": self._at.host, "processes": self._at.processes})

    def _is_away(self, reason: str) -> None:
        """Tells of it once, however often it is tried."""
        if self._away != reason:
            self._away = reason
            _LOGGER.warning("no bot thinks there", extra={"host": self._at.host, "reason": reason})

    def _next_pause(self, lasted: float) -> float:
        pause = FIRST_PAUSE if lasted > LONGEST_PAUSE else self._pause
        self._pause = min(2 * pause, LONGEST_PAUSE)
        return pause
