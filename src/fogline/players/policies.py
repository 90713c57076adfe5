"""Every compiled player by its number: what a match of millions of decisions calls, and what `choose` calls for one."""

from __future__ import annotations

from typing import Any

from fogline.players.planner import planner_choice
from fogline.players.racer import racer_choice
from fogline.rules.chance import advance, below, seeded
from fogline.rules.compiled import Record, door, rule
from fogline.rules.legal import sample_legal

RANDOM, RACER, DREAMER, PLANNER = range(4)

DISTRACTED = 30
"""Of a hundred decisions, those in which the dreamer forgets its plan."""


@rule
def decide(board: Record, sight: Record, plan: Record, policy: int, state: Any) -> int:
    """The action that a policy chooses by what it sees, and by the state of its generator."""
    if policy == DREAMER:
        policy = RACER if below(state, 100) < DISTRACTED else PLANNER
    if policy == PLANNER:
        return planner_choice(board, sight, plan, state)
    if policy == RACER:
        return racer_choice(board, sight, state)
    return sample_legal(board, sight, state)


@door
def decide_one(board: Any, sight: Any, plan: Any, policy: int, state: Any) -> tuple[int, Any]:
    """The same for one decision from Python, with the generator's next state."""
    state = advance(state)
    return decide(board[0], sight[0], plan[0], policy, state), state


@door
def first_state(seed: Any) -> Any:
    return seeded(seed)
