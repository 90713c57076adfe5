"""`fogline study`."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from fogline.arena.entrant import parse_entrant
from fogline.arena.faults import ArenaError
from fogline.arena.pens import check_pens
from fogline.board import Board
from fogline.commands.command import (
    Command,
    UsageError,
    add_map,
    add_seed,
    console,
    load_board,
    opened,
    positive,
    progress_bar,
)
from fogline.game import PLAYER_COUNTS
from fogline.study.change import UNCHANGED, find_change
from fogline.study.faults import StudyError
from fogline.study.note import Note, kept_notes, read_notes, take_note, write_notes
from fogline.study.page import study_page
from fogline.study.plot import draw_pictures
from fogline.study.series import Series
from fogline.study.study import check_games, count_games, is_fast, make_study
from fogline.study.words import percent
from fogline.study.workers import gather_workers

GAMES, SLOW_GAMES = 20_000, 100


def _study_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--games",
        "-n",
        type=positive,
        help=f"of each number of players (default: {GAMES:,}, {SLOW_GAMES} with a slow player)",
    )
    add_seed(parser, 0)
    parser.add_argument(
        "--player", default="planner", help="who plays, in all seats: planner, search@500, … (default: planner)"
    )
    add_map(parser)
    parser.add_argument("--cores", type=positive, help="how many to use (default: all)")
    parser.add_argument(
        "-o",
        dest="page",
        type=Path,
        default=Path("study.md"),
        metavar="FILE.md",
        help="the page; its pictures come beside it (default: study.md)",
    )
    parser.add_argument(
        "--note", type=Path, metavar="FILE.json", help="no page: measure how often each seat wins, and add it to a file"
    )
    parser.add_argument("--players", "-p", type=int, choices=PLAYER_COUNTS, default=2, help="of a note (default: 2)")
    parser.add_argument("--change", default=UNCHANGED, help="of a note: a change of the map that the page names")


def _study(arguments: argparse.Namespace) -> int:
    with _told():
        _check_player(arguments.player, load_board(arguments.map))
        if arguments.games is None:
            arguments.games = GAMES if is_fast(arguments.player) else SLOW_GAMES
        if arguments.note is not None:
            return _add_note(arguments)
        return _write_page(arguments)


def _check_player(player: str, board: Board) -> None:
    entrant = parse_entrant(player)
    entrant.check_board(board)
    if entrant.clocked:
        raise UsageError(
            f"{player} decides by the clock, and no study could be repeated: give it iterations, search@500"
        )


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (ArenaError, StudyError) as error:
        raise UsageError(str(error)) from None


# The page.


def _write_page(arguments: argparse.Namespace) -> int:
    board, player, games, page = load_board(arguments.map), arguments.player, arguments.games, arguments.page
    # Better to hear before the games than after them what is missing.
    check_pens()
    check_games(player, games)
    _check_writable(page)
    with _progress(count_games(board, player, games)) as progress, gather_workers(arguments.cores, progress) as workers:
        study = make_study(board, player, games, arguments.seed, workers)
    for name, svg in draw_pictures(study).items():
        with opened(page.with_name(f"{page.stem}-{name}.svg")) as file:
            file.write(svg)
    with opened(page) as file:
        file.write(study_page(study, kept_notes(), _command(arguments), page.stem))
    console.print(f"the study: {page}")
    return 0


def _command(arguments: argparse.Namespace) -> list[str]:
    """What to type to make the same page again."""
    return [*_games_command(arguments), "-o", arguments.page.as_posix()]


def _games_command(arguments: argparse.Namespace) -> list[str]:
    words = ["fogline", "study", "--games", str(arguments.games), "--seed", str(arguments.seed)]
    return [*words, "--player", arguments.player, "--map", arguments.map]


def _check_writable(path: Path) -> None:
    """What is in it stays, until there is something to write."""
    try:
        path.open("a").close()
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


@contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    with progress_bar() as progress:
        task = progress.add_task(f"playing up to {games:,} games", total=games)
        yield lambda played: progress.advance(task, played)


# Notes.


def _add_note(arguments: argparse.Namespace) -> int:
    board, path = load_board(arguments.map), arguments.note
    find_change(arguments.change)
    notes = read_notes(path)
    _check_writable(path)
    series = Series(board, (arguments.player,) * arguments.players, arguments.games, arguments.seed)
    with _progress(series.games) as progress, gather_workers(arguments.cores, progress) as workers:
        note = take_note(series, arguments.change, workers, _note_command(arguments), _today())
    with opened(path) as file:
        file.write(write_notes([*notes, note]))
    console.print(_told_note(note))
    return 0


def _note_command(arguments: argparse.Namespace) -> str:
    words = [*_games_command(arguments), "--players", str(arguments.players), "--change", arguments.change]
    return shlex.join([*words, "--note", arguments.note.name])


def _told_note(note: Note) -> str:
    seats = ", ".join(f"seat {seat} {percent(share)} %" for seat, share in enumerate(note.shares))
    return f"{note.games:,} games of {note.player}, {note.change}: {seats}"


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


COMMANDS = (
    Command(
        "study",
        "what thousands of games say about the game: seats, tickets, routes, tokens",
        "  fogline study\n"
        "  fogline study --games 100000 --seed 1 -o docs/study.md\n"
        "  fogline study --player search@500 --games 300 --note notes.json",
        _study_arguments,
        _study,
    ),
)
