"""Many random games on all cores, and their statistics."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from fogline.game.game import Game, check_players, check_seed
from fogline.game.integers import Integer
from fogline.maps.board import Board
from fogline.rules.random_play import find_winners, first_choice_state, next_choice, play_random_games
from fogline.rules.state import END_REASONS, new_games

CHUNK = 4096
"""Games that a core plays before it reports."""

RECORD_CHUNK = 64
_SCORES = 1 << 14
"""Scores are counted from -_SCORES to +_SCORES; no map within the limits goes beyond."""


@dataclass
class Summary:
    """Statistics of some games. Only counts, so that a billion games need no more room than ten."""

    players: int
    games: int = 0
    lengths: np.ndarray = field(default_factory=lambda: np.zeros(1 << 16, np.int64))  # games by number of actions
    scores: np.ndarray = field(default_factory=lambda: np.zeros(2 * _SCORES + 1, np.int64))  # seats by score
    ends: np.ndarray = field(default_factory=lambda: np.zeros(len(END_REASONS), np.int64))  # games by reason
    wins: np.ndarray = field(default_factory=lambda: np.zeros(4, np.int64))  # by seat, shared ones too
    seat_totals: np.ndarray = field(default_factory=lambda: np.zeros(4, np.int64))  # points by seat

    def add(self, games: np.ndarray, winners: np.ndarray) -> None:
        """Counts finished games."""
        scores = games["score"][:, : self.players]
        self.games += len(games)
        self.lengths += np.bincount(games["steps"], minlength=len(self.lengths))
        self.scores += np.bincount(scores.ravel().astype(np.int64) + _SCORES, minlength=len(self.scores))
        self.ends += np.bincount(games["end"], minlength=len(self.ends))
        self.wins[: self.players] += winners.sum(axis=0, dtype=np.int64)
        self.seat_totals[: self.players] += scores.sum(axis=0, dtype=np.int64)

    @property
    def steps(self) -> int:
        """The number of actions in all games."""
        return int(self.lengths @ np.arange(len(self.lengths)))

    def length_quantiles(self, shares: tuple[float, ...]) -> list[int]:
        """How many actions these shares of the games have at most."""
        return _quantiles(self.lengths, shares)

    def score_quantiles(self, shares: tuple[float, ...]) -> list[int]:
        """The score that these shares of the seats have at most."""
        return [score - _SCORES for score in _quantiles(self.scores, shares)]


def _quantiles(counts: np.ndarray, shares: tuple[float, ...]) -> list[int]:
    total = np.cumsum(counts)
    return [int(np.searchsorted(total, max(1, share * total[-1]))) for share in shares]


def simulate(
    board: Board,
    players: Integer,
    games: Integer,
    seed: Integer = 0,
    *,
    cores: int | None = None,
    progress: Callable[[int], None] | None = None,
    summary: Summary | None = None,
) -> Summary:
    """Plays random games with the seeds `seed`, `seed + 1`, …; `progress` hears how many were just played.

    If it is interrupted, the given `summary` holds the games played so far.
    """
    players, seed, games = check_players(players, board), check_seed(seed), int(games)
    summary = Summary(players) if summary is None else summary
    chunks = [(first, min(CHUNK, games - first)) for first in range(0, games, CHUNK)]
    play_random_games(board.tables, new_games(board, 1), players, np.uint64(seed))  # compiles before the threads start

    def play(chunk: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        first, count = chunk
        played, winners = new_games(board, count), np.zeros((count, players), np.uint8)
        play_random_games(board.tables, played, players, np.uint64(_nth_seed(seed, first)))
        find_winners(board.tables, played, winners)
        return played, winners

    # Threads do, because the compiled rules release Python's lock.
    with ThreadPoolExecutor(cores or os.cpu_count()) as pool:
        for played, winners in pool.map(play, chunks):
            summary.add(played, winners)
            if progress is not None:
                progress(len(played))
    return summary


def random_game(board: Board, players: Integer, seed: Integer) -> Game:
    """The same game that `simulate` plays with this seed, as a `Game` with its events."""
    game = Game(board, players=players, seed=seed)
    state = first_choice_state(np.uint64(seed))
    while not game.over:
        number, state = next_choice(board.tables, game.position.array, np.uint64(state))
        game.play(number)
    return game


def record_lines(board: Board, players: int, games: int, seed: int = 0, *, cores: int | None = None) -> Iterator[str]:
    """The records of the games that `simulate` plays, one line of JSON each, in the order of their seeds."""
    first_seeds = range(0, games, RECORD_CHUNK)
    sizes = [min(RECORD_CHUNK, games - first) for first in first_seeds]
    seeds = [_nth_seed(seed, first) for first in first_seeds]
    random_game(board, players, seed)  # compiles before the processes start
    with ProcessPoolExecutor(cores or os.cpu_count()) as pool:
        for lines in pool.map(_record_chunk, repeat(board), repeat(players), sizes, seeds):
            yield from lines


def _record_chunk(board: Board, players: int, games: int, seed: int) -> list[str]:
    return [json.dumps(random_game(board, players, _nth_seed(seed, n)).record()) for n in range(games)]


def _nth_seed(seed: int, n: int) -> int:
    return (seed + n) % 2**64
