"""The keyboard: lines with arrow keys and history, if there is a real one."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from contextlib import suppress

from rich.console import Console


def keyboard(console: Console) -> Callable[[str], str]:
    """Reads a line after a prompt; a line from a file is echoed as if it had been typed."""
    if not sys.stdin.isatty():
        return lambda prompt: _shown(console, input(prompt))
    with suppress(ImportError):
        importlib.import_module("readline")
    return input


def _shown(console: Console, line: str) -> str:
    console.print(line, highlight=False, markup=False, emoji=False)
    return line
