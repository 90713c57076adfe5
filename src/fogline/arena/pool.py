"""The process pool: it plays many games, in this process or in others.

Work is handed out in pieces and comes back in order, so a result never depends on which process was faster.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from fogline.arena.cluster import Cluster
from fogline.arena.faults import ArenaError

T = TypeVar("T")

_MOST_ON_WINDOWS = 61
"""The most processes that a pool can wait for on Windows."""

_AHEAD = 4
"""Pieces handed out for each worker before the first must be back: enough that a long game keeps nobody waiting."""


@dataclass(frozen=True, slots=True)
class Work(Generic[T]):
    """A job: `play` plays the games from one number up to another."""

    play: Callable[[T, int, int], np.ndarray]
    what: T
    games: int
    piece: int  # games that a worker plays before it reports


class Pool(Protocol):
    """Plays pieces of a job. The job comes pickled, as the same bytes for all its pieces."""

    workers: int

    def hand_out(self, packed: bytes, first: int, last: int) -> Any:
        """Starts the games from one number up to another."""

    def take_back(self, piece: Any) -> np.ndarray:
        """Waits for a piece and returns its results."""

    def leave(self) -> None:
        """Stops everything that is still being played, at once."""


@contextmanager
def open_pool(cores: int | None = None, ray: str | None = None) -> Iterator[Pool]:
    """A pool on this many cores of this machine, all by default, or on the Ray cluster with this address (`local`
    starts one).
    """
    pool: Pool
    if ray is not None:
        pool = Cluster(play_piece, ray)
    else:
        cores = cores or os.cpu_count() or 1
        pool = Alone() if cores == 1 else Processes(cores)
    try:
        yield pool
    finally:
        pool.leave()


def play_pieces(work: Work[Any], pool: Pool) -> Iterator[np.ndarray]:
    """The results of all games, in order, a piece at a time."""
    packed = pickle.dumps(work)
    waiting: deque[Any] = deque()
    for first in range(0, work.games, work.piece):
        waiting.append(pool.hand_out(packed, first, min(first + work.piece, work.games)))
        if len(waiting) >= _AHEAD * pool.workers:
            yield pool.take_back(waiting.popleft())
    while waiting:
        yield pool.take_back(waiting.popleft())


def play_piece(packed: bytes, first: int, last: int) -> np.ndarray:
    """Plays some games of a job, in whatever process."""
    work = _unpack(packed)
    return work.play(work.what, first, last)


@lru_cache(maxsize=4)
def _unpack(packed: bytes) -> Work[Any]:
    """The job, unpickled once a worker: making a board takes as long as playing some games."""
    work: Work[Any] = pickle.loads(packed)
    return work


class Alone:
    """Plays in this process, each piece when it is asked for."""

    workers = 1

    def hand_out(self, packed: bytes, first: int, last: int) -> tuple[bytes, int, int]:
        """Keeps the piece for later."""
        return packed, first, last

    def take_back(self, piece: tuple[bytes, int, int]) -> np.ndarray:
        """Plays the piece."""
        return play_piece(*piece)

    def leave(self) -> None:
        """Stops nothing: nothing runs between two calls."""


class Processes:
    """New processes on this machine. A fork might inherit a lock that nobody releases."""

    def __init__(self, workers: int) -> None:
        self.workers = min(workers, _MOST_ON_WINDOWS) if sys.platform == "win32" else workers
        self.executor = ProcessPoolExecutor(self.workers, multiprocessing.get_context("spawn"), _ignore_interrupts)

    def hand_out(self, packed: bytes, first: int, last: int) -> Future[np.ndarray]:
        """Gives the piece to a worker."""
        with _interrupts_held():  # workers start here
            return self.executor.submit(play_piece, packed, first, last)

    def take_back(self, piece: Future[np.ndarray]) -> np.ndarray:
        """Waits for the worker; raises ArenaError if it has died."""
        try:
            return piece.result()
        except BrokenProcessPool:
            raise ArenaError("a process that played games has died; --cores 1 shows where") from None

    def leave(self) -> None:
        """Stops all workers at once."""
        for process in list((self.executor._processes or {}).values()):
            process.terminate()  # what is still being played is of no use, and may take minutes
        self.executor.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C reaches every process, and the main one decides what to do. Processes started here ignore it."""
    masks: Any = signal
    if not hasattr(masks, "pthread_sigmask"):  # on Windows, where a process must have started before it can ignore it
        yield
        return
    before = masks.pthread_sigmask(masks.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        masks.pthread_sigmask(masks.SIG_SETMASK, before)
