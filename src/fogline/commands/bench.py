"""`fogline bench`."""

from __future__ import annotations

import argparse
import json
import sys

from rich.table import Table

from fogline.bench import as_json, machine, measure
from fogline.commands.command import Command, console, errors


def _bench_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def _bench(arguments: argparse.Namespace) -> int:
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
        table.add_row(
            figure.name, f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.2f}", figure.unit
        )
    console.print(table)
    return 0


COMMANDS = (
    Command(
        "bench",
        "  fogline bench\n  fogline bench --json > figures.json",
        _bench_arguments,
        _bench,
    ),
)
