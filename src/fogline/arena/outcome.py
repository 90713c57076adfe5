"""How games ended: for each game and seat its points by source, its tickets and its place."""

from __future__ import annotations

import numpy as np

from fogline.maps.board import Board
from fogline.rules.state import tickets_held

VICTORY = 12
"""A victory in twelfths, so that two, three or four can share it in whole numbers (9.3)."""

_MOST_TICKETS = 128
"""More than anyone can complete."""


def new_outcomes(players: int, games: int, *, recorded: bool = False) -> np.ndarray:
    """Room for the outcomes and records of this many games; everything about a seat has a place for each player."""
    a_seat = [
        ("entrant", "i8"),
        ("routes", "i8"),  # points by source
        ("tickets", "i8"),
        ("tokens", "i8"),
        ("kept", "i8"),  # tickets
        ("completed", "i8"),
        ("decisions", "i8"),
        ("seconds", "f8"),  # for all of them; not a number where nobody looked at the clock
    ]
    a_game = [("actions", "i8"), ("turns", "i8"), ("end", "i8")]
    record = [("record", "O")] if recorded else []  # one line of JSON
    layout = [*a_game, *record, *((name, kind, (players,)) for name, kind in a_seat)]
    return np.zeros(games, np.dtype(layout))


def read_games(board: Board, games: np.ndarray, outcomes: np.ndarray) -> None:
    """Notes the results of finished games."""
    players = outcomes["routes"].shape[1]
    routes, scores = (games[name][:, :players].astype(np.int64) for name in ("points", "score"))
    tokens = board.tables["token_points"][0][np.bitwise_count(games["tokens"][:, :players])]
    kept, completed = _tickets(board, games, players)
    outcomes["routes"], outcomes["tokens"], outcomes["tickets"] = routes, tokens, scores - routes - tokens
    outcomes["kept"], outcomes["completed"] = kept.sum(axis=2), completed.sum(axis=2)
    outcomes["actions"], outcomes["end"] = games["steps"], games["end"]


def _tickets(board: Board, games: np.ndarray, players: int) -> tuple[np.ndarray, np.ndarray]:
    """(games, players, tickets) -> whether it was kept, and whether it was completed (6.3)."""
    kept = tickets_held(games)[:, :players]
    line = games["line"][:, :players]
    first, second = board.tables["ticket_first"][0], board.tables["ticket_second"][0]
    return kept, kept & (line[:, :, first] == line[:, :, second])


def totals(outcomes: np.ndarray) -> np.ndarray:
    """(games, seats) -> total points."""
    return np.asarray(outcomes["routes"] + outcomes["tickets"] + outcomes["tokens"])


def _standing(outcomes: np.ndarray) -> np.ndarray:
    """A number for each seat that orders them: most points, then most completed tickets (9.3)."""
    return np.asarray(totals(outcomes) * _MOST_TICKETS + outcomes["completed"])


def victories(outcomes: np.ndarray) -> np.ndarray:
    """(games, seats) -> the seat's share of the victory, in twelfths."""
    standing = _standing(outcomes)
    won = standing == standing.max(axis=1, keepdims=True)
    return np.where(won, VICTORY // won.sum(axis=1, keepdims=True), 0)


def comparisons(outcomes: np.ndarray) -> np.ndarray:
    """(games, seats, seats) -> 2 where the first seat stands above the second, 1 where they are level, else 0."""
    standing = _standing(outcomes)
    return np.asarray(1 + np.sign(standing[:, :, None] - standing[:, None, :]))
