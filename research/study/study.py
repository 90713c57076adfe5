"""The study as a whole: which games are played, and what they show."""

from __future__ import annotations

from dataclasses import dataclass

from fogline.arena.bootstrap import Estimate
from fogline.game.game import PLAYER_COUNTS, check_seed
from fogline.maps.board import Board
from research.study.contest import Standing, contest_games, study_contests
from research.study.faults import StudyError
from research.study.placement import Placement, placement_games, study_placement
from research.study.played import Played
from research.study.proposal import Proposal, change_games, study_changes
from research.study.series import SEEDS, Series
from research.study.style import STYLES
from research.study.workers import Workers
from research.study.worth import RouteWorth, SouvenirWorth, TicketWorth, route_worths, souvenir_worths, ticket_worths

PLACEMENT, CONTESTS, PROPOSAL = 1, 2, 3
_APART = 10**9
"""Every part has its own seeds, this far from those of the part before."""

PLACED, CONTESTED, CHANGED = 4, 40, {2: 4, 3: 8, 4: 8}
"""The divisor of the number of games where there are many kinds of games, or slow ones. Two seats are nearest to even,
so they need the most games to show a difference.
"""
FEWEST = 80
"""The fewest games of a study, so that every part of it has some."""


@dataclass(frozen=True)
class SelfPlay:
    """What games with the same player in all seats show."""

    players: int
    games: int
    seats: list[Estimate]
    points: list[Estimate]  # a seat
    tickets: list[TicketWorth]
    routes: list[RouteWorth]
    souvenirs: list[SouvenirWorth]

    @property
    def fair(self) -> float:
        return 1 / self.players


@dataclass(frozen=True)
class Study:
    """Everything measured. The last three parts are for fast players alone, and need many games."""

    board: Board
    player: str
    games: int
    seed: int
    self_play: dict[int, SelfPlay]  # by the number of players
    placement: Placement | None
    contests: list[Standing]
    proposals: list[Proposal]


def is_fast(player: str) -> bool:
    return player in STYLES


def check_games(player: str, games: int) -> None:
    if is_fast(player) and games < FEWEST:
        raise StudyError(f"a study needs at least {FEWEST} games, not {games}")


def make_study(board: Board, player: str, games: int, seed: int, workers: Workers) -> Study:
    check_seed(seed)
    check_games(player, games)

    def series(players: int, share: int = 1, part: int = 0) -> Series:
        return Series(board, (player,) * players, games // share, (seed + part * _APART) % SEEDS)

    fast = PLAYER_COUNTS if is_fast(player) else ()
    return Study(
        board,
        player,
        games,
        seed,
        {players: _self_play(series(players), workers) for players in PLAYER_COUNTS},
        study_placement(series(2, PLACED, PLACEMENT), workers) if fast else None,
        [one for players in fast for one in study_contests(series(players, CONTESTED, CONTESTS), workers)],
        [study_changes(series(players, CHANGED[players], PROPOSAL), workers) for players in fast],
    )


def count_games(board: Board, player: str, games: int) -> int:
    """How many games a study takes at most."""
    count = len(PLAYER_COUNTS) * games
    if not is_fast(player):
        return count
    contests = sum(contest_games(players, games // CONTESTED) for players in PLAYER_COUNTS)
    changes = sum(change_games(board, games // CHANGED[players]) for players in PLAYER_COUNTS)
    return count + placement_games(games // PLACED) + contests + changes


def _self_play(series: Series, workers: Workers) -> SelfPlay:
    played = Played(series.board, series.players, workers.play(series))
    return SelfPlay(
        players=series.players,
        games=series.games,
        seats=played.seat_shares(),
        points=played.seat_points(),
        tickets=ticket_worths(played),
        routes=route_worths(played),
        souvenirs=souvenir_worths(played),
    )
