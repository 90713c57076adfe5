"""The rules as Python calls them for one game: on arrays of one record each.

Numba recognises an array of records twenty times faster than a single record, so these are the entry points of a
`Game`. Among themselves the rules pass records.
"""

from __future__ import annotations

from typing import Any

from fogline.compiler.kernels import entry_point, kernel
from fogline.rules import legal
from fogline.rules.chance import seeded
from fogline.rules.scoring import is_winner, ticket_points, token_points
from fogline.rules.setup import reset
from fogline.rules.state import OVER
from fogline.rules.tickets import is_completed
from fogline.rules.turns import step


@entry_point
def begin(board: Any, game: Any, players: int, seed: Any, tape: Any) -> None:
    clear(tape[0])
    reset(board[0], game[0], players, seed, tape[0])


@entry_point
def play(board: Any, game: Any, action: int, tape: Any) -> bool:
    """Carries out the action and returns True; when it is not legal, changes nothing and returns False."""
    if game[0].phase == OVER or not legal.is_legal(board[0], game[0], action):
        return False
    clear(tape[0])
    step(board[0], game[0], action, tape[0])
    return True


@kernel
def clear(tape: Any) -> None:
    """Clears a tape for the next step; the cards that it forces stay."""
    tape.used = 0
    tape.impossible = 0
    tape.noted_count = 0
    for card in range(tape.deck.shape[0]):
        tape.deck[card] = 0


@entry_point
def reseed(game: Any, seed: Any) -> None:
    game[0].chance = seeded(seed)


@entry_point
def legal_actions(board: Any, game: Any, actions: Any) -> int:
    return legal.legal_actions(board[0], game[0], actions)


@entry_point
def legal_mask(board: Any, game: Any, mask: Any) -> None:
    legal.legal_mask(board[0], game[0], mask)


@entry_point
def sample_legal(board: Any, game: Any, state: Any) -> int:
    return legal.sample_legal(board[0], game[0], state)


@entry_point
def completed(board: Any, game: Any, seat: int, ticket: int) -> bool:
    return is_completed(board[0], game[0], seat, ticket)


@entry_point
def seat_result(board: Any, game: Any, seat: int) -> tuple[int, int, bool]:
    """Points for tickets, points for tokens, and whether the seat wins."""
    return (
        ticket_points(board[0], game[0], seat),
        token_points(board[0], game[0], seat),
        is_winner(board[0], game[0], seat),
    )
