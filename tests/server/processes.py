"""Processes that a server has started, as the system tells of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.server.serving import PATIENCE


def children(process: int) -> list[int]:
    """The processes that one has started and that are still there."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return sorted(int(child) for text in lists for child in text.read_text().split())


def gone(process: int) -> bool:
    """Whether a process has ended, though nobody may have taken notice yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until(condition: Callable[[], bool]) -> None:
    """Looks again and again, for as long as a busy machine may need."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
