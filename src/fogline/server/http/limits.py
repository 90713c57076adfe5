"""Limits: how much of anything one person, one address or everybody may have."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from fogline.server.refused import Refused


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits. `fogline serve --limit NAME=NUMBER` changes one."""

    body_bytes: int = 16_384  # of a request
    body_seconds: int = 20  # that a request may take to arrive
    record_bytes: int = 250_000  # of a game that is brought along: a real one has 30,000
    message_bytes: int = 4_096  # that a client sends over a socket
    messages_per_second: int = 20  # over one socket
    requests_per_second: int = 50  # of one person, or of all strangers at one address; a message is a request, too
    people_per_minute: int = 60  # new ones from one address
    tables_per_person: int = 30  # hosted and not over; one address cannot open more within a minute
    imports_per_hour: int = 20  # games imported by one person
    sockets_per_person: int = 20  # sockets and streams; strangers at one address have as many together
    sockets: int = 20_000  # of all together
    people_per_address: int = 10  # an address has the requests, imports and sockets of this many people


class Bucket:
    """A rate a second, with bursts of up to some seconds' worth."""

    __slots__ = ("_clock", "_filled", "_left", "_most", "_rate")

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic, seconds: float = 3) -> None:
        self._rate = rate
        self._most = max(seconds * rate, 1.0)
        self._left = self._most
        self._clock = clock
        self._filled = clock()

    def take(self, cost: float = 1) -> bool:
        """Takes what something costs, if there is enough. A cost above a full bucket takes a full bucket."""
        cost = min(cost, self._most)
        if self.left < cost:
            return False
        self._left -= cost
        return True

    @property
    def left(self) -> float:
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._filled) * self._rate)
        self._filled = now
        return self._left


class Buckets:
    """A bucket for each key; the least recently used ones are forgotten."""

    def __init__(self, rate: float, what: str, most: int = 50_000, seconds: float = 3) -> None:
        self._rate = rate
        self._what = what
        self._most = most
        self._seconds = seconds
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    @staticmethod
    def a_minute(number: int, what: str) -> Buckets:
        """A rate a minute, all of it available at once: people who share an address often come together."""
        return Buckets(number / 60, what, seconds=60)

    @staticmethod
    def an_hour(number: int, what: str) -> Buckets:
        """A rate an hour, all of it available at once."""
        return Buckets(number / 3600, what, seconds=3600)

    def take(self, who: str, cost: float = 1) -> None:
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._rate, seconds=self._seconds)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(who)
        if not bucket.take(cost):
            raise Refused("too_many", f"too many {self._what}; wait a little")

    def spent(self, who: str) -> bool:
        """Whether nothing is left for this key now."""
        bucket = self._buckets.get(who)
        return bucket is not None and bucket.left < 1
