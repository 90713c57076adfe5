"""What the final records of a series say about each seat."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fogline.arena.bootstrap import Estimate
from fogline.arena.outcome import VICTORY, new_outcomes, read_games, victories
from fogline.maps.board import Board
from fogline.rules.state import tickets_held
from research.study.estimate import estimate_mean, estimate_share


@dataclass(frozen=True)
class Played:
    """Games that are over."""

    board: Board
    players: int
    records: np.ndarray  # (games,)

    def __len__(self) -> int:
        return len(self.records)

    @property
    def fair(self) -> float:
        """The win share of equals."""
        return 1 / self.players

    @cached_property
    def victory(self) -> np.ndarray:
        """(games, seats) -> the seat's share of the victory (9.3)."""
        outcomes = new_outcomes(self.players, len(self))
        read_games(self.board, self.records, outcomes)
        return np.asarray(victories(outcomes) / VICTORY)

    @cached_property
    def kept(self) -> np.ndarray:
        """(games, seats, tickets) -> whether the seat kept the ticket."""
        return tickets_held(self.records)[:, : self.players]

    @cached_property
    def completed(self) -> np.ndarray:
        """(games, seats, tickets) -> whether the seat kept and completed it (6.3)."""
        line, tables = self.records["line"][:, : self.players], self.board.tables[0]
        return np.asarray(self.kept & (line[:, :, tables["ticket_first"]] == line[:, :, tables["ticket_second"]]))

    @cached_property
    def owned(self) -> np.ndarray:
        """(games, seats, routes) -> whether the seat owns the route."""
        return np.asarray(self.records["owner"][:, None, :] == np.arange(self.players)[:, None])

    @cached_property
    def souvenirs(self) -> np.ndarray:
        """(games, seats) -> how many distinct ones the seat owns."""
        return np.asarray(np.bitwise_count(self.records["tokens"][:, : self.players]), np.int64)

    def win_share(self, holds: np.ndarray) -> Estimate | None:
        """(games, seats) of booleans -> how often the seats where it is true win."""
        return estimate_share((self.victory * holds).sum(axis=1), holds.sum(axis=1))

    def seat_shares(self) -> list[Estimate]:
        """The win share of each seat."""
        seats = np.arange(self.players)
        shares = (self.win_share(np.broadcast_to(seats == seat, self.victory.shape)) for seat in seats)
        return [share for share in shares if share is not None]

    def seat_points(self) -> list[Estimate]:
        """The mean score of each seat."""
        means = (estimate_mean(self.records["score"][:, seat].astype(float)) for seat in range(self.players))
        return [mean for mean in means if mean is not None]
