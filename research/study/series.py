"""A series: games of one kind, one a seed, and the records with which they end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fogline.arena.entrant import parse_entrant
from fogline.game.game import Game
from fogline.knowledge.seat_state import new_seat_states, see_all
from fogline.maps.board import Board
from fogline.players.player import player_seed
from fogline.players.scripted.match import play_games
from fogline.players.scripted.plan import new_plans
from fogline.rules import calls
from fogline.rules.chance import TAPE
from fogline.rules.numbering import FIRST_PLACE
from fogline.rules.state import OVER, PLACE, game_dtype, new_games
from research.study.style import STYLES, Mind

SEEDS = 2**64

RANDOM_PLACES: Literal["random"] = "random"
Places = tuple[int, int] | Literal["random"] | None
"""Where seat 1 places its two tokens (2.8): two locations, random ones, or None for its player's choice."""


@dataclass(frozen=True)
class Series:
    """Everything needed to play the same games again. Game `n` has the seed `seed + n`."""

    board: Board
    seats: tuple[str, ...]  # styles, or players as the arena names them: search@500
    games: int
    seed: int
    places: Places = None

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def styled(self) -> bool:
        """Whether compiled code decides for every seat, which is fast."""
        return all(seat in STYLES for seat in self.seats)

    @property
    def compiled(self) -> bool:
        """Whether whole games can be played without Python."""
        return self.styled and self.places is None and all(STYLES[seat].habit is None for seat in self.seats)

    def game_seed(self, number: int) -> int:
        return (self.seed + number) % SEEDS

    def player_seeds(self, number: int) -> list[int]:
        return [player_seed(self.game_seed(number), seat) for seat in range(self.players)]


def play(series: Series, first: int, last: int) -> np.ndarray:
    """The final records of the games from number `first` up to, but not including, `last`."""
    if series.compiled:
        return _play_compiled(series, first, last)
    one = _play_by_seat_state if series.styled else _play_by_view
    records = [one(series, number) for number in range(first, last)]
    return np.concatenate([np.zeros(0, game_dtype(series.board)), *records])


def _play_compiled(series: Series, first: int, last: int) -> np.ndarray:
    board, numbers = series.board, range(first, last)
    games = new_games(board, len(numbers))
    policies = np.array([[STYLES[seat].policy for seat in series.seats]] * len(numbers), np.int64)
    seeds = np.array([series.game_seed(number) for number in numbers], np.uint64)
    player_seeds = np.array([series.player_seeds(number) for number in numbers], np.uint64)
    shape = (len(numbers), series.players)
    scratch = new_seat_states(board, 1), new_plans(board, 1)
    counts = np.zeros(shape, np.int64), np.zeros(len(numbers), np.int64)
    play_games(board.tables, games, *scratch, seeds, policies.reshape(shape), player_seeds.reshape(shape), *counts)
    return games


def _play_by_seat_state(series: Series, number: int) -> np.ndarray:
    """Plays one game decision by decision, for a habit or a forced placement."""
    board, seed = series.board, series.game_seed(number)
    game, seat_states, tape = new_games(board, 1), new_seat_states(board, 1), np.zeros(1, TAPE)
    styles = [STYLES[seat] for seat in series.seats]
    seeds = series.player_seeds(number)
    minds = [Mind(board, style.policy, seeds[seat]) for seat, style in enumerate(styles)]
    places = None if series.places is None else _places(series, number)
    calls.begin(board.tables, game, series.players, np.uint64(seed), tape)
    while game["phase"][0] != OVER:
        if places is not None and game["phase"][0] == PLACE:
            action = FIRST_PLACE + places.pop()
        else:
            seat = int(game["seat"][0])
            see_all(game, seat_states)
            action = styles[seat].decide(minds[seat], seat_states)
        if not calls.play(board.tables, game, action, tape):
            raise AssertionError(f"action {action} is not legal in the game with seed {seed}")
    return game


def _places(series: Series, number: int) -> list[int]:
    if series.places != RANDOM_PLACES:
        return list(series.places or ())
    generator = np.random.default_rng([series.game_seed(number), 0x91ACE])
    free = free_locations(series.board)
    return [free[place] for place in generator.choice(len(free), 2, replace=False)]


def free_locations(board: Board) -> list[int]:
    """Where a token may be placed: the locations that are not landmarks."""
    return [number for number, location in enumerate(board.locations) if not location.landmark]


def _play_by_view(series: Series, number: int) -> np.ndarray:
    """One game between any players, which see views."""
    players = [
        parse_entrant(seat).make(seed) for seat, seed in zip(series.seats, series.player_seeds(number), strict=True)
    ]
    game = Game(series.board, players=series.players, seed=series.game_seed(number))
    while not game.over:
        game.play(players[game.seat].choose(game.view(game.seat)))
    return game.position.array
