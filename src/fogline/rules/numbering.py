"""Every action has a number.

In this order: draw from the deck, draw each card from the display, draw tickets, keep the first, the second or both,
pass, place on each location, take the token of each location, make each claim.
"""

from __future__ import annotations

from fogline.compiler.kernels import Record, kernel
from fogline.rules.state import CARD_COUNT

DRAW_DECK = 0
DRAW_DISPLAY = 1
DRAW_TICKETS = DRAW_DISPLAY + CARD_COUNT
KEEP = DRAW_TICKETS + 1
PASS = KEEP + 3
FIRST_PLACE = PASS + 1


@kernel
def first_token(game: Record) -> int:
    return FIRST_PLACE + game.souvenir.shape[0]


@kernel
def first_claim(game: Record) -> int:
    return first_token(game) + game.souvenir.shape[0]


@kernel
def action_count(board: Record, game: Record) -> int:
    return first_claim(game) + board.claim_route.shape[0]
