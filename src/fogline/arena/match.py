"""A match: who plays whom, how often, and from which seeds.

Its games come in blocks. A block is one seed, hence one deal and one chance for all, played in every distinct seating,
so that neither the cards nor the seat can favour anyone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from fogline.arena.entrant import Entrant
from fogline.arena.faults import ArenaError
from fogline.board import Board
from fogline.game import check_players, check_seed

SEEDS = 2**64


@dataclass(frozen=True)
class Match:
    """All that is needed to play the same games again."""

    board: Board
    entrants: tuple[Entrant, ...]  # different ones
    lineup: tuple[int, ...]  # which entrant has each seat, in one of the seatings
    seed: int
    blocks: int

    @property
    def players(self) -> int:
        return len(self.lineup)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(entrant.label for entrant in self.entrants)

    @cached_property
    def seatings(self) -> np.ndarray:
        """(seatings, seats) -> the entrant that sits there."""
        return np.array(sorted(set(permutations(self.lineup))), np.int64)

    @property
    def games(self) -> int:
        return self.blocks * len(self.seatings)

    def game_seed(self, game: int) -> int:
        """Games are numbered block by block; those of a block share a seed."""
        return (self.seed + game // len(self.seatings)) % SEEDS

    def seating(self, game: int) -> list[int]:
        """The entrants from seat 0 on."""
        return self.seatings[game % len(self.seatings)].tolist()  # type: ignore[no-any-return]


def player_seed(entrant: Entrant, game_seed: int, seat: int) -> int:
    """A player's own seed depends on nothing else, so that a game is the same whoever else plays it, and where.

    The budget is left out: two budgets of one player are compared with the same luck.
    """
    text = f"{entrant.name} in seat {seat} of game {game_seed}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def make_match(entrants: Sequence[Entrant], board: Board, *, players: int, games: int, seed: int) -> Match:
    """Two entrants fill any table: the first has one seat, the second all others. Otherwise each has one."""
    check_players(players)
    check_seed(seed)
    if len(entrants) == 2:
        seated = [entrants[0], *[entrants[1]] * (players - 1)]
    elif len(entrants) == players:
        seated = list(entrants)
    else:
        raise ArenaError(f"{players} players: name two, or {players}, not {len(entrants)}")
    different = tuple(dict.fromkeys(seated))
    _check_different(different)
    for entrant in different:
        entrant.check_board(board)
    lineup = tuple(different.index(entrant) for entrant in seated)
    match = Match(board, different, lineup, seed, 0)
    return Match(board, different, lineup, seed, -(-games // len(match.seatings)))


def _check_different(entrants: tuple[Entrant, ...]) -> None:
    labels = [entrant.label for entrant in entrants]
    if len(entrants) < 2:
        raise ArenaError(f"{labels[0]} cannot play a match against itself: name another player")
    for label in labels:
        if labels.count(label) > 1:
            raise ArenaError(f"two different players are both called {label!r}: give each class a name of its own")
