"""Scores (chapter 9), in words."""

from __future__ import annotations

from dataclasses import dataclass

from fogline.game.position import Position
from fogline.rules import calls


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's points by source, and its tickets."""

    routes: int
    tickets: int
    tokens: int
    total: int
    completed: tuple[str, ...]
    failed: tuple[str, ...]


def score_seat(position: Position, seat: int) -> Score:
    """What the seat would score if the game ended now."""
    tickets, tokens, _ = map(int, calls.seat_result(position.board.tables, position.array, seat))
    routes = int(position.points[seat])
    completed = completed_tickets(position, seat)
    failed = tuple(kept for kept in position.tickets_of(seat) if kept not in completed)
    return Score(routes, tickets, tokens, routes + tickets + tokens, completed, failed)


def completed_tickets(position: Position, seat: int) -> tuple[str, ...]:
    """The kept tickets that the seat has completed (6.3)."""
    board = position.board
    return tuple(
        kept
        for kept in position.tickets_of(seat)
        if calls.completed(board.tables, position.array, seat, board.ticket_number[kept])
    )


def winning_seats(position: Position) -> list[int]:
    """The seats that have won; several when they share the victory (9.3). Only once the game is over."""
    tables, array = position.board.tables, position.array
    return [seat for seat in range(position.players) if calls.seat_result(tables, array, seat)[2]]
