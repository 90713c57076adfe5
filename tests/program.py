"""The program `fogline`, run within a test's own process."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from fogline.cli import main


class Ran(NamedTuple):
    code: int
    out: str
    err: str


class Program:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, line: str, *more: str | Path) -> Ran:
        """Words with spaces between, and then words that may have spaces in them."""
        self._capsys.readouterr()
        try:
            code = main([*line.split(), *map(str, more)])
        except SystemExit as leaving:  # argparse leaves in its own way
            code = leaving.code if isinstance(leaving.code, int) else 0
        return Ran(code, *self._capsys.readouterr())
