"""A match: who plays whom, how often, and from which seeds.

Its games come in blocks. A block is one seed, so one deal and the same luck for all, played in every distinct seating.
Neither the cards nor the seat can favour anyone.
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
from fogline.game.game import check_players, check_seed
from fogline.game.integers import Integer
from fogline.maps.board import Board

SEEDS = 2**64


@dataclass(frozen=True)
class Match:
    """Everything needed to play the same games again."""

    board: Board
    entrants: tuple[Entrant, ...]  # distinct ones
    lineup: tuple[int, ...]  # which entrant has each seat, in one of the seatings
    seed: int
    blocks: int
    recorded: bool = False  # whether to record every game event by event

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.lineup)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the entrants."""
        return tuple(entrant.label for entrant in self.entrants)

    @cached_property
    def seatings(self) -> np.ndarray:
        """(seatings, seats) -> the entrant in that seat."""
        return np.array(sorted(set(permutations(self.lineup))), np.int64)

    @property
    def games(self) -> int:
        """The number of games in all blocks."""
        return self.blocks * len(self.seatings)

    def game_seed(self, game: int) -> int:
        """Games are numbered block by block; those of a block share a seed."""
        return (self.seed + game // len(self.seatings)) % SEEDS

    def seating(self, game: int) -> list[int]:
        """The entrants from seat 0 on."""
        return self.seatings[game % len(self.seatings)].tolist()  # type: ignore[no-any-return]


def player_seed(entrant: Entrant, game_seed: int, seat: int) -> int:
    """A player's own seed. It depends on nothing else, so a game is the same whatever other games are played, and
    where.

    The budget is left out: two budgets of one player are compared with the same luck.
    """
    text = f"{entrant.name} in seat {seat} of game {game_seed}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


def make_match(
    entrants: Sequence[Entrant], board: Board, *, players: Integer, games: int, seed: Integer, recorded: bool = False
) -> Match:
    """The seatings. Of two entrants the first has one seat, the second all others; of more each has one."""
    players, seed = check_players(players, board), check_seed(seed)
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
    return Match(board, different, lineup, seed, -(-games // len(match.seatings)), recorded)


def _check_different(entrants: tuple[Entrant, ...]) -> None:
    labels = [entrant.label for entrant in entrants]
    if len(entrants) < 2:
        raise ArenaError(f"{labels[0]} cannot play a match against itself: name another player")
    for label in labels:
        if labels.count(label) > 1:
            raise ArenaError(f"two different players are both called {label!r}: give each class a name of its own")
