"""OpenSpiel from Python: its games in C++, and Fogline's in Python, in the same loop."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pyspiel
from clock import Game, Played, main


def play(game: Any) -> Played:
    """Chance draws with its probabilities; only what players do is counted."""
    state, steps = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, chances)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
    return Played(steps, 1)


def _game(name: str, step: str, module: str = "pyspiel") -> Callable[[int], Game]:
    def made(_: int) -> Game:
        import_module(module)  # which registers the game
        return Game(step, partial(play, pyspiel.load_game(name)))

    return made


GAMES = {
    "Fogline, 2 players": _game("python_fogline", "an action of a seat", "fogline.envs.openspiel"),
    "backgammon": _game("backgammon", "a turn: both dice moved"),
    "gin rummy": _game("gin_rummy", "a card drawn or discarded, a pass, a knock or a meld"),
    "Leduc poker": _game("leduc_poker", "a bet, a call or a fold"),
}

if __name__ == "__main__":
    main("OpenSpiel", ("open-spiel",), GAMES)
