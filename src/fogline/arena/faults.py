"""What can go wrong in the arena."""

from __future__ import annotations


class ArenaError(Exception):
    """Something that the caller can mend: a missing player, or one that breaks a rule. Its text says what."""
