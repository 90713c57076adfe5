"""The crew: who plays the games of a match, this process or others.

Work is handed out in pieces and comes back in their order, so that a result never depends on who was faster.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from fogline.arena.cluster import Cluster
from fogline.arena.faults import ArenaError
from fogline.arena.match import Match
from fogline.arena.playing import piece_size, play, prepare

_AHEAD = 4
"""Pieces handed out for each worker before the first must be back: enough that a long game keeps nobody waiting."""


class Crew(Protocol):
    """Plays pieces of matches; a match comes packed, and is the same bytes for all its pieces."""

    workers: int

    def hand_out(self, packed: bytes, first: int, last: int) -> Any: ...

    def take_back(self, piece: Any) -> np.ndarray: ...

    def leave(self) -> None:
        """Stops at once whatever is still being played."""


@contextmanager
def gather_crew(cores: int | None = None, ray: str | None = None) -> Iterator[Crew]:
    """So many cores of this machine, all by default; or the Ray cluster with this address, `local` for one's own."""
    crew: Crew
    if ray is not None:
        crew = Cluster(play_piece, ray)
    else:
        cores = cores or os.cpu_count() or 1
        crew = Alone() if cores == 1 else Processes(cores)
    try:
        yield crew
    finally:
        crew.leave()


def play_pieces(match: Match, crew: Crew) -> Iterator[np.ndarray]:
    """The outcomes of all games of a match, in order, a piece at a time."""
    prepare(match)
    packed, size = pickle.dumps(match), piece_size(match)
    waiting: deque[Any] = deque()
    for first in range(0, match.games, size):
        waiting.append(crew.hand_out(packed, first, min(first + size, match.games)))
        if len(waiting) >= _AHEAD * crew.workers:
            yield crew.take_back(waiting.popleft())
    while waiting:
        yield crew.take_back(waiting.popleft())


def play_piece(packed: bytes, first: int, last: int) -> np.ndarray:
    return play(_unpack(packed), first, last)


@lru_cache(maxsize=4)
def _unpack(packed: bytes) -> Match:
    """A board takes as long to make as some games to play: each worker makes it once a match."""
    match: Match = pickle.loads(packed)
    return match


class Alone:
    """No other process than this one, which plays a piece when it is asked for it."""

    workers = 1

    def hand_out(self, packed: bytes, first: int, last: int) -> tuple[bytes, int, int]:
        return packed, first, last

    def take_back(self, piece: tuple[bytes, int, int]) -> np.ndarray:
        return play_piece(*piece)

    def leave(self) -> None:
        pass


class Processes:
    """Processes of this machine, started anew: a copy of this one might hold a lock that nobody opens again."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))

    def hand_out(self, packed: bytes, first: int, last: int) -> Future[np.ndarray]:
        with _interrupts_held():  # workers start here
            return self.pool.submit(play_piece, packed, first, last)

    def take_back(self, piece: Future[np.ndarray]) -> np.ndarray:
        try:
            return piece.result()
        except BrokenProcessPool:
            raise ArenaError("a process that played games has died; --cores 1 shows where") from None

    def leave(self) -> None:
        for process in list((self.pool._processes or {}).values()):
            process.terminate()  # what is still being played is of no use, and may take minutes
        self.pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C reaches every process, and the first one decides what to do: a process started here never hears of it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
