"""Ports for servers that tests start, stop, and start again."""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path

_PORTS = range(20_000, 32_000)
"""Below those that the system gives to clients: while a server is down, none of them can get its port by chance.

One that knocks there again and again would, in the end, even be connected with itself.
"""

_BLOCK = 100
"""Ports that a process of tests has for itself."""


def free_port() -> int:
    """One that no other tests on this machine take, even while a server that was killed does not hold it."""
    for port in _own_ports():
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue  # somebody else has it
            return port
    raise AssertionError("a cycle has no end")


@cache
def _own_ports() -> Iterator[int]:
    """Those of the first block that nobody has: it is ours as long as this process lives, and holds the lock."""
    for first in range(_PORTS.start, _PORTS.stop, _BLOCK):
        path = Path(tempfile.gettempdir()) / f"fogline-test-ports-{first}"
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
        else:
            return cycle(range(first, first + _BLOCK))
    raise RuntimeError("all ports for tests are taken")
