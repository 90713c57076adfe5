"""The pool: some workers, and the queue of the jobs that wait for one."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fogline.server.metrics import METRICS
from fogline.server.workers.queue import Queue
from fogline.server.workers.remote_worker import RemoteWorker, WorkerLost
from fogline.server.workers.worker import Worker, WorkerDied

ATTEMPTS = 3
"""Workers beside the server that a job may cost: it may be the job that kills them."""

_LOGGER = logging.getLogger(__name__)

T = TypeVar("T")

Job = tuple[Callable[..., T], tuple[Any, ...]]
"""A function of a module, and its arguments, which travel to another process."""


@dataclass(eq=False, slots=True)
class _Waiting:
    owner: str
    job: Callable[[float], Job[Any]]
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    since: float = field(default_factory=time.monotonic)


class Pool:
    """Owners take turns, so that one owner's many jobs do not delay another's few."""

    def __init__(self, name: str, workers: Iterable[Worker]) -> None:
        self._name = name
        self._workers: list[Worker | RemoteWorker] = list(workers)
        self._idle = self._workers[::-1]  # the first is always taken first: others may never have to start
        self._busy: set[asyncio.Task[None]] = set()
        self._queue: Queue[_Waiting] = Queue()
        self._asked: Counter[str] = Counter()  # jobs that wait or are being done, by owner
        METRICS.jobs_waiting.labels(name).set_function(lambda: len(self._queue))
        METRICS.workers.labels(name).set_function(lambda: len(self._workers))
        METRICS.jobs_running.labels(name).set_function(lambda: len(self._workers) - len(self._idle))

    def asked(self, owner: str) -> int:
        """How many jobs of an owner wait or are being done."""
        return self._asked[owner]

    def share(self, owner: str) -> float:
        """How many workers each job of an owner gets, when owners share equally, and so do an owner's jobs."""
        return len(self._workers) / max(1, len(self._asked) * self._asked[owner])

    async def do(self, owner: str, job: Callable[[float], Job[T]]) -> T:
        """Makes the job when its turn has come, from the seconds that it has waited. A cancelled caller leaves the
        queue.
        """
        waiting = _Waiting(owner, job)
        self._asked[owner] += 1
        self._queue.put(owner, waiting)
        self._wake_one()
        try:
            return await waiting.answer  # type: ignore[no-any-return]
        finally:
            self._queue.drop(owner, waiting)
            self._asked -= Counter([owner])  # and forgets who has asked for nothing else

    @contextmanager
    def joined_by(self, worker: RemoteWorker) -> Iterator[None]:
        """Within it, the worker is one of the pool."""
        self._workers.append(worker)
        self._employ(worker)
        try:
            yield
        finally:
            self._workers.remove(worker)
            with suppress(ValueError):  # it is busy, and does not come back
                self._idle.remove(worker)

    async def close(self) -> None:
        for task in self._busy:
            task.cancel()
        await asyncio.gather(*self._busy, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._workers))

    def _wake_one(self) -> None:
        if self._idle:
            self._employ(self._idle.pop())

    def _employ(self, worker: Worker | RemoteWorker) -> None:
        task = asyncio.create_task(self._work(worker))
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)

    async def _work(self, worker: Worker | RemoteWorker) -> None:
        """Until nobody waits, or the worker is lost."""
        with suppress(WorkerLost):
            while self._queue:
                waiting = self._queue.take()
                if not waiting.answer.done():
                    await self._answer(waiting, worker)
            if worker in self._workers:  # it may have left meanwhile
                self._idle.append(worker)

    async def _answer(self, waiting: _Waiting, worker: Worker | RemoteWorker) -> None:
        try:
            result = await self._attempt(waiting, worker)
        except WorkerLost:
            self._put_back(waiting)
            raise
        except Exception as error:
            if not waiting.answer.done():
                waiting.answer.set_exception(error)
        else:
            if not waiting.answer.done():
                waiting.answer.set_result(result)

    def _put_back(self, waiting: _Waiting) -> None:
        """For another worker: this one was lost, which is not the job's fault."""
        if not waiting.answer.done():
            self._queue.put_back(waiting.owner, waiting)
            self._wake_one()

    async def _attempt(self, waiting: _Waiting, worker: Worker | RemoteWorker) -> Any:
        waited = time.monotonic() - waiting.since
        METRICS.queueing.labels(self._name).observe(waited)
        function, arguments = waiting.job(waited)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await worker.do(function, *arguments)
            except WorkerDied:
                _LOGGER.error("a worker has died", extra={"pool": self._name, "attempt": attempt})
        raise WorkerDied(f"{ATTEMPTS} workers have died of one job")
