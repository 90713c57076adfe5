"""Ports for servers that tests start, stop, and start again."""

from __future__ import annotations

import secrets
import socket

_PORTS = range(20_000, 32_000)
"""Below those that the system gives to clients: while a server is down, none of them can get its port by chance.

One that knocks there again and again would, in the end, even be connected with itself.
"""


def free_port() -> int:
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue  # somebody else has it
            return port
