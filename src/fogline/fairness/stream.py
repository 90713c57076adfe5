"""The numbers that chance needs, one after the other."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Any, Protocol


class Chance(Protocol):
    """The numbers of one step."""

    def below(self, bound: int) -> int:
        """The next number, from 0 up to, and without, the bound."""


class Stream:
    """The numbers for one purpose: each is the HMAC-SHA256 of the purpose and of how many came before."""

    def __init__(self, key: bytes, purpose: str) -> None:
        self._key, self._purpose, self._drawn = key, purpose, 0

    def below(self, bound: int) -> int:
        """Of 2**256 numbers each remainder has as many, but for one part in 2**192."""
        digest = hmac.digest(self._key, f"{self._purpose} {self._drawn}".encode(), "sha256")
        self._drawn += 1
        return int.from_bytes(digest, "big") % bound


def shuffled(row: Iterable[Any], chance: Chance) -> list[Any]:
    """For each place from the last one down to 1, a number says with which place it is exchanged."""
    order = list(row)
    for place in range(len(order) - 1, 0, -1):
        other = chance.below(place + 1)
        order[place], order[other] = order[other], order[place]
    return order
