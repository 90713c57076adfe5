"""The players whose choices are compiled. Each sees a seat state, which has no field for what is hidden."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import numpy as np

from fogline.game.actions import Action, board_actions
from fogline.game.view import View
from fogline.knowledge.seat_state import seat_state_of
from fogline.maps.board import Board
from fogline.players.reason import Reason
from fogline.players.scripted.plan import NONE, new_plans
from fogline.players.scripted.policies import DREAMER, PLANNER, RACER, RANDOM, decide_one, first_state


class CompiledPlayer:
    """A player that is one of the compiled policies, with a generator of its own."""

    policy: ClassVar[int]

    def __init__(self, seed: int) -> None:
        self.state = first_state(np.uint64(seed % 2**64))

    def choose(self, view: View) -> Action:
        board = view.board
        number, self.state = decide_one(
            board.tables, seat_state_of(view), self._plans(board), self.policy, np.uint64(self.state)
        )
        return board_actions(board)[number]

    def explain(self) -> Reason | None:
        return None

    def _plans(self, board: Board) -> np.ndarray:
        return _scratch(board)


@lru_cache
def _scratch(board: Board) -> np.ndarray:
    """Room for plans that nobody reads: players without plans take it too, so that all have one signature."""
    return new_plans(board, 1)


class RandomPlayer(CompiledPlayer):
    """Any legal action, each with equal chance."""

    name = "random"
    level = 1
    description = "does anything that is legal"
    policy = RANDOM


class Racer(CompiledPlayer):
    """Claims the longest route that it can pay for, and otherwise gathers the colour that it has most of."""

    name = "racer"
    level = 2
    description = "claims the longest route it can, and hurries to the end"
    policy = RACER


class Dreamer(CompiledPlayer):
    """A planner that forgets its plan now and then, as people do."""

    name = "dreamer"
    level = 4
    description = "plans its lines, but is easily distracted"
    policy = DREAMER


class Planner(CompiledPlayer):
    """Plans a network for its tickets, and weighs every card by what is still missing."""

    name = "planner"
    level = 6
    description = "plans its lines ahead and gathers the cards for them"
    policy = PLANNER

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._board: Board | None = None
        self._plan = np.zeros(0)

    def explain(self) -> Reason | None:
        """What it had in mind at its last choice."""
        return None if self._board is None else reason_of(self._board, self._plan[0])

    def _plans(self, board: Board) -> np.ndarray:
        if self._board is not board:
            self._board, self._plan = board, new_plans(board, 1)
        return self._plan


POLICIES = {player.name: player.policy for player in (RandomPlayer, Racer, Dreamer, Planner)}
"""The number of each compiled policy, by the name of its player."""


def reason_of(board: Board, plan: np.void) -> Reason:
    """A plan in words: its first ticket and route, and the route that others seem to need most."""
    planned = [int(route) for route in plan["order"][: plan["count"]]]
    feared = max(planned, key=lambda route: float(plan["pressure"][route]), default=None)
    return Reason(
        ticket=None if plan["ticket"] == NONE else board.tickets[plan["ticket"]].id,
        route=board.routes[planned[0]].id if planned else None,
        feared=None if feared is None or plan["pressure"][feared] == 0 else board.routes[feared].id,
    )
