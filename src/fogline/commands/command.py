"""What a command is, and what commands share."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from fogline.game.game import check_players
from fogline.maps.board import Board
from fogline.maps.mapfile import MapError

INTERRUPTED = 130
"""The exit status of a program that was stopped with Ctrl-C."""

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


class UsageError(Exception):
    """Something that the caller can mend; its text says what."""


@dataclass(frozen=True)
class Command:
    """One of the commands in `listed`: its arguments, and what it does."""

    name: str
    examples: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def carry_out(command: Callable[[], int]) -> int:
    """Runs the command and returns the exit status. Handles Ctrl-C and faults that the caller can mend."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # better a question mark than no line at all
    try:
        return int(command())
    except UsageError as error:
        errors.print(f"fogline: {error}", markup=False, soft_wrap=True)
        return 2
    except BrokenPipeError:
        return 1  # the reader of our output has seen enough
    except KeyboardInterrupt:
        errors.print("stopped")
        return INTERRUPTED


def add_players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", "-p", type=int, choices=(2, 3, 4), default=2, help="how many (default: 2)")


def add_seed(parser: argparse._ActionsContainer, default: int | None) -> None:
    shown = "a random one" if default is None else default
    parser.add_argument("--seed", "-s", type=_seed, default=default, help=f"same seed, same game (default: {shown})")


def add_map(parser: argparse.ArgumentParser, default: str | None = "san_francisco") -> None:
    shown = "the one that the record names" if default is None else default
    parser.add_argument(
        "--map", "-m", default=default, metavar="MAP", help=f"a built-in map or a map file (default: {shown})"
    )


def positive(text: str) -> int:
    return _whole(text, 1)


def natural(text: str) -> int:
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    try:
        number = int(text.replace(",", "").replace("_", ""))
    except ValueError:
        number = -1
    if number < least:
        raise argparse.ArgumentTypeError(f"must be a whole number from {least} on, not {text!r}")
    return number


def _seed(text: str) -> int:
    try:
        seed = int(text, 0)
    except ValueError:
        seed = -1
    if not 0 <= seed < 2**64:
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 to 2**64 - 1, not {text!r}")
    return seed


def load_board(name: str, players: int = 2) -> Board:
    try:
        board = Board.load(name)
        check_players(players, board)
    except (MapError, ValueError) as error:
        raise UsageError(str(error)) from None
    return board


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """The file to write, or the screen for `-`."""
    if str(path) == "-":
        yield sys.stdout
        return
    try:
        with path.open("w", encoding="utf-8") as file:
            yield file
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def progress_bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)


def seats_text(seats: list[int]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats)
