"""What each block brought, in whole numbers, so that equal blocks can be counted together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fogline.arena.match import Match
from fogline.arena.outcome import VICTORY, comparisons, victories


@dataclass(frozen=True)
class Blocks:
    """Victories and comparisons by block, summed over its seatings."""

    wins: np.ndarray  # (blocks, entrants), in twelfths of a victory
    pairs: np.ndarray  # (blocks, entrants, entrants): 2 for each time the first stood above the second, 1 when level
    seats: np.ndarray  # (entrants,): how many seats an entrant has in a block
    drawn_wins: np.ndarray  # (entrants,): what a block brings if all share every victory
    drawn_pairs: np.ndarray  # (entrants, entrants)

    @property
    def shares(self) -> np.ndarray:
        """(blocks, entrants) -> victories per seat that the entrant had."""
        return np.asarray(self.wins / (VICTORY * self.seats))


def sum_blocks(match: Match, outcomes: np.ndarray) -> Blocks:
    """Sums up whole blocks."""
    seats, meetings = _seats_and_meetings(match)
    wins, pairs = _by_entrant(outcomes, len(match.entrants))
    rounds, entrants = len(match.seatings), len(match.entrants)
    return Blocks(
        wins=wins.reshape(-1, rounds, entrants).sum(axis=1),
        pairs=pairs.reshape(-1, rounds, entrants, entrants).sum(axis=1),
        seats=seats,
        drawn_wins=seats * VICTORY // match.players,
        drawn_pairs=meetings,
    )


def _by_entrant(outcomes: np.ndarray, entrants: int) -> tuple[np.ndarray, np.ndarray]:
    """Victories and comparisons of each game; seats of the same entrant are not compared."""
    sits = (outcomes["entrant"][:, :, None] == np.arange(entrants)).astype(np.int64)
    wins = np.einsum("gs,gse->ge", victories(outcomes), sits)
    pairs = np.einsum("gst,gse,gtf->gef", comparisons(outcomes), sits, sits)
    return wins, pairs * (1 - np.eye(entrants, dtype=np.int64))


def _seats_and_meetings(match: Match) -> tuple[np.ndarray, np.ndarray]:
    """How many seats each entrant has in a block, and how often two entrants meet."""
    sits = (match.seatings[:, :, None] == np.arange(len(match.entrants))).sum(axis=1)  # (seatings, entrants)
    meetings = np.einsum("re,rf->ef", sits, sits) * (1 - np.eye(len(match.entrants), dtype=np.int64))
    return sits.sum(axis=0), meetings
