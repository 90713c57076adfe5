"""Appends to files of records."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fogline.commands.command import UsageError


@contextmanager
def appended(path: Path | None) -> Iterator[Callable[[Iterable[str]], None]]:
    """Writes lines at the end of a file, at once; to the screen for `-`; nowhere without a path."""
    if path is None:
        yield lambda lines: None
        return
    if str(path) == "-":
        yield lambda lines: sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    try:
        with path.open("a", encoding="utf-8") as file:

            def write(lines: Iterable[str]) -> None:
                file.writelines(f"{line}\n" for line in lines)
                file.flush()

            yield write
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
