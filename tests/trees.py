"""Whole trees on the tiny map, stored as data.

python -m tests.trees      # counts them anew into tests/data/trees.json, for when the rules themselves have changed
"""

from __future__ import annotations

import json

from fogline.game.game import Game
from tests.boards import DATA, load_board
from tests.tree import Tree

FILE = DATA / "trees.json"
STARTS = [
    (2, "blue blue red red ferry ferry blue red"),
    (3, "blue red blue red ferry ferry blue red"),
    (3, "blue blue blue red red red ferry ferry"),
    (4, "blue red blue red blue red ferry ferry"),
    (4, "blue blue red red ferry ferry blue red"),
]
"""Players, and the cards in the order in which they come: the deal, then the display."""


def start(players: int, cards: str) -> Game:
    """The first turn after this deal, with the tickets in the map's order, all of those offered kept."""
    board = load_board("tiny")
    game = Game._dealt(board, players=players, seed=0, cards=cards.split())
    game._stack_tickets([ticket.id for ticket in board.tickets])
    for _ in range(players):
        game.play("keep both")
    game.play("place market")
    game.play("place hill")
    return game


def count(players: int, cards: str) -> list[int]:
    """How many games there are from that first turn on, by their number of actions."""
    return list(Tree(load_board("tiny")).count(start(players, cards)))


def main() -> None:
    trees = [{"players": players, "cards": cards, "games": count(players, cards)} for players, cards in STARTS]
    FILE.write_text(json.dumps(trees, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
