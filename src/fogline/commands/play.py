"""`fogline play`."""

from __future__ import annotations

import argparse
import socket
import webbrowser
from collections.abc import Iterator
from pathlib import Path

from fogline.commands.command import Command, UsageError, add_map, add_seed, console, load_board
from fogline.commands.extras import needing
from fogline.commands.serve import address, listen
from fogline.compiler.progress import on_compiling
from fogline.maps.reader import maps_for_tables
from fogline.players.player import PLAYERS
from fogline.server.logs import set_up
from fogline.terminal.play import play

PORTS = (*range(8000, 8010), 0)
"""The first port that is free; 0 takes any."""

OPPONENT = "dreamer"
"""The default opponents."""


def _play_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--terminal", action="store_true", help="play in the terminal, alone against programs")
    parser.add_argument("--no-browser", action="store_true", help="print the page's address; do not open it")
    add_map(parser)
    terminal = parser.add_argument_group("in the terminal")
    terminal.add_argument(
        "--opponents",
        "-o",
        metavar="NAMES",
        help=f"one to three, with commas between, from easy to hard: {', '.join(PLAYERS)} (default: {OPPONENT})",
    )
    terminal.add_argument(
        "--seat", type=int, choices=range(4), help="your seat; seat 0 plays first (default: drawn by lot)"
    )
    add_seed(terminal, None)
    terminal.add_argument("--record", type=Path, metavar="FILE", help="add the game's record to this file, as one line")


def _play(arguments: argparse.Namespace) -> int:
    return _play_in_terminal(arguments) if arguments.terminal else _play_in_browser(arguments)


def _play_in_browser(arguments: argparse.Namespace) -> int:
    """Serves this computer only, and opens the page."""
    for option in ("opponents", "seat", "seed", "record"):
        if getattr(arguments, option) is not None:
            raise UsageError(f"--{option} is for the game in the terminal: add --terminal")
    with needing("play", "the game in the browser"):  # the game in the terminal starts without them
        from fogline.server.http.web import client_files  # noqa: PLC0415
        from fogline.server.run import make_offer, serve  # noqa: PLC0415
        from fogline.server.settings import Settings  # noqa: PLC0415
        from fogline.server.storage.database import DatabaseError, default_url  # noqa: PLC0415
    if "/index.html" not in client_files():
        raise UsageError("the page has not been built here: make web does it, or fogline play --terminal does without")
    names = dict.fromkeys((*maps_for_tables(), arguments.map))
    try:
        settings = Settings(offer=make_offer(load_board(name) for name in names))
    except ValueError as error:
        raise UsageError(f"--map: {error}") from None
    listener = next(_free_listeners())
    set_up("text", quiet=True)

    def ready() -> None:
        console.print(f"Fogline is at {address(listener)}  (Ctrl-C stops it)", soft_wrap=True)
        if not arguments.no_browser:
            webbrowser.open(address(listener))

    try:
        serve(default_url(), settings, listener, ready, _say_compiling)
    except DatabaseError as error:
        raise UsageError(str(error)) from None
    finally:
        listener.close()
    return 0


def _say_compiling() -> None:
    console.print("Compiling the rules, once ...")


def _free_listeners() -> Iterator[socket.socket]:
    for port in PORTS:
        try:
            yield listen("127.0.0.1", port)
        except UsageError:
            continue  # another program has it


def _play_in_terminal(arguments: argparse.Namespace) -> int:
    try:
        with on_compiling(_say_compiling):
            play(
                load_board(arguments.map),
                opponents=[name.strip() for name in (arguments.opponents or OPPONENT).split(",")],
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
        "  fogline play\n  fogline play --terminal --opponents racer,random --seed 7 --record game.json",
        _play_arguments,
        _play,
    ),
)
