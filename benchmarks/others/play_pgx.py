"""pgx: many games at once, on the device that JAX takes by itself; JAX_PLATFORMS=cpu keeps it on the processor.

Some steps a launch, with pgx's own wrapper that begins a new game where one has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from clock import Game, Played, main
from pgx.experimental import auto_reset

LAUNCH = 16
"""Steps that are compiled as one."""


class Batch:
    """Games that go on from one launch to the next."""

    def __init__(self, name: str, games: int) -> None:
        environment = pgx.make(name)
        self.games = games
        self._step = jax.vmap(auto_reset(environment.step, environment.init))
        self._launch = jax.jit(self._launched)
        self._key, key = jax.random.split(jax.random.key(0))
        self._state = jax.jit(jax.vmap(environment.init))(jax.random.split(key, games))

    def play(self) -> Played:
        self._key, key = jax.random.split(self._key)
        self._state = jax.block_until_ready(self._launch(self._state, jax.random.split(key, LAUNCH)))
        return Played(self.games * LAUNCH)

    def _launched(self, state: Any, keys: Any) -> Any:
        return jax.lax.scan(self._random_step, state, keys)[0]

    def _random_step(self, state: Any, key: Any) -> tuple[Any, None]:
        choosing, stepping = jax.random.split(key)
        legal = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(choosing, legal, axis=-1)
        return self._step(state, actions, jax.random.split(stepping, self.games)), None


def _game(name: str, step: str) -> Callable[[int], Game]:
    return lambda games: Game(step, Batch(name, games).play, games)


GAMES = {
    "backgammon": _game("backgammon", "one die moved"),
    "sparrow mahjong": _game("sparrow_mahjong", "a tile discarded, and the next drawn"),
}

if __name__ == "__main__":
    main("pgx", ("pgx", "jax"), GAMES)
