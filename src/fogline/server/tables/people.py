"""People: known by a secret that only they hold, and by nothing else."""

from __future__ import annotations

import hashlib
import re
import secrets

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def new_token() -> str:
    """A secret that nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(32)


def new_key() -> str:
    """The name of a table, or of an invitation: 96 random bits, short enough for a link."""
    return secrets.token_urlsafe(12)


def person_of(token: str) -> str | None:
    """The id by which the store knows a person: a reader of the store still cannot act as anyone."""
    return hashlib.sha256(token.encode()).hexdigest() if _TOKEN.fullmatch(token) else None
