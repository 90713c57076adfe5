"""Guests of the ladder: players too slow to meet everyone there. Matches of their own rate them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fogline.arena.bootstrap import Estimate
from fogline.arena.faults import ArenaError
from fogline.arena.report import Report
from fogline.maps.board import Board


@dataclass(frozen=True)
class Guest:
    """The result of one or more matches with the same players."""

    name: str
    host: str  # of the ladder, or another guest
    players: int
    games: int
    share: Estimate  # of victories, where one of these sits alone
    ahead: Estimate  # Elo, of the host


def invite(reports: Sequence[Report], labels: Sequence[str], board: Board) -> tuple[Guest, ...]:
    """The guests of these matches, each after its host; matches of the same players are added up."""
    found: dict[tuple[int, str, str], Guest] = {}
    for report in reports:
        guest = _guest(report, board)
        known = {*labels, *(other.name for other in found.values() if other.players == guest.players)}
        if guest.name in labels or guest.host not in known:
            raise ArenaError(
                f"a match of {guest.name} against {guest.host} does not tell how a guest stands in this ladder"
            )
        pair = (guest.players, guest.name, guest.host)
        found[pair] = _together(found[pair], guest) if pair in found else guest
    return tuple(found.values())


def _guest(report: Report, board: Board) -> Guest:
    if len(report.standings) != 2:
        names = " against ".join(standing.name for standing in report.standings)
        raise ArenaError(f"a match of {names} does not tell how a guest stands in this ladder")
    guest, host = report.standings
    if report.map != board.id:
        raise ArenaError(f"the match of {guest.name} was played on {report.map}, the ladder is on {board.id}")
    return Guest(guest.name, host.name, report.players, report.games, guest.share, guest.elo)


def _together(one: Guest, other: Guest) -> Guest:
    weight = one.games / (one.games + other.games)
    share, ahead = _mean(one.share, other.share, weight), _mean(one.ahead, other.ahead, weight)
    return Guest(one.name, one.host, one.players, one.games + other.games, share, ahead)


def _mean(one: Estimate, other: Estimate, weight: float) -> Estimate:
    """The weighted mean of two independent estimates: their errors add up as squares do."""
    value = weight * one.value + (1 - weight) * other.value
    below = ((weight * (one.value - one.low)) ** 2 + ((1 - weight) * (other.value - other.low)) ** 2) ** 0.5
    above = ((weight * (one.high - one.value)) ** 2 + ((1 - weight) * (other.high - other.value)) ** 2) ** 0.5
    return Estimate(value, value - below, value + above)
