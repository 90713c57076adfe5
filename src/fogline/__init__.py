"""Fogline: the San Francisco cable-car board game. Exact rules, records, and an engine that plays millions of games.

>>> from fogline import Game
>>> game = Game(players=2, seed=7)
>>> print(*game.legal_actions(), sep=", ")
keep first, keep second, keep both
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fogline.game.actions import (
        Action,
        ActionError,
        Claim,
        Draw,
        DrawTickets,
        Keep,
        Pass,
        Place,
        Token,
        parse_action,
    )
    from fogline.game.game import Game
    from fogline.game.record import Audit, audit, replay
    from fogline.game.recordfile import RecordError, read_records
    from fogline.game.refusals import IllegalAction, Refusal
    from fogline.game.score import Score
    from fogline.game.view import View
    from fogline.maps.board import Board, Route
    from fogline.maps.mapfile import Location, MapError, Ticket

__version__ = "0.1.0"

__all__ = [
    "Action",
    "ActionError",
    "Audit",
    "Board",
    "Claim",
    "Draw",
    "DrawTickets",
    "Game",
    "IllegalAction",
    "Keep",
    "Location",
    "MapError",
    "Pass",
    "Place",
    "RecordError",
    "Refusal",
    "Route",
    "Score",
    "Ticket",
    "Token",
    "View",
    "audit",
    "parse_action",
    "read_records",
    "replay",
]

_HOMES = {
    "fogline.game.actions": "Action ActionError Claim Draw DrawTickets Keep Pass Place Token parse_action",
    "fogline.game.game": "Game",
    "fogline.game.record": "Audit audit replay",
    "fogline.game.recordfile": "RecordError read_records",
    "fogline.game.refusals": "IllegalAction Refusal",
    "fogline.game.score": "Score",
    "fogline.game.view": "View",
    "fogline.maps.board": "Board Route",
    "fogline.maps.mapfile": "Location MapError Ticket",
}
"""What each module gives to the package."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Loads a name on first use, so that `fogline --help` does not wait for the engine."""
        for home, names in _HOMES.items():
            if name in names.split():
                globals()[name] = found = getattr(import_module(home), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
