"""How long a game can be at most, and all that a seat can see of it."""

from __future__ import annotations

from fogline.maps.board import Board
from fogline.rules.cards import MOST_RESETS, RESET_FERRIES
from fogline.rules.setup import DEALT
from fogline.rules.state import CARD_COUNT, DISPLAY_SLOTS, FERRY, OFFERED


def most_actions(board: Board, players: int) -> int:
    """The bound that follows from 8.5: cards come back only through claims, and cars and tickets are finite.

    A claim costs at least one car, so the seats make at most `cars` claims each, and each may ask for a token. Drawing
    tickets takes two actions and keeps one ticket for good. Between two actions that are not passes there are fewer
    passes than players, or the game is over.
    """
    claims, draws, ticket_draws = board.cars * players, _draws(board, players), len(board.tickets) - players
    setting_up = players + 2
    turns = claims + draws + ticket_draws
    passes = (players - 1) * (turns + 1) + players
    return setting_up + 2 * claims + draws + 2 * ticket_draws + passes


def _draws(board: Board, players: int) -> int:
    """A bound on cards drawn into hands: each is one that was not dealt, or one that was paid, and cars bound those."""
    return sum(board.map_file.cards) - DEALT * players + board.cars * players


def most_chances(board: Board, players: int) -> int:
    """A bound on the cards and tickets that chance brings: the deal, and what every claim and draw can turn up."""
    steps = board.cars * players + _draws(board, players)
    return DEALT * players + (1 + steps) * _flips(board) + len(board.tickets)


def _resets(board: Board) -> int:
    """The most cards in one step (3.7)."""
    return MOST_RESETS if board.map_file.cards[FERRY] >= RESET_FERRIES else 0


def _flips(board: Board) -> int:
    """The most cards turned up in one step: the whole display, and again after each reset."""
    return (1 + _resets(board)) * DISPLAY_SLOTS


def most_words(board: Board, players: int) -> int:
    """A bound on the words of `fogline.envs.memory`: the most that every event takes, with its end."""
    resets, a_reset = _resets(board), DISPLAY_SLOTS + 2
    recycles, a_recycle = resets + 2, 2  # each uses up a discard pile: of the payment, of a reset, or of before
    turned_up = _flips(board) * 3 + resets * a_reset + recycles * a_recycle
    a_claim, a_token, a_draw, last_round_and_end = 8, 5, 5, 6
    claims, draws = board.cars * players, _draws(board, players)
    offers = players + len(board.tickets)
    deal = players * (3 + DEALT) + DISPLAY_SLOTS + 2 + turned_up
    played = claims * (a_claim + a_token + turned_up) + draws * (a_draw + turned_up)
    chosen = 2 * offers * (3 + OFFERED) + 2 * 6
    passed = 3 * most_actions(board, players)
    held = 3 + (2 + 2 * CARD_COUNT) + (2 + len(board.tickets)) + (2 + OFFERED)
    return held + deal + chosen + played + passed + last_round_and_end
