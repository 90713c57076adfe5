"""The planner: it makes a plan for its tickets and follows it."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.players.scripted.plan import FAR, NONE, times
from fogline.players.scripted.planning import make_plan, new_token, token_points
from fogline.rules.bits import bit, count_bits, has_bit, nth_bit
from fogline.rules.chance import advance, below
from fogline.rules.legal import choosable_locations, draw_actions, first_location_action
from fogline.rules.numbering import DRAW_DECK, DRAW_DISPLAY, DRAW_TICKETS, KEEP, PASS, first_claim
from fogline.rules.routes import payable_claims
from fogline.rules.state import (
    CARD_COUNT,
    COLOUR_COUNT,
    FERRY,
    KEEP_FIRST_TICKETS,
    KEEP_TICKETS,
    PLACE,
    SECOND_CARD,
    TOKEN,
)
from fogline.rules.tickets import KEEP_FIRST, KEEP_SECOND, is_completed

# Found by playing thousands of games of one setting against another.
URGENCY = 1.0
"""How many places in the plan a route moves up when another seat seems to need it."""
GOOD_DRAW = 1.26
"""When two cards for the plan lie ready, it takes them before a claim that can wait."""
IDLE_TURNS = 9.0
"""Turns to spare at the end of a plan that make drawing tickets worthwhile."""
CALM = 1.0
"""Claims that others need no more than this can wait."""
HURRY = 2.7
"""With fewer turns to come, nothing waits."""
_WHIM = 1e-3
"""How far chance decides between choices that are as good as equal."""


@kernel
def planner_choice(board: Record, game: Record, plan: Record, state: Any) -> int:
    """The planner's action for the deciding seat; `state` is that of its generator."""
    if game.phase == KEEP_FIRST_TICKETS or game.phase == KEEP_TICKETS:
        return choose_keep(board, game, plan)
    make_plan(board, game, game.seat, game.tickets[game.seat], plan)
    return follow_plan(board, game, plan, state)


@kernel
def follow_plan(board: Record, game: Record, plan: Record, state: Any) -> int:
    """The next action of a plan that the deciding seat has made, in all but the choice of tickets."""
    if game.phase == PLACE:
        return choose_place(board, game, plan, state)
    if game.phase == TOKEN:
        return choose_token(board, game, plan)
    if game.phase == SECOND_CARD:
        return choose_draw(board, game, plan, state)
    if game.turns_left >= 0:
        claim = best_last_claim(board, game)
        if claim != NONE:
            return first_claim(game) + claim
    claim = ready_claim(board, game, plan)
    if claim != NONE:
        if plan.pressure[board.claim_route[claim]] < CALM and plan.time > HURRY:
            draw, worth = best_draw(board, game, plan, state)
            if draw != NONE and worth > GOOD_DRAW:
                return draw
        return first_claim(game) + claim
    if game.ticket_count > 0 and plan.time - plan.turns > IDLE_TURNS:
        return DRAW_TICKETS
    return draw_or_else(board, game, plan, state)


@kernel
def choose_keep(board: Record, game: Record, plan: Record) -> int:
    """Keeps the first, the second or both: whichever promises most."""
    held = game.tickets[game.seat]
    first = bit(game.offer[0])
    if game.offer_count == 1:
        return KEEP + KEEP_FIRST
    second = bit(game.offer[1])
    best, best_value = KEEP_FIRST, -FAR
    for which in range(3):
        tickets = held
        if which != KEEP_SECOND:
            tickets |= first
        if which != KEEP_FIRST:
            tickets |= second
        make_plan(board, game, game.seat, tickets, plan)
        if plan.value > best_value:
            best, best_value = which, plan.value
    return KEEP + best


@kernel
def choose_place(board: Record, game: Record, plan: Record, state: Any) -> int:
    """A location that the plan passes early and others seldom do."""
    best, best_score = 0, -FAR
    locations = choosable_locations(board, game)
    for location in range(game.souvenir.shape[0]):
        if has_bit(locations, location):
            state = advance(state)
            score = place_score(board, plan, location) + times(_WHIM, below(state, 1000))
            if score > best_score:
                best, best_score = location, score
    return first_location_action(game) + best


@kernel
def place_score(board: Record, plan: Record, location: int) -> float:
    touches = 0
    for route in range(board.route_first.shape[0]):
        if board.route_first[route] == location or board.route_second[route] == location:
            touches += 1
    for place in range(plan.count):
        route = plan.order[place]
        if board.route_first[route] == location or board.route_second[route] == location:
            return 100.0 - 10.0 * place - touches
    return -float(touches)


@kernel
def choose_token(board: Record, game: Record, plan: Record) -> int:
    """The kind of souvenir that the plan will not bring anyway; of those, the scarcer."""
    first, second = board.route_first[game.token_route], board.route_second[game.token_route]
    chosen = first if token_urgency(board, game, plan, first) >= token_urgency(board, game, plan, second) else second
    return first_location_action(game) + as_int(chosen)


@kernel
def token_urgency(board: Record, game: Record, plan: Record, location: int) -> float:
    urgency = 4.0 - as_int(game.stack[location])
    for place in range(plan.count):
        route = plan.order[place]
        for end in (board.route_first[route], board.route_second[route]):
            if game.stack[end] > 0 and game.souvenir[end] == game.souvenir[location]:
                return urgency - 2.0
    return urgency


@kernel
def ready_claim(board: Record, game: Record, plan: Record) -> int:
    """The claim of a planned route whose payment is all in the hand: the first one, or the one most in danger."""
    best, best_score = NONE, -FAR
    for place in range(plan.count):
        if plan.missing[place] == 0:
            score = URGENCY * plan.pressure[plan.order[place]] - place
            if score > best_score:
                claim = claim_number(board, plan, place)
                if claim != NONE and has_bit(payable_claims(board, game, claim // 64), claim % 64):
                    best, best_score = claim, score
    return best


@kernel
def claim_number(board: Record, plan: Record, place: int) -> int:
    """The claim of a planned route with its planned payment."""
    colour = FERRY if plan.cards[place] == 0 else plan.colour[place]
    for claim in range(board.claim_route.shape[0]):
        if (
            board.claim_route[claim] == plan.order[place]
            and board.claim_colour[claim] == colour
            and board.claim_ferries[claim] == plan.ferries[place]
        ):
            return claim
    return NONE


@kernel
def best_last_claim(board: Record, game: Record) -> int:
    """In the last round: the claim that brings most points at once, tickets and token included, or NONE."""
    best, best_points = NONE, -1.0
    for word in range(game.open.shape[1]):
        claims = payable_claims(board, game, word)
        for n in range(count_bits(claims)):
            claim = 64 * word + nth_bit(claims, n)
            points = claim_points(board, game, board.claim_route[claim])
            if points > best_points:
                best, best_points = claim, points
    return best


@kernel
def claim_points(board: Record, game: Record, route: int) -> float:
    """Points that a route would bring by the end if it were the last claim."""
    seat = game.seat
    points = float(board.route_points[board.route_length[route]])
    line = game.line[seat]
    first, second = line[board.route_first[route]], line[board.route_second[route]]
    for ticket in range(board.ticket_value.shape[0]):
        if has_bit(game.tickets[seat], ticket) and not is_completed(board, game, seat, ticket):
            one, other = line[board.ticket_first[ticket]], line[board.ticket_second[ticket]]
            if (one == first and other == second) or (one == second and other == first):
                points += 2.0 * board.ticket_value[ticket]
    if new_token(board, game, game.tokens[seat], route) != NONE:
        owned = count_bits(np.uint64(game.tokens[seat]))
        points += token_points(board, owned + 1) - token_points(board, owned)
    return points


@kernel
def draw_or_else(board: Record, game: Record, plan: Record, state: Any) -> int:
    """Draws cards; if there are none, claims; else draws tickets, or passes."""
    draws = draw_actions(game)
    if draws & ~(1 << DRAW_TICKETS) != 0:
        return choose_draw(board, game, plan, state)
    claim = best_last_claim(board, game)
    if claim != NONE:
        return first_claim(game) + claim
    return DRAW_TICKETS if draws != 0 else PASS


@kernel
def choose_draw(board: Record, game: Record, plan: Record, state: Any) -> int:
    return best_draw(board, game, plan, state)[0]


@kernel
def best_draw(board: Record, game: Record, plan: Record, state: Any) -> tuple[int, float]:
    """The card worth most, with the value of a second one afterwards; a displayed ferry takes the whole turn."""
    draws = draw_actions(game)
    blind = worth_of_deck(board, game, plan)
    best, best_worth = NONE, -1.0
    for action in range(DRAW_TICKETS):
        if draws >> action & 1:
            state = advance(state)
            worth = times(_WHIM * 0.001, below(state, 1000))
            if action == DRAW_DECK:
                worth += blind + second_worth(game, plan, NONE, blind)
            elif action == DRAW_DISPLAY + FERRY:
                worth += plan.worth[FERRY]
            else:
                colour = action - DRAW_DISPLAY
                worth += plan.worth[colour] + second_worth(game, plan, colour, blind)
            if worth > best_worth:
                best, best_worth = action, worth
    return best, best_worth


@kernel
def second_worth(game: Record, plan: Record, taken: int, blind: float) -> float:
    """What the second card would be worth after this one, or 0 when this is the second."""
    if game.phase == SECOND_CARD:
        return 0.0
    best = blind
    for colour in range(COLOUR_COUNT):
        if game.display[colour] > (1 if colour == taken else 0):
            best = max(best, plan.worth[colour])
    return best


@kernel
def worth_of_deck(board: Record, game: Record, plan: Record) -> float:
    """The mean value of a blind card, over all cards that the seat cannot see."""
    worth, unseen = 0.0, 0
    for card in range(CARD_COUNT):
        count = board.cards[card] - game.hand[game.seat, card] - game.display[card] - game.discard[card]
        worth += times(count, plan.worth[card])
        unseen += count
    return worth / unseen if unseen > 0 else 0.0
