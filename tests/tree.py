"""Whole game trees: how many games can be played on a small board, every choice and every turn of chance included.

Every card that chance can bring is a branch of its own, however likely. Positions that are reached in several ways are
counted once and remembered, so that trees of many millions of games are counted in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from fogline.game.actions import board_actions
from fogline.game.game import Game
from fogline.game.position import Position
from fogline.maps.board import Board
from fogline.rules import calls
from fogline.rules.chance import TAPE
from fogline.rules.state import OVER


@dataclass
class Tree:
    """Counts the games below a position, by the number of actions that they still take, from 0."""

    board: Board
    known: dict[bytes, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tape = np.zeros(1, TAPE)
        self.actions = np.empty(len(board_actions(self.board)), np.int16)
        self.position = Position(self.board)

    def count(self, game: Game) -> tuple[int, ...]:
        """The ways in which a game can go on from here to its end, by their number of actions."""
        return self._games(game.position.snapshot())

    def _games(self, snapshot: bytes) -> tuple[int, ...]:
        self.position.restore(snapshot)
        if self.position.phase == OVER:
            return (1,)
        # Neither the generator nor the number of steps has a say in what can still happen.
        self.position.array["chance"] = 0
        self.position.array["steps"] = 0
        key = self.position.snapshot()
        if key not in self.known:
            below = _sum(self._games(branch) for branch in self._next(key))
            self.known[key] = (0, *below)
        return self.known[key]

    def _next(self, snapshot: bytes) -> list[bytes]:
        count = calls.legal_actions(self.board.tables, self.position.array, self.actions)
        numbers = self.actions[:count].tolist()
        return [branch for number in numbers for branch in self._after(snapshot, number)]

    def _after(self, snapshot: bytes, number: int) -> list[bytes]:
        def play() -> None:
            self.position.restore(snapshot)
            calls.play(self.board.tables, self.position.array, number, self.tape)

        return self._branches(play)

    def _branches(self, happen: Callable[[], object]) -> list[bytes]:
        """Lets something happen once for every way that chance can go."""
        found: list[bytes] = []
        forced: list[tuple[int, ...]] = [()]
        while forced:
            cards = forced.pop()
            self.tape["forced_count"] = len(cards)
            self.tape["forced"][0, : len(cards)] = cards
            happen()
            if self.tape["used"][0] == len(cards):
                found.append(self.position.snapshot())
            else:
                deck = self.tape["deck"][0]
                forced.extend((*cards, card) for card in np.flatnonzero(deck).tolist())
        return found


def _sum(rows: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    total: list[int] = []
    for row in rows:
        total.extend([0] * (len(row) - len(total)))
        for i, count in enumerate(row):
            total[i] += count
    return tuple(total)
