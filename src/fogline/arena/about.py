"""What a record says about its game: who played, in which version, and when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from fogline import __version__
from fogline.arena.entrant import Entrant


def about_game(entrants: Sequence[Entrant]) -> dict[str, Any]:
    """What a record says of a game that these entrants play today, from seat 0 on."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "program": f"fogline {__version__}",
        "seats": [{"player": entrant.label, "version": _version(entrant)} for entrant in entrants],
    }


def _version(entrant: Entrant) -> str:
    """The program's version, or the digest of the file for a player of your own."""
    return entrant.file_digest or __version__
