"""Gymnasium: one learner against players of Fogline, in one game or in thousands at once.

`gymnasium.make("Fogline-v0")` is one game, `gymnasium.make_vec("Fogline-v0", num_envs=1024)` many, once this module is
imported. An observation is the array of `fogline.knowledge.observation`; `info["action_mask"]` says which actions are
legal, and with `observe_mask=True` the observation does, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np

from fogline.arena.entrant import Entrant
from fogline.batch import Batch
from fogline.envs.opponents import Chooser, Opponent, Tables, compiled_policies, parse_opponents
from fogline.envs.render import render
from fogline.game.actions import board_actions
from fogline.game.game import Game, check_seed
from fogline.game.integers import Integer, as_integer
from fogline.game.refusals import IllegalAction, refuse
from fogline.knowledge.card_counter import COUNT
from fogline.knowledge.observation import features
from fogline.knowledge.seat_state import new_seat_states
from fogline.maps.board import Board
from fogline.players.scripted.opponents import ASKED, BY_LOT, IN_TURN, WAITS, Around, Scratch, play_lanes, seat_learners
from fogline.players.scripted.plan import new_plans
from fogline.rules.state import new_games

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ImportError('fogline.envs.gymnasium needs gymnasium: pip install "fogline[rl]"') from error

SEATINGS = {"turn": IN_TURN, "random": BY_LOT}
RENDER_MODES = ["ansi", "svg", "rgb_array"]

Array = np.ndarray[Any, Any]

Observed = Any
"""An array, or with `observe_mask` a dict with "observation" and "action_mask"."""


class FoglineVectorEnv(VectorEnv[Observed, Array, Array]):
    """Many games at once, in each of which one seat is the learner's.

    A step is one decision of the learner, and everybody else's until its next. A game that has ended has begun anew in
    the same step, as `metadata["autoreset_mode"]` says: what the learner saw at its end is in `infos["final_obs"]`, and
    `infos["final_info"]` has the scores. The reward is 1 for a game that is won and less for one that is lost; those of
    all seats together are 0.

    >>> envs = FoglineVectorEnv(num_envs=3, opponents="racer")
    >>> observations, infos = envs.reset(seed=7)
    >>> actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> rewards.tolist(), terminations.tolist(), infos["refused"].tolist()
    ([0.0, 0.0, 0.0], [False, False, False], [False, False, False])
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": RENDER_MODES,
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: Integer = 1,
        *,
        map: Board | str = "san_francisco",
        players: Integer = 2,
        opponents: Opponent | Sequence[Opponent] = ("planner",),
        seat: Integer | str = "turn",
        observe_mask: bool = False,
        strict: bool = False,
        render_mode: str | None = None,
        cores: int | None = None,
    ) -> None:
        """`map` is a built-in map's name, the path of a map file, or a `Board`.

        `opponents`: one for each place after the learner, or one for all of them.

        Each is named as in the arena, or a function of observations and masks that returns actions, with a row for each
        game in which it must decide. Compiled players move without Python. `seat` is the learner's: a number, "turn"
        (each in turn, from game to game) or "random". An action that is not legal changes nothing, and
        `infos["refused"]` says so; a `strict` environment raises `IllegalAction`. With `observe_mask` an observation is
        a dict of "observation" and "action_mask", for whatever looks at observations alone.
        """
        self.batch = Batch(map, players, num_envs, strict=False, cores=cores)
        self.board, self.players, self.num_envs = self.batch.board, self.batch.players, self.batch.games
        players, num_envs = self.players, self.num_envs
        self.observe_mask = observe_mask
        self.strict, self.render_mode, self._begun = strict, _render_mode(render_mode), False
        self.opponents = parse_opponents(opponents, players)
        policies = compiled_policies(self.opponents)
        self.tables = Tables(self.board, players, self.opponents) if policies is None else None
        self._around = Around(
            policies=np.array([ASKED, *(policies or [ASKED] * (players - 1))], np.int64),
            seating=_seating(seat, players),
            learners=np.zeros(num_envs, np.int64),
            rewards=np.zeros(num_envs, np.float64),
            last_learners=np.zeros(num_envs, np.int64),
            last_observations=np.zeros_like(self.batch.observations),
            last_games=new_games(self.board, num_envs),
        )
        most = [feature.most for feature in features(self.board, players) for _ in range(feature.length)]
        table = spaces.Box(0, np.array(most, np.uint8), dtype=np.uint8)
        mask = spaces.Box(0, 1, (self.batch.actions,), np.int8)
        both = spaces.Dict({"observation": table, "action_mask": mask})
        self.single_observation_space = both if observe_mask else table
        self.single_action_space = spaces.Discrete(self.batch.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: Integer | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begins all games anew: with a seed, those of `Batch.reset`."""
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        if options:
            raise ValueError(f"options: there are none, not {', '.join(map(repr, options))}")
        self.batch.reset(int(self.np_random.integers(2**63)) if seed is None else seed)
        self.batch.dones[:], self._begun = False, True
        board, kept, around = self.board.tables, self.batch.kept, self._around
        with self.batch.announcer.call("seat"):
            self.batch.device.spread(kept, lambda part: seat_learners(board, kept, around, part))
        self._begin_tables(range(self.num_envs))
        self._play(np.full(self.num_envs, WAITS))
        self._ask_others()
        return self._observed(), self._infos(np.zeros(self.num_envs, np.bool_))

    def step(self, actions: Array) -> tuple[Observed, Array, Array, Array, dict[str, Any]]:
        """Carries out one decision of each learner, by the number of the action, and the opponents' until its next."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("no game has begun: reset first")
        taken = self._numbers(actions, self.num_envs)
        refused = ~_legal(self.batch.masks, taken)
        if self.strict and refused.any():
            self._refuse(int(refused.argmax()), int(taken[refused.argmax()]))
        self.batch.dones[:] = False
        self._around.rewards[:] = 0
        self._play(np.where(refused, WAITS, taken))
        self._ask_others()
        dones, none = self.batch.dones.copy(), np.zeros(self.num_envs, np.bool_)
        return self._observed(), self._around.rewards.copy(), dones, none, self._infos(refused)

    def action_masks(self) -> Array:
        """Which actions are legal in each game, as booleans."""
        masks: Array = self.batch.masks.copy()
        return masks

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each game, as a spectator sees it."""
        if self.render_mode is None:
            return None
        return tuple(render(self.pictured(lane), self.render_mode) for lane in range(self.num_envs))

    def pictured(self, lane: int, *, last: bool = False) -> Game:
        """One game as it stands, or the lane's last game at its end. It has no events."""
        game = Game(self.board, players=self.players, seed=0)
        records = self._around.last_games if last else self.batch.kept.games
        game.position.restore(records[lane : lane + 1].tobytes())
        return game

    # Inside.

    def _play(self, actions: Array) -> None:
        """Carries out actions, and the answers of compiled players."""
        board, batch, around = self.board, self.batch, self._around
        stride = np.uint64(self.num_envs)

        def work(part: tuple[int, int]) -> None:
            scratch = Scratch(new_seat_states(board, 1), new_plans(board, 1), np.zeros(1, COUNT))
            play_lanes(board.tables, batch.kept, scratch, stride, around, actions, batch.outputs, part)

        with batch.announcer.call("play"):
            batch.device.spread(batch.kept, work)
        if self.tables is not None:
            self._follow(self.tables, actions)

    def _follow(self, tables: Tables, actions: Array) -> None:
        for lane in np.flatnonzero(actions != WAITS).tolist():
            tables.games[lane].play(int(actions[lane]))
        self._begin_tables(lane for lane, game in tables.games.items() if game.over)

    def _begin_tables(self, lanes: Iterable[int]) -> None:
        if self.tables is not None:
            for lane in list(lanes):
                seed = self.batch.kept.lanes["seed"][lane] - np.uint64(self.num_envs)  # a lane has that of the next
                self.tables.begin(lane, int(seed), int(self._around.learners[lane]))

    def _ask_others(self) -> None:
        """Plays until every learner must decide."""
        while True:
            places = (self.batch.seats - self._around.learners) % self.players
            if not places.any():
                return
            actions = np.full(self.num_envs, WAITS)
            for place, opponent in enumerate(self.opponents, 1):
                lanes = np.flatnonzero(places == place)
                if len(lanes):
                    actions[lanes] = self._ask(opponent, lanes)
            self._play(actions)

    def _ask(self, opponent: Entrant | Chooser, lanes: Array) -> Array:
        if isinstance(opponent, Entrant):
            assert self.tables is not None, "compiled players move by themselves"
            return np.array([self.tables.choose(lane) for lane in lanes.tolist()])
        masks = self.batch.masks[lanes]
        numbers = self._numbers(opponent(self.batch.observations[lanes], masks.copy()), len(lanes))
        wrong = ~_legal(masks, numbers)
        if wrong.any():
            self._refuse(int(lanes[wrong.argmax()]), int(numbers[wrong.argmax()]))
        return numbers

    def _numbers(self, actions: Any, count: int) -> Array:
        numbers = np.asarray(actions)
        if numbers.shape != (count,) or numbers.dtype.kind not in "iu":
            raise ValueError(
                f"actions: {count} whole numbers are needed, not {numbers.dtype} in the shape {numbers.shape}"
            )
        return numbers.astype(np.int64)

    def _refuse(self, lane: int, number: int) -> None:
        actions = board_actions(self.board)
        if not 0 <= number < len(actions):
            raise ValueError(f"actions: in game {lane}, there is no action {number}, only 0 to {len(actions) - 1}")
        error = IllegalAction(refuse(self.batch.position(lane), actions[number]))
        error.add_note(f"game {lane}: {actions[number]}; nothing has changed")
        raise error

    def _observed(self) -> Observed:
        seen = self.batch.observations.copy()
        return {"observation": seen, "action_mask": self.batch.masks.astype(np.int8)} if self.observe_mask else seen

    def _observed_last(self, lane: int) -> Observed:
        """What the learner saw at the end of the lane's last game, when no decision was left."""
        seen = self._around.last_observations[lane].copy()
        none = np.zeros(self.batch.actions, np.int8)
        return {"observation": seen, "action_mask": none} if self.observe_mask else seen

    def _infos(self, refused: Array) -> dict[str, Any]:
        """Arrays with an entry for each game, and a mask that says which entries exist, as Gymnasium defines it."""
        everywhere, ended = np.ones(self.num_envs, np.bool_), self.batch.dones.copy()
        found = {
            "action_mask": self.batch.masks.astype(np.int8),
            "seat": self._around.learners.copy(),
            "refused": refused,
        }
        infos: dict[str, Any] = found | {f"_{name}": everywhere.copy() for name in found}
        if ended.any():
            infos |= {"final_obs": np.full(self.num_envs, None, object), "_final_obs": ended}
            for lane in np.flatnonzero(ended).tolist():
                infos["final_obs"][lane] = self._observed_last(lane)
            final = {"seat": self._around.last_learners.copy(), "scores": self.batch.scores.copy()}
            infos |= {"final_info": final | {f"_{name}": ended.copy() for name in final}, "_final_info": ended.copy()}
        return infos


class FoglineEnv(gymnasium.Env[Observed, int]):
    """One game, in which one seat is the learner's. For many, `FoglineVectorEnv` is a hundred times as fast.

    >>> env = gymnasium.make("Fogline-v0", opponents=("racer",), seat=0)
    >>> observation, info = env.reset(seed=7)
    >>> action = env.action_space.sample(mask=info["action_mask"])
    >>> observation, reward, terminated, truncated, info = env.step(action)
    >>> reward, terminated, truncated, info["refused"]
    (0.0, False, False, False)
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 2}  # type: ignore[misc]

    def __init__(self, *, render_mode: str | None = None, **settings: Any) -> None:
        """The `settings` are those of `FoglineVectorEnv`."""
        self.envs = FoglineVectorEnv(1, **settings)
        self.render_mode = _render_mode(render_mode)
        self.observation_space, self.action_space = self.envs.single_observation_space, self.envs.single_action_space
        self._over = False

    def reset(
        self, *, seed: Integer | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begins a game: with a seed, that of `Game(seed=seed)`."""
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        observations, infos = self.envs.reset(
            seed=int(self.np_random.integers(2**63)) if seed is None else seed, options=options
        )
        self._over = False
        return _first(observations), self._info(infos)

    def step(self, action: int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Carries out one decision of the learner, and the opponents' until its next."""
        if self._over:
            raise gymnasium.error.ResetNeeded("the game is over: reset first")
        observations, rewards, dones, _, infos = self.envs.step(np.array([action]))
        self._over = bool(dones[0])
        observation = infos["final_obs"][0] if self._over else _first(observations)
        return observation, float(rewards[0]), self._over, False, self._info(infos)

    def action_masks(self) -> Array:
        """The legal actions as booleans, where sb3-contrib looks for them."""
        mask: Array = self.envs.batch.masks[0] & np.bool_(not self._over)
        return mask

    def render(self) -> Any:
        """A picture of the game as a spectator sees it."""
        if self.render_mode is None:
            return None
        return render(self.envs.pictured(0, last=self._over), self.render_mode)

    def _info(self, infos: dict[str, Any]) -> dict[str, Any]:
        told = infos["final_info"] if self._over else infos
        info = {
            "action_mask": self.action_masks().astype(np.int8),
            "seat": int(told["seat"][0]),
            "refused": bool(infos["refused"][0]),
        }
        return info | {"scores": told["scores"][0].tolist()} if self._over else info


def _first(observations: Observed) -> Observed:
    """The observation of the first game."""
    if isinstance(observations, dict):
        return {name: part[0] for name, part in observations.items()}
    return observations[0]


def _legal(masks: Array, numbers: Array) -> Array:
    known = (numbers >= 0) & (numbers < masks.shape[1])
    found: Array = known & masks[np.arange(len(numbers)), np.where(known, numbers, 0)]
    return found


def _seating(seat: Integer | str, players: int) -> int:
    number = as_integer(seat)
    if number is not None and 0 <= number < players:
        return number
    if isinstance(seat, str) and seat in SEATINGS:
        return SEATINGS[seat]
    raise ValueError(f"seat: 0 to {players - 1}, turn or random, not {seat!r}")


def _render_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode: one of {', '.join(RENDER_MODES)}, not {mode!r}")
    return mode


gymnasium.register(
    "Fogline-v0", entry_point=f"{__name__}:FoglineEnv", vector_entry_point=f"{__name__}:FoglineVectorEnv"
)
