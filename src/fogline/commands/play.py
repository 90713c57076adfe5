"""`fogline play`."""

from __future__ import annotations

import argparse
from pathlib import Path

from fogline.commands.command import Command, UsageError, add_map, add_seed, console, load_board
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
    parser.add_argument("--record", type=Path, metavar="FILE", help="add the game's record to this file, as one line")


def _play(arguments: argparse.Namespace) -> int:
    try:
        play(
            load_board(arguments.map),
            opponents=[name.strip() for name in arguments.opponents.split(",")],
            seed=arguments.seed,
            seat=arguments.seat,
            console=console,
            record=arguments.record,
        )
    except ValueError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{arguments.record} cannot be written: {error.strerror}") from None
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
