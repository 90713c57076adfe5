"""The first scheme, by which older games were dealt.

Its commitment is of the secret alone, and salts were not sealed: whoever ran the table could try salts and ids until
the cards were as they wished.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Any

from .faults import is_text, require_form
from .secret import check_secret
from .stream import Chance


@dataclass(frozen=True, slots=True)
class FirstFairness:
    """A table's secret, its id, and a salt for each of its chairs.

    >>> fairness = FirstFairness(bytes(32), "table-1", ("c0ffee", "", "7ea"))
    >>> fairness.seating()
    [0, 2, 1]
    >>> f"{fairness.record_seed:#018x}"
    '0x31b7d207d0cff3b6'
    """

    secret: bytes = field(repr=False)
    game: str
    salts: tuple[str, ...]

    def __post_init__(self) -> None:
        check_secret(self.secret, self.game)
        require_form(len(self.salts) in (2, 3, 4), "a table has 2 to 4 chairs, with a salt for each")
        require_form(all(is_text(salt, r"[0-9a-f]{0,64}") for salt in self.salts), "a salt is up to 64 of 0-9 and a-f")

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()

    def digest(self, label: str) -> bytes:
        message = f"{self.game}:{label}:{'-'.join(self.salts)}"
        return hmac.digest(self.secret, message.encode("utf-8"), "sha256")

    def seed(self, step: int) -> int:
        return int.from_bytes(self.digest(str(step))[:8], "big")

    @property
    def record_seed(self) -> int:
        return self.seed(0)

    def chance(self, step: int) -> Chance:
        return Generator(self.seed(step))

    def player_seed(self, seat: int, step: int) -> int:
        return int.from_bytes(self.digest(f"player {seat} {step}")[:8], "big")

    def seating(self) -> list[int]:
        digest, order = self.digest("seating"), list(range(len(self.salts)))
        for k, place in enumerate(range(len(order) - 1, 0, -1)):
            other = int.from_bytes(digest[4 * k : 4 * k + 4], "big") % (place + 1)
            order[place], order[other] = order[other], order[place]
        return order

    def revealed(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "salts": list(self.salts),
            "seating": self.seating(),
        }


class Generator:
    """The generator that a step's seed sets going: MWC64X, a multiply-with-carry of 64 bits."""

    def __init__(self, seed: int) -> None:
        left, right = seed >> 32, seed & 0xFFFFFFFF
        for turn in range(4):
            mixed = right ^ turn
            mixed = ((mixed ^ (mixed >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
            mixed = ((mixed ^ (mixed >> 16)) * 0x846CA68B) & 0xFFFFFFFF
            left, right = right, left ^ mixed ^ (mixed >> 16)
        self.state = (((left & 0x7FFFFFFF) + 1) << 32) | right

    def below(self, bound: int) -> int:
        self.state = (self.state & 0xFFFFFFFF) * 4294883355 + (self.state >> 32)
        word = (self.state ^ (self.state >> 32)) & 0xFFFFFFFF
        return (word * bound) >> 32
