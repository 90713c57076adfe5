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

OTHERS = 0.05
"""Of all cores: where others take more, no test can be blamed for being slow."""

_STAT = Path("/proc/stat")
_TICKS = os.sysconf("SC_CLK_TCK")


class Times:
    """The seconds of every test, with what was set up for it and cleared away."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._others = _seconds_of_others()
        self.others = 0.0
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
        available = (time.monotonic() - self._began) * (os.cpu_count() or 1)
        self.others = (_seconds_of_others() - self._others) / available
        if self.others < OTHERS:
            too_long = [(test, seconds) for test, seconds in self.calls.items() if seconds > SLOW]
            self.slow = [f"{test}: {seconds:.1f} s" for test, seconds in sorted(too_long)]

    def lines(self) -> Iterable[str]:
        for folder, number, seconds in self.by_folder():
            yield f"{seconds:7.1f} s  {number:5} tests  {folder}"
        if self.others > OTHERS:
            yield f"others took {self.others:.0%} of all cores: no test is called slow"


def _seconds_of_others() -> float:
    """Of the processor, since the machine was started: what neither this process nor its children took."""
    user, nice, system, _idle, _waiting, *rest = map(int, _STAT.read_text().split("\n", 1)[0].split()[1:])
    own = os.times()
    return (user + nice + system + sum(rest[:3])) / _TICKS - sum(own[:4])


def _folder(test: str) -> str:
    path = PurePath(test.partition("::")[0])
    return str(path.parent) if path.parts[0] == "tests" else path.parts[0]
