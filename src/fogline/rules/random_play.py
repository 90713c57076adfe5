"""Random games from beginning to end: every choice uniform among the legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.rules.chance import advance, seeded
from fogline.rules.compiled import Record, door, rule
from fogline.rules.legal import sample_legal
from fogline.rules.setup import reset
from fogline.rules.state import OVER
from fogline.rules.turns import step

_CHOICES = np.uint64(0x5EED0FC401CE5000)
"""Choices have a generator of their own, so that a game's chance depends on its seed and its actions alone."""


@rule
def chooser(seed: Any) -> Any:
    """The state of the generator that chooses the actions of the game with this seed."""
    return seeded(np.uint64(seed) ^ _CHOICES)


@rule
def play_random_game(board: Record, game: Record, players: int, seed: Any) -> int:
    """Plays one game; returns the number of steps."""
    reset(board, game, players, seed, None)
    state = chooser(seed)
    while game.phase != OVER:
        state = advance(state)
        step(board, game, sample_legal(board, game, state), None)
    return game.steps


@door
def play_random_games(board: Record, games: Any, players: int, first_seed: Any) -> int:
    """Plays as many games as the array has room for, with seeds one after the other; returns the number of steps."""
    steps = 0
    for i in range(games.shape[0]):
        steps += play_random_game(board, games[i], players, first_seed + np.uint64(i))
    return steps
