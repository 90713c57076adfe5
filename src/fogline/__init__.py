"""Fogline: the San Francisco cable-car board game. Exact rules, records, and an engine that plays millions of games.

>>> from fogline import Game
>>> game = Game(players=2, seed=7)
>>> print(*game.legal_actions(), sep=", ")
keep first, keep second, keep both
"""

from fogline.actions import Action, ActionError, Claim, Draw, DrawTickets, Keep, Pass, Place, Token, parse_action
from fogline.board import Board, Route
from fogline.game import Game
from fogline.mapfile import Location, MapError, Ticket
from fogline.record import Audit, audit, replay
from fogline.recordfile import RecordError, read_records
from fogline.refusals import IllegalAction, Refusal
from fogline.score import Score
from fogline.view import View

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
