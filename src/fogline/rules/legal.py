"""Which actions are legal: as a check, as a list, as a mask, and as a uniform sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, kernel
from fogline.rules.bits import ZERO, bit, count_bits, has_bit, nth_bit, write_bits
from fogline.rules.cards import displayed_colours
from fogline.rules.chance import below
from fogline.rules.numbering import (
    DRAW_DECK,
    DRAW_DISPLAY,
    DRAW_TICKETS,
    FIRST_PLACE,
    KEEP,
    PASS,
    action_count,
    first_claim,
    first_token,
)
from fogline.rules.routes import payable_claims
from fogline.rules.state import FERRY, KEEP_FIRST_TICKETS, KEEP_TICKETS, PLACE, SECOND_CARD, TOKEN, TURN
from fogline.rules.tokens import free_locations


@kernel
def draw_actions(game: Record) -> int:
    """The legal draws, drawing tickets included, as a set of action numbers."""
    actions = displayed_colours(game) << DRAW_DISPLAY
    if game.deck_count > 0:
        actions |= 1 << DRAW_DECK
    if game.phase == TURN:
        if game.display[FERRY] > 0:  # never as the second card (3.5)
            actions |= 1 << (DRAW_DISPLAY + FERRY)
        if game.ticket_count > 0:
            actions |= 1 << DRAW_TICKETS
    return actions


@kernel
def keeps(game: Record) -> int:
    """Keeping the first, the second or both; an only ticket must be kept (6.1)."""
    return (0b001 if game.offer_count == 1 else 0b111) << KEEP


@kernel
def simple_actions(game: Record) -> Any:
    """All legal actions except placing, tokens, claims and passing, as a set of action numbers."""
    if game.phase == TURN or game.phase == SECOND_CARD:
        return np.uint64(draw_actions(game))
    if game.phase == KEEP_FIRST_TICKETS or game.phase == KEEP_TICKETS:
        return np.uint64(keeps(game))
    return ZERO


@kernel
def choosable_locations(board: Record, game: Record) -> Any:
    """The locations among which a stack is placed, or a token taken (5.2)."""
    if game.phase == PLACE:
        return free_locations(game)
    if game.phase == TOKEN:
        return bit(board.route_first[game.token_route]) | bit(board.route_second[game.token_route])
    return ZERO


@kernel
def first_location_action(game: Record) -> int:
    return FIRST_PLACE if game.phase == PLACE else first_token(game)


@kernel
def count_legal(board: Record, game: Record) -> int:
    """How many actions are legal, passing left out: it is legal only when nothing else is (8.3)."""
    if game.phase == TURN:
        count = count_bits(simple_actions(game))
        for word in range(game.open.shape[1]):
            count += count_bits(payable_claims(board, game, word))
        return count
    return count_bits(simple_actions(game)) + count_bits(choosable_locations(board, game))


@kernel
def nth_legal(board: Record, game: Record, n: int) -> int:
    """The n-th legal action, from 0, in the order of the numbers."""
    simple = simple_actions(game)
    count = count_bits(simple)
    if n < count:
        return nth_bit(simple, n)
    n -= count
    if game.phase != TURN:
        return first_location_action(game) + nth_bit(choosable_locations(board, game), n)
    for word in range(game.open.shape[1]):
        claims = payable_claims(board, game, word)
        count = count_bits(claims)
        if n < count:
            return first_claim(game) + 64 * word + nth_bit(claims, n)
        n -= count
    return PASS


@kernel
def sample_legal(board: Record, game: Record, state: Any) -> int:
    """A legal action, all equally likely, chosen by a generator's state (see `chance.advance`)."""
    count = count_legal(board, game)
    return nth_legal(board, game, below(state, count)) if count > 0 else PASS


@kernel
def legal_actions(board: Record, game: Record, actions: Any) -> int:
    """Writes the numbers of all legal actions into an array, in order; returns their count."""
    count = legal_but_claims(board, game, actions)
    if game.phase == TURN:
        for word in range(game.open.shape[1]):
            claims = payable_claims(board, game, word)
            for n in range(count_bits(claims)):
                actions[count] = first_claim(game) + 64 * word + nth_bit(claims, n)
                count += 1
        if count == 0:
            actions[0] = PASS
            count = 1
    return count


@kernel
def legal_but_claims(board: Record, game: Record, actions: Any) -> int:
    """Writes the numbers of all legal actions except claims and passing into an array; returns their count."""
    count = 0
    simple = simple_actions(game)
    for n in range(count_bits(simple)):
        actions[count] = nth_bit(simple, n)
        count += 1
    locations = choosable_locations(board, game)
    for n in range(count_bits(locations)):
        actions[count] = first_location_action(game) + nth_bit(locations, n)
        count += 1
    return count


@kernel
def legal_mask(board: Record, game: Record, mask: Any) -> None:
    """Writes 1 for each legal action and 0 for each other one into an array as long as `action_count`."""
    simple, locations = simple_actions(game), choosable_locations(board, game)
    count = game.souvenir.shape[0]
    write_bits(simple, mask, 0, PASS)
    write_bits(locations if game.phase == PLACE else ZERO, mask, FIRST_PLACE, count)
    write_bits(locations if game.phase == TOKEN else ZERO, mask, first_token(game), count)
    found = simple
    for word in range(game.open.shape[1]):
        claims = payable_claims(board, game, word) if game.phase == TURN else ZERO
        write_bits(claims, mask, first_claim(game) + 64 * word, min(64, board.claim_route.shape[0] - 64 * word))
        found |= claims
    mask[PASS] = game.phase == TURN and found == ZERO


@kernel
def is_legal(board: Record, game: Record, action: int) -> bool:
    if action < 0 or action >= action_count(board, game):
        return False
    if action < PASS:
        return has_bit(simple_actions(game), action)
    if action == PASS:
        return game.phase == TURN and count_legal(board, game) == 0
    if action < first_claim(game):
        location = action - first_location_action(game)
        locations = game.souvenir.shape[0]
        return 0 <= location < locations and has_bit(choosable_locations(board, game), location)
    claim = action - first_claim(game)
    return game.phase == TURN and has_bit(payable_claims(board, game, claim // 64), claim % 64)
