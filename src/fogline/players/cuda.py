"""Compiled players on an NVIDIA GPU: a thread for each lane, which calls the very function that runs on the CPU.

A sight and a plan lie in the thread's own memory, which the hardware interleaves among the threads: those of a warp go
through the routes side by side, and so they read neighbouring bytes. The driver sets that memory aside once, when the
kernel is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import cuda
from numba.cuda import libdevice
from numba.extending import overload

from fogline.board import Board
from fogline.players.opponents import choose_action
from fogline.players.planning import plan_dtype, times
from fogline.sight import sight_dtype

THREADS = 64
"""In a block."""

_WORD = np.dtype(np.uint64)


@overload(times, target="cuda")
def _rounded_times(one: float, other: float) -> Callable[..., float]:
    """Of a plain product and a sum NVIDIA's compiler makes one operation, which rounds once where a CPU rounds twice.

    It has an option against that, but Numba does not hand it on: `fastmath=False` changes nothing.
    """

    def product(one: float, other: float) -> float:
        return libdevice.dmul_rn(float(one), float(other))  # type: ignore[no-any-return]

    return product


@cache
def choose_kernel(board: Board) -> Any:
    """One kernel for all policies: which of them it is, is the same for all threads, and costs nothing to ask."""
    sights, plans = sight_dtype(board), plan_dtype(board)
    sight_words, plan_words = sights.itemsize // _WORD.itemsize, plans.itemsize // _WORD.itemsize

    @cuda.jit
    def choose(board: Any, games: Any, lanes: Any, policy: int, actions: Any, mask: Any) -> None:
        number = cuda.grid(1)
        if number < games.shape[0] and mask[number]:
            # Made of words, because what is made of records need not begin where a word does.
            sight = cuda.local.array(sight_words, np.uint64).view(sights)[0]
            plan = cuda.local.array(plan_words, np.uint64).view(plans)[0]
            actions[number] = choose_action(board[0], games[number], lanes[number], sight, plan, policy)

    return choose
