"""Plays batches and prints a digest of every byte of all that they tell. A test runs it interpreted and compiled.

python -m tests.batch.interpreted      # NUMBA_DISABLE_JIT=1 before it: interpreted
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np

from fogline.batch import Batch
from fogline.players.batch_players import BatchPlayers
from fogline.players.scripted.compiled_player import POLICIES
from tests.boards import load_board

STEPS = {"tiny": 36, "san_francisco": 4}
"""Interpreted, a step takes some milliseconds. On the tiny board, some games end and others begin."""


def lines() -> Iterator[str]:
    for name, steps in STEPS.items():
        for players in (2, 3, 4):
            yield f"{name} {players} {digest(name, players, steps, observe=True)}"
        yield f"{name} unobserved {digest(name, 2, steps, observe=False)}"
        for player in POLICIES:
            yield f"{name} {player} {choices(name, player, steps)}"


def digest(name: str, players: int, steps: int, *, observe: bool) -> str:
    batch = Batch(load_board(name), players, 2, seed=players, observe=observe, cores=1)
    generator, found = np.random.default_rng(players), hashlib.sha256()
    for step in range(steps):
        if step % 5 == 4:
            batch.random_steps(2)
        else:
            batch.step([generator.choice(np.flatnonzero(mask)) for mask in batch.masks])
        for array in (*batch.outputs, *batch.kept):
            found.update(b"none" if array is None else array.tobytes())
    return f"{batch.finished()} {found.hexdigest()}"


def choices(name: str, player: str, steps: int) -> str:
    """What a compiled player chooses in every lane, to play on from there."""
    batch = Batch(load_board(name), 3, 2, seed=steps, observe=False, cores=1)
    actions, found = np.zeros(2, np.int64), hashlib.sha256()
    for _ in range(steps):
        BatchPlayers(batch, player).choose(actions, np.ones(2, np.bool_))
        batch.step(actions)
        found.update(actions.tobytes())
    return found.hexdigest()


if __name__ == "__main__":
    for line in lines():
        print(line)  # noqa: T201
