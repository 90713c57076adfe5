"""Playing the games of a match, one after the other, in this process."""

from __future__ import annotations

import json
import traceback
from pathlib import Path
from time import perf_counter

import numpy as np

from fogline.arena.about import about_game
from fogline.arena.entrant import Entrant
from fogline.arena.faults import ArenaError
from fogline.arena.match import Match, player_seed
from fogline.arena.outcome import new_outcomes, read_games
from fogline.arena.pool import Work
from fogline.game.game import Game
from fogline.knowledge.seat_state import new_seat_states
from fogline.players.player import Player
from fogline.players.scripted.match import play_games
from fogline.players.scripted.plan import new_plans
from fogline.rules.state import new_games

_COMPILED_PIECE = 256


def is_compiled(match: Match) -> bool:
    """Whether whole games can be played without Python: a thousand times as fast and the same games, but without
    events.
    """
    return not match.recorded and all(entrant.policy is not None for entrant in match.entrants)


def piece_size(match: Match) -> int:
    """How many games a worker plays before it reports: a fraction of a second's worth, but at least one."""
    return _COMPILED_PIECE if is_compiled(match) else 1


def play(match: Match, first: int, last: int) -> np.ndarray:
    """The outcomes of the games from number `first` up to, but not including, `last`."""
    return (play_compiled if is_compiled(match) else play_by_views)(match, first, last)


def work_of(match: Match) -> Work[Match]:
    """The job for a pool."""
    prepare(match)
    return Work(play, match, match.games, piece_size(match))


def prepare(match: Match) -> None:
    """Compiles what the match needs, unless that has been done, so that workers find it ready."""
    Game(match.board, players=match.players, seed=0).view(0)
    if is_compiled(match):
        play_compiled(match, 0, 0)


# Compiled.


def play_compiled(match: Match, first: int, last: int) -> np.ndarray:
    """Plays games between compiled players."""
    games, outcomes = new_games(match.board, last - first), new_outcomes(match.players, last - first)
    seatings = np.array([match.seating(number) for number in range(first, last)], np.int64)
    outcomes["entrant"] = seatings.reshape(-1, match.players)
    policies = np.array([entrant.policy for entrant in match.entrants], np.int64)[outcomes["entrant"]]
    seeds = np.array([match.game_seed(number) for number in range(first, last)], np.uint64)
    decisions = np.zeros(policies.shape, np.int64)
    scratch = new_seat_states(match.board, 1), new_plans(match.board, 1)
    player_seeds, turns = _player_seeds(match, first, last), np.zeros(last - first, np.int64)
    play_games(match.board.tables, games, *scratch, seeds, policies, player_seeds, decisions, turns)
    read_games(match.board, games, outcomes)
    outcomes["decisions"], outcomes["seconds"], outcomes["turns"] = decisions, np.nan, turns
    return outcomes


def _player_seeds(match: Match, first: int, last: int) -> np.ndarray:
    """The compiled player of each seat: (games, seats)."""
    seeds = [
        [
            player_seed(match.entrants[entrant], match.game_seed(number), seat)
            for seat, entrant in enumerate(match.seating(number))
        ]
        for number in range(first, last)
    ]
    return np.array(seeds, np.uint64).reshape(-1, match.players)


# By views.


def play_by_views(match: Match, first: int, last: int) -> np.ndarray:
    """Plays games between any players: each sees a view and returns an action."""
    outcomes = new_outcomes(match.players, last - first, recorded=match.recorded)
    for place, number in enumerate(range(first, last)):
        game = _play_game(match, number, outcomes[place])
        read_games(match.board, game.position.array, outcomes[place : place + 1])
        if match.recorded:
            entrants = [match.entrants[entrant] for entrant in match.seating(number)]
            outcomes["record"][place] = json.dumps(game.record(about_game(entrants)))
    return outcomes


def _play_game(match: Match, number: int, outcome: np.void) -> Game:
    """Plays one game, and counts turns and decisions."""
    seed, seating = match.game_seed(number), match.seating(number)
    entrants = [match.entrants[entrant] for entrant in seating]
    players = [entrant.make(player_seed(entrant, seed, seat)) for seat, entrant in enumerate(entrants)]
    outcome["entrant"] = seating
    game = Game(match.board, players=match.players, seed=seed)
    while not game.over:
        seat = game.seat
        outcome["turns"] += game.phase == "turn"
        outcome["decisions"][seat] += 1
        outcome["seconds"][seat] += _decide(game, players[seat], entrants[seat])
    return game


def _decide(game: Game, player: Player, entrant: Entrant) -> float:
    """Lets a player decide; returns how many seconds it thought."""
    view = game.view(game.seat)
    try:
        start = perf_counter()
        action = player.choose(view)
        seconds = perf_counter() - start
        game.play(action)
    except Exception as error:
        raise ArenaError(_blame(game, entrant, error)) from error
    return seconds


def _blame(game: Game, entrant: Entrant, error: Exception) -> str:
    """Which player failed, in which game and when, and in which line of its code."""
    where = f"in seat {game.seat} of the game of {game.players} with seed {game.seed}, action {len(game.actions)}"
    line = traceback.extract_tb(error.__traceback__)[-1]
    return f"{entrant.label} failed {where}: {type(error).__name__}: {error} ({Path(line.filename).name}:{line.lineno})"
