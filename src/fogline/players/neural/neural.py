"""The neural players: a network that learnt the game by self-play, and weaker versions of it.

They need only NumPy. On a map that the network has not learnt they play as the planner does.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from pathlib import Path

import numpy as np

from fogline.game.actions import Action, action_numbers, board_actions
from fogline.game.view import View
from fogline.knowledge.observation import observation_of, take_apart
from fogline.maps.board import Board
from fogline.players.neural.network import Encoder, Network
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

    @classmethod
    def knows(cls, board: Board) -> bool:
        """Whether the network has learnt this map."""
        return find_network(board, cls.weights) is not None

    def choose(self, view: View) -> Action:
        network = find_network(view.board, self.weights)
        if network is None:
            return self._stand_in.choose(view)
        self._thought = Thought(view, network)
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
        legal, logits = thought.legal, thought.logits
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


class Thought:
    """What the network makes of a view."""

    def __init__(self, view: View, network: Network) -> None:
        self.view, self.network, self.board = view, network, view.board
        inputs = encode(view.board, view.players, observation_of(view)[None])
        logits, values = network(inputs)
        self.seen = take_apart(network.places, inputs[0])
        self.claims = logits[0, network.claims]
        self.legal = np.array([action_numbers(view.board)[action] for action in view.legal_actions])
        self.logits = log_chances(logits[0, self.legal])
        self.value = float(values[0])

    @property
    def hope(self) -> float:
        """The probability of winning: a value is 1 for the winner, and all values add up to 0."""
        players = self.view.players
        return min(1.0, max(0.0, (1 + self.value * (players - 1)) / players))

    def reason(self) -> Reason:
        """The nearest ticket, the route on its ways with the highest logit, and the route most in danger."""
        seen, routes = self.seen, np.flatnonzero(self.seen["path"])
        wanted = np.flatnonzero((seen["wanted"] > 0) & (seen["within"] > 0))
        ticket = min(wanted, key=lambda number: seen["distance"][number], default=None)
        logits = np.full(len(self.board.routes), -np.inf)
        np.maximum.at(logits, self.board.tables[0]["claim_route"], self.claims)
        route = max(routes, key=lambda number: logits[number], default=None)
        danger = seen["pressure"].astype(int) * seen["path"]
        feared = max(routes, key=lambda number: danger[number], default=None)
        return Reason(
            ticket=None if ticket is None else self.board.tickets[ticket].id,
            route=None if route is None else self.board.routes[route].id,
            feared=None if feared is None or not danger[feared] else self.board.routes[feared].id,
            hope=self.hope,
        )


def log_chances(logits: np.ndarray) -> np.ndarray:
    logits = logits.astype(np.float64) - logits.max()
    return logits - np.log(np.exp(logits).sum())  # type: ignore[no-any-return]


@lru_cache(8)
def find_network(board: Board, path: Path) -> Network | None:
    """The network in a file, if it has learnt this map."""
    try:
        return Network(board, load_weights(path, board))
    except OtherMap:
        return None


def encode(board: Board, players: int, observations: np.ndarray) -> np.ndarray:
    """A network's inputs."""
    encoder = encoder_of(board)
    return encoder(encoder.widen(observations, players), np.full(len(observations), players))  # type: ignore[no-any-return]


@lru_cache(8)
def encoder_of(board: Board) -> Encoder:
    return Encoder(board)
