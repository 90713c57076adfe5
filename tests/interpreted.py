"""Plays games and prints a digest of every byte of every position, and of what a network makes of some. A test runs it
interpreted and compiled.

python -m tests.interpreted GAMES      # NUMBA_DISABLE_JIT=1 before it: interpreted
"""

from __future__ import annotations

import hashlib
import random
import sys

import numpy as np

from fogline.game.game import Game
from fogline.knowledge.observation import observation_of
from fogline.players.neural.encoder import encode
from fogline.players.neural.network import Network
from fogline.rules import calls
from tests.boards import BOARDS, load_board
from tests.policies import action_weights, choose
from tests.weights import regular_weights

JUDGED = 30
"""After so many actions a network judges the position."""


def digest(name: str, players: int, seed: int) -> str:
    game = Game(load_board(name), players=players, seed=seed)
    generator, found = random.Random(seed), hashlib.sha256(game.position.snapshot())
    weights = action_weights(game.board, generator) if seed % 2 else [1.0] * len(game.legal_mask())
    while not game.over:
        if len(game.actions) % 16 == 0:  # interpreted, a mask takes as long as a hundred steps
            found.update(game.legal_mask().tobytes())
        numbers = game.legal_numbers()
        sampled = calls.sample_legal(game.board.tables, game.position.array, np.uint64(generator.getrandbits(64)))
        found.update(int(sampled).to_bytes(4, "little"))
        game.play(choose(numbers, weights, generator))
        found.update(game.position.snapshot())
        if len(game.actions) == JUDGED and seed < len(BOARDS):
            found.update(judged(game))
    return found.hexdigest()


def judged(game: Game) -> bytes:
    """The bytes of a small network's inputs, logits and value."""
    inputs = encode(game.board, game.players, observation_of(game.view(game.seat))[None])
    logits, values = Network(game.board, regular_weights(game.board, 9, 1))(inputs)
    return inputs.tobytes() + logits.tobytes() + values.tobytes()


def main() -> None:
    # A number that outgrows its field is a fault that compiled code would pass over in silence.
    np.seterr(all="raise", under="ignore")
    for seed in range(int(sys.argv[1])):
        name = BOARDS[seed % 3]
        players = 2 + seed // 3 % 3
        print(name, players, seed, digest(name, players, seed))  # noqa: T201


if __name__ == "__main__":
    main()
