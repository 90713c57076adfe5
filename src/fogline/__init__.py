"""Fogline: the San Francisco cable-car board game. Exact rules, records, and an engine that plays millions of games.

>>> from fogline import Game
>>> game = Game(players=2, seed=7)
>>> print(*game.legal_actions(), sep=", ")
keep first, keep second, keep both
"""

from fogline.actions import Action, ActionError, Claim, Draw, DrawTickets, Keep, Pass, Place, Token, parse_action
from fogline.board import Board
from fogline.game import Game, Score
from fogline.mapfile import MapError
from fogline.record import RecordError, audit, read_records, replay
from fogline.refusals import IllegalAction, Refusal
from fogline.view import View

__version__ = "0.1.0"

__all__ = [
    "Action",
    "ActionError",
    "Board",
    "Claim",
    "Draw",
    "DrawTickets",
    "Game",
    "IllegalAction",
    "Keep",
    "MapError",
    "Pass",
    "Place",
    "RecordError",
    "Refusal",
    "Score",
    "Token",
    "View",
    "audit",
    "parse_action",
    "read_records",
    "replay",
]
