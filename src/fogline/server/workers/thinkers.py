"""Where bots think: how many processes beside the server, and which other machines."""

from __future__ import annotations

import os
from dataclasses import dataclass


def usable_cores() -> int:
    """Those that the system lets this program use, which may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def usual_thinkers(cores: int) -> int:
    """One core stays free for the server: bots that take all of them keep people's moves waiting, however nice."""
    return max(1, cores - 1)


@dataclass(frozen=True, slots=True)
class ThinkersAt:
    """Processes on another machine."""

    host: str  # as one would give it to `ssh`
    processes: int
    python: str  # how one would start Python there
