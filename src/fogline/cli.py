"""The command `fogline`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

from rich.console import Console
from rich.table import Table

from fogline import __version__

if TYPE_CHECKING:
    from rich.progress import Progress

    from fogline.board import Board
    from fogline.simulate import Summary

# The rules are imported by the commands that need them: a help text should not wait for a compiler.

DESCRIPTION = "Fogline: the San Francisco cable-car board game. Exact rules, records, and an engine that plays millions of games."

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


class UsageError(Exception):
    """Something that the caller can mend; its text says what."""


@dataclass(frozen=True)
class Command:
    """One of the program's commands."""

    name: str
    summary: str
    examples: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def main(argv: list[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except UsageError as error:
        errors.print(f"fogline: {error}", markup=False, soft_wrap=True)
        return 2
    except BrokenPipeError:
        return 1  # whoever read our output has seen enough
    except KeyboardInterrupt:
        errors.print("stopped")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("fogline", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"fogline {__version__}")
    groups = {"": parser.add_subparsers(title="commands", metavar="COMMAND", required=True)}
    for command in COMMANDS:
        group, _, name = command.name.rpartition(" ")
        if group not in groups:
            parent = groups[""].add_parser(group, help=f"{group} files: check them, draw them", description=f"Commands for {group} files.")
            groups[group] = parent.add_subparsers(title="commands", metavar="COMMAND", required=True)
        sub = groups[group].add_parser(
            name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=f"examples:\n{command.examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return parser


# fogline play


def _play_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--opponents", "-o", default="racer", metavar="NAMES", help="one to three, with commas between: racer, random (default: racer)"
    )
    parser.add_argument("--seat", type=int, choices=range(4), help="your seat; seat 0 plays first (default: drawn by lot)")
    _add_seed(parser, None)
    _add_map(parser)
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the game's record to this file")


def _play(arguments: argparse.Namespace) -> int:
    from fogline.players.player import PLAYERS
    from fogline.terminal.play import play

    opponents = [name.strip() for name in arguments.opponents.split(",")]
    unknown = [name for name in opponents if name not in PLAYERS]
    if unknown or not 1 <= len(opponents) <= 3:
        raise UsageError(f"--opponents takes one to three of {', '.join(PLAYERS)}, not {arguments.opponents!r}")
    if arguments.seat is not None and arguments.seat > len(opponents):
        raise UsageError(f"--seat {arguments.seat}: with {len(opponents) + 1} players the seats are 0 to {len(opponents)}")
    play(
        _board(arguments.map),
        opponents=opponents,
        seed=arguments.seed,
        seat=arguments.seat,
        console=console,
        record=arguments.record,
    )
    return 0


# fogline simulate


def _simulate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", "-n", type=_positive, default=100_000, help="how many (default: 100,000)")
    _add_players(parser)
    _add_seed(parser, 0)
    _add_map(parser)
    parser.add_argument("--cores", type=_positive, help="how many to use (default: all)")
    parser.add_argument("--record", type=Path, metavar="FILE.jsonl", help="write every game's record, one a line")


def _simulate(arguments: argparse.Namespace) -> int:
    from fogline.simulate import record_lines, simulate

    board = _board(arguments.map)
    games, players, seed = arguments.games, arguments.players, arguments.seed
    with _progress() as progress:
        start = perf_counter()
        task = progress.add_task(f"playing {games:,} games", total=games)
        summary = simulate(board, players, games, seed, cores=arguments.cores, progress=lambda n: progress.advance(task, n))
        seconds = perf_counter() - start
        if arguments.record is not None:
            task = progress.add_task("writing records", total=games)
            with _opened(arguments.record) as file:
                for line in record_lines(board, players, games, seed, cores=arguments.cores):
                    file.write(line + "\n")
                    progress.advance(task)
    console.print(_summary_table(board, summary))
    console.print(f"{games / seconds:,.0f} games/s, {summary.steps / seconds / 1e6:.1f} M actions/s, {seconds:.2f} s in all", style="dim")
    if arguments.record is not None:
        console.print(f"records: {arguments.record}")
    return 0


def _summary_table(board: Board, summary: Summary) -> Table:
    from fogline.rules.state import END_REASONS

    shares = (0.0, 0.1, 0.5, 0.9, 1.0)
    table = Table(title=f"{summary.games:,} random games of {summary.players} on {board.name}", title_justify="left")
    for heading in ("", "mean", "least", "10 %", "median", "90 %", "most"):
        table.add_column(heading, justify="left" if not heading else "right")
    scores = summary.seat_totals.sum() / summary.games / summary.players
    table.add_row("actions a game", f"{summary.steps / summary.games:.1f}", *map(str, summary.length_quantiles(shares)))
    table.add_row("points a seat", f"{scores:.1f}", *map(str, summary.score_quantiles(shares)))
    table.add_section()
    for seat in range(summary.players):
        wins = f"wins {summary.wins[seat] / summary.games:.1%}"
        table.add_row(f"seat {seat}", f"{summary.seat_totals[seat] / summary.games:.1f}", wins)
    table.add_section()
    for reason, count in zip(END_REASONS[1:], summary.ends[1:], strict=True):
        table.add_row(f"ended: {reason.replace('_', ' ')}", f"{count / summary.games:.2%}")
    return table


# fogline record, replay, audit


def _record_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="where to write it; - for the screen")
    parser.add_argument("--seats", default="racer,random", metavar="NAMES", help="who plays, from seat 0 on (default: racer,random)")
    _add_seed(parser, None)
    _add_map(parser)


def _record(arguments: argparse.Namespace) -> int:
    from fogline.game import Game
    from fogline.players.player import PLAYERS

    names = [name.strip() for name in arguments.seats.split(",")]
    if any(name not in PLAYERS for name in names) or not 2 <= len(names) <= 4:
        raise UsageError(f"--seats takes two to four of {', '.join(PLAYERS)}, not {arguments.seats!r}")
    game = Game(_board(arguments.map), players=len(names), seed=arguments.seed)
    players = [PLAYERS[name](game.seed + seat) for seat, name in enumerate(names)]
    while not game.over:
        game.play(players[game.seat].choose(game.view(game.seat)))
    with _opened(arguments.file) as file:
        file.write(json.dumps(game.record()) + "\n")
    if str(arguments.file) != "-":
        console.print(f"{arguments.file}: {len(game.events)} events, won by {_seats(game.winners)}")
    return 0


def _replay_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a record, or a file with one a line")
    parser.add_argument("--game", type=_positive, default=1, metavar="N", help="which game of the file, from 1 (default: 1)")
    parser.add_argument("--at", type=int, metavar="N", help="stop before event N and show the position there, everyone's cards open")
    parser.add_argument("--seat", type=int, choices=range(4), help="tell it as this seat saw it")
    _add_map(parser, None)


def _replay(arguments: argparse.Namespace) -> int:
    from itertools import islice

    from fogline.record import RecordError, read_records, replay
    from fogline.terminal.story import tell
    from fogline.view import redact

    board = None if arguments.map is None else _board(arguments.map)
    try:
        record = next(islice(read_records(arguments.file), arguments.game - 1, None), None)
        if record is None:
            raise UsageError(f"{arguments.file} has no game {arguments.game}")
        if arguments.at is not None and isinstance(record.get("events"), list):
            record = {key: value for key, value in record.items() if key not in ("scores", "winners")}
            record["events"] = record["events"][: max(0, arguments.at)]
        game = replay(record, board)
    except RecordError as error:
        raise UsageError(f"{arguments.file}: {error}") from None
    for number, event in enumerate(game.events):
        seen = event if arguments.seat is None else redact(event, arguments.seat)
        console.print(f"{number:4}  {tell(game.board, seen)}", markup=False, soft_wrap=True)
    if arguments.seat is None:
        console.print(f"\n{game}", markup=False, soft_wrap=True)
    return 0


def _audit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="a record, or a file with one a line")
    _add_map(parser, None)


def _audit(arguments: argparse.Namespace) -> int:
    from fogline.record import RecordError, audit, read_records

    board = None if arguments.map is None else _board(arguments.map)
    good = bad = 0
    records = read_records(arguments.file)
    while True:
        try:
            record = next(records, None)
            if record is None:
                break
            found = audit(record, board)
            good += 1
            if good + bad <= 20:
                state = f"won by {_seats(found.game.winners)}" if found.finished else "not finished"
                seed = "and comes from its seed" if found.from_seed else "; chance does not come from its seed"
                console.print(f"game {good + bad}: {len(found.game.events)} events, {state}; breaks no rule {seed}", soft_wrap=True)
        except RecordError as error:
            bad += 1
            errors.print(f"game {good + bad}: {error}", markup=False, style="red", soft_wrap=True)
    console.print(f"{good} good, {bad} bad")
    return 1 if bad or not good else 0


# fogline map


def _check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a map file, or the name of a built-in map")


def _check(arguments: argparse.Namespace) -> int:
    from fogline.board import Board
    from fogline.mapfile import MapError

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
    console.print(f"{len(board.routes)} routes ({doubles} double, {ferries} with ferries), {spaces} spaces, {len(board.claims)} ways to claim")
    console.print(f"{len(board.tickets)} tickets, {sum(board.map_file.cards)} cards, {board.cars} cars a seat")
    return 0


def _draw_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a map file, or the name of a built-in map")
    parser.add_argument("-o", "--output", type=Path, default=Path("board.svg"), help="where to draw it (default: board.svg)")
    parser.add_argument("--dark", action="store_true", help="at night")


def _draw(arguments: argparse.Namespace) -> int:
    from fogline.drawing import draw

    picture = draw(_board(arguments.file), dark=arguments.dark)
    with _opened(arguments.output) as file:
        file.write(picture)
    if str(arguments.output) != "-":
        console.print(f"drawn: {arguments.output}")
    return 0


# fogline bench


def _bench_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def _bench(arguments: argparse.Namespace) -> int:
    from fogline.bench import as_json, machine, measure

    with errors.status("measuring") as status:
        figures = list(measure(lambda what: status.update(f"measuring: {what}")))
    if arguments.json:
        sys.stdout.write(json.dumps(as_json(figures), indent=2) + "\n")
        return 0
    table = Table(title=", ".join(f"{name} {value}" for name, value in machine().items()), title_justify="left")
    table.add_column("what")
    table.add_column("figure", justify="right")
    table.add_column("unit")
    for figure in figures:
        table.add_row(figure.name, f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.2f}", figure.unit)
    console.print(table)
    return 0


COMMANDS = (
    Command(
        "play",
        "play a game in the terminal",
        "  fogline play\n  fogline play --opponents racer,random --seed 7 --record game.json",
        _play_arguments,
        _play,
    ),
    Command(
        "simulate",
        "play random games on all cores, and sum them up",
        "  fogline simulate --games 1000000\n  fogline simulate --games 1000 --players 4 --seed 1 --record games.jsonl",
        _simulate_arguments,
        _simulate,
    ),
    Command(
        "record",
        "let programs play one game, and write its record",
        "  fogline record game.json --seats racer,random,random --seed 7",
        _record_arguments,
        _record,
    ),
    Command(
        "replay",
        "tell a recorded game, event by event",
        "  fogline replay game.json\n  fogline replay games.jsonl --game 3 --at 57\n  fogline replay game.json --seat 1",
        _replay_arguments,
        _replay,
    ),
    Command(
        "audit",
        "check recorded games against the rules, event by event",
        "  fogline audit games.jsonl\n  fogline audit game.json --map my_city.toml",
        _audit_arguments,
        _audit,
    ),
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
    Command(
        "bench",
        "measure how fast the engine is on this machine",
        "  fogline bench\n  fogline bench --json > figures.json",
        _bench_arguments,
        _bench,
    ),
)


# What commands share.


def _add_players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", "-p", type=int, choices=(2, 3, 4), default=2, help="how many (default: 2)")


def _add_seed(parser: argparse.ArgumentParser, default: int | None) -> None:
    shown = "a random one" if default is None else default
    parser.add_argument("--seed", "-s", type=_seed, default=default, help=f"same seed, same game (default: {shown})")


def _add_map(parser: argparse.ArgumentParser, default: str | None = "san_francisco") -> None:
    shown = "the one that the record names" if default is None else default
    parser.add_argument("--map", "-m", default=default, metavar="MAP", help=f"a built-in map or a map file (default: {shown})")


def _positive(text: str) -> int:
    try:
        number = int(text.replace(",", "").replace("_", ""))
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 on, not {text!r}")
    return number


def _seed(text: str) -> int:
    try:
        seed = int(text, 0)
    except ValueError:
        seed = -1
    if not 0 <= seed < 2**64:
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 to 2**64 - 1, not {text!r}")
    return seed


def _board(name: str) -> Board:
    from fogline.board import Board
    from fogline.mapfile import MapError

    try:
        return Board.load(name)
    except MapError as error:
        raise UsageError(str(error)) from None


def _opened(path: Path) -> Any:
    """The file to write, or the screen for `-`."""
    if str(path) == "-":
        stdout: TextIO = sys.stdout
        return nullcontext(stdout)
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def _progress() -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=errors, transient=True)


def _seats(seats: list[int]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats)
