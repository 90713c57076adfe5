"""A proposal for each number of players: the change of the map that makes the seats most even."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fogline.arena.bootstrap import Estimate
from fogline.maps.board import Board
from research.study.change import CHANGES, UNCHANGED, Change, change_board, find_change, fitting_changes
from research.study.estimate import differ, side
from research.study.played import Played
from research.study.series import Series
from research.study.workers import Workers

CONFIRMED_BY = 4
"""This many times more games confirm a choice than led to it."""

Shares = list[Estimate]
"""The win share of each seat."""


@dataclass(frozen=True)
class Proposal:
    """A proposal for one number of players."""

    players: int
    games: int  # with each change
    tried: dict[str, Shares]  # by the name of the change, all on the same seeds
    chosen: Change
    before: Shares  # on fresh seeds
    after: Shares  # on the same fresh seeds

    @property
    def fair(self) -> float:
        return 1 / self.players

    @property
    def holds(self) -> bool:
        """Whether fresh deals confirm that the change does something, and that it helps."""
        seen = any(differ(before, after) for before, after in zip(self.before, self.after, strict=True))
        return self.chosen.name != UNCHANGED and seen and unevenness(self.after) < unevenness(self.before)


def study_changes(series: Series, workers: Workers) -> Proposal:
    """Tries all changes, chooses one, and plays it again on fresh seeds: of many, one looks good by chance."""
    fresh = replace(series, seed=series.game_seed(series.games), games=CONFIRMED_BY * series.games)

    def shares(change: Change, games: Series) -> Shares:
        changed = change_board(series.board, change)
        return Played(changed, series.players, workers.play(replace(games, board=changed))).seat_shares()

    tried = {change.name: shares(change, series) for change in fitting_changes(series.board)}
    chosen, unchanged = choose_change(tried), CHANGES[0]
    before = shares(unchanged, fresh)
    after = before if chosen is unchanged else shares(chosen, fresh)
    return Proposal(series.players, series.games, tried, chosen, before, after)


def change_games(board: Board, games: int) -> int:
    """How many games that takes at most."""
    return (len(fitting_changes(board)) + 2 * CONFIRMED_BY) * games


def choose_change(tried: dict[str, Shares]) -> Change:
    """The change with the least unevenness, which may be none."""
    nearest = min(tried, key=lambda name: unevenness(tried[name]))
    return find_change(nearest)


def is_even(shares: Shares) -> bool:
    """Whether no seat was seen to win more or less than its fair share."""
    return all(side(share, 1 / len(shares)) == 0 for share in shares)


def unevenness(shares: Shares) -> float:
    """How far the seats' shares are from fair, as the root of the mean square."""
    return float((sum((share.value - 1 / len(shares)) ** 2 for share in shares) / len(shares)) ** 0.5)
