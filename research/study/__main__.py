"""`python -m research.study`: what thousands of games say about the game."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from fogline.arena.entrant import parse_entrant
from fogline.arena.faults import ArenaError
from fogline.arena.plotting import check_matplotlib, picture_of
from fogline.commands.command import (
    UsageError,
    add_map,
    add_seed,
    carry_out,
    console,
    load_board,
    opened,
    positive,
    progress_bar,
)
from fogline.game.game import PLAYER_COUNTS
from fogline.maps.board import Board
from research.study.change import UNCHANGED, find_change
from research.study.faults import StudyError
from research.study.note import Note, kept_notes, read_notes, take_note, write_notes
from research.study.page import study_page
from research.study.plot import draw_pictures
from research.study.series import Series
from research.study.study import check_games, count_games, is_fast, make_study
from research.study.words import percent
from research.study.workers import gather_workers

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
    # A fault should show before the games, not after them.
    check_matplotlib()
    check_games(player, games)
    _check_writable(page)
    with _progress(count_games(board, player, games)) as progress, gather_workers(arguments.cores, progress) as workers:
        study = make_study(board, player, games, arguments.seed, workers)
    for name, svg in draw_pictures(study).items():
        with opened(picture_of(page, f"{page.stem}-{name}.svg")) as file:
            file.write(svg)
    with opened(page) as file:
        stem = picture_of(page, page.stem).relative_to(page.parent).as_posix()
        file.write(study_page(study, kept_notes(), _command(arguments), stem))
    console.print(f"the study: {page}")
    return 0


def _command(arguments: argparse.Namespace) -> list[str]:
    """The command that makes the same page again."""
    return [*_games_command(arguments), "-o", arguments.page.as_posix()]


def _games_command(arguments: argparse.Namespace) -> list[str]:
    words = ["python", "-m", "research.study", "--games", str(arguments.games), "--seed", str(arguments.seed)]
    return [*words, "--player", arguments.player, "--map", arguments.map]


def _check_writable(path: Path) -> None:
    """Opens the page for writing later: its content stays until there is something to write."""
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


EXAMPLES = """examples:
  python -m research.study
  python -m research.study --games 100000 --seed 1 -o docs/study.md
  python -m research.study --player search@500 --games 300 --note notes.json"""


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m research.study",
        description="What thousands of games say about the game: seats, tickets, routes, tokens.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _study_arguments(parser)
    return parser


def main(words: list[str] | None = None) -> int:
    arguments = make_parser().parse_args(words)
    return carry_out(lambda: _study(arguments))


if __name__ == "__main__":
    sys.exit(main())
