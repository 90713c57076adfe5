"""How many seconds players take for a decision. It is measured, and differs between machines."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

from fogline.arena.contest import Contest
from fogline.arena.match import Match
from fogline.arena.playing import is_compiled, play_compiled

_LONG_ENOUGH = 0.05


def decision_seconds(contest: Contest) -> list[float]:
    """Seconds for each entrant: from its timed games, or for compiled players from a few games against itself."""
    numbers = range(len(contest.match.entrants))
    if is_compiled(contest.match):
        return [_alone(contest.match, number) for number in numbers]
    return [_timed(contest.outcomes, number) for number in numbers]


def _timed(outcomes: np.ndarray, number: int) -> float:
    """The median over games: during the first ones, code is still being loaded."""
    sits = (outcomes["entrant"] == number) & (outcomes["decisions"] > 0)
    return float(np.median(outcomes["seconds"][sits] / outcomes["decisions"][sits]))


def _alone(match: Match, number: int) -> float:
    """Seconds for a decision with the entrant in all seats, over whole games, rules included."""
    alone = replace(match, entrants=(match.entrants[number],), lineup=(0,) * match.players)
    games = 1
    while True:
        start = perf_counter()
        outcomes = play_compiled(alone, 0, games)
        seconds = perf_counter() - start
        if seconds > _LONG_ENOUGH:
            return seconds / float(outcomes["decisions"].sum())
        games *= 2
