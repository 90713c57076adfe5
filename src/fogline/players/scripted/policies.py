"""Every compiled player by its number: called by matches of millions of decisions, and by `choose` for one."""

from __future__ import annotations

from typing import Any

from fogline.compiler.kernels import Record, entry_point, kernel
from fogline.players.scripted.planner import planner_choice
from fogline.players.scripted.racer import racer_choice
from fogline.rules.chance import advance, below, seeded
from fogline.rules.legal import sample_legal

RANDOM, RACER, DREAMER, PLANNER = range(4)

DISTRACTED = 30
"""Of a hundred decisions, those in which the dreamer forgets its plan."""


@kernel
def decide(board: Record, seat_state: Record, plan: Record, policy: int, state: Any) -> int:
    """The action that a policy chooses from a seat state and the state of its generator."""
    if policy == DREAMER:
        policy = RACER if below(state, 100) < DISTRACTED else PLANNER
    if policy == PLANNER:
        return planner_choice(board, seat_state, plan, state)
    if policy == RACER:
        return racer_choice(board, seat_state, state)
    return sample_legal(board, seat_state, state)


@entry_point
def decide_one(board: Any, seat_state: Any, plan: Any, policy: int, state: Any) -> tuple[int, Any]:
    """The same for one decision from Python, with the generator's next state."""
    state = advance(state)
    return decide(board[0], seat_state[0], plan[0], policy, state), state


@entry_point
def first_state(seed: Any) -> Any:
    return seeded(seed)
