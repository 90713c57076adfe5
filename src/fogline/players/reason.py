"""Why a player did what it did."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """What a player had in mind: a ticket to complete, the next route for it, the one that it feared to lose.

    `hope` is its own estimate of its chance to win, from 0 to 1.
    """

    ticket: str | None = None
    route: str | None = None
    feared: str | None = None
    hope: float | None = None
