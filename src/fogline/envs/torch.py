"""A batch whose arrays are torch tensors: for learning without copies, on the CPU or on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.batch import Batch
from fogline.maps.board import Board
from fogline.players.batch_players import BatchPlayers

try:
    import torch
    from torch import Tensor
    from torch.distributions import Categorical
except ModuleNotFoundError as error:
    raise ImportError('fogline.envs.torch needs torch: pip install "fogline[torch]"') from error


class TorchBatch:
    """Many games at once, as tensors with a row for each game.

    The tensors share the memory of the batch: every step writes them anew, so keep a copy of what you still need
    (writing into a buffer of your own is one). An observation is the deciding seat's; `seats` says which. Nothing
    leaves the device, unless the batch is strict and looks for a refused action after each step.

    >>> batch = TorchBatch(games=4, seed=7)
    >>> actions = masked(torch.zeros(4, batch.actions), batch.masks).sample()
    >>> observations, rewards, dones = batch.step(actions)
    >>> observations.shape == (4, batch.numbers), rewards.tolist()[0], dones.tolist()[0], batch.seats.tolist()[0]
    (True, [0.0, 0.0], False, 1)
    """

    masks: Tensor  # (games, actions), bool: what is legal
    observations: Tensor  # (games, numbers), uint8: see `fogline.knowledge.observation`
    rewards: Tensor  # (games, players), float32: 1 for a sole winner, at the end of a game
    scores: Tensor  # (games, players), int16: of the last game that ended
    dones: Tensor  # (games,), bool: whether a game has just ended; the next has begun
    seats: Tensor  # (games,), uint8: the seat that decides next
    refused: Tensor  # (games,), bool: whether the action was illegal and changed nothing

    def __init__(
        self,
        board: Board | str = "san_francisco",
        players: int = 2,
        games: int = 1024,
        *,
        device: str = "cpu",
        seed: int = 0,
        strict: bool | None = None,
        cores: int | None = None,
    ) -> None:
        """As for a `Batch`; with `device="cuda"` the tensors lie on the GPU, each column in one piece."""
        self.batch = Batch(board, players, games, device=device, seed=seed, strict=strict, cores=cores)
        self.board, self.players, self.games = self.batch.board, players, games
        for name, array in self.batch.outputs._asdict().items():
            setattr(self, name, shared(array))
        self.device = self.masks.device
        self.actions, self.numbers = self.batch.actions, self.observations.shape[1]

    def reset(self, seed: int = 0) -> Tensor:
        """Begins all games anew, with consecutive seeds from this one on, and returns the observations."""
        self.batch.reset(seed)
        return self.observations

    def step(self, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Carries out one action in each game, integers on the batch's device: observations, rewards, dones."""
        if not isinstance(actions, Tensor) or actions.device != self.device:
            where = actions.device if isinstance(actions, Tensor) else type(actions).__name__
            raise ValueError(f"actions: a tensor on {self.device} is needed, not {where}")
        self._join_torch()
        self.batch.step(actions.detach())
        return self.observations, self.rewards, self.dones

    def choose(self, player: str, actions: Tensor, mask: Tensor) -> None:
        """Writes the choices of a compiled player such as `planner` into `actions`, in the lanes of `mask`."""
        self._join_torch()
        BatchPlayers(self.batch, player).choose(actions, mask)

    def _join_torch(self) -> None:
        if self.device.type == "cuda":  # on torch's own stream, so that a CUDA graph can record both
            self.batch.device.stream = _stream()


def _stream() -> Any:
    """Torch's current stream, in the form that the batch's kernels take."""
    from numba import cuda  # noqa: PLC0415  (needs a GPU)

    current = torch.cuda.current_stream().cuda_stream
    return cuda.external_stream(current) if current else 0


def shared(array: Any) -> Tensor:
    """The same memory as a tensor."""
    return torch.from_numpy(array) if isinstance(array, np.ndarray) else torch.as_tensor(array, device="cuda")


def masked(logits: Tensor, masks: Tensor) -> Categorical:
    """A distribution over the legal actions: others have probability 0, add no entropy and get no gradient."""
    # Not validated: checking all numbers would hold up a GPU at every step.
    return Categorical(logits=logits.masked_fill(~masks, -torch.inf), validate_args=False)
