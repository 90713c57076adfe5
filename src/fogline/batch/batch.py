"""A batch: many games at once, side by side."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fogline.batch.cpu import CpuDevice
from fogline.batch.histories import Histories
from fogline.batch.lanes import LANE, Lanes, Outputs
from fogline.compiler.progress import Announcer
from fogline.game.actions import board_actions
from fogline.game.game import Game, check_players, check_seed
from fogline.game.integers import Integer, as_integer
from fogline.game.position import Position
from fogline.game.refusals import IllegalAction, refuse
from fogline.knowledge.card_counter import COUNTER
from fogline.knowledge.observation import observation_length
from fogline.maps.board import Board
from fogline.rules.state import game_dtype

DEVICES = ("cpu", "cuda")


class Device(Protocol):
    """The device of a batch: it makes the arrays and plays the lanes."""

    name: str

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Any:
        """A new array of zeros on the device."""

    def to_host(self, array: Any) -> np.ndarray:
        """The array in NumPy."""

    def fill(self, array: Any, values: np.ndarray) -> None:
        """Copies NumPy values into an array on the device."""

    def take(self, array: Any) -> Any:
        """The caller's array, in the form that the device needs."""

    def begin(self, kept: Lanes, players: int, stride: int) -> None:
        """Begins the next game of every lane."""

    def step(self, kept: Lanes, stride: int, actions: Any, outputs: Outputs) -> None:
        """Plays one action in every lane and writes the outputs."""

    def sample(self, kept: Lanes, actions: Any) -> None:
        """Writes a random legal action for every lane."""

    def random(self, kept: Lanes, stride: int, steps: int) -> None:
        """Plays random steps in every lane."""

    def write(self, kept: Lanes, outputs: Outputs) -> None:
        """Writes the outputs without playing."""


class Batch:
    """Many games at once: when one ends, the next begins in its lane.

    What a step tells stands in arrays with a row for each lane, which every step writes anew in place: `masks`,
    `observations`, `rewards`, `scores`, `dones`, `seats` and `refused`. With `device="cuda"` they lie on the GPU, and
    torch and CuPy take them as they are, without a copy; nothing else differs, not one byte.

    The first batch on a map compiles the rules for it, which takes a while and stands in the log as a warning.

    >>> batch = Batch(players=2, games=4, seed=7)
    >>> batch.step([int(mask.argmax()) for mask in batch.masks])
    >>> batch.seats.tolist()
    [1, 1, 1, 1]
    """

    masks: NDArray[np.bool_]  # [lane, action]: whether it is legal
    observations: NDArray[np.uint8]  # [lane, number]: see `fogline.knowledge.observation`
    rewards: NDArray[np.float32]  # [lane, seat]: 1 for a sole winner, at the end of a game
    scores: NDArray[np.int16]  # [lane, seat]: of the last game that ended
    dones: NDArray[np.bool_]  # [lane]: whether a game has just ended; the next has begun
    seats: NDArray[np.uint8]  # [lane]: the seat that decides next
    refused: NDArray[np.bool_]  # [lane]: whether the action was illegal and changed nothing

    def __init__(
        self,
        board: Board | str = "san_francisco",
        players: Integer = 2,
        games: Integer = 1024,
        *,
        device: str = "cpu",
        seed: Integer = 0,
        observe: bool = True,
        remember: bool = False,
        strict: bool | None = None,
        cores: int | None = None,
    ) -> None:
        """`observe=False` keeps no observations, which saves their time and a third of the memory.

        `remember=True` keeps the actions of each lane, for `game` and `last_game`.

        A `strict` batch raises `IllegalAction` when an action is refused; one that is not marks it in `refused`. A
        batch on the CPU is strict by default. One on a GPU is not, because the check costs a copy.
        """
        players, games = check_players(players), _at_least_1(games, "games: a batch has at least 1, not")
        self.board = board if isinstance(board, Board) else Board.load(board)
        self.players, self.games = check_players(players, self.board), games
        self.announcer = Announcer()
        self.device = _device(device, self.board, cores)
        self.strict = device == "cpu" if strict is None else strict
        zeros = self.device.zeros
        self.kept = Lanes(
            zeros((games,), game_dtype(self.board)),
            zeros((games,), COUNTER) if observe else None,
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
        for name, array in self.outputs._asdict().items():
            setattr(self, name, array)
        self._sampled = zeros((games,), np.int64)
        self._histories = Histories(self.board, players, games) if remember else None
        self.reset(seed)

    @property
    def actions(self) -> int:
        """The number of actions, legal or not."""
        return int(self.outputs.masks.shape[1])

    def reset(self, seed: Integer = 0) -> None:
        """Begins all games anew: lane n plays the games with the seeds `seed + n`, `seed + n + games` and so on."""
        lanes = np.zeros(self.games, LANE)
        lanes["seed"] = np.uint64(check_seed(seed)) + np.arange(self.games, dtype=np.uint64)
        self.device.fill(self.kept.lanes, lanes)
        with self.announcer.call("reset"):
            self.device.begin(self.kept, self.players, self.games)
            self.device.write(self.kept, self.outputs)
        if self._histories is not None:
            self._histories.begin(lanes["seed"])

    def step(self, actions: Any) -> None:
        """Carries out one action in each game, by its number: an array with one for each lane, on the batch's own
        device.
        """
        taken = self.device.take(actions)
        if taken.shape != (self.games,) or taken.dtype.kind not in "iu":
            raise ValueError(
                f"actions: {self.games} whole numbers are needed, not {taken.dtype} in the shape {tuple(taken.shape)}"
            )
        with self.announcer.call(f"step {taken.dtype}"):
            self.device.step(self.kept, self.games, taken, self.outputs)
        if self._histories is not None:
            self._histories.add(*map(self.device.to_host, (taken, self.outputs.refused, self.outputs.dones)))
        if self.strict:
            self.check(taken)

    def sample(self) -> Any:
        """A legal action for each lane, all equally likely, by the lane's own generator; overwritten next time."""
        with self.announcer.call("sample"):
            self.device.sample(self.kept, self._sampled)
        return self._sampled

    def random_steps(self, steps: Integer = 1) -> None:
        """Plays this many random steps in each game, each choice uniform among the legal actions.

        `rewards`, `scores` and `dones` do not report them; `finished` does.
        """
        count = _at_least_1(steps, "steps: at least 1, not")
        if self._histories is None:
            self.play_blind(count)
            self.device.write(self.kept, self.outputs)
        else:
            for _ in range(count):
                self.step(self.sample())

    def play_blind(self, steps: int) -> None:
        """Plays without writing `masks`, `observations` and `seats`. For measuring."""
        if self._histories is not None:
            raise ValueError("what is played blind cannot be remembered")
        with self.announcer.call("random"):
            self.device.random(self.kept, self.games, steps)

    def check(self, actions: Any) -> None:
        """Raises `IllegalAction` for the first lane whose last action was refused, if there is one."""
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
        """The number of games played to their end since the last reset, in all lanes."""
        return int(self.device.to_host(self.kept.lanes)["finished"].sum())

    def position(self, lane: Integer) -> Position:
        """A copy of one game, secrets included."""
        number, position = self._lane(lane), Position(self.board)
        position.restore(self.device.to_host(self.kept.games[number : number + 1]).tobytes())
        return position

    def game(self, lane: Integer) -> Game:
        """The lane's game so far, with its events, secrets included. Needs `remember=True`."""
        return self._remembered().game(self._lane(lane))

    def last_game(self, lane: Integer) -> Game | None:
        """The last game that ended in a lane, or None. Needs `remember=True`."""
        return self._remembered().last_game(self._lane(lane))

    def _lane(self, lane: Integer) -> int:
        number = as_integer(lane)
        if number is None or not 0 <= number < self.games:
            raise ValueError(f"lane: 0 to {self.games - 1}, not {lane!r}")
        return number

    def _remembered(self) -> Histories:
        if self._histories is None:
            raise ValueError("this batch does not remember what was played: make it with remember=True")
        return self._histories


def _at_least_1(value: Integer, complaint: str) -> int:
    number = as_integer(value)
    if number is None or number < 1:
        raise ValueError(f"{complaint} {value!r}")
    return number


def _device(name: str, board: Board, cores: int | None) -> Any:
    if name == "cpu":
        return CpuDevice(board, cores=cores)
    if name == "cuda":
        from fogline.batch.cuda import CudaDevice  # noqa: PLC0415  (needs a GPU)

        return CudaDevice(board)
    raise ValueError(f"device: one of {', '.join(DEVICES)}, not {name!r}")
