"""How strong the players are, by the last ladder: `fogline ladder --ratings` writes the file beside this one."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("ratings.json")


@cache
def ratings(players: int = 2) -> dict[str, int]:
    """Elo by a player's name, in games with this many players; the random player has 0."""
    found: dict[str, dict[str, int]] = json.loads(FILE.read_text("utf-8"))["elo"]
    return found.get(str(players), {})
