"""Chapter 6: tickets."""

from __future__ import annotations

from fogline.compiler.kernels import Record, kernel
from fogline.rules.bits import bit, has_bit
from fogline.rules.chance import choose_below
from fogline.rules.state import OFFERED

KEEP_FIRST, KEEP_SECOND, KEEP_BOTH = range(3)


@kernel
def shuffle_tickets(game: Record) -> None:
    """2.5. The ticket deck is kept in order, because tickets come back to its bottom."""
    deck = game.ticket_deck
    for place in range(deck.shape[0]):
        deck[place] = place
    for place in range(deck.shape[0] - 1, 0, -1):
        other = choose_below(game, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    game.ticket_top = 0
    game.ticket_count = deck.shape[0]


@kernel
def offer_tickets(game: Record) -> None:
    """Offers the acting seat the top two tickets, or the only one left (6.1)."""
    game.offer_count = min(OFFERED, game.ticket_count)
    for place in range(game.offer_count):
        game.offer[place] = game.ticket_deck[game.ticket_top]
        game.ticket_top = (game.ticket_top + 1) % game.ticket_deck.shape[0]
    game.ticket_count -= game.offer_count


@kernel
def keep_tickets(game: Record, kept: int) -> None:
    """Keeps one or both of the offered tickets; the other goes to the bottom (2.5, 6.1)."""
    for place in range(game.offer_count):
        ticket = game.offer[place]
        if kept == KEEP_BOTH or kept == place:
            game.tickets[game.seat] |= bit(ticket)
        else:
            bottom = (game.ticket_top + game.ticket_count) % game.ticket_deck.shape[0]
            game.ticket_deck[bottom] = ticket
            game.ticket_count += 1
    game.offer_count = 0


@kernel
def is_completed(board: Record, game: Record, seat: int, ticket: int) -> bool:
    """Whether the seat's own routes join the ticket's two locations (6.3)."""
    line = game.line[seat]
    return line[board.ticket_first[ticket]] == line[board.ticket_second[ticket]]


@kernel
def count_completed(board: Record, game: Record, seat: int) -> int:
    completed = 0
    for ticket in range(board.ticket_value.shape[0]):
        if has_bit(game.tickets[seat], ticket) and is_completed(board, game, seat, ticket):
            completed += 1
    return completed
