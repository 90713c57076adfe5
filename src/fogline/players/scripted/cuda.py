"""Compiled players on an NVIDIA GPU: a thread for each lane, which calls the same function as the CPU.

A seat state and a plan lie in the thread's own memory, which the hardware interleaves among the threads. The threads of
a warp go through the routes side by side, so they read neighbouring bytes. The driver sets that memory aside once, when
the kernel is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import cuda
from numba.cuda import libdevice
from numba.extending import overload

from fogline.knowledge.seat_state import seat_state_dtype
from fogline.maps.board import Board
from fogline.players.scripted.opponents import choose_action
from fogline.players.scripted.plan import plan_dtype, times

THREADS = 64
"""Threads in a block."""

_WORD = np.dtype(np.uint64)


@overload(times, target="cuda")
def _rounded_times(one: float, other: float) -> Callable[..., float]:
    """A product and a sum that stay two operations: NVIDIA's compiler makes one of them, which rounds once, not twice.

    The compiler has an option against that, but Numba does not pass it on: `fastmath=False` changes nothing.
    """

    def product(one: float, other: float) -> float:
        return libdevice.dmul_rn(float(one), float(other))  # type: ignore[no-any-return]

    return product


@cache
def choose_kernel(board: Board) -> Any:
    """One kernel for all policies: the policy is the same for all threads, so asking which costs nothing."""
    seat_states, plans = seat_state_dtype(board), plan_dtype(board)
    state_words, plan_words = seat_states.itemsize // _WORD.itemsize, plans.itemsize // _WORD.itemsize

    @cuda.jit
    def choose(board: Any, games: Any, lanes: Any, policy: int, actions: Any, mask: Any) -> None:
        number = cuda.grid(1)
        if number < games.shape[0] and mask[number]:
            # Made of words, because arrays of records need not begin at a word.
            seat_state = cuda.local.array(state_words, np.uint64).view(seat_states)[0]
            plan = cuda.local.array(plan_words, np.uint64).view(plans)[0]
            actions[number] = choose_action(board[0], games[number], lanes[number], seat_state, plan, policy)

    return choose
