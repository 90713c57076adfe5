"""Random games from beginning to end: every choice uniform among the legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, entry_point, kernel
from fogline.rules.chance import advance, seeded
from fogline.rules.legal import sample_legal
from fogline.rules.scoring import is_winner
from fogline.rules.setup import reset
from fogline.rules.state import OVER
from fogline.rules.turns import step

_CHOICES = np.uint64(0x5EED0FC401CE5000)
"""Choices have their own generator, so that a game's chance depends on its seed and its actions alone."""


@kernel
def chooser(seed: Any) -> Any:
    """The state of the generator that chooses the actions of the game with this seed."""
    return seeded(np.uint64(seed) ^ _CHOICES)


@kernel
def play_random_game(board: Record, game: Record, players: int, seed: Any) -> int:
    """Plays one game; returns the number of steps."""
    reset(board, game, players, seed, None)
    state = chooser(seed)
    while game.phase != OVER:
        state = advance(state)
        step(board, game, sample_legal(board, game, state), None)
    return game.steps


@entry_point
def play_random_games(board: Any, games: Any, players: int, first_seed: Any) -> int:
    """Plays as many games as the array has room for, with consecutive seeds; returns the number of steps."""
    steps = 0
    for i in range(games.shape[0]):
        steps += play_random_game(board[0], games[i], players, first_seed + np.uint64(i))
    return steps


@entry_point
def next_choice(board: Any, game: Any, state: Any) -> tuple[int, Any]:
    """The action that random play takes here, and the chooser's next state."""
    state = advance(state)
    return sample_legal(board[0], game[0], state), state


@entry_point
def first_choice_state(seed: Any) -> Any:
    return chooser(seed)


@entry_point
def find_winners(board: Any, games: Any, winners: Any) -> None:
    """Writes 1 for each seat that has won and 0 for each other into an array of (games, seats)."""
    for i in range(games.shape[0]):
        for seat in range(winners.shape[1]):
            winners[i, seat] = is_winner(board[0], games[i], seat)
