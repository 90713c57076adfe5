"""`fogline arena` and `ladder`."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from rich.progress import Progress
from rich.table import Table

from fogline.arena.clock import decision_seconds
from fogline.arena.cluster import LOCAL
from fogline.arena.contest import Contest, hold
from fogline.arena.entrant import parse_entrant
from fogline.arena.faults import ArenaError
from fogline.arena.ladder import Ladder, climb, make_ladder
from fogline.arena.ladderfile import ladder_page
from fogline.arena.match import Match, make_match
from fogline.arena.plot import check_plot, plot_ladder, plot_report
from fogline.arena.plotting import picture_of
from fogline.arena.pool import open_pool
from fogline.arena.report import Report, Trial, write_report
from fogline.arena.sprt import HIGH, Sprt
from fogline.commands.appending import appended
from fogline.commands.command import (
    INTERRUPTED,
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
from fogline.game.game import PLAYER_COUNTS
from fogline.players.neural.master import Master
from fogline.players.player import PLAYERS
from fogline.players.search.search import Search

GAMES, SLOW_GAMES = 1000, 100
FEW_BLOCKS = 20
_NAMING = (
    f"{', '.join(PLAYERS)}, FILE.npz or FILE.py:CLASS; "
    "with a budget for each decision where it takes one: NAME@1s, NAME@200"
)
_BUDGETS = {Search.name: "@200", Master.name: "@32"}
_EVERYONE = [f"{name}{_BUDGETS.get(name, '')}" for name in PLAYERS]
"""The default players, with budgets in iterations: a ladder must come out the same at any time on any machine."""


# The arena.


def _arena_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        nargs="+",
        metavar="PLAYER",
        help=f"{_NAMING}. Two fill a table of any size: the first has one seat, the second all others",
    )
    parser.add_argument(
        "--players", "-p", type=int, choices=PLAYER_COUNTS, help="how many (default: as many as are named)"
    )
    parser.add_argument(
        "--games", "-n", type=positive, default=GAMES, help=f"how many, rounded up to whole blocks (default: {GAMES:,})"
    )
    add_seed(parser, 0)
    add_map(parser)
    _add_pool(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything as JSON; - for the screen")
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="add every game's record to this file, one a line; compiled players are slower then",
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw win shares and ratings, as .svg or .png")
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        metavar=("LOW", "HIGH"),
        help="stop as soon as one of two win shares of the first player is rejected, with an error of 5 %%",
    )


def _add_pool(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cores", type=positive, help="how many to use (default: all)")
    parser.add_argument(
        "--ray", nargs="?", const=LOCAL, metavar="ADDRESS", help="play on a Ray cluster (default: one on this machine)"
    )


def _arena(arguments: argparse.Namespace) -> int:
    with _told():
        contest = Contest(_match(arguments), None if arguments.sprt is None else Sprt(*arguments.sprt))
        _check_files(arguments)
        with (
            open_pool(arguments.cores, arguments.ray) as pool,
            progress_bar() as progress,
            appended(arguments.record) as keep,
        ):
            hold(contest, pool, _follow(progress, contest), keep)
        if len(contest.outcomes) == 0:
            raise KeyboardInterrupt
        report = write_report(contest, arguments.map, decision_seconds(contest))
        if str(arguments.json) != "-":
            _print_report(report)
        if arguments.json is not None:
            with opened(arguments.json) as file:
                file.write(report.to_json())
        if arguments.plot is not None:
            plot_report(report, arguments.plot)
    return INTERRUPTED if contest.interrupted else 0


def _match(arguments: argparse.Namespace) -> Match:
    players = arguments.players or len(arguments.names)
    if players not in PLAYER_COUNTS:
        raise UsageError(f"name two to four players, not {players}")
    entrants = [parse_entrant(name) for name in arguments.names]
    board = load_board(arguments.map, players)
    recorded = arguments.record is not None
    return make_match(entrants, board, players=players, games=arguments.games, seed=arguments.seed, recorded=recorded)


def _check_files(arguments: argparse.Namespace) -> None:
    """Checks before the games, rather than after them, that a file can be written."""
    if arguments.plot is not None:
        check_plot(arguments.plot)
    for path in (arguments.json, arguments.record):
        if path is not None:
            _check_writable(path)


def _check_writable(path: Path) -> None:
    """Opens a file for writing later: its content stays until there is something to write."""
    try:
        if str(path) != "-":
            path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except ArenaError as error:
        raise UsageError(str(error)) from None


def _follow(progress: Progress, contest: Contest) -> Callable[[Contest], None]:
    """Shows the progress of a contest: its rate, and the first player's result."""
    games, start = contest.match.games, perf_counter()
    task = progress.add_task(f"playing {games:,} games", total=games)

    def show(contest: Contest) -> None:
        rate = contest.played / (perf_counter() - start)
        share = "" if contest.share is None else f"{contest.match.labels[0]} wins {contest.share:.1%}, "
        progress.update(task, completed=contest.played, description=f"{share}{rate:,.1f} games/s")

    return show


def _print_report(report: Report) -> None:
    console.print(_results(report))
    console.print(_sources(report))
    console.print(_shares_by_seat(report))
    ends = ", ".join(f"{count:,} ended by {reason.replace('_', ' ')}" for reason, count in report.ends.items() if count)
    console.print(f"a game: {report.turns:.1f} turns, {report.actions:.1f} actions; {ends}")
    if report.blocks < FEW_BLOCKS:
        console.print(f"fewer than {FEW_BLOCKS} blocks: the intervals are too narrow, play more games")
    if report.test is not None:
        console.print(_verdict(report, report.test))
    if report.games < report.games_planned and (report.test is None or report.test.accepted is None):
        console.print(f"stopped after {report.games:,} of {report.games_planned:,} games")
    console.print(f"again: {report.command}", style="dim", soft_wrap=True, markup=False)


def _results(report: Report) -> Table:
    blocks = f"{report.blocks:,} {'block' if report.blocks == 1 else 'blocks'} of {len(report.seatings)} seatings"
    title = f"{report.games:,} games of {report.players} on {report.map}: {blocks}; fair is {report.fair:.1%}"
    table = _table(title, "player", "seats", "won (95 %)", "Elo (95 %)", "a decision")
    for standing in report.standings:
        share, rating = standing.share, standing.elo
        interval = f"{100 * share.low:.1f} to {100 * share.high:.1f}"
        elo = f"{rating.value:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})"
        table.add_row(
            standing.name,
            f"{standing.seats:,}",
            f"{share.value:.1%} ({interval})",
            "0" if standing is report.standings[-1] else elo,
            _time(standing.seconds),
        )
    return table


def _sources(report: Report) -> Table:
    table = _table(None, "points a seat", "all", "routes", "tickets", "tokens", "tickets kept", "completed")
    for one in report.standings:
        means = (one.points, one.routes, one.tickets, one.tokens, one.kept, one.completed)
        table.add_row(one.name, *(f"{mean:.1f}" for mean in means))
    return table


def _shares_by_seat(report: Report) -> Table:
    table = _table(None, "won by seat", *map(str, range(report.players)))
    for standing in report.standings:
        table.add_row(standing.name, *(f"{share:.1%}" for share in standing.share_by_seat))
    table.add_section()
    table.add_row("all", *(f"{share:.1%}" for share in report.share_by_seat))
    return table


def _table(title: str | None, first: str, *others: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column(first)
    for other in others:
        table.add_column(other, justify="right")
    return table


def _verdict(report: Report, test: Trial) -> str:
    if test.accepted is None:
        return f"sequential test: undecided between {test.low:g} and {test.high:g} after {test.games:,} games"
    won, other = (test.high, test.low) if test.accepted == HIGH else (test.low, test.high)
    found = f"{report.standings[0].name} wins {won:.1%}, not {other:.1%}"
    return f"sequential test: accepted after {test.games:,} games that {found}"


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


# The ladder.


def _ladder_arguments(parser: argparse.ArgumentParser) -> None:
    who = f"who plays (default: {' '.join(_EVERYONE)}): {_NAMING}"
    parser.add_argument("names", nargs="*", metavar="PLAYER", help=who)
    parser.add_argument(
        "--games", "-n", type=positive, default=GAMES, help=f"games of each match, in whole blocks (default: {GAMES:,})"
    )
    parser.add_argument(
        "--slow-games",
        type=positive,
        default=SLOW_GAMES,
        help=f"games of each match with a slow player (default: {SLOW_GAMES})",
    )
    add_seed(parser, 0)
    add_map(parser)
    _add_pool(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("-"),
        metavar="FILE.md",
        help="the page to write; its plot FILE.svg goes to the folder data beside it, if there is one, or beside it",
    )
    parser.add_argument(
        "--match",
        type=Path,
        action="append",
        default=[],
        metavar="FILE.json",
        help="a report of `fogline arena --json`: a player too slow for the ladder, against one of its players",
    )
    parser.add_argument(
        "--ratings", type=Path, metavar="FILE.json", help="write only the ratings, which the levels of bots show"
    )


def _ladder(arguments: argparse.Namespace) -> int:
    with _told():
        entrants = [parse_entrant(name) for name in arguments.names or _EVERYONE]
        board, games, slow_games = load_board(arguments.map), arguments.games, arguments.slow_games
        guests = [_read_report(path) for path in arguments.match]
        ladder = make_ladder(entrants, board, games=games, slow_games=slow_games, seed=arguments.seed, guests=guests)
        picture = None if str(arguments.output) == "-" else picture_of(arguments.output, f"{arguments.output.stem}.svg")
        if picture is not None:
            check_plot(picture)
        _check_writable(arguments.output)
        if arguments.ratings is not None:
            _check_writable(arguments.ratings)
        with open_pool(arguments.cores, arguments.ray) as pool, progress_bar() as progress:
            climb(ladder, pool, _follow_ladder(progress, ladder))
        date = datetime.now(UTC).date().isoformat()
        with opened(arguments.output) as file:
            link = None if picture is None else picture.relative_to(arguments.output.parent).as_posix()
            file.write(ladder_page(ladder, _ladder_command(arguments), date, link))
        if arguments.ratings is not None:
            ratings = {"command": shlex.join(_ladder_command(arguments)), "elo": ladder.elo()}
            arguments.ratings.write_text(json.dumps(ratings, indent=2) + "\n", "utf-8")
        if picture is not None:
            plot_ladder(ladder, picture)
            console.print(f"{arguments.output}, {picture}", soft_wrap=True)
    return 0


def _read_report(path: Path) -> Report:
    try:
        return Report.from_json(path.read_text("utf-8"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArenaError(f"{path}: {error}") from error


def _follow_ladder(progress: Progress, ladder: Ladder) -> Callable[[Contest], None]:
    task = progress.add_task("climbing", total=ladder.game_count)
    played: dict[Contest, int] = {}

    def show(contest: Contest) -> None:
        played[contest] = contest.played
        names = " against ".join(contest.match.labels)
        progress.update(task, completed=sum(played.values()), description=f"{contest.match.players} players: {names}")

    return show


def _ladder_command(arguments: argparse.Namespace) -> list[str]:
    words = ["fogline", "ladder", *arguments.names, "--games", str(arguments.games)]
    words += ["--slow-games", str(arguments.slow_games), "--seed", str(arguments.seed), "--map", arguments.map]
    words += [word for path in arguments.match for word in ("--match", str(path))]
    words += [] if arguments.ratings is None else ["--ratings", str(arguments.ratings)]
    return words if str(arguments.output) == "-" else [*words, "-o", str(arguments.output)]


COMMANDS = (
    Command(
        "arena",
        "  fogline arena racer random\n"
        "  fogline arena racer random --players 4 --games 4000 --json match.json --plot match.svg\n"
        "  fogline arena mine.py:Mine racer --sprt 0.5 0.55 --games 100000",
        _arena_arguments,
        _arena,
    ),
    Command(
        "ladder",
        "  fogline ladder\n  fogline ladder --games 2000 --seed 1 -o ladder.md",
        _ladder_arguments,
        _ladder,
    ),
)
