"""The workers: this process or others, which play the games of series.

Pieces come back in their order, so that a result never depends on who was faster.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from fogline.study.faults import StudyError
from fogline.study.series import Series, play

_COMPILED_PIECE, _STYLED_PIECE = 250, 50

Progress = Callable[[int], None]
"""Hears how many games have just been played."""


class Workers:
    """Plays series, with a pool of others or, without one, in this process."""

    def __init__(self, pool: Executor | None, progress: Progress) -> None:
        self.pool = pool
        self.progress = progress

    def play(self, series: Series) -> np.ndarray:
        """The final records of all games of a series."""
        play(replace(series, games=0), 0, 0)  # compiles, where it has not been done, so that workers find it done
        one_piece = partial(_play_piece, pickle.dumps(series))
        size = piece_size(series)
        firsts = range(0, series.games, size)
        lasts = [min(first + size, series.games) for first in firsts]
        records = []
        try:
            for piece in (map if self.pool is None else self.pool.map)(one_piece, firsts, lasts):
                records.append(piece)
                self.progress(len(piece))
        except BrokenProcessPool:
            raise StudyError("a process that played games has died; --cores 1 shows where") from None
        return np.concatenate([play(series, 0, 0), *records])


@contextmanager
def gather_workers(cores: int | None = None, progress: Progress = lambda _: None) -> Iterator[Workers]:
    """So many cores of this machine, all by default."""
    cores = cores or os.cpu_count() or 1
    if cores == 1:
        yield Workers(None, progress)
        return
    # Started anew: a copy of this process might hold a lock that nobody opens again.
    pool = ProcessPoolExecutor(cores, multiprocessing.get_context("spawn"), _ignore_interrupts)
    try:
        yield Workers(pool, progress)
    finally:
        pool.shutdown(cancel_futures=True)


def piece_size(series: Series) -> int:
    """How many games a worker plays before it reports: a fraction of a second's, where that is more than one."""
    if series.compiled:
        return _COMPILED_PIECE
    return _STYLED_PIECE if series.styled else 1


def _play_piece(packed: bytes, first: int, last: int) -> np.ndarray:
    return play(_unpack(packed), first, last)


@lru_cache(maxsize=4)
def _unpack(packed: bytes) -> Series:
    """A board takes as long to make as some games to play: each worker makes it once a series."""
    series: Series = pickle.loads(packed)
    return series


def _ignore_interrupts() -> None:
    """Ctrl-C goes to all processes of a terminal; the first one alone knows what to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
