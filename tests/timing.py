"""How long the tests took: in each folder, and which of them are too slow for the quick tier."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path, PurePath

import pytest

SLOW = 5.0
"""Seconds: what takes longer belongs into the thorough tier, or into smaller tests."""

OTHERS = 0.25
"""Of all cores: where others take more, no test can be blamed for being slow.

Some of it is our own, that of processes whose end nobody waits for: the browser's, about a tenth on two cores.
"""

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")


class Times:
    """The seconds of every test, with what was set up for it and cleared away."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._busy, self._own = _busy_seconds(), _own_seconds()
        self.others = 0.0
        self.tests: defaultdict[str, float] = defaultdict(float)
        self._slow: dict[str, float] = {}
        self.slow: list[str] = []

    def add(self, report: pytest.TestReport) -> None:
        self.tests[report.nodeid] += report.duration
        if is_slow([report]):
            self._slow[report.nodeid] = report.duration

    def by_folder(self) -> list[tuple[str, int, float]]:
        """The folders, with how many tests and seconds of one process each took."""
        found: defaultdict[str, list[float]] = defaultdict(list)
        for test, seconds in self.tests.items():
            found[_folder(test)].append(seconds)
        return sorted(((folder, len(all), sum(all)) for folder, all in found.items()), key=lambda row: -row[2])

    def judge(self) -> None:
        """Finds the tests that took too long; none where that may be somebody else's fault."""
        available = (time.monotonic() - self._began) * (os.cpu_count() or 1)
        self.others = (_busy_seconds() - self._busy - _own_seconds() + self._own) / available
        if self.others < OTHERS:
            self.slow = [f"{test}: {seconds:.1f} s" for test, seconds in sorted(self._slow.items())]

    def lines(self) -> Iterable[str]:
        for folder, number, seconds in self.by_folder():
            yield f"{seconds:7.1f} s  {number:5} tests  {folder}"
        if self.others > OTHERS:
            yield f"others took {self.others:.0%} of all cores: no test is called slow"


def is_slow(reports: Iterable[pytest.TestReport]) -> bool:
    """Whether a test took too long, not counting what it shares with others, which the first of them waits for."""
    return any(report.when == "call" and report.duration > SLOW for report in reports)


def _busy_seconds() -> float:
    """What all cores have worked, for whomever, since the machine started."""
    user, nice, system, _idle, _waiting, *interrupts_and_stolen = map(int, (_PROC / "stat").read_text().split()[1:9])
    return (user + nice + system + sum(interrupts_and_stolen)) / _TICKS


def _own_seconds() -> float:
    """What this process has worked, and all those that have ended and whose end was waited for."""
    return sum(os.times()[:4])


def _folder(test: str) -> str:
    path = PurePath(test.partition("::")[0])
    return str(path.parent) if path.parts[0] == "tests" else path.parts[0]
