"""What the seats of one game see, may do and get: the common part of the environments for one game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fogline.game.actions import board_actions
from fogline.game.game import Game
from fogline.game.position import copy_record
from fogline.game.view import View
from fogline.knowledge.card_counter import COUNT, COUNTER, begin_counting, play_counted
from fogline.knowledge.observation import observation_length, observation_of, observe_seat


def observe(view: View) -> np.ndarray:
    """The observation of any seat's view; for a seat that waits, what it would see if it had to decide now.

    All of it comes from the seat's own view, so it holds nothing that the seat may not know. At the end no phase is 1.
    """
    return observation_of(replace(view, acting=view.seat))


class Observer:
    """What the seats of one game observe, kept up to date step by step: faster than counting all events again.

    It plays along on a copy of the record, where the same actions bring the same cards.
    """

    def __init__(self, game: Game) -> None:
        self._tables = game.board.tables
        self._game = copy_record(game.position.array)
        self._counter, self._count = np.zeros(1, COUNTER), np.zeros(1, COUNT)
        self._length = observation_length(game.board, game.players)
        begin_counting(self._game, self._counter)

    def play(self, number: int) -> None:
        """Follows an action that has just been played, by its number."""
        play_counted(self._tables, self._game, self._counter, number)

    def observe(self, seat: int) -> np.ndarray:
        """The observation of the seat, as `observe` gives it for the view."""
        observation = np.zeros(self._length, np.uint8)
        observe_seat(self._tables, self._game, self._counter, self._count, seat, observation)
        return observation


def legal_mask(game: Game, seat: int) -> np.ndarray:
    """1 for what the seat may do now; all 0 when it does not have to decide."""
    if seat == game.seat:
        return game.legal_mask().astype(np.int8)
    return np.zeros(len(board_actions(game.board)), np.int8)


def rewards(game: Game) -> list[float]:
    """The rewards: nothing while the game goes on; at its end 1 for a sole winner. They add up to 0, as in a batch."""
    if not game.over:
        return [0.0] * game.players
    winners, others = len(game.winners), game.players - 1.0
    won, lost = (game.players - winners) / (winners * others), -1.0 / others
    return [won if seat in game.winners else lost for seat in range(game.players)]
