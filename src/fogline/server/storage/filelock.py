"""Locks on files: held by one process, and released by the system when it ends, in whatever way."""

from __future__ import annotations

from importlib import import_module


def lock(descriptor: int) -> None:
    """Raises an OSError where another process holds the lock, or another descriptor of this one."""
    try:
        fcntl = import_module("fcntl")
    except ModuleNotFoundError:  # on Windows, which has another
        windows = import_module("msvcrt")
        windows.locking(descriptor, windows.LK_NBLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
