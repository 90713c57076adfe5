"""Extras: what has to be installed beside the engine for some commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fogline.commands.command import UsageError


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Says how to install what cannot be imported here."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("", "fogline"):
            raise  # our own mistake, which no installation mends
        raise UsageError(f'{what} needs {missing}, which is not installed: pip install "fogline[{extra}]"') from None
