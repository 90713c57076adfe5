"""Batches on an NVIDIA GPU: a thread for each lane, in kernels that call the very functions that run on the CPU."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from fogline.batch.lanes import (
    Lanes,
    Outputs,
    begin_game,
    end_game,
    random_step,
    step_lane,
    write_outputs,
)
from fogline.board import Board
from fogline.rules.compiled import rule, whole
from fogline.rules.state import OVER
from fogline.tally import COUNT

THREADS = 64
"""In a block. Few, so that a block whose games take longer holds up few others."""


class NoGpu(RuntimeError):
    """There is no GPU to play on, or something that it needs is missing."""


class CudaDevice:
    """Arrays lie on the GPU, each column in one piece, so that neighbouring threads write neighbouring bytes."""

    name = "cuda"

    def __init__(self, board: Board) -> None:
        _check()
        self.board = board
        self.stream: Any = 0
        self._tables = cuda.to_device(np.array(board.tables))
        self._no_tallies = cuda.device_array(0, np.uint8)

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        array = cuda.device_array(shape, dtype, order="F")
        array.view(np.uint8) if len(shape) == 1 else array
        _clear(array)
        return array

    def to_host(self, array: Any) -> np.ndarray:
        return cuda.as_cuda_array(array).copy_to_host() if hasattr(array, "__cuda_array_interface__") else array

    def fill(self, array: Any, values: np.ndarray) -> None:
        array.copy_to_device(values)

    def take(self, array: Any) -> Any:
        """Somebody's array on the GPU as it is, without a copy; one that lies on the host is brought over."""
        if hasattr(array, "__cuda_array_interface__"):
            return cuda.as_cuda_array(array)
        return cuda.to_device(np.ascontiguousarray(array))

    def begin(self, kept: Lanes, players: int, stride: int) -> None:
        self._launch("begin", kept, players, np.uint64(stride))

    def step(self, kept: Lanes, stride: int, actions: Any, outputs: Outputs) -> None:
        self._launch("step", kept, np.uint64(stride), actions, *outputs)

    def random(self, kept: Lanes, stride: int, steps: int) -> None:
        self._launch("random", kept, np.uint64(stride), steps)

    def write(self, kept: Lanes, outputs: Outputs) -> None:
        self._launch("write", kept, *outputs)

    def _launch(self, name: str, kept: Lanes, *arguments: Any) -> None:
        counted = kept.tallies is not None
        blocks = -(-len(kept.games) // THREADS)
        kernel = kernels(counted)[name]
        tallies = kept.tallies if counted else self._no_tallies
        kernel[blocks, THREADS, self.stream](self._tables, kept.games, tallies, kept.lanes, *arguments)


def _check() -> None:
    """Says what is missing."""
    try:
        found = cuda.is_available()
    except Exception as error:  # whatever the driver's libraries raise
        raise NoGpu(f'device="cuda" needs an NVIDIA GPU with its driver: {error}') from error
    if not found:
        raise NoGpu(
            'device="cuda" needs an NVIDIA GPU with its driver, and the extra "gpu": pip install "fogline[gpu]". '
            'None was found here; device="cpu" does the same'
        )


@rule
def _tally(tallies: Any, number: int) -> Any:
    return tallies[number]


@rule
def _no_tally(tallies: Any, number: int) -> Any:
    return None


@cache
def kernels(counted: bool) -> dict[str, Any]:
    """The kernels of a batch that counts cards, or of one that does not."""
    tally_at = _tally if counted else _no_tally

    @cuda.jit
    def begin(board: Any, games: Any, tallies: Any, lanes: Any, players: int, stride: Any) -> None:
        number = cuda.grid(1)
        if number < games.shape[0]:
            begin_game(board[0], games[number], tally_at(tallies, number), lanes[number], players, stride)

    @cuda.jit
    def step(
        board: Any,
        games: Any,
        tallies: Any,
        lanes: Any,
        stride: Any,
        actions: Any,
        masks: Any,
        observations: Any,
        rewards: Any,
        scores: Any,
        dones: Any,
        seats: Any,
        refused: Any,
    ) -> None:
        number = cuda.grid(1)
        if number < games.shape[0]:
            count = cuda.local.array(1, COUNT)
            outputs = Outputs(masks, observations, rewards, scores, dones, seats, refused)
            game, tally, action = games[number], tally_at(tallies, number), whole(actions[number])
            step_lane(board[0], game, tally, lanes[number], count[0], stride, action, outputs, number)

    @cuda.jit
    def random(board: Any, games: Any, tallies: Any, lanes: Any, stride: Any, steps: int) -> None:
        number = cuda.grid(1)
        if number < games.shape[0]:
            game, tally, lane = games[number], tally_at(tallies, number), lanes[number]
            for _ in range(steps):
                random_step(board[0], game, tally, lane)
                if game.phase == OVER:
                    end_game(board[0], game, tally, lane, stride)

    @cuda.jit
    def write(
        board: Any,
        games: Any,
        tallies: Any,
        lanes: Any,
        masks: Any,
        observations: Any,
        rewards: Any,
        scores: Any,
        dones: Any,
        seats: Any,
        refused: Any,
    ) -> None:
        number = cuda.grid(1)
        if number < games.shape[0]:
            count = cuda.local.array(1, COUNT)
            outputs = Outputs(masks, observations, rewards, scores, dones, seats, refused)
            write_outputs(board[0], games[number], tally_at(tallies, number), count[0], outputs, number)

    return {"begin": begin, "step": step, "random": random, "write": write}


@cuda.jit
def _clear_bytes(array: Any) -> None:
    number = cuda.grid(1)
    if number < array.shape[0]:
        array[number] = 0


def _clear(array: Any) -> None:
    flat = cuda.devicearray.DeviceNDArray((array.nbytes,), (1,), np.dtype(np.uint8), gpu_data=array.gpu_data)
    _clear_bytes[-(-array.nbytes // 256), 256](flat)
