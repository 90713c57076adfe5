"""What the network makes of one view."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fogline.game.view import View
from fogline.knowledge.card_counter import count_of
from fogline.knowledge.observation import observe_view, take_apart
from fogline.knowledge.seat_state import seat_state_of
from fogline.players.neural.encoder import Inputs, encode_all, new_inputs, new_ways
from fogline.players.neural.inputs import columns, observation_width
from fogline.players.neural.network import Network, Room, judge_all
from fogline.players.reason import Reason
from fogline.rules.calls import legal_actions


class Scratch(NamedTuple):
    """Room for one thought. A player keeps it from one decision to the next, because making it takes time."""

    network: Network
    observation: np.ndarray
    inputs: Inputs
    ways: np.ndarray
    room: Room
    logits: np.ndarray
    values: np.ndarray
    legal: np.ndarray


def new_scratch(network: Network) -> Scratch:
    board, actions = network.board, network.claims.stop
    return Scratch(
        *(network, np.zeros((1, observation_width(board)), np.uint8), new_inputs(board, 1), new_ways(board)),
        *(network.room(1), np.zeros((1, actions), np.float32), np.zeros(1, np.float32), np.zeros(actions, np.int64)),
    )


class Thought:
    """What the network makes of a view. It is of use until the next one needs the same scratch."""

    def __init__(self, view: View, network: Network, scratch: Scratch | None = None) -> None:
        self.view, self.network, self.board = view, network, view.board
        self._scratch = new_scratch(network) if scratch is None else scratch
        self.legal = self._think()
        self.liked = self._scratch.logits[0, self.legal]  # the logits of the legal actions, as they come
        self.value = float(np.tanh(self._scratch.values[0]))

    def _think(self) -> np.ndarray:
        """Works out logits and value, and returns the numbers of the legal actions."""
        view, tables, scratch = self.view, self.board.tables, self._scratch
        seat_state = seat_state_of(view)
        observe_view(tables, seat_state, count_of(view), scratch.observation[0])
        places = columns(self.board, view.players)
        encode_all(tables, scratch.observation, places, view.players, scratch.inputs, scratch.ways)
        judge_all(tables, self.network.weights, scratch.room, scratch.inputs.bytes, scratch.logits, scratch.values)
        return scratch.legal[: legal_actions(tables, seat_state, scratch.legal)].copy()

    @property
    def logits(self) -> np.ndarray:
        """The logits of the legal actions, such that their probabilities add up to 1."""
        return log_chances(self.liked)

    @property
    def hope(self) -> float:
        """The probability of winning: a value is 1 for the winner, and all values add up to 0."""
        players = self.view.players
        return min(1.0, max(0.0, (1 + self.value * (players - 1)) / players))

    def reason(self) -> Reason:
        """The nearest ticket, the route on its ways with the highest logit, and the route most in danger."""
        seen = take_apart(self.network.places, self._scratch.inputs.bytes[0])
        routes = np.flatnonzero(seen["path"])
        wanted = np.flatnonzero((seen["wanted"] > 0) & (seen["within"] > 0))
        ticket = min(wanted, key=lambda number: seen["distance"][number], default=None)
        logits = np.full(len(self.board.routes), -np.inf)
        np.maximum.at(logits, self.board.tables[0]["claim_route"], self._scratch.logits[0, self.network.claims])
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
