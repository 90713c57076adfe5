"""Text that people write: cleaned before anybody else sees it."""

from __future__ import annotations

import unicodedata

NAME_LENGTH = 24
MARKS_IN_A_ROW = 2
"""Accents that may stand on one letter: enough for every living script, too few to scribble over the lines around."""

_UNWANTED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Control, formatting (all that turns the direction of writing, too), surrogates, private, unassigned, line ends."""

_BLANK = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}
"""Letters that look like nothing."""


def clean_name(text: str) -> str:
    r"""A name on one line, without anything that cannot be seen; empty when nothing is left of it.

    >>> clean_name("  Ada\u202e   Lovelace\n")
    'Ada Lovelace'
    """
    letters: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text[: 20 * NAME_LENGTH]):
        category = unicodedata.category(letter)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if letter.isspace():
            letters.append(" ")
        elif category not in _UNWANTED and letter not in _BLANK and marks <= MARKS_IN_A_ROW:
            letters.append(letter)
    return " ".join("".join(letters).split())[:NAME_LENGTH].strip()
