"""The learner's opponents: compiled players, players that see a view, and functions on batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fogline.arena.entrant import Entrant, parse_entrant
from fogline.arena.faults import ArenaError
from fogline.game.actions import action_numbers
from fogline.game.game import Game
from fogline.maps.board import Board
from fogline.players.player import Player, player_seed
from fogline.players.scripted.opponents import ASKED

Chooser = Callable[[np.ndarray, np.ndarray], Any]
"""Observations and masks, with a row for each game in which it must decide -> the numbers of its actions."""

Opponent = str | Chooser
"""The name of a player, as in the arena: `planner`, `search@200`, `mine.py:Mine`; or a function on batches."""


def parse_opponents(opponents: Opponent | Sequence[Opponent], players: int) -> list[Entrant | Chooser]:
    """One opponent for each place after the learner; a single one sits at all of them."""
    given = [opponents] if isinstance(opponents, str) or callable(opponents) else list(opponents)
    if len(given) not in (1, players - 1):
        raise ValueError(f"opponents: 1 or {players - 1} for {players} players, not {len(given)}")
    return [_parse(opponent) for opponent in (given if len(given) == players - 1 else given * (players - 1))]


def _parse(opponent: Opponent) -> Entrant | Chooser:
    if callable(opponent):
        return opponent
    if not isinstance(opponent, str):
        raise ValueError(f"opponents: names of players, or functions of observations and masks, not {opponent!r}")
    try:
        return parse_entrant(opponent)
    except ArenaError as error:
        raise ValueError(f"opponents: {error}") from error


def compiled_policies(opponents: Sequence[Entrant | Chooser]) -> list[int] | None:
    """The policy at each place after the learner, or `ASKED`; None if somebody needs views.

    A view holds everything that happened. So each action must pass through Python, and nobody moves compiled.
    """
    found = [opponent.policy if isinstance(opponent, Entrant) else ASKED for opponent in opponents]
    return None if None in found else [ASKED if policy is None else policy for policy in found]


class Tables:
    """The games of a batch once more, one by one and with all events, for players that see views."""

    def __init__(self, board: Board, players: int, opponents: Sequence[Entrant | Chooser]) -> None:
        self.board, self.players, self.opponents = board, players, opponents
        self.games: dict[int, Game] = {}
        self._seated: dict[int, list[Player | None]] = {}

    def begin(self, lane: int, seed: int, learner: int) -> None:
        self.games[lane] = Game(self.board, players=self.players, seed=seed)
        self._seated[lane] = [None] * self.players
        for place, opponent in enumerate(self.opponents, 1):
            if isinstance(opponent, Entrant):
                seat = (learner + place) % self.players
                self._seated[lane][seat] = opponent.make(player_seed(seed, seat))

    def choose(self, lane: int) -> int:
        """The number of the action that the player in the deciding seat chooses from its view."""
        game = self.games[lane]
        player = self._seated[lane][game.seat]
        assert player is not None, "functions on batches are asked elsewhere"
        return action_numbers(self.board)[player.choose(game.view(game.seat))]
