"""`fogline map check` and `fogline map draw`."""

from __future__ import annotations

import argparse
from pathlib import Path

from fogline.commands.command import Command, console, errors, load_board, opened
from fogline.drawing.board import draw
from fogline.maps.board import Board
from fogline.maps.mapfile import MapError
from fogline.maps.reach import LAST_CARS, most_cars_used, reaches_last_round


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
    if not reaches_last_round(board.map_file):
        errors.print(f"warning: {_endless(board)}", markup=False, soft_wrap=True)
    return 0


def _endless(board: Board) -> str:
    """The fault of a map on which no last round can begin."""
    used = most_cars_used(board.map_file)
    return (
        f"every game will end stuck: the last round begins when a seat has {LAST_CARS} cars or fewer, and of its "
        f"{board.cars} cars nobody can use more than {used}"
    )


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
        "  fogline map check san_francisco\n  fogline map check my_city.toml",
        _check_arguments,
        _check,
    ),
    Command(
        "map draw",
        "  fogline map draw san_francisco -o board.svg\n  fogline map draw my_city.toml -o night.svg --dark",
        _draw_arguments,
        _draw,
    ),
)
