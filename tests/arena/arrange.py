"""What the tests of the arena share: matches on the tiny map, players of one's own, and results of known strength."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fogline.arena.entrant import parse_entrant
from fogline.arena.match import Match, make_match
from fogline.arena.outcome import new_outcomes
from tests.boards import load_board

FIRST = """
class First:
    name = "first"

    def __init__(self, seed):
        pass

    def choose(self, view):
        return view.legal_actions[0]
"""
"""A player of one's own."""


def match_of(*names: str, players: int | None = None, games: int = 12, seed: int = 5, board: str = "tiny") -> Match:
    entrants = [parse_entrant(name) for name in names]
    return make_match(entrants, load_board(board), players=players or len(names), games=games, seed=seed)


def write_player(folder: Path, text: str = FIRST, name: str = "mine.py") -> str:
    """Its file; the class is named after the colon."""
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def simulate(match: Match, strengths: Sequence[float], generator: np.random.Generator) -> np.ndarray:
    """Outcomes as Bradley and Terry imagine them: i stands above j with the odds exp(strength i - strength j)."""
    outcomes = new_outcomes(match.players, match.games)
    outcomes["entrant"] = np.tile(match.seatings, (match.blocks, 1))
    luck = generator.gumbel(size=(match.games, match.players))
    outcomes["routes"] = np.round(1e9 * (np.array(strengths)[outcomes["entrant"]] + luck))
    return outcomes


def same_games(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether two arrays of outcomes tell of the same games; the clock is never compared."""
    names = set(first.dtype.names or ()) - {"seconds"}
    return len(first) == len(second) and all(np.array_equal(first[name], second[name]) for name in names)
