"""What was played in each lane: the actions of its game, and of the one before."""

from __future__ import annotations

import numpy as np

from fogline.game.game import Game
from fogline.maps.board import Board

ROOM = 256
"""Room for the actions of a game at first; it doubles when a game needs more."""


class Histories:
    """Seeds and actions, from which any game can be played again with all its events."""

    def __init__(self, board: Board, players: int, games: int) -> None:
        self.board, self.players = board, players
        self._actions = np.zeros((games, ROOM), np.uint16)
        self._counts = np.zeros(games, np.int64)
        self._seeds = np.zeros(games, np.uint64)
        self._last: list[tuple[int, np.ndarray] | None] = [None] * games

    def begin(self, seeds: np.ndarray) -> None:
        """New games in all lanes, with these seeds."""
        self._seeds[:] = seeds
        self._counts[:] = 0
        self._last = [None] * len(self._counts)

    def add(self, actions: np.ndarray, refused: np.ndarray, dones: np.ndarray) -> None:
        """One step of all lanes."""
        lanes = np.flatnonzero(~refused)
        if self._counts.max() == self._actions.shape[1]:
            self._actions = np.concatenate([self._actions, np.zeros_like(self._actions)], axis=1)
        self._actions[lanes, self._counts[lanes]] = actions[lanes]
        self._counts[lanes] += 1
        ended = np.flatnonzero(dones)
        for lane in ended.tolist():
            self._last[lane] = int(self._seeds[lane]), self._actions[lane, : self._counts[lane]].copy()
        self._seeds[ended] += np.uint64(len(self._counts))
        self._counts[ended] = 0

    def game(self, lane: int) -> Game:
        return self._tell(int(self._seeds[lane]), self._actions[lane, : self._counts[lane]])

    def last_game(self, lane: int) -> Game | None:
        last = self._last[lane]
        return None if last is None else self._tell(*last)

    def _tell(self, seed: int, actions: np.ndarray) -> Game:
        game = Game(self.board, players=self.players, seed=seed)
        for number in actions.tolist():
            game.play(number)
        return game
