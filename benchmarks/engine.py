"""How fast the engine is, and other engines: `python benchmarks/engine.py`. README.md says what is measured."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import document
import growth
from comparison import ENVIRONMENT, NAMES, Others, Progress
from report import Figure, into_document
from rich.console import Console
from rich.table import Table

from fogline import __version__, bench

DOCS = Path(__file__).resolve().parent.parent / "docs"
DOCUMENT, FIGURES, CHART, GPU = (
    "performance.md",
    "data/performance.json",
    "data/performance-growth.svg",
    "data/performance-gpu.json",
)
SMALL = {"GAMES": 2_000, "PLANNER_GAMES": 40, "ITERATIONS": 100, "REPEATS": 2}
"""The seconds of the engine's own benchmark, in a quick run."""

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def measure(options: argparse.Namespace, progress: Progress) -> tuple[dict[str, Any], bool]:
    """All figures of one run, and whether every program could be measured."""
    others = Others(options.others, options.environment, options.seconds, options.repeats)
    others.install(progress)
    load = os.getloadavg()[0]
    with _small() if options.quick else nullcontext():
        figures = [Figure(**asdict(figure)) for figure in bench.measure(progress)]
    others.measure(progress)
    told = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": bench.machine() | {"system": f"{platform.system()} {platform.release()}"},
        "fogline": __version__,
        "conditions": {
            "load_before": round(load, 2),
            "seconds": options.seconds,
            "repeats": options.repeats,
            "quick": options.quick,
        },
        "figures": [asdict(figure) | {"shown": figure.shown} for figure in figures],
    }
    return told | others.as_json(), not others.failed


@contextmanager
def _small() -> Iterator[None]:
    """The engine's own benchmark has no options: its constants are changed for a while."""
    numbers: dict[str, Any] = {name: getattr(bench, name) for name in SMALL}
    try:
        vars(bench).update(SMALL)
        yield
    finally:
        vars(bench).update(numbers)


def write(folder: Path) -> None:
    """Writes the document and its chart from the figures in the folder: those of the last run, and a GPU's if there are
    any.
    """
    measured, gpu = (_read(folder / name) for name in (FIGURES, GPU))
    if gpu and "growth" in gpu:
        (folder / CHART).write_text(growth.draw(gpu["growth"]), "utf-8")
    into_document(folder / DOCUMENT, document.markdown(measured, gpu, document.Files(FIGURES, GPU, CHART)))


def _read(path: Path) -> dict[str, Any] | None:
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def _screen_tables(told: dict[str, Any]) -> Iterator[Table]:
    table = Table("what", title="The engine", title_justify="left")
    table.add_column("figure", justify="right")
    table.add_column("how", style="dim")
    for figure in told["figures"]:
        table.add_row(figure["name"], figure["shown"], figure["how"])
    yield table
    table = Table("library", "game", title="Beside others", title_justify="left")
    for heading in ("at once", "cores", "steps a second", "games a second"):
        table.add_column(heading, justify="right")
    for row in told["beside"]:
        table.add_row(*document.cells(row)[:-1])
    yield table


def _others(text: str) -> tuple[str, ...]:
    chosen = () if text == "none" else tuple(text.split(","))
    if unknown := set(chosen) - set(NAMES):
        raise argparse.ArgumentTypeError(f"{', '.join(sorted(unknown))}: there are {', '.join(NAMES)}, or none")
    return chosen


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure the engine on this machine, and others beside it.")
    parser.add_argument("--quick", action="store_true", help="smaller numbers, for a first impression")
    parser.add_argument(
        "--others",
        type=_others,
        default=NAMES,
        metavar="NAME,…",
        help=f"none, or some of {', '.join(NAMES)} (default: all)",
    )
    parser.add_argument(
        "--environment",
        type=Path,
        default=ENVIRONMENT,
        metavar="FOLDER",
        help="the others' virtual environment, made when it is missing (build/others)",
    )
    parser.add_argument("--seconds", type=float, help="time of one run beside others (2; in a quick run 0.1)")
    parser.add_argument("--repeats", type=int, help="runs beside others, of which the median counts (5; quick 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    written = parser.add_mutually_exclusive_group()
    docs: dict[str, Any] = {"type": Path, "nargs": "?", "const": DOCS, "metavar": "FOLDER"}
    written.add_argument("--docs", **docs, help=f"write all figures to {DOCUMENT}, {FIGURES} and {CHART} (of docs/)")
    written.add_argument("--rewrite", **docs, help=f"measure nothing: write {DOCUMENT} anew, after gpu.py")
    return parser


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    options = parser.parse_args(arguments)
    options.seconds = options.seconds or (0.1 if options.quick else 2.0)
    options.repeats = options.repeats or (1 if options.quick else 5)
    if options.seconds < 0 or options.repeats < 1:
        parser.error("--seconds and --repeats are more than 0")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    if options.rewrite:
        write(options.rewrite)
        return 0
    with errors.status("measuring") as status:
        told, complete = measure(options, lambda what: status.update(f"measuring: {what}"))
    for table in _screen_tables(told):
        console.print(table)
    for missing in told["left_out"]:
        errors.print(f"[red]left out[/] {missing['what']}: {missing['why']}", soft_wrap=True)
    for path in (options.json, options.docs and options.docs / FIGURES):
        if path:
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
    if options.docs:
        write(options.docs)
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
