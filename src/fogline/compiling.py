"""Knowing that code is being compiled: the first time on a machine, it takes long enough to say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core.event import Event, Listener, install_listener


@contextmanager
def on_compiling(say: Callable[[], None]) -> Iterator[None]:
    """Within it, `say` is called when something is about to be compiled, once; code that was kept says nothing."""
    with install_listener("numba:compile", _Once(say)):
        yield


class _Once(Listener):
    def __init__(self, say: Callable[[], None]) -> None:
        self._say: Callable[[], None] | None = say

    def on_start(self, event: Event) -> None:
        say, self._say = self._say, None
        if say is not None:
            say()

    def on_end(self, event: Event) -> None:
        pass
