"""What a player is, and the table of all players."""

from __future__ import annotations

import hashlib
from typing import Protocol

from fogline.game.actions import Action
from fogline.game.view import View
from fogline.players.neural.master import Master
from fogline.players.neural.neural import Local, Neural, Newcomer
from fogline.players.reason import Reason
from fogline.players.scripted.compiled_player import Dreamer, Planner, Racer, RandomPlayer
from fogline.players.search.search import Search


class Player(Protocol):
    """Chooses one of the legal actions of a view, by its own seeded generator.

    One that can think for longer also takes `seconds` or `iterations` as keyword arguments.
    """

    name: str
    level: int  # from 1, the easiest
    description: str

    def __init__(self, seed: int) -> None: ...

    def choose(self, view: View) -> Action:
        """One of `view.legal_actions`."""

    def explain(self) -> Reason | None:
        """Why it chose what it chose last, if it can say."""


def player_seed(seed: int, seat: int) -> int:
    """A seed for the player of a seat, derived from the game's, which the player must not be able to work out."""
    return int.from_bytes(hashlib.sha256(f"player {seat} of game {seed}".encode()).digest()[:8])


PLAYERS: dict[str, type[Player]] = {
    RandomPlayer.name: RandomPlayer,
    Racer.name: Racer,
    Newcomer.name: Newcomer,
    Dreamer.name: Dreamer,
    Local.name: Local,
    Planner.name: Planner,
    Search.name: Search,
    Neural.name: Neural,
    Master.name: Master,
}
"""Every player by its name; each is made with a seed for its own generator."""
