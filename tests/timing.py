"""How long the tests took: in each folder, and which of them are too slow for the quick tier."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePath

import pytest

SLOW = 5.0
"""Seconds: what takes longer belongs into the thorough tier, or into smaller tests."""

BUSY = 1.25
"""Times as long as it needs by itself: so long a task takes where others use the same cores."""


class Times:
    """The seconds of every test, with what was set up for it and cleared away."""

    def __init__(self) -> None:
        self.alone = machine_is_idle()
        self.tests: defaultdict[str, float] = defaultdict(float)
        self.calls: dict[str, float] = {}  # without what it shares with others, which the first of them waits for
        self.slow: list[str] = []

    def add(self, report: pytest.TestReport) -> None:
        self.tests[report.nodeid] += report.duration
        if report.when == "call":
            self.calls[report.nodeid] = report.duration

    def by_folder(self) -> list[tuple[str, int, float]]:
        """The folders, with how many tests and seconds of one process each took."""
        found: defaultdict[str, list[float]] = defaultdict(list)
        for test, seconds in self.tests.items():
            found[_folder(test)].append(seconds)
        return sorted(((folder, len(all), sum(all)) for folder, all in found.items()), key=lambda row: -row[2])

    def judge(self) -> None:
        """Finds the tests that took too long; none where that may be somebody else's fault."""
        if self.alone and machine_is_idle():
            too_long = [(test, seconds) for test, seconds in self.calls.items() if seconds > SLOW]
            self.slow = [f"{test}: {seconds:.1f} s" for test, seconds in sorted(too_long)]

    def lines(self) -> Iterable[str]:
        for folder, number, seconds in self.by_folder():
            yield f"{seconds:7.1f} s  {number:5} tests  {folder}"


def machine_is_idle() -> bool:
    """Whether a little work takes about as long as the processor works for it."""
    began, worked = time.perf_counter(), time.process_time()
    while time.process_time() - worked < 0.1:
        pass
    return time.perf_counter() - began < 0.1 * BUSY


def _folder(test: str) -> str:
    path = PurePath(test.partition("::")[0])
    return str(path.parent) if path.parts[0] == "tests" else path.parts[0]
