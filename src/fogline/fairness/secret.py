"""The secret of a table, the people's salts, and all that comes from both."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Any, Protocol

from .faults import exact, is_text, require, require_form
from .stream import Chance, Stream, shuffled

RULES = 1
"""The version of the rules: another one would make another game of the same cards and decisions."""


def new_secret() -> bytes:
    return secrets.token_bytes(32)


def seal_of(salt: str) -> str:
    """What is shown of a salt before it is revealed."""
    return hashlib.sha256(salt.encode("ascii")).hexdigest()


class Source(Protocol):
    """Where all chance of a game comes from, by either scheme."""

    @property
    def commitment(self) -> str: ...
    @property
    def record_seed(self) -> int: ...
    def seating(self) -> list[int]: ...
    def chance(self, step: int) -> Chance: ...
    def player_seed(self, seat: int, step: int) -> int: ...
    def revealed(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Fairness:
    """A table's secret, what it is committed to, and the chairs' salts: together they are all of its chance.

    >>> salt = "c0ffee"
    >>> fairness = Fairness(bytes(32), "table-1", 64 * "0", (seal_of(salt), None), (salt, None))
    >>> fairness.seating()
    [0, 1]
    >>> chance = fairness.chance(0)
    >>> [chance.below(44) for _ in range(4)]
    [10, 24, 22, 19]
    """

    secret: bytes = field(repr=False)  # a repr ends up in logs
    game: str  # the table's id
    map: str  # the digest of what the rules need of the map
    seals: tuple[str | None, ...]  # of each chair; a bot has none, nor has a person who gave none
    salts: tuple[str | None, ...]  # those that were revealed in time

    def __post_init__(self) -> None:
        check_secret(self.secret, self.game)
        require_form(is_text(self.map, "[0-9a-f]{64}"), "the digest of a map has 64 characters of 0-9 and a-f")
        require_form(len(self.seals) in (2, 3, 4), "a table has 2 to 4 chairs")
        require_form(len(self.salts) == len(self.seals), "each chair has its place among seals and salts")
        for seal, salt in zip(self.seals, self.salts, strict=True):
            require_form(seal is None or is_text(seal, "[0-9a-f]{64}"), "a seal has 64 characters of 0-9 and a-f")
            require_form(
                salt is None or is_text(salt, "[0-9a-f]{1,64}"), "a salt has 1 to 64 characters of 0-9 and a-f"
            )
        for seal, salt in zip(self.seals, self.salts, strict=True):
            require(salt is None or seal == seal_of(salt), "a salt is not the one that was sealed")

    @property
    def context(self) -> str:
        """What the secret is for: no other table, map, number of players or version of the rules."""
        return f"fogline-fairness/2 {self.game} {self.map} {len(self.seals)} {RULES}"

    @property
    def commitment(self) -> str:
        """What the table shows when it is opened: it fixes the secret and does not tell it."""
        return hashlib.sha256(f"{self.context} {self.secret.hex()}".encode()).hexdigest()

    @property
    def key(self) -> bytes:
        """What all numbers are drawn with. For a salt that was not revealed in time stands its seal."""
        parts = [
            salt or (f"sealed:{seal}" if seal else "none") for seal, salt in zip(self.seals, self.salts, strict=True)
        ]
        return hmac.digest(self.secret, f"{self.context} {' '.join(parts)}".encode(), "sha256")

    def chance(self, step: int) -> Chance:
        """The numbers of a step: step 0 is the deal, and each action is one more, in the order in which they happen."""
        return Stream(self.key, str(step))

    def seating(self) -> list[int]:
        """The chair that holds each seat: the chairs, shuffled."""
        return shuffled(range(len(self.seals)), Stream(self.key, "seating"))

    def player_seed(self, seat: int, step: int) -> int:
        """The seed of a program that decides this step for a seat. What it decides, no check of chance can tell."""
        return self._seed(f"player {seat} {step}")

    @property
    def record_seed(self) -> int:
        """The seed that every record has; nothing else comes from this one."""
        return self._seed("record")

    def _seed(self, purpose: str) -> int:
        return Stream(self.key, purpose).below(2**64)

    def seal_event(self, number: int, event: dict[str, Any]) -> str:
        """What others are shown of a hidden decision, so that it cannot be another one afterwards."""
        return hmac.digest(self.key, f"event {number} {exact(event)}".encode(), "sha256").hex()

    def revealed(self) -> dict[str, Any]:
        """What a record carries as its `fairness`."""
        return {
            "scheme": 2,
            "game": self.game,
            "map": self.map,
            "rules": RULES,
            "commitment": self.commitment,
            "secret": self.secret.hex(),
            "seals": list(self.seals),
            "salts": list(self.salts),
            "seating": self.seating(),
        }


def check_secret(secret: bytes, game: str) -> None:
    require_form(type(secret) is bytes and len(secret) == 32, "a secret has 32 bytes")
    require_form(is_text(game, r"[A-Za-z0-9_-]+"), "the id of a table is a text of A-Z, a-z, 0-9, _ and -")
