"""`fogline map check` and `fogline map draw`."""

from __future__ import annotations

import argparse
from pathlib import Path

from fogline.board import Board
from fogline.commands.command import Command, console, errors, load_board, opened
from fogline.drawing import draw
from fogline.mapfile import MapError


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a map file, or the name of a built-in map")


def _check(arguments: argparse.Namespace) -> int:
    try:
        board = Board.load(arguments.file)
    except MapError as error:
        errors.print(str(error), markup=False, soft_wrap=True)
        return 1
    spaces = sum(route.length for route in board.routes)
    doubles = sum(route.twin is not None for route in board.routes) // 2
    ferries = sum(route.ferries > 0 for route in board.routes)
    console.print(f"{board.name} is a good map.")
    console.print(f"{len(board.locations)} locations, {len(board.landmarks)} of them landmarks")
    console.print(f"{len(board.routes)} routes ({doubles} double, {ferries} with ferries), {spaces} spaces")
    console.print(f"{len(board.tickets)} tickets, {sum(board.map_file.cards)} cards, {board.cars} cars a seat")
    return 0


def _draw_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a map file, or the name of a built-in map")
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("board.svg"), help="where to draw it (default: board.svg)"
    )
    parser.add_argument("--dark", action="store_true", help="at night")


def _draw(arguments: argparse.Namespace) -> int:
    picture = draw(load_board(arguments.file), dark=arguments.dark)
    with opened(arguments.output) as file:
        file.write(picture)
    if str(arguments.output) != "-":
        console.print(f"drawn: {arguments.output}")
    return 0


COMMANDS = (
    Command(
        "map check",
        "check a map file, and list all its faults",
        "  fogline map check san_francisco\n  fogline map check my_city.toml",
        _check_arguments,
        _check,
    ),
    Command(
        "map draw",
        "draw a map file's board as an SVG picture",
        "  fogline map draw san_francisco -o board.svg\n  fogline map draw my_city.toml -o night.svg --dark",
        _draw_arguments,
        _draw,
    ),
)
