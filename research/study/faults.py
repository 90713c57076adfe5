"""What can go wrong in a study."""

from __future__ import annotations


class StudyError(Exception):
    """Something that the caller can mend; its text says what."""
