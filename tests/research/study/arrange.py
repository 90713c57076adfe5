"""Final records made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fogline.arena.bootstrap import Estimate
from fogline.maps.board import Board
from fogline.rules.state import NOBODY, new_games
from research.study.played import Played

BOARD = Board.load("san_francisco")


def value(estimate: Estimate | None) -> float:
    """Of what must have been seen."""
    assert estimate is not None
    return estimate.value


def ended(players: int, *games: dict[str, Any]) -> Played:
    """Games in which nobody has anything but what is said: `score` by seat, and see `_arrange`."""
    records = new_games(BOARD, len(games))
    records["owner"] = NOBODY
    records["line"] = np.arange(len(BOARD.locations))
    for record, game in zip(records, games, strict=True):
        record["players"] = players
        record["score"][:players] = game.get("score", [0] * players)
        _arrange(record, game)
    return Played(BOARD, players, records)


def _arrange(record: np.void, game: dict[str, Any]) -> None:
    """Routes by id and owner, tickets and completed ones by seat, souvenirs by seat as how many."""
    for route, seat in game.get("routes", {}).items():
        record["owner"][BOARD.route_number[route]] = seat
    for seat, tickets in game.get("tickets", {}).items():
        record["tickets"][seat] = sum(1 << BOARD.ticket_number[ticket] for ticket in tickets)
    for seat, tickets in game.get("completed", {}).items():
        _join(record, seat, tickets)
    for seat, count in game.get("souvenirs", {}).items():
        record["tokens"][seat] = (1 << count) - 1


def _join(record: np.void, seat: int, tickets: Sequence[str]) -> None:
    line = record["line"][seat]
    for ticket in map(BOARD.ticket, tickets):
        first, second = (BOARD.location_number[name] for name in (ticket.first, ticket.second))
        line[line == line[second]] = line[first]
