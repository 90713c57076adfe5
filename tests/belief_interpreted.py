"""Samples games from beliefs and prints a digest of every byte. A test runs it interpreted and compiled.

python -m tests.belief_interpreted      # NUMBA_DISABLE_JIT=1 before it: interpreted
"""

from __future__ import annotations

import hashlib
import random

import numpy as np

from fogline.game.game import Game
from fogline.knowledge.belief import Belief
from tests.boards import load_board
from tests.policies import action_weights, choose


def digest(board: str, players: int, seed: int) -> str:
    game, generator, found = Game(load_board(board), players=players, seed=seed), random.Random(seed), hashlib.sha256()
    weights = action_weights(game.board, generator)
    while not game.over:
        if len(game.actions) % 30 == 29:  # interpreted, a belief takes as long as a thousand steps
            found.update(Belief(game.view(game.seat)).sample(2, seed).tobytes())
        game.play(choose(game.legal_numbers(), weights, generator))
    return found.hexdigest()


def main() -> None:
    np.seterr(all="raise")
    for board, players in (("tiny", 3), ("dead_end", 3), ("dead_end", 4)):
        print(board, players, digest(board, players, seed=1))  # noqa: T201


if __name__ == "__main__":
    main()
