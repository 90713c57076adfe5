"""What cannot be done at a table, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fogline.game.refusals import Refusal

STATUS = {
    "not_found": 404,
    "forbidden": 403,
    "unknown_person": 401,
    "invalid": 422,
    "not_an_action": 422,
    "illegal": 409,
    "late": 409,
    "still_here": 409,
    "conflict": 409,
    "too_many_tables": 409,
    "too_slow": 408,
    "too_large": 413,
    "too_many": 429,
    "unavailable": 503,
}
"""Every kind of refusal, with the HTTP status that says the same."""


class Refused(Exception):
    """Nothing has changed. `code` is one of STATUS, `reason` is for people, `rule` the id of the rule broken."""

    def __init__(self, code: str, reason: str, rule: str | None = None) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.reason = reason
        self.rule = rule
        self.key: str | None = None  # which refusal of the rules it is, for those who say it in another language
        self.values: Mapping[str, str | int] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Refused, (self.code, self.reason, self.rule)

    @staticmethod
    def by_rule(refusal: Refusal) -> Refused:
        refused = Refused("illegal", refusal.reason, refusal.rule)
        refused.key, refused.values = refusal.key, refusal.values
        return refused
