"""Batches on the cores of this machine."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from fogline.batch.lanes import (
    Lanes,
    Outputs,
    begin_game,
    end_game,
    play_action,
    record_at,
    sample_action,
    step_lane,
    write_outputs,
)
from fogline.compiler.kernels import as_int, entry_point
from fogline.knowledge.card_counter import COUNT
from fogline.maps.board import Board
from fogline.rules.state import OVER

ALIGNMENT = 64
"""In bytes."""

FEW = 1024
"""Fewer lanes than this are not worth waking another core for."""


class CpuDevice:
    """Keeps arrays in NumPy, and gives each core a part of the lanes."""

    name = "cpu"

    def __init__(self, board: Board, *, cores: int | None = None) -> None:
        self.board = board
        self.cores = cores or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self.cores) if self.cores > 1 else None

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """An array that begins at a multiple of 64 bytes, which JAX needs to take it without a copy."""
        kind = np.dtype(dtype)
        size = math.prod(shape) * kind.itemsize
        room = np.zeros(size + ALIGNMENT, np.uint8)
        begin = -room.ctypes.data % ALIGNMENT
        array: np.ndarray = room[begin : begin + size].view(kind).reshape(shape)
        return array

    def to_host(self, array: np.ndarray) -> np.ndarray:
        return array

    def fill(self, array: np.ndarray, values: np.ndarray) -> None:
        array[:] = values

    def take(self, array: Any) -> np.ndarray:
        """The caller's array in the form that compiled functions want."""
        return np.ascontiguousarray(array)

    def begin(self, kept: Lanes, players: int, stride: int) -> None:
        self.spread(kept, lambda part: begin_games(self.board.tables, kept, players, np.uint64(stride), part))

    def step(self, kept: Lanes, stride: int, actions: np.ndarray, outputs: Outputs) -> None:
        tables, lanes = self.board.tables, np.uint64(stride)
        self.spread(kept, lambda part: step_games(tables, kept, np.zeros(1, COUNT), lanes, actions, outputs, part))

    def sample(self, kept: Lanes, actions: np.ndarray) -> None:
        self.spread(kept, lambda part: sample_actions(self.board.tables, kept, actions, part))

    def random(self, kept: Lanes, stride: int, steps: int) -> None:
        self.spread(kept, lambda part: play_random_steps(self.board.tables, kept, np.uint64(stride), steps, part))

    def write(self, kept: Lanes, outputs: Outputs) -> None:
        self.spread(kept, lambda part: write_all(self.board.tables, kept, np.zeros(1, COUNT), outputs, part))

    def spread(self, kept: Lanes, work: Callable[[tuple[int, int]], None]) -> None:
        """Plays parts of the lanes in threads: the compiled rules release Python's lock."""
        lanes = len(kept.games)
        if self._pool is None or lanes < 2 * FEW:
            work((0, lanes))
            return
        ends = np.linspace(0, lanes, min(self.cores, lanes // FEW) + 1).astype(int).tolist()
        list(self._pool.map(work, pairwise(ends)))


@entry_point
def begin_games(board: Any, kept: Any, players: int, stride: Any, part: Any) -> None:
    for number in range(part[0], part[1]):
        begin_game(board[0], kept.games[number], record_at(kept.counters, number), kept.lanes[number], players, stride)


@entry_point
def step_games(board: Any, kept: Any, count: Any, stride: Any, actions: Any, outputs: Any, part: Any) -> None:
    for number in range(part[0], part[1]):
        game, counter = kept.games[number], record_at(kept.counters, number)
        step_lane(
            board[0], game, counter, kept.lanes[number], count[0], stride, as_int(actions[number]), outputs, number
        )


@entry_point
def sample_actions(board: Any, kept: Any, actions: Any, part: Any) -> None:
    for number in range(part[0], part[1]):
        actions[number] = sample_action(board[0], kept.games[number], kept.lanes[number])


@entry_point
def play_random_steps(board: Any, kept: Any, stride: Any, steps: int, part: Any) -> None:
    for number in range(part[0], part[1]):
        game, counter, lane = kept.games[number], record_at(kept.counters, number), kept.lanes[number]
        for _ in range(steps):
            play_action(board[0], game, counter, sample_action(board[0], game, lane))
            if game.phase == OVER:
                end_game(board[0], game, counter, lane, stride)


@entry_point
def write_all(board: Any, kept: Any, count: Any, outputs: Any, part: Any) -> None:
    for number in range(part[0], part[1]):
        game, counter = kept.games[number], record_at(kept.counters, number)
        write_outputs(board[0], game, counter, count[0], outputs, number)
