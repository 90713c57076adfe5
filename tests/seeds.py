"""The seed of a run: everything in the tests that could be otherwise comes from it, and `make test SEED=7` chooses it.

Loops over many deals take their seeds from `seeds`. What a program draws at random (secrets, names of tables, tokens)
comes from `Lots`, which begin anew with every test: a test finds the same deals alone, among others, and in any order.
"""

from __future__ import annotations

import atexit
import hashlib
import random
import secrets
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

APART = 1_000_000
"""Between the first seeds of two runs: no loop is as long."""


class Run:
    """A run of the tests: its seed, and for which purpose something is drawn just now."""

    def __init__(self) -> None:
        self.seed = 0
        self.latest: int | None = None  # in a loop over seeds
        self.purpose = ""
        self.servers: Counter[str] = Counter()  # that were started for each purpose
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def stamp(self) -> str:
        return f"{self.seed} {self.purpose}"

    @property
    def stamp_file(self) -> Path:
        """Where other processes read the stamp, from when one first needs it."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="fogline-stamp-")
            atexit.register(self._folder.cleanup)
            self.draw_for(self.purpose)
        return Path(self._folder.name) / "stamp"

    def draw_for(self, purpose: str) -> None:
        self.purpose = purpose
        if self._folder is not None:
            unfinished = self.stamp_file.with_suffix(".new")
            unfinished.write_text(self.stamp)
            unfinished.replace(self.stamp_file)  # whoever reads it finds the old one or the new one

    def begin(self, test: str) -> None:
        self.latest = None
        self.servers[test] = 0
        self.draw_for(test)

    def number_server(self) -> int:
        """Which one it is of those for the same purpose."""
        self.servers[self.purpose] += 1
        return self.servers[self.purpose]

    def report(self) -> str:
        """How to ask the same again."""
        at = "" if self.latest is None else f"; the loop was at seed {self.latest}"
        return f"make test SEED={self.seed} asks the same again{at}"


RUN = Run()


def seeds(number: int) -> Iterator[int]:
    """So many seeds of this run: 0, 1, 2 and so on where its own is 0. If a test fails, its report names the last."""
    for seed in range(APART * RUN.seed, APART * RUN.seed + number):
        RUN.latest = seed
        yield seed


def seeded(purpose: str) -> random.Random:
    """A generator of this run."""
    return random.Random(f"{RUN.seed} {purpose}")


@contextmanager
def drawn_for(purpose: str) -> Iterator[None]:
    """For what many tests share: it does not depend on which of them happened to be the first to need it."""
    before = RUN.purpose
    RUN.draw_for(purpose)
    yield
    RUN.draw_for(before)


class Lots:
    """In place of the system's random bytes: the same for the same stamp, and from the start for another one."""

    def __init__(self, stamp: Callable[[], str]) -> None:
        self._stamp = stamp
        self.begin()

    def begin(self) -> None:
        """From the start, for the same stamp, too."""
        self._drawing = ("", count())

    def token_bytes(self, number: int | None = None) -> bytes:
        stamp = self._stamp()
        if stamp != self._drawing[0]:
            self._drawing = (stamp, count())
        return hashlib.shake_256(f"{stamp} {next(self._drawing[1])}".encode()).digest(32 if number is None else number)

    def randbits(self, number: int) -> int:
        return int.from_bytes(self.token_bytes(number // 8 + 1), "big") & ((1 << number) - 1)

    def take_over(self) -> None:
        """From now on this process draws these. It is done from within: no running server can be asked for it."""
        vars(secrets).update(token_bytes=self.token_bytes, randbits=self.randbits)  # other tokens are made of these
