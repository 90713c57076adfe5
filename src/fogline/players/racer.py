"""The racer: the longest route that it can pay for, and otherwise the colour that it has most of."""

from __future__ import annotations

from typing import Any

from fogline.rules.bits import count_bits, nth_bit
from fogline.rules.chance import advance, below
from fogline.rules.compiled import Record, rule, whole
from fogline.rules.legal import draw_actions, sample_legal
from fogline.rules.numbering import DRAW_DECK, DRAW_DISPLAY, DRAW_TICKETS, KEEP, first_claim
from fogline.rules.routes import payable_claims
from fogline.rules.state import FERRY, KEEP_FIRST_TICKETS, KEEP_TICKETS, SECOND_CARD, TURN

_DECK = 500
_FERRY = 1500
"""What a card is worth, in thousandths of a card already held: the deck a bit more than a new colour."""


@rule
def racer_choice(board: Record, sight: Record, state: Any) -> int:
    if sight.phase == TURN:
        claim = longest_claim(board, sight)
        if claim >= 0:
            return first_claim(sight) + claim
    if (sight.phase == TURN or sight.phase == SECOND_CARD) and draw_actions(sight) & ~(1 << DRAW_TICKETS) != 0:
        return gather(sight, state)
    if (sight.phase == KEEP_FIRST_TICKETS or sight.phase == KEEP_TICKETS) and sight.offer_count > 1:
        return KEEP + (1 if board.ticket_value[sight.offer[1]] < board.ticket_value[sight.offer[0]] else 0)
    return sample_legal(board, sight, state)


@rule
def longest_claim(board: Record, sight: Record) -> int:
    """The longest route that the hand can pay for, with the fewest ferries; -1 when it can pay for none."""
    best, best_score = -1, -1
    for word in range(sight.open.shape[1]):
        claims = payable_claims(board, sight, word)
        for n in range(count_bits(claims)):
            claim = 64 * word + nth_bit(claims, n)
            cards, ferries = whole(board.claim_cards[claim]), whole(board.claim_ferries[claim])
            score = 100 * (cards + ferries) + 50 - ferries
            if score > best_score:
                best, best_score = claim, score
    return best


@rule
def gather(sight: Record, state: Any) -> int:
    """The card of which it has most; chance decides between equals."""
    draws = draw_actions(sight)
    best, best_worth = DRAW_DECK, -1
    for action in range(DRAW_TICKETS):
        if draws >> action & 1:
            state = advance(state)
            worth = draw_worth(sight, action) + below(state, 500)
            if worth > best_worth:
                best, best_worth = action, worth
    return best


@rule
def draw_worth(sight: Record, action: int) -> int:
    if action == DRAW_DECK:
        return _DECK
    if action == DRAW_DISPLAY + FERRY:
        return _FERRY
    return 1000 * whole(sight.hand[sight.seat, action - DRAW_DISPLAY])
