"""The racer: it claims the longest route that it can pay for, and otherwise gathers the colour it has most of."""

from __future__ import annotations

from typing import Any

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.rules.bits import count_bits, nth_bit
from fogline.rules.chance import advance, below
from fogline.rules.legal import draw_actions, sample_legal
from fogline.rules.numbering import DRAW_DECK, DRAW_DISPLAY, DRAW_TICKETS, KEEP, first_claim
from fogline.rules.routes import payable_claims
from fogline.rules.state import FERRY, KEEP_FIRST_TICKETS, KEEP_TICKETS, SECOND_CARD, TURN

_DECK = 500
_FERRY = 1500
"""What a card is worth, in thousandths of a card already held: the deck a little more than a new colour."""


@kernel
def racer_choice(board: Record, seat_state: Record, state: Any) -> int:
    if seat_state.phase == TURN:
        claim = longest_claim(board, seat_state)
        if claim >= 0:
            return first_claim(seat_state) + claim
    if (seat_state.phase == TURN or seat_state.phase == SECOND_CARD) and draw_actions(seat_state) & ~(
        1 << DRAW_TICKETS
    ) != 0:
        return gather(seat_state, state)
    if (seat_state.phase == KEEP_FIRST_TICKETS or seat_state.phase == KEEP_TICKETS) and seat_state.offer_count > 1:
        return KEEP + (1 if board.ticket_value[seat_state.offer[1]] < board.ticket_value[seat_state.offer[0]] else 0)
    return sample_legal(board, seat_state, state)


@kernel
def longest_claim(board: Record, seat_state: Record) -> int:
    """The longest route that the hand can pay for, with the fewest ferries; -1 when it can pay for none."""
    best, best_score = -1, -1
    for word in range(seat_state.open.shape[1]):
        claims = payable_claims(board, seat_state, word)
        for n in range(count_bits(claims)):
            claim = 64 * word + nth_bit(claims, n)
            cards, ferries = as_int(board.claim_cards[claim]), as_int(board.claim_ferries[claim])
            score = 100 * (cards + ferries) + 50 - ferries
            if score > best_score:
                best, best_score = claim, score
    return best


@kernel
def gather(seat_state: Record, state: Any) -> int:
    """The card that it has most of; chance breaks ties."""
    draws = draw_actions(seat_state)
    best, best_worth = DRAW_DECK, -1
    for action in range(DRAW_TICKETS):
        if draws >> action & 1:
            state = advance(state)
            worth = draw_worth(seat_state, action) + below(state, 500)
            if worth > best_worth:
                best, best_worth = action, worth
    return best


@kernel
def draw_worth(seat_state: Record, action: int) -> int:
    if action == DRAW_DECK:
        return _DECK
    if action == DRAW_DISPLAY + FERRY:
        return _FERRY
    return 1000 * as_int(seat_state.hand[seat_state.seat, action - DRAW_DISPLAY])
