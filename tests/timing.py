"""How long the tests took: in each folder, and which of them are too slow for the quick tier."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePath

import pytest

SLOW = 5.0
"""Seconds: what takes longer belongs into the thorough tier, or into smaller tests."""

OTHERS = 0.05
"""Of all cores: where others take more, no test can be blamed for being slow."""

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")


class Times:
    """The seconds of every test, with what was set up for it and cleared away."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._already_ran = _seconds_of_processes()
        self._stolen = _stolen_seconds()
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
        now = _seconds_of_processes()
        taken = sum(now.get(one, before) - before for one, before in self._already_ran.items())
        self.others = (taken + _stolen_seconds() - self._stolen) / available
        if self.others < OTHERS:
            too_long = [(test, seconds) for test, seconds in self.calls.items() if seconds > SLOW]
            self.slow = [f"{test}: {seconds:.1f} s" for test, seconds in sorted(too_long)]

    def lines(self) -> Iterable[str]:
        for folder, number, seconds in self.by_folder():
            yield f"{seconds:7.1f} s  {number:5} tests  {folder}"
        if self.others > OTHERS:
            yield f"others took {self.others:.0%} of all cores: no test is called slow"


def _seconds_of_processes() -> dict[tuple[str, str], float]:
    """What each process but this one has taken of the processor, by its number and the time it began.

    Those that tests start are not here yet when the tests begin: what others take is what these go on to take.
    """
    found = {}
    for process in _PROC.glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            found[process.name, fields[19]] = (int(fields[11]) + int(fields[12])) / _TICKS
    return {one: seconds for one, seconds in found.items() if one[0] != str(os.getpid())}


def _stolen_seconds() -> float:
    """What other machines took, where this one is one of several on the same hardware."""
    return int((_PROC / "stat").read_text().split("\n", 1)[0].split()[8]) / _TICKS


def _folder(test: str) -> str:
    path = PurePath(test.partition("::")[0])
    return str(path.parent) if path.parts[0] == "tests" else path.parts[0]
