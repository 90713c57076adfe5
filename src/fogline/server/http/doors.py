"""The sockets and streams that are open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from fogline.server.http.limits import Limits
from fogline.server.metrics import METRICS
from fogline.server.refused import Refused


class Doors:
    """The open sockets and streams: of each person, at each address, and in all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()

    @contextmanager
    def opened(self, person: str, address: str) -> Iterator[None]:
        """Counts one; strangers at one address count as one person."""
        each, many = self._limits.sockets_per_person, self._limits.people_per_address
        most = {f"of {person or address}": each, f"at {address}": each * many, "": self._limits.sockets}
        if any(self._open[key] >= number for key, number in most.items()):
            raise Refused("too_many", "too many sockets are open")
        self._open.update(most.keys())
        METRICS.sockets.inc()
        try:
            yield
        finally:
            METRICS.sockets.dec()
            self._open.subtract(most.keys())
            for key in most:
                if not self._open[key]:
                    del self._open[key]
