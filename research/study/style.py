"""Styles: the compiled players, and variants of the planner that differ from it in one habit.

A style decides from a seat state, which has no field for what its seat may not know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fogline.maps.board import Board
from fogline.players.player import PLAYERS
from fogline.players.scripted.plan import new_plans
from fogline.players.scripted.policies import PLANNER, decide_one, first_state
from fogline.rules.numbering import DRAW_TICKETS, KEEP
from fogline.rules.state import KEEP_FIRST_TICKETS, KEEP_TICKETS, NOT_YET, OFFERED, TURN
from fogline.rules.tickets import KEEP_BOTH, KEEP_FIRST, KEEP_SECOND

ENOUGH_TICKETS = 3
"""The style that draws more wants to hold this many tickets."""


class Mind:
    """One seat's player in one game: a policy with a generator of its own."""

    def __init__(self, board: Board, policy: int, seed: int) -> None:
        self.board = board
        self.policy = policy
        self.plans = new_plans(board, 1)
        self.state = first_state(np.uint64(seed))

    def decide(self, seat_states: np.ndarray) -> int:
        """The policy's own choice."""
        number, self.state = decide_one(self.board.tables, seat_states, self.plans, self.policy, np.uint64(self.state))
        return int(number)

    def promise(self, seat_states: np.ndarray, ticket: int) -> float:
        """The value of the planner's plan with only this ticket.

        Its last plan for an offer is that for both tickets, so an offer of one ticket twice leaves the plan for it.
        """
        alone = seat_states.copy()
        alone["offer"][0] = ticket
        decide_one(self.board.tables, alone, self.plans, self.policy, np.uint64(self.state))
        return float(self.plans["value"][0])


Habit = Callable[[Mind, np.ndarray], int | None]
"""Where a style departs from its policy; None where it follows it."""


def keep_one(mind: Mind, seat_states: np.ndarray) -> int | None:
    if not _offered_two(seat_states):
        return None
    first, second = (mind.promise(seat_states, int(ticket)) for ticket in seat_states["offer"][0])
    return KEEP + (KEEP_FIRST if first >= second else KEEP_SECOND)


def keep_both(_: Mind, seat_states: np.ndarray) -> int | None:
    return KEEP + KEEP_BOTH if _offered_two(seat_states) else None


def draw_more(_: Mind, seat_states: np.ndarray) -> int | None:
    """Draws tickets before all else, until it holds enough."""
    seat_state = seat_states[0]
    if seat_state["phase"] != TURN or seat_state["turns_left"] != NOT_YET or seat_state["ticket_count"] == 0:
        return None
    return DRAW_TICKETS if seat_state["ticket_counts"][seat_state["seat"]] < ENOUGH_TICKETS else None


def _offered_two(seat_states: np.ndarray) -> bool:
    return seat_states["phase"][0] in (KEEP_FIRST_TICKETS, KEEP_TICKETS) and bool(
        seat_states["offer_count"][0] == OFFERED
    )


@dataclass(frozen=True, slots=True)
class Style:
    """A policy, and a habit that it lacks."""

    policy: int
    habit: Habit | None = None

    def decide(self, mind: Mind, seat_states: np.ndarray) -> int:
        chosen = None if self.habit is None else self.habit(mind, seat_states)
        return mind.decide(seat_states) if chosen is None else chosen


STYLES: dict[str, Style] = {
    **{name: Style(player.policy) for name, player in PLAYERS.items() if hasattr(player, "policy")},
    "keeps one": Style(PLANNER, keep_one),
    "keeps both": Style(PLANNER, keep_both),
    "draws more": Style(PLANNER, draw_more),
}
"""Every style by its name; those without a habit are the compiled players."""
