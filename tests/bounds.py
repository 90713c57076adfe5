"""How long a game can be at most."""

from fogline.board import Board


def most_actions(board: Board, players: int) -> int:
    """The bound that follows from 8.5: cards come back only through claims, and cars and tickets are finite.

    A claim costs at least one car, so the seats make at most `cars` claims each, and each may ask for a token. A card
    is drawn into a hand from those that are not dealt, or once more for each one paid; the cars bound what can be paid.
    Every drawing of tickets, which is two actions, keeps one for good. Between two actions that are not passes there
    are fewer passes than players, or the game is over.
    """
    claims = board.cars * players
    draws = sum(board.map_file.cards) - 2 * players + board.cars * players
    ticket_draws = len(board.tickets) - players
    setting_up = players + 2
    turns = claims + draws + ticket_draws
    passes = (players - 1) * (turns + 1) + players
    return setting_up + 2 * claims + draws + 2 * ticket_draws + passes
