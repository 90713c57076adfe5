"""The game for OpenSpiel, in which chance is a player: importing this module registers `python_fogline`.

>>> import pyspiel
>>> game = pyspiel.load_game("python_fogline(players=3,map=tiny)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), state.action_to_string(state.legal_actions()[0])
(True, 'blue')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError as error:
    raise ImportError('fogline.envs.openspiel needs OpenSpiel: pip install "fogline[rl]"') from error

from fogline.envs.bounds import most_actions, most_chances, most_words
from fogline.envs.dealer import FIRST_TICKET, Dealer, outcome_text
from fogline.envs.memory import memory, memory_text, vocabulary
from fogline.envs.seats import rewards
from fogline.game.actions import board_actions
from fogline.game.game import check_players
from fogline.knowledge.observation import features, split
from fogline.maps.board import Board

NAME = "python_fogline"

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Fogline",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"players": 2, "map": "san_francisco"},
)


class FoglineGame(pyspiel.Game):  # type: ignore[misc]
    """The parameters are `players` and `map`: a built-in map's name, or the path of a map file."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = GAME_TYPE.parameter_specification | (params or {})
        check_players(chosen["players"])
        board = Board.load(chosen["map"])
        check_players(chosen["players"], board)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(board_actions(board)),
            max_chance_outcomes=FIRST_TICKET + len(board.tickets),
            num_players=chosen["players"],
            min_utility=-1.0 / (chosen["players"] - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=most_actions(board, chosen["players"]),
        )
        super().__init__(GAME_TYPE, info, params or {})
        self.board, self.players = board, chosen["players"]

    def new_initial_state(self) -> FoglineState:
        """A game before the deal, which chance begins."""
        return FoglineState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The most cards and tickets that chance brings in a game."""
        return most_chances(self.board, self.players)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """The observation of `fogline.knowledge.observation`, or with perfect recall the memory. No other kind."""
        if params:
            raise ValueError(f"params: an observer has none, not {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return MemoryObserver(self) if kind.perfect_recall else TableObserver(self)


class FoglineState(pyspiel.State):  # type: ignore[misc]
    """A game as it stands; while chance decides, as it stood before."""

    def __init__(self, game: FoglineGame) -> None:
        super().__init__(game)
        self.dealer = Dealer(game.board, game.players)

    def current_player(self) -> int:
        """The deciding seat, or OpenSpiel's number for chance or for the end."""
        if self.dealer.outcomes:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.dealer.dealt.over else self.dealer.dealt.seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.dealer.dealt.legal_numbers() if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring next, each with its probability."""
        return self.dealer.outcomes

    def _apply_action(self, action: int) -> None:
        if self.dealer.outcomes:
            self.dealer.deal(action)
        else:
            self.dealer.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return outcome_text(self.dealer.board, action)
        return str(board_actions(self.dealer.board)[action])

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return not self.dealer.outcomes and self.dealer.dealt.over

    def returns(self) -> list[float]:
        """The reward of each seat; all 0 before the end."""
        return [0.0] * self.dealer.players if self.dealer.game is None else rewards(self.dealer.game)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> FoglineState:
        """A state that agrees with everything the player has seen, as likely as it is for that player.

        It is for searching: its history begins here, so it cannot be serialised.
        """
        other: FoglineState = self.get_game().new_initial_state()
        other.dealer = self.dealer.resample(player, int(sampler() * 2**53))
        return other

    def __str__(self) -> str:
        return str(self.dealer)


class TableObserver:
    """What a player may know now, card counting included; zeros before all is dealt."""

    def __init__(self, game: FoglineGame) -> None:
        self._shape = (game.board, game.players)
        self.tensor = np.zeros(sum(feature.length for feature in features(*self._shape)), np.float32)
        self.dict: dict[str, np.ndarray] = split(*self._shape, self.tensor)

    def set_from(self, state: FoglineState, player: int) -> None:
        """Writes the observation into `tensor`."""
        seen = state.dealer.observation(player)
        self.tensor[:] = 0 if seen is None else seen

    def string_from(self, state: FoglineState, player: int) -> str:
        """The observation as text, a line for each feature."""
        seen = state.dealer.observation(player)
        parts = {} if seen is None else split(*self._shape, seen)
        return "\n".join(f"{name} {' '.join(map(str, part.ravel()))}" for name, part in parts.items())


class MemoryObserver:
    """Everything that a player remembers: the words of `fogline.envs.memory` by their numbers, then zeros."""

    def __init__(self, game: FoglineGame) -> None:
        self._numbers = vocabulary(game.board)
        self.tensor = np.zeros(most_words(game.board, game.players), np.float32)
        self.dict = {"memory": self.tensor}

    def set_from(self, state: FoglineState, player: int) -> None:
        """Writes the numbers of the words into `tensor`."""
        view = state.dealer.view(player)
        words = [] if view is None else [self._numbers[word] for word in memory(view)]
        self.tensor[: len(words)] = words
        self.tensor[len(words) :] = 0

    def string_from(self, state: FoglineState, player: int) -> str:
        """The memory as text."""
        view = state.dealer.view(player)
        return f"seat {player}" if view is None else memory_text(memory(view))


pyspiel.register_game(GAME_TYPE, FoglineGame)
