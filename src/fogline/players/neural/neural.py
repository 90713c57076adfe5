"""The neural players: a network that learnt the game by self-play, and weaker versions of it.

On a map that the network has not learnt they play as the planner does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from pathlib import Path

import numpy as np

from fogline.game.actions import Action, board_actions
from fogline.game.view import View
from fogline.maps.board import Board
from fogline.players.neural.network import Network
from fogline.players.neural.thought import Scratch, Thought, new_scratch
from fogline.players.neural.weights import OtherMap, load_weights
from fogline.players.reason import Reason
from fogline.players.scripted.compiled_player import Planner
from fogline.players.search.search import Search
from fogline.rules.numbering import DRAW_DECK

WEIGHTS = Path(__file__).with_name("neural.npz")


class Learnt(ABC):
    """Decides by a network. On a map that the network has not learnt, another player takes its place."""

    weights: Path = WEIGHTS

    def __init__(self, seed: int, stand_in: Planner | Search) -> None:
        self.generator = np.random.default_rng(seed)
        self._stand_in = stand_in
        self._thought: Thought | None = None
        self._scratch: Scratch | None = None

    @classmethod
    def knows(cls, board: Board) -> bool:
        """Whether the network has learnt this map."""
        return find_network(board, cls.weights) is not None

    def choose(self, view: View) -> Action:
        network = find_network(view.board, self.weights)
        if network is None:
            return self._stand_in.choose(view)
        if self._scratch is None or self._scratch.network is not network:
            self._scratch = new_scratch(network)
        self._thought = Thought(view, network, self._scratch)
        return board_actions(view.board)[self._pick(self._thought)]

    @abstractmethod
    def _pick(self, thought: Thought) -> int:
        """The number of the chosen action."""

    def explain(self) -> Reason | None:
        return self._stand_in.explain() if self._thought is None else self._thought.reason()


class Neural(Learnt):
    """Takes the action with the highest logit."""

    name = "neural"
    level = 8
    description = "has learnt the game from nothing, by playing against itself"
    temperature = 0.0  # the noise on the logits
    oversight = 0.0  # the probability of overlooking an action

    def __init__(self, seed: int) -> None:
        super().__init__(seed, Planner(seed))

    def _pick(self, thought: Thought) -> int:
        legal, logits = thought.legal, thought.liked
        if self.oversight:
            noticed = self.generator.random(len(legal)) >= self.oversight
            noticed |= legal == DRAW_DECK  # drawing blind is never overlooked
            if noticed.any():
                legal, logits = legal[noticed], logits[noticed]
        if self.temperature:
            logits = logits + self.temperature * self.generator.gumbel(size=len(logits))
        return int(legal[logits.argmax()])


class Local(Neural):
    """The network with noise on its logits."""

    name = "local"
    level = 5
    description = "knows the lines well, and is at times in a hurry"
    temperature = 4.0
    oversight = 0.6


class Newcomer(Neural):
    """The network with more noise, which also overlooks actions."""

    name = "newcomer"
    level = 3
    description = "means well, tries things, and overlooks much"
    temperature = 6.0
    oversight = 0.8


@lru_cache(8)
def find_network(board: Board, path: Path) -> Network | None:
    """The network in a file, if it has learnt this map."""
    try:
        return Network(board, load_weights(path, board))
    except OtherMap:
        return None
