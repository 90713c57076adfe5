"""Batches on an NVIDIA GPU: a thread for each lane, in kernels that call the same functions as the CPU.

Measurements (docs/performance.md) led to three choices. Outputs are kept column by column, so the threads of a warp
write neighbouring bytes. Random play works on a copy of the record in the thread's own memory, which the hardware
interleaves among the threads in the same way. And a warp whose threads do different things does them one after the
other, so a lane whose game is over waits until several can begin a new one together.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import cuda
from numba.cuda.cudadrv.devicearray import DeviceNDArray
from numba.cuda.cudadrv.driver import device_memset

from fogline.batch.lanes import (
    LANE,
    Lanes,
    Outputs,
    begin_game,
    end_game,
    play_action,
    sample_action,
    step_lane,
    write_outputs,
)
from fogline.compiler.kernels import as_int, kernel
from fogline.knowledge.card_counter import COUNT
from fogline.maps.board import Board
from fogline.rules.state import OVER, game_dtype

WARP = 0xFFFFFFFF
"""The threads of a warp."""

TOGETHER = 8
"""Lanes of a warp that begin new games together: fewer would begin too often, more would wait too long."""

THREADS = {"begin": 64, "step": 64, "sample": 64, "random": 256, "write": 64}
"""Threads in a block."""

_WORD = np.dtype(np.uint64)


class NoGpu(RuntimeError):
    """There is no GPU to play on, or something that it needs is missing."""


class CudaDevice:
    """Arrays lie on the GPU, each column in one piece."""

    name = "cuda"

    def __init__(self, board: Board) -> None:
        check_gpu()
        self.board = board
        self.stream: Any = 0
        self._tables = cuda.to_device(np.array(board.tables))
        self._no_counters = cuda.device_array(1, np.uint8)

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        array = cuda.device_array(shape, dtype, order="F")
        if array.nbytes:
            device_memset(array, 0, array.nbytes)
        return array

    def to_host(self, array: Any) -> np.ndarray:
        # Only the caller's arrays are taken as they are: on the way, records would lose the names of their fields.
        own = array if isinstance(array, DeviceNDArray) else cuda.as_cuda_array(array)
        return own.copy_to_host()  # type: ignore[no-any-return]

    def fill(self, array: Any, values: np.ndarray) -> None:
        array.copy_to_device(values)

    def take(self, array: Any) -> Any:
        """The caller's array on the GPU, without a copy; one that lies on the host is copied."""
        if hasattr(array, "__cuda_array_interface__"):
            return cuda.as_cuda_array(array)
        return cuda.to_device(np.ascontiguousarray(array))

    def begin(self, kept: Lanes, players: int, stride: int) -> None:
        self._launch("begin", kept, kept.games, players, np.uint64(stride))

    def step(self, kept: Lanes, stride: int, actions: Any, outputs: Outputs) -> None:
        self._launch("step", kept, kept.games, np.uint64(stride), actions, *outputs)

    def sample(self, kept: Lanes, actions: Any) -> None:
        self._launch("sample", kept, kept.games, actions)

    def random(self, kept: Lanes, stride: int, steps: int) -> None:
        self._launch("random", kept, _as_words(kept.games), np.uint64(stride), steps)

    def write(self, kept: Lanes, outputs: Outputs) -> None:
        self._launch("write", kept, kept.games, *outputs)

    def _launch(self, name: str, kept: Lanes, games: Any, *arguments: Any) -> None:
        counted = kept.counters is not None
        counters = kept.counters if counted else self._no_counters
        self.launch(kernels(self.board, counted)[name], THREADS[name], games, counters, kept.lanes, *arguments)

    def launch(self, kernel: Any, threads: int, games: Any, *arguments: Any) -> None:
        """Starts a kernel on the batch's stream: a thread for each game, `threads` in a block."""
        blocks = -(-games.shape[0] // threads)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*Grid size")  # a small batch does not fill the GPU
            launch = kernel[blocks, threads, self.stream]
        launch(self._tables, games, *arguments)


def check_gpu() -> None:
    """Raises if something is missing."""
    advice = 'it needs an NVIDIA GPU with its driver, and pip install "fogline[gpu]"; device="cpu" does the same'
    try:
        found = cuda.is_available()
    except Exception as error:  # whatever the driver's libraries raise
        raise NoGpu(f'device="cuda" cannot be used here ({error}): {advice}') from error
    if not found:
        raise NoGpu(f'device="cuda" finds no GPU: {advice}')


def _as_words(games: Any) -> Any:
    """The same memory, as rows of 64-bit words."""
    words = games.dtype.itemsize // _WORD.itemsize
    strides = (games.dtype.itemsize, _WORD.itemsize)
    return DeviceNDArray((games.shape[0], words), strides, _WORD, gpu_data=games.gpu_data)


@cache
def kernels(board: Board, counted: bool) -> dict[str, Any]:
    """The kernels of a batch, with or without card counting."""
    counter_at = _counter if counted else _no_counter
    return {
        "begin": _begin_kernel(counter_at),
        "step": _step_kernel(counter_at),
        "sample": _sample_kernel,
        "random": _random_kernel(counter_at, game_dtype(board)),
        "write": _write_kernel(counter_at),
    }


@kernel
def _counter(counters: Any, number: int) -> Any:
    return counters[number]


@kernel
def _no_counter(counters: Any, number: int) -> Any:
    return None


def _begin_kernel(counter_at: Callable[[Any, int], Any]) -> Any:
    @cuda.jit
    def begin(board: Any, games: Any, counters: Any, lanes: Any, players: int, stride: Any) -> None:
        number = cuda.grid(1)
        if number < games.shape[0]:
            begin_game(board[0], games[number], counter_at(counters, number), lanes[number], players, stride)

    return begin


def _step_kernel(counter_at: Callable[[Any, int], Any]) -> Any:
    @cuda.jit
    def step(
        board: Any,
        games: Any,
        counters: Any,
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
            game, counter, action = games[number], counter_at(counters, number), as_int(actions[number])
            step_lane(board[0], game, counter, lanes[number], count[0], stride, action, outputs, number)

    return step


def _write_kernel(counter_at: Callable[[Any, int], Any]) -> Any:
    @cuda.jit
    def write(
        board: Any,
        games: Any,
        counters: Any,
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
            write_outputs(board[0], games[number], counter_at(counters, number), count[0], outputs, number)

    return write


@cuda.jit
def _sample_kernel(board: Any, games: Any, counters: Any, lanes: Any, actions: Any) -> None:
    number = cuda.grid(1)
    if number < games.shape[0]:
        actions[number] = sample_action(board[0], games[number], lanes[number])


def _random_kernel(counter_at: Callable[[Any, int], Any], layout: np.dtype) -> Any:
    words = layout.itemsize // _WORD.itemsize

    @cuda.jit
    def random(board: Any, games: Any, counters: Any, lanes: Any, stride: Any, steps: int) -> None:
        own = cuda.local.array(words, np.uint64)
        inside = cuda.grid(1) < games.shape[0]
        number = min(cuda.grid(1), games.shape[0] - 1)  # no thread leaves: its warp votes
        own_lane = cuda.local.array(1, LANE)
        for word in range(words):
            own[word] = games[number, word]
        own_lane[0] = lanes[number]
        game, counter, lane = own.view(layout)[0], counter_at(counters, number), own_lane[0]
        left, over = steps if inside else 0, False
        while cuda.any_sync(WARP, left > 0 or over):
            if left > 0 and not over:
                play_action(board[0], game, counter, sample_action(board[0], game, lane))
                left, over = left - 1, game.phase == OVER
            waiting = cuda.popc(cuda.ballot_sync(WARP, over))
            playing = cuda.any_sync(WARP, left > 0 and not over)
            if over and (waiting >= TOGETHER or not playing):
                end_game(board[0], game, counter, lane, stride)
                over = False
        if inside:
            lanes[number] = lane
            for word in range(words):
                games[number, word] = own[word]

    return random
