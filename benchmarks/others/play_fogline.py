"""Fogline itself, in the same way: a batch on all cores of this process, and one game from Python."""

from __future__ import annotations

import os
import random

from clock import Game, Played, main

import fogline
from fogline.batch import Batch

STEP = "an action of a seat"
LAUNCH = 16
"""Steps between two looks at the clock."""

MIXED = 300
"""After this many steps the games of a batch are spread over all their stages."""


def batch(games: int) -> Game:
    """With masks and observations; choosing the actions counts."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    made = Batch(players=2, games=games, cores=cores)
    made.random_steps(MIXED)

    def play() -> Played:
        for _ in range(LAUNCH):
            made.step(made.sample())
        return Played(LAUNCH * games)

    return Game(STEP, play, games)


def one_game(_: int) -> Game:
    seeds = iter(range(1 << 30))

    def play() -> Played:
        game = fogline.Game(players=4, seed=next(seeds))
        while not game.over:
            game.play(random.choice(game.legal_actions()))
        return Played(len(game.actions), 1)

    return Game(STEP, play)


if __name__ == "__main__":
    main("Fogline", ("fogline",), {"Fogline, 2 players": batch, "Fogline, 4 players": one_game})
