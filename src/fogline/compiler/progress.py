"""Notices when code is being compiled: the first time on a machine this takes long enough to announce."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from numba.core.event import Event, Listener, install_listener


@contextmanager
def on_compiling(say: Callable[[], None]) -> Iterator[None]:
    """While it is entered, `say` is called once, when something is about to be compiled. Stored code says nothing."""
    with install_listener("numba:compile", _Once(say)):
        yield


class Announcer:
    """Says in the log, and so on the screen, that code is being compiled for a function's first call.

    Listening costs as much as a small batch's step, so it listens to first calls only.
    """

    def __init__(self) -> None:
        self._called: set[str] = set()

    def call(self, name: str) -> AbstractContextManager[None]:
        """A context for one call; calls of the same name compile the same code."""
        if name in self._called:
            return nullcontext()
        self._called.add(name)
        return on_compiling(_log_compiling)


def _log_compiling() -> None:
    # A warning, because programs that do not configure logging show nothing less.
    logging.getLogger(__name__).warning("Fogline compiles its rules for this map, once: about 20 seconds ...")


class _Once(Listener):
    def __init__(self, say: Callable[[], None]) -> None:
        self._say: Callable[[], None] | None = say

    def on_start(self, event: Event) -> None:
        say, self._say = self._say, None
        if say is not None:
            say()

    def on_end(self, event: Event) -> None:
        pass
