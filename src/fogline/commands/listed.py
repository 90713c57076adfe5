"""The commands: what `fogline --help` says of them, and their modules. Only the chosen one is loaded."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fogline.commands.command import Command


class Listed(NamedTuple):
    """A command's name (one or two words), what it does, and the module that does it."""

    name: str
    summary: str
    module: str

    def load(self) -> Command:
        commands: tuple[Command, ...] = import_module(f"fogline.commands.{self.module}").COMMANDS
        return next(command for command in commands if command.name == self.name)


LISTED = (
    Listed("play", "play in the browser, or in the terminal", "play"),
    Listed("serve", "run the table server: games between people and bots over a network", "serve"),
    Listed("simulate", "play random games on all cores, and sum them up", "simulate"),
    Listed("arena", "measure how strong players are, in matches on paired seeds and all seatings", "arena"),
    Listed("ladder", "everyone against everyone, for 2, 3 and 4 players", "arena"),
    Listed("record", "let programs play games, and write their records", "records"),
    Listed("replay", "tell a recorded game, event by event", "records"),
    Listed("audit", "check recorded games against the rules, event by event", "records"),
    Listed("map check", "check a map file, and list all its faults", "maps"),
    Listed("map draw", "draw a map file's board as an SVG picture", "maps"),
    Listed("bench", "measure how fast the engine is on this machine", "bench"),
)
