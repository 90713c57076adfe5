"""`fogline simulate`."""

from __future__ import annotations

import argparse
from contextlib import nullcontext, suppress
from pathlib import Path
from time import perf_counter

from rich.table import Table

from fogline.batch.simulate import Summary, record_lines, simulate
from fogline.commands.command import (
    INTERRUPTED,
    Command,
    add_map,
    add_players,
    add_seed,
    console,
    errors,
    load_board,
    opened,
    positive,
    progress_bar,
)
from fogline.maps.board import Board
from fogline.rules.state import END_REASONS


def _simulate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", "-n", type=positive, default=100_000, help="how many (default: 100,000)")
    add_players(parser)
    add_seed(parser, 0)
    add_map(parser)
    parser.add_argument("--cores", type=positive, help="how many to use (default: all)")
    parser.add_argument("--record", type=Path, metavar="FILE.jsonl", help="write every game's record, one a line")


def _simulate(arguments: argparse.Namespace) -> int:
    board = load_board(arguments.map, arguments.players)
    games, players, seed, cores = arguments.games, arguments.players, arguments.seed, arguments.cores
    with errors.status("compiling the rules, where it has not been done before"):
        simulate(board, players, 1)
    # The file is opened first: a fault should show before the games, not after them.
    with nullcontext() if arguments.record is None else opened(arguments.record) as file, progress_bar() as progress:
        task = progress.add_task(f"playing {games:,} games", total=games)
        summary, start = Summary(players), perf_counter()
        with suppress(KeyboardInterrupt):  # sums up the games played so far
            simulate(
                board, players, games, seed, cores=cores, progress=lambda n: progress.advance(task, n), summary=summary
            )
        seconds = perf_counter() - start
        if summary.games == 0:
            raise KeyboardInterrupt
        if file is not None and summary.games == games:
            task = progress.add_task("writing records", total=games)
            for line in record_lines(board, players, games, seed, cores=cores):
                file.write(line + "\n")
                progress.advance(task)
    console.print(_summary_table(board, summary))
    if summary.games < games:
        console.print(f"stopped after {summary.games:,} of {games:,} games; no records were written")
    speed = f"{summary.games / seconds:,.0f} games/s, {summary.steps / seconds / 1e6:.1f} M actions/s"
    console.print(f"{speed}, {seconds:.2f} s in all", style="dim")
    if arguments.record is not None and summary.games == games:
        console.print(f"records: {arguments.record}")
    return 0 if summary.games == games else INTERRUPTED


def _summary_table(board: Board, summary: Summary) -> Table:
    shares = (0.0, 0.1, 0.5, 0.9, 1.0)
    what = "random game" if summary.games == 1 else "random games"
    title = f"{summary.games:,} {what} of {summary.players} on {board.name}"
    table = Table(title=title, title_justify="left")
    for heading in ("", "mean", "least", "10 %", "median", "90 %", "most"):
        table.add_column(heading, justify="left" if not heading else "right")
    scores = summary.seat_totals.sum() / summary.games / summary.players
    table.add_row("actions a game", f"{summary.steps / summary.games:.1f}", *map(str, summary.length_quantiles(shares)))
    table.add_row("points a seat", f"{scores:.1f}", *map(str, summary.score_quantiles(shares)))
    table.add_section()
    for seat in range(summary.players):
        points, wins = summary.seat_totals[seat] / summary.games, summary.wins[seat] / summary.games
        table.add_row(f"points of seat {seat}", f"{points:.1f}")
        table.add_row(f"won by seat {seat}, shared or not", f"{wins:.1%}")
    table.add_section()
    for reason, count in zip(END_REASONS[1:], summary.ends[1:], strict=True):
        table.add_row(f"ended: {reason.replace('_', ' ')}", f"{count / summary.games:.2%}")
    return table


COMMANDS = (
    Command(
        "simulate",
        "  fogline simulate --games 1000000\n  fogline simulate --games 1000 --players 4 --seed 1 --record games.jsonl",
        _simulate_arguments,
        _simulate,
    ),
)
