"""Chapter 5: tourist tokens; and placing the stacks that were set aside (2.7, 2.8)."""

from __future__ import annotations

from typing import Any

from fogline.compiler.kernels import Record, kernel
from fogline.rules.bits import ZERO, bit
from fogline.rules.state import NO_SOUVENIR


@kernel
def stack_size(players: int) -> int:
    """How many tokens a stack has (2.3)."""
    return 3 if players == 4 else 2


@kernel
def place_stack(game: Record, location: int) -> None:
    """Puts the next kind that was set aside on a location; with two players, a single token (2.8)."""
    game.souvenir[location] = game.placed
    game.stack[location] = 1 if game.players == 2 else stack_size(game.players)
    game.placed += 1


@kernel
def free_locations(game: Record) -> Any:
    """The locations without a stack, as a set."""
    free = ZERO
    for location in range(game.souvenir.shape[0]):
        if game.souvenir[location] == NO_SOUVENIR:
            free |= bit(location)
    return free


@kernel
def can_take_token(game: Record, location: int) -> bool:
    """Whether a token of a kind that the acting seat does not own lies there (5.1, 5.4)."""
    return game.stack[location] > 0 and (game.tokens[game.seat] >> game.souvenir[location]) & 1 == 0


@kernel
def take_token(game: Record, location: int) -> None:
    game.tokens[game.seat] |= 1 << game.souvenir[location]
    game.stack[location] -= 1
