"""Chapter 9: scoring."""

from __future__ import annotations

import numpy as np

from fogline.compiler.kernels import Record, kernel
from fogline.rules.bits import count_bits, has_bit
from fogline.rules.tickets import count_completed, is_completed


@kernel
def ticket_points(board: Record, game: Record, seat: int) -> int:
    """Completed tickets add their value, all others subtract it (9.1)."""
    points = np.int64(0)
    for ticket in range(board.ticket_value.shape[0]):
        if has_bit(game.tickets[seat], ticket):
            value = np.int64(board.ticket_value[ticket])
            points += value if is_completed(board, game, seat, ticket) else -value
    return int(points)


@kernel
def token_points(board: Record, game: Record, seat: int) -> int:
    """9.2."""
    return np.int64(board.token_points[count_bits(game.tokens[seat])])  # type: ignore[return-value]


@kernel
def score_game(board: Record, game: Record) -> None:
    for seat in range(game.players):
        game.score[seat] = game.points[seat] + ticket_points(board, game, seat) + token_points(board, game, seat)


@kernel
def is_winner(board: Record, game: Record, seat: int) -> bool:
    """Most points, then most completed tickets; those still tied share the victory (9.3)."""
    completed = count_completed(board, game, seat)
    for other in range(game.players):
        if game.score[other] > game.score[seat]:
            return False
        if game.score[other] == game.score[seat] and count_completed(board, game, other) > completed:
            return False
    return True


@kernel
def share_of_victory(board: Record, game: Record, seat: int) -> float:
    """1 for who has won a finished game, a part of it for who shares the victory (9.3)."""
    return 1.0 / count_winners(board, game) if is_winner(board, game, seat) else 0.0


@kernel
def count_winners(board: Record, game: Record) -> int:
    winners = 0
    for seat in range(game.players):
        if is_winner(board, game, seat):
            winners += 1
    return winners
