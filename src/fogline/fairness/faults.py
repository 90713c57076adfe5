"""What is wrong with a record."""

from __future__ import annotations

import json
import re
from typing import Any


class FairnessError(ValueError):
    """A record that is not fair, or cannot be checked: at which event (from 0), where there is one."""

    def __init__(self, reason: str, event: int | None = None) -> None:
        self.reason = reason if len(reason) <= 500 else reason[:497] + "..."
        self.event = event
        super().__init__(self.reason if event is None else f"event {event}: {self.reason}")


class Damaged(FairnessError):
    """A record or a receipt in a form that cannot be read: that says nothing of who did what."""


def require(condition: bool, reason: str) -> None:
    if not condition:
        raise FairnessError(reason)


def require_form(condition: bool, reason: str) -> None:
    if not condition:
        raise Damaged(reason)


def exact(value: Any) -> str:
    """A JSON value as a text, in which 1, 1.0 and true differ."""
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        return "something too deep"


def is_text(value: Any, pattern: str) -> bool:
    return type(value) is str and re.fullmatch(pattern, value) is not None
