"""Text that people write: cleaned before anybody else sees it."""

from __future__ import annotations

import re
import unicodedata

NAME_LENGTH = 24
MARKS_IN_A_ROW = 2
"""Accents that may stand on one letter: enough for every living script, too few to scribble over the lines around."""

_UNWANTED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Control, formatting (all that turns the direction of writing, too), surrogates, private, unassigned, line ends."""

_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters and marks that are invisible."""


def clean_name(text: str) -> str:
    r"""A name on one line, without anything that cannot be seen; empty when nothing is left of it.

    >>> clean_name("  Ada\u202e   Lovelace\n")
    'Ada Lovelace'
    """
    letters: list[str] = []
    marks = MARKS_IN_A_ROW  # at the beginning, and after a space, there is nothing for a mark to stand on
    for letter in unicodedata.normalize("NFC", _BLANK.sub("", text[: 20 * NAME_LENGTH])):
        category = unicodedata.category(letter)
        if letter.isspace():
            letters.append(" ")
            marks = MARKS_IN_A_ROW
        elif category in ("Mn", "Me"):
            marks += 1
            letters.append(letter if marks <= MARKS_IN_A_ROW else "")
        elif category not in _UNWANTED:
            letters.append(letter)
            marks = 0
    return " ".join(unicodedata.normalize("NFC", "".join(letters)).split())[:NAME_LENGTH].strip()
