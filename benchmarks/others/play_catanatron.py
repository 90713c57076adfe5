"""Catanatron: four of its random players play whole games."""

from __future__ import annotations

from catanatron import Color, Game, RandomPlayer
from clock import Game as Timed
from clock import Played, main


def play() -> Played:
    game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)])
    game.play()
    return Played(len(game.state.actions), 1)


if __name__ == "__main__":
    step = "the dice rolled, something built, bought, traded or moved, or a turn ended"
    main("Catanatron", ("catanatron",), {"Catan, 4 players": lambda _: Timed(step, play)})
