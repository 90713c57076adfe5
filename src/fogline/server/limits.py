"""Limits: how much of anything one person, one address or everybody may have."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from fogline.server.refused import Refused


@dataclass(frozen=True, slots=True)
class Limits:
    """`fogline serve --limit NAME=NUMBER` changes one."""

    body_bytes: int = 16_384  # of a request
    record_bytes: int = 1_000_000  # of a game that is brought along
    message_bytes: int = 4_096  # that a client sends over a socket
    messages_per_second: int = 20  # over one socket
    requests_per_second: int = 50  # of one person, or of one address without a person
    people_per_minute: int = 60  # new ones from one address
    tables_per_person: int = 30  # hosted, and not over
    sockets_per_person: int = 20  # sockets and streams
    sockets: int = 20_000  # of all together


class Bucket:
    """So much a second, and up to three seconds' worth at once."""

    __slots__ = ("_clock", "_filled", "_left", "_most", "_rate")

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._most = max(3 * rate, 1.0)
        self._left = self._most
        self._clock = clock
        self._filled = clock()

    def take(self) -> bool:
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._filled) * self._rate)
        self._filled = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for everyone who comes; those who have not come for longest are forgotten."""

    def __init__(self, rate: float, what: str, most: int = 50_000) -> None:
        self._rate = rate
        self._what = what
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> None:
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._rate)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(who)
        if not bucket.take():
            raise Refused("too_many", f"too many {self._what}; wait a little")
