"""Ports for servers that tests start, stop, and start again."""

from __future__ import annotations

import os
import random
import socket

_PORTS = range(20_000, 32_000)
"""Below those that the system gives to clients: while a server is down, none of them can get its port by chance.

One that knocks there again and again would, in the end, even be connected with itself.
"""

_MOST_WORKERS = 16


def free_port() -> int:
    """One that no other process of these tests takes, even while a server that was killed does not hold it."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _MOST_WORKERS
    while True:
        port = random.SystemRandom().choice(_PORTS[worker::_MOST_WORKERS])
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue  # somebody else has it
            return port
