"""Chapter 2: setting up."""

from __future__ import annotations

from typing import Any

from fogline.compiler.kernels import Record, Tape, kernel
from fogline.rules.cards import fill_display, take_from_deck
from fogline.rules.chance import seeded
from fogline.rules.state import (
    CARD_COUNT,
    KEEP_FIRST_TICKETS,
    NO_SOUVENIR,
    NOBODY,
    NOT_YET,
    PLACE,
    RUNNING,
    SEATS,
    TURN,
)
from fogline.rules.tickets import offer_tickets, shuffle_tickets
from fogline.rules.tokens import stack_size

DEALT = 2


@kernel
def reset(board: Record, game: Record, players: int, seed: Any, tape: Tape) -> None:
    """Sets up a new game, up to the first decision: which tickets seat 0 keeps."""
    game.chance = seeded(seed)
    game.players = players
    clear_table(board, game)
    clear_board(board, game)
    place_landmark_stacks(board, game)
    deal_cards(game, tape)
    fill_display(game, tape)
    shuffle_tickets(game)
    offer_tickets(game)


@kernel
def clear_table(board: Record, game: Record) -> None:
    """Sets out what lies beside the board: scores, cars, hands and piles (1.4, 1.7, 2.1)."""
    game.steps = 0
    game.phase = KEEP_FIRST_TICKETS
    game.seat = 0
    game.turns_left = NOT_YET
    game.passes = 0
    game.end = RUNNING
    game.token_route = 0
    game.recycled = 0
    game.display_count = 0
    game.deck_count = 0
    game.discard_count = 0
    for card in range(CARD_COUNT):
        game.deck[card] = board.cards[card]
        game.deck_count += board.cards[card]
        game.discard[card] = 0
        game.display[card] = 0
    for seat in range(SEATS):
        game.points[seat] = 0
        game.score[seat] = 0
        game.cars[seat] = board.cars
        game.tokens[seat] = 0
        game.tickets[seat] = 0
        for card in range(CARD_COUNT):
            game.hand[seat, card] = 0


@kernel
def clear_board(board: Record, game: Record) -> None:
    """Opens every claim: no route is owned, and every location stands alone."""
    longest = board.claims_within.shape[0] - 1
    for route in range(game.owner.shape[0]):
        game.owner[route] = NOBODY
    for location in range(game.souvenir.shape[0]):
        game.souvenir[location] = NO_SOUVENIR
        game.stack[location] = 0
    for seat in range(SEATS):
        for word in range(game.open.shape[1]):
            game.open[seat, word] = board.claims_within[min(board.cars, longest), word]
        for location in range(game.line.shape[1]):
            game.line[seat, location] = location


@kernel
def place_landmark_stacks(board: Record, game: Record) -> None:
    """2.2, 2.3."""
    for kind in range(board.landmarks.shape[0]):
        game.souvenir[board.landmarks[kind]] = kind
        game.stack[board.landmarks[kind]] = stack_size(game.players)
    game.placed = board.landmarks.shape[0]


@kernel
def deal_cards(game: Record, tape: Tape) -> None:
    """2.4."""
    for seat in range(game.players):
        for _ in range(DEALT):
            game.hand[seat, take_from_deck(game, tape)] += 1


@kernel
def next_first_keep(game: Record) -> None:
    """Goes on after a seat's first tickets: the next seat's offer (2.5), or the last seat places (2.7, 2.8)."""
    if game.seat + 1 < game.players:
        game.seat += 1
        offer_tickets(game)
    else:
        game.phase = PLACE


@kernel
def next_place(board: Record, game: Record) -> None:
    """Goes on after a stack has been placed: the last but one places the other (2.7), with two the same seat (2.8)."""
    if game.placed < board.kinds:
        if game.players > 2:
            game.seat -= 1
    else:
        game.phase = TURN
        game.seat = 0  # 2.6
