"""The workers: this process or others, which play the games of series."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from fogline.arena.pool import Pool, Work, open_pool, play_pieces
from research.study.series import Series, play

_COMPILED_PIECE, _STYLED_PIECE = 250, 50

Progress = Callable[[int], None]
"""Is told how many games have just been played."""


class Workers:
    """Plays series and reports progress."""

    def __init__(self, pool: Pool, progress: Progress) -> None:
        self.pool = pool
        self.progress = progress

    def play(self, series: Series) -> np.ndarray:
        """The final records of all games of a series."""
        nothing = play(
            replace(series, games=0), 0, 0
        )  # compiles, unless that has been done, so that workers find it ready
        records = [nothing]
        for piece in play_pieces(Work(play, series, series.games, piece_size(series)), self.pool):
            records.append(piece)
            self.progress(len(piece))
        return np.concatenate(records)


@contextmanager
def gather_workers(cores: int | None = None, progress: Progress = lambda _: None) -> Iterator[Workers]:
    """Workers on some cores of this machine, all by default."""
    with open_pool(cores) as pool:
        yield Workers(pool, progress)


def piece_size(series: Series) -> int:
    """How many games a worker plays before it reports: a fraction of a second's worth, but at least one."""
    if series.compiled:
        return _COMPILED_PIECE
    return _STYLED_PIECE if series.styled else 1
