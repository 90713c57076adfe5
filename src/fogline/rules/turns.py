"""Turns (3.1), the end (chapter 7), and being stuck (chapter 8): one action after another."""

from __future__ import annotations

from fogline.compiler.kernels import Record, Tape, kernel
from fogline.rules.cards import (
    fill_display,
    recycle_when_empty,
    second_card_possible,
    take_from_deck,
    take_from_display,
)
from fogline.rules.numbering import (
    DRAW_DECK,
    DRAW_DISPLAY,
    DRAW_TICKETS,
    FIRST_PLACE,
    KEEP,
    PASS,
    first_claim,
    first_token,
)
from fogline.rules.routes import claim_route
from fogline.rules.scoring import score_game
from fogline.rules.setup import next_first_keep, next_place
from fogline.rules.state import (
    BY_LAST_ROUND,
    BY_STUCK,
    FERRY,
    KEEP_FIRST_TICKETS,
    KEEP_TICKETS,
    OVER,
    SECOND_CARD,
    TOKEN,
    TURN,
)
from fogline.rules.tickets import keep_tickets, offer_tickets
from fogline.rules.tokens import can_take_token, place_stack, take_token

LAST_ROUND_CARS = 2


@kernel
def step(board: Record, game: Record, action: int, tape: Tape) -> None:
    """Carries out one action of the acting seat, which must be legal, and all that follows from it.

    What several actions have in common stands here once and not with each action: on a GPU, games that take different
    actions then do it at the same time.
    """
    game.steps += 1
    game.recycled = 0
    if action != PASS:
        game.passes = 0  # 8.4
    draws, claims = action < DRAW_TICKETS, action >= first_claim(game)
    turn_ends = False
    if draws:
        draw_card(game, action, tape)
    elif claims:
        claim_route(board, game, action - first_claim(game))
    else:
        turn_ends = carry_out(board, game, action)
    recycle_when_empty(game, tape)
    fill_display(game, tape)
    if draws:
        turn_ends = no_second_card(game, action)
    elif claims:
        turn_ends = no_token_to_choose(board, game, board.claim_route[action - first_claim(game)])
    if turn_ends:
        end_turn(board, game)


@kernel
def draw_card(game: Record, action: int, tape: Tape) -> None:
    """One card, from the deck or the display (3.2)."""
    if action == DRAW_DECK:
        card = take_from_deck(game, tape)
    else:
        card = action - DRAW_DISPLAY
        take_from_display(game, card)
    game.hand[game.seat, card] += 1


@kernel
def no_second_card(game: Record, action: int) -> bool:
    """Whether a draw ends the turn; if not, the seat draws a second card."""
    took_ferry = action == DRAW_DISPLAY + FERRY  # 3.4; a ferry drawn blind is a card like any other (3.6)
    if game.phase == SECOND_CARD or took_ferry or not second_card_possible(game):
        return True
    game.phase = SECOND_CARD
    return False


@kernel
def no_token_to_choose(board: Record, game: Record, route: int) -> bool:
    """Takes the token of a claimed route: none, the only one, or one to choose before the turn ends (5.1, 5.2)."""
    first, second = board.route_first[route], board.route_second[route]
    at_first, at_second = can_take_token(game, first), can_take_token(game, second)
    if at_first and at_second:
        game.token_route = route
        game.phase = TOKEN
        return False
    if at_first:
        take_token(game, first)
    elif at_second:
        take_token(game, second)
    return True


@kernel
def carry_out(board: Record, game: Record, action: int) -> bool:
    """Carries out all actions but draws and claims; returns whether the turn ends."""
    if action == DRAW_TICKETS:
        offer_tickets(game)
        game.phase = KEEP_TICKETS
        return False
    if action < PASS:
        return keep(game, action - KEEP)
    if action == PASS:
        game.passes += 1
        return True
    if action < first_token(game):
        place_stack(game, action - FIRST_PLACE)
        next_place(board, game)
        return False
    take_token(game, action - first_token(game))
    return True


@kernel
def keep(game: Record, kept: int) -> bool:
    keep_tickets(game, kept)
    if game.phase == KEEP_FIRST_TICKETS:
        next_first_keep(game)
        return False
    return True


@kernel
def end_turn(board: Record, game: Record) -> None:
    """Gives the turn to the next seat, unless the game is over."""
    if game.turns_left > 0:
        game.turns_left -= 1
    elif game.cars[game.seat] <= LAST_ROUND_CARS:
        begin_last_round(game)  # once only: from then on turns are left, or the game is over (7.2)
    if game.turns_left == 0:
        finish(board, game, BY_LAST_ROUND)
    elif game.passes == game.players:
        finish(board, game, BY_STUCK)  # 8.4
    else:
        game.seat = game.seat + 1 if game.seat + 1 < game.players else 0
        game.phase = TURN


@kernel
def begin_last_round(game: Record) -> None:
    """Everyone has one more turn, the acting seat last (7.1)."""
    game.turns_left = game.players


@kernel
def finish(board: Record, game: Record, reason: int) -> None:
    game.end = reason
    game.phase = OVER
    score_game(board, game)
