"""One game as an AEC environment of PettingZoo.

>>> environment = env(players=2)
>>> environment.reset(seed=7)
>>> for agent in environment.agent_iter():
...     observation, reward, termination, truncation, info = environment.last()
...     legal = observation["action_mask"].nonzero()[0]
...     environment.step(None if termination else int(legal[-1]))
>>> environment.agents
[]
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

try:
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise ImportError('fogline.envs.pettingzoo needs PettingZoo: pip install "fogline[rl]"') from error

from fogline.envs.render import RENDER_MODES, check_render_mode, render
from fogline.envs.seats import Observer, legal_mask, rewards
from fogline.game.actions import ActionError, board_actions
from fogline.game.game import Game, check_players, check_seed
from fogline.game.integers import Integer
from fogline.knowledge.observation import features
from fogline.maps.board import Board

Observation = dict[str, np.ndarray]


class FoglineEnv(AECEnv[str, Observation, "int | None"]):  # type: ignore[misc]
    """A game in which `player_0` to `player_3` decide one after the other, each with what its seat may know.

    An observation holds "observation", the bytes of `fogline.knowledge.observation`, and "action_mask", which stands in
    the agent's info as well. Any agent can be observed at any time: one that waits sees the table as it would if it had
    to decide now, and its mask is all 0. An illegal action raises `IllegalAction`, which names the rule, and changes
    nothing. Rewards come at the end: 1 for who has won alone, and 0 in all.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "fogline_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self, map: Board | str = "san_francisco", *, players: Integer = 2, render_mode: str | None = None
    ) -> None:
        """`map` is a built-in map's name, the path of a map file, or a `Board`."""
        super().__init__()
        players = check_players(players)
        check_render_mode(render_mode)
        self.board = map if isinstance(map, Board) else Board.load(map)
        check_players(players, self.board)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.action_spaces = {agent: Discrete(len(board_actions(self.board))) for agent in self.possible_agents}
        self.observation_spaces = {agent: _space(self.board, players) for agent in self.possible_agents}
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of one agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        """The numbers of all actions."""
        return self.action_spaces[agent]

    def reset(self, seed: Integer | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new game: `Game(seed=seed)`, or without a seed one that follows from the last seed given.

        There are no options.
        """
        if seed is not None:
            seed = check_seed(seed)
            self._seeds = np.random.default_rng(seed)
        dealt = self._seeds.integers(2**64, dtype=np.uint64) if seed is None else seed
        self.game = Game(self.board, players=len(self.possible_agents), seed=int(dealt))
        self._observer = Observer(self.game)
        self.agents = list(self.possible_agents)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._tell()

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Carries out an action of the agent that must decide, by its number; None once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = self._number(action)
        self.game.play(number)
        self._observer.play(number)
        self._cumulative_rewards[agent] = 0.0
        self._tell()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What an agent may know now."""
        seat = self._seat(agent)
        return {"observation": self._observer.observe(seat), "action_mask": legal_mask(self.game, seat)}

    def render(self) -> str | np.ndarray | None:
        """The picture of the game, in the form of `render_mode`."""
        if self.render_mode is None:
            raise ValueError(f"render_mode: choose {', '.join(RENDER_MODES)} when you make the environment")
        return render(self.game, self.render_mode)

    def close(self) -> None:
        """Closes nothing: no resource is open."""

    # Inside.

    def _tell(self) -> None:
        """Sets what PettingZoo reads between two steps, from the game as it stands."""
        over = self.game.over
        self.agent_selection = self.agents[0 if over else self.game.seat]
        self.rewards = dict(zip(self.agents, rewards(self.game), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.infos = {agent: {"action_mask": legal_mask(self.game, seat)} for seat, agent in enumerate(self.agents)}
        if self.render_mode == "human":
            self.render()

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"agent: one of {', '.join(self.possible_agents)}, not {agent!r}")
        return self.possible_agents.index(agent)

    def _number(self, action: Any) -> int:
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            most = len(board_actions(self.board)) - 1
            raise ActionError(f"an action is a whole number from 0 to {most}, not {action!r}")
        return int(action)


raw_env = FoglineEnv


def env(
    map: Board | str = "san_francisco", *, players: Integer = 2, render_mode: str | None = None
) -> OrderEnforcingWrapper[str, Observation, int | None]:
    """The environment; an error says so when it is used before `reset`."""
    return OrderEnforcingWrapper(raw_env(map, players=players, render_mode=render_mode))


def _space(board: Board, players: int) -> Dict:
    parts = features(board, players)
    most = np.repeat([part.most for part in parts], [part.length for part in parts]).astype(np.uint8)
    mask = Box(0, 1, (len(board_actions(board)),), np.int8)
    return Dict({"observation": Box(np.zeros_like(most), most, dtype=np.uint8), "action_mask": mask})
