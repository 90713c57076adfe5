"""`fogline play`."""

from __future__ import annotations

import argparse
from pathlib import Path

from fogline.commands.command import Command, UsageError, add_map, add_seed, console, load_board
from fogline.players.player import PLAYERS
from fogline.terminal.play import play


def _play_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--opponents",
        "-o",
        default="racer",
        metavar="NAMES",
        help="one to three, with commas between: racer, random (default: racer)",
    )
    parser.add_argument(
        "--seat", type=int, choices=range(4), help="your seat; seat 0 plays first (default: drawn by lot)"
    )
    add_seed(parser, None)
    add_map(parser)
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the game's record to this file")


def _play(arguments: argparse.Namespace) -> int:

    opponents = [name.strip() for name in arguments.opponents.split(",")]
    unknown = [name for name in opponents if name not in PLAYERS]
    if unknown or not 1 <= len(opponents) <= 3:
        raise UsageError(f"--opponents takes one to three of {', '.join(PLAYERS)}, not {arguments.opponents!r}")
    if arguments.seat is not None and arguments.seat > len(opponents):
        raise UsageError(
            f"--seat {arguments.seat}: with {len(opponents) + 1} players the seats are 0 to {len(opponents)}"
        )
    play(
        load_board(arguments.map),
        opponents=opponents,
        seed=arguments.seed,
        seat=arguments.seat,
        console=console,
        record=arguments.record,
    )
    return 0


COMMANDS = (
    Command(
        "play",
        "play a game in the terminal",
        "  fogline play\n  fogline play --opponents racer,random --seed 7 --record game.json",
        _play_arguments,
        _play,
    ),
)
