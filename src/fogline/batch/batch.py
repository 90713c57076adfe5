"""A batch: many games at once, one beside the other."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from fogline.actions import board_actions
from fogline.batch.cpu import CpuDevice
from fogline.batch.lanes import LANE, Lanes, Outputs
from fogline.board import Board
from fogline.game import check_players, check_seed
from fogline.observation import observation_length
from fogline.position import Position
from fogline.refusals import IllegalAction, refuse
from fogline.rules.state import game_dtype
from fogline.tally import TALLY

DEVICES = ("cpu", "cuda")


class Device(Protocol):
    """Where a batch lives: who makes its arrays, and who plays all its lanes."""

    name: str

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any: ...
    def to_host(self, array: Any) -> np.ndarray: ...
    def fill(self, array: Any, values: np.ndarray) -> None: ...
    def take(self, array: Any) -> Any: ...
    def begin(self, kept: Lanes, players: int, stride: int) -> None: ...
    def step(self, kept: Lanes, stride: int, actions: Any, outputs: Outputs) -> None: ...
    def sample(self, kept: Lanes, actions: Any) -> None: ...
    def random(self, kept: Lanes, stride: int, steps: int) -> None: ...
    def write(self, kept: Lanes, outputs: Outputs) -> None: ...


class Batch:
    """Many games at once: when one ends, the next begins in its lane.

    What a step tells stands in arrays with a row for each lane, which every step writes anew in place: `masks`,
    `observations`, `rewards`, `scores`, `dones`, `seats` and `refused`. With `device="cuda"` they lie on the GPU, and
    torch and CuPy take them as they are, without a copy; nothing else differs, not one byte.

    >>> batch = Batch(players=2, games=4, seed=7)
    >>> batch.step([int(mask.argmax()) for mask in batch.masks])
    >>> batch.seats.tolist()
    [1, 1, 1, 1]
    """

    def __init__(
        self,
        board: Board | str = "san_francisco",
        players: int = 2,
        games: int = 1024,
        *,
        device: str = "cpu",
        seed: int = 0,
        observe: bool = True,
        strict: bool | None = None,
        cores: int | None = None,
    ) -> None:
        """`observe=False` keeps no observations, which saves their time and a third of the memory.

        A `strict` batch raises `IllegalAction` when an action was refused; one that is not marks it in `refused`. On
        the CPU a batch is strict unless you say otherwise, on a GPU it is not, since to look costs a copy.
        """
        check_players(players)
        if type(games) is not int or games < 1:
            raise ValueError(f"games: a batch has at least 1, not {games!r}")
        self.board = board if isinstance(board, Board) else Board.load(board)
        self.players, self.games = players, games
        self.device = _device(device, self.board, cores)
        self.strict = device == "cpu" if strict is None else strict
        zeros = self.device.zeros
        self.kept = Lanes(
            zeros((games,), game_dtype(self.board)),
            zeros((games,), TALLY) if observe else None,
            zeros((games,), LANE),
        )
        numbers = observation_length(self.board, players) if observe else 0
        self.outputs = Outputs(
            masks=zeros((games, len(board_actions(self.board))), np.bool_),
            observations=zeros((games, numbers), np.uint8),
            rewards=zeros((games, players), np.float32),
            scores=zeros((games, players), np.int16),
            dones=zeros((games,), np.bool_),
            seats=zeros((games,), np.uint8),
            refused=zeros((games,), np.bool_),
        )
        self._sampled = zeros((games,), np.int64)
        self.reset(seed)

    def __getattr__(self, name: str) -> Any:
        if name in Outputs._fields:
            return getattr(self.outputs, name)
        raise AttributeError(name)

    @property
    def actions(self) -> int:
        """How many actions have a number."""
        return int(self.outputs.masks.shape[1])

    def reset(self, seed: int = 0) -> None:
        """Begins all games anew: lane n plays the games with the seeds `seed + n`, `seed + n + games` and so on."""
        check_seed(seed)
        lanes = np.zeros(self.games, LANE)
        lanes["seed"] = np.uint64(seed) + np.arange(self.games, dtype=np.uint64)
        self.device.fill(self.kept.lanes, lanes)
        self.device.begin(self.kept, self.players, self.games)
        self.device.write(self.kept, self.outputs)

    def step(self, actions: Any) -> None:
        """One action in each game, by its number: an array with one for each lane, on the batch's own device."""
        taken = self.device.take(actions)
        if taken.shape != (self.games,) or taken.dtype.kind not in "iu":
            raise ValueError(
                f"actions: {self.games} whole numbers are needed, not {taken.dtype} in the shape {tuple(taken.shape)}"
            )
        self.device.step(self.kept, self.games, taken, self.outputs)
        if self.strict:
            self.check(taken)

    def sample(self) -> Any:
        """A legal action for each lane, any with equal chance, by the lane's own generator; overwritten next time."""
        self.device.sample(self.kept, self._sampled)
        return self._sampled

    def random_steps(self, steps: int = 1) -> None:
        """So many steps of random play in each game, each choice uniform among the legal actions.

        `rewards`, `scores` and `dones` do not tell of them; `finished` does.
        """
        if type(steps) is not int or steps < 1:
            raise ValueError(f"steps: at least 1, not {steps!r}")
        self.play_blind(steps)
        self.device.write(self.kept, self.outputs)

    def play_blind(self, steps: int) -> None:
        """The same without looking: `masks`, `observations` and `seats` stay as they were. For measuring."""
        self.device.random(self.kept, self.games, steps)

    def check(self, actions: Any) -> None:
        """Raises `IllegalAction` for the first lane, if any, whose last action was refused."""
        refused = self.device.to_host(self.outputs.refused)
        if refused.any():
            lane = int(refused.argmax())
            self._refuse(lane, int(self.device.to_host(actions)[lane]))

    def _refuse(self, lane: int, number: int) -> None:
        actions = board_actions(self.board)
        if not 0 <= number < len(actions):
            raise ValueError(f"lane {lane}: there is no action {number}, only 0 to {len(actions) - 1}")
        error = IllegalAction(refuse(self.position(lane), actions[number]))
        error.add_note(f"lane {lane}: {actions[number]}; the lane has not changed, the others have")
        raise error

    def finished(self) -> int:
        """Games played to their end since the last reset, in all lanes."""
        return int(self.device.to_host(self.kept.lanes)["finished"].sum())

    def position(self, lane: int) -> Position:
        """A copy of one game, secrets and all."""
        position = Position(self.board)
        position.restore(self.device.to_host(self.kept.games[lane : lane + 1]).tobytes())
        return position


def _device(name: str, board: Board, cores: int | None) -> Any:
    if name == "cpu":
        return CpuDevice(board, cores=cores)
    if name == "cuda":
        from fogline.batch.cuda import CudaDevice  # noqa: PLC0415  (needs a GPU)

        return CudaDevice(board)
    raise ValueError(f"device: one of {', '.join(DEVICES)}, not {name!r}")
