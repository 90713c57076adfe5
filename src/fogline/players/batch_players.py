"""A compiled player in lanes of a batch, on the batch's own device: nothing is copied to the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.batch import Batch
from fogline.compiler.kernels import entry_point
from fogline.knowledge.seat_state import new_seat_states
from fogline.players.scripted.compiled_player import POLICIES
from fogline.players.scripted.opponents import choose_action
from fogline.players.scripted.plan import new_plans


class BatchPlayers:
    """One of the compiled players, `planner` say, that decides in any lanes of a batch.

    >>> batch = Batch(players=3, games=4, seed=7)
    >>> actions = batch.masks.argmax(axis=1)
    >>> BatchPlayers(batch, "planner").choose(actions, batch.seats == 0)
    >>> batch.step(actions)
    """

    def __init__(self, batch: Batch, player: str) -> None:
        if player not in POLICIES:
            raise ValueError(f"player: one of {', '.join(POLICIES)}, which are compiled, not {player!r}")
        self.batch, self.policy = batch, POLICIES[player]

    def choose(self, actions: Any, mask: Any) -> None:
        """Writes the player's choice into `actions`, by its number, in every lane where `mask` is true.

        Both are arrays on the batch's own device, and the other lanes stay as they are. Each choice is legal, comes
        from what the deciding seat may know, and moves the lane's own generator on. On a GPU this is one kernel on the
        batch's stream, and a CUDA graph can record it once it has been called before, which compiles it.
        """
        taken, lanes = self._take("actions", actions, "iu"), self._take("mask", mask, "b")
        if self.batch.device.name == "cuda":
            self._choose_on_gpu(taken, lanes)
        else:
            self._choose_on_cores(taken, lanes)

    def _take(self, name: str, array: Any, kinds: str) -> Any:
        """The caller's array itself: writing to a copy would be lost."""
        on_gpu = self.batch.device.name == "cuda"
        if not hasattr(array, "__cuda_array_interface__" if on_gpu else "__array__"):
            raise ValueError(f"{name}: an array on the batch's device is needed, not {type(array).__name__}")
        taken = self.batch.device.take(array) if on_gpu else np.asarray(array)
        if taken.shape != (self.batch.games,) or taken.dtype.kind not in kinds:
            wanted = "truth values" if kinds == "b" else "whole numbers"
            raise ValueError(
                f"{name}: {self.batch.games} {wanted} are needed, not {taken.dtype} in the shape {tuple(taken.shape)}"
            )
        return taken

    def _choose_on_cores(self, actions: np.ndarray, mask: np.ndarray) -> None:
        board, kept = self.batch.board, self.batch.kept

        def work(part: tuple[int, int]) -> None:
            scratch = new_seat_states(board, 1), new_plans(board, 1)
            choose_actions(board.tables, kept.games, kept.lanes, *scratch, self.policy, actions, mask, part)

        self.batch.device.spread(kept, work)

    def _choose_on_gpu(self, actions: Any, mask: Any) -> None:
        from fogline.players.scripted.cuda import THREADS, choose_kernel  # noqa: PLC0415  (needs a GPU)

        kernel, kept = choose_kernel(self.batch.board), self.batch.kept
        self.batch.device.launch(kernel, THREADS, kept.games, kept.lanes, self.policy, actions, mask)


@entry_point
def choose_actions(
    board: Any, games: Any, lanes: Any, seat_state: Any, plan: Any, policy: int, actions: Any, mask: Any, part: Any
) -> None:
    """Writes a policy's choices for a part of the lanes."""
    for number in range(part[0], part[1]):
        if mask[number]:
            actions[number] = choose_action(board[0], games[number], lanes[number], seat_state[0], plan[0], policy)
