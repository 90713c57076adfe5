"""The state of one game: a single aligned record of a few hundred bytes.

To copy a game is to copy its record, and many games are an array of records. The size depends on the map alone.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS, COLOURS

SEATS = 4
"""Room for the most players (1.7)."""

COLOUR_COUNT = len(COLOURS)
CARD_COUNT = len(CARDS)
FERRY = CARD_COUNT - 1
"""Cards are numbered in the order of CARDS: the colours, then the ferry."""

DISPLAY_SLOTS = 5
OFFERED = 2
NOBODY = -1
NO_SOUVENIR = -1
NOT_YET = -1

# What the acting seat must decide.
KEEP_FIRST_TICKETS, PLACE, TURN, SECOND_CARD, KEEP_TICKETS, TOKEN, OVER = range(7)
PHASES = ("keep_first_tickets", "place", "turn", "second_card", "keep_tickets", "token", "over")

# Why a game is over.
RUNNING, BY_LAST_ROUND, BY_STUCK = range(3)
END_REASONS = ("running", "last_round", "stuck")


@lru_cache
def game_dtype(board: Board) -> np.dtype:
    """The layout of a game on this board."""
    words = board.tables["claims_within"].shape[-1]
    locations, routes, tickets = len(board.locations), len(board.routes), len(board.tickets)
    fields = [
        ("chance", "u8"),  # the state of the generator
        ("open", "u8", (SEATS, words)),  # the claims that a seat could make if it had the cards
        ("tickets", "u8", (SEATS,)),  # tickets kept, as a set
        ("points", "i2", (SEATS,)),  # for routes, scored at once
        ("score", "i2", (SEATS,)),  # in all, once the game is over
        ("steps", "u2"),
        ("phase", "u1"),
        ("seat", "u1"),  # who must decide
        ("players", "u1"),
        ("turns_left", "i1"),  # left in the last round, NOT_YET before it
        ("passes", "u1"),  # in a row
        ("end", "u1"),
        ("token_route", "u1"),  # the route whose token is being chosen
        ("placed", "u1"),  # kinds of souvenir on the board
        ("recycled", "u1"),  # whether the last step turned the discard pile into the deck
        ("display_count", "u1"),
        ("deck_count", "u1"),
        ("discard_count", "u1"),
        ("ticket_top", "u1"),  # where the ticket deck begins in its ring
        ("ticket_count", "u1"),
        ("offer_count", "u1"),
        ("offer", "u1", (OFFERED,)),
        ("cars", "u1", (SEATS,)),
        ("tokens", "u1", (SEATS,)),  # kinds of souvenir owned, as a set
        ("hand", "u1", (SEATS, CARD_COUNT)),
        ("deck", "u1", (CARD_COUNT,)),
        ("discard", "u1", (CARD_COUNT,)),
        ("display", "u1", (CARD_COUNT,)),
        ("owner", "i1", (routes,)),
        ("souvenir", "i1", (locations,)),  # the kind stacked there
        ("stack", "u1", (locations,)),  # how many tokens are left of it
        ("ticket_deck", "u1", (tickets,)),  # a ring
        ("line", "u1", (SEATS, locations)),  # equal labels: connected by the seat's own routes
    ]
    # Aligned, because GPUs read nothing else; np.record, because interpreted rules write `game.seat`.
    return np.dtype((np.record, np.dtype(fields, align=True)))


def new_games(board: Board, count: int) -> np.ndarray:
    """An array of this many games; `reset` each before it is played."""
    return np.zeros(count, game_dtype(board))


def tickets_held(games: np.ndarray) -> np.ndarray:
    """(games, seats, tickets) -> whether the seat holds it, in many games at once."""
    numbers = np.arange(games["ticket_deck"].shape[1], dtype=np.uint64)
    return np.asarray(games["tickets"][:, :, None] >> numbers & np.uint64(1) != 0)
