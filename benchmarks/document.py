"""The document of the engine: what was measured, in this run and on a GPU, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from comparison import COMPARISONS, Comparison
from growth import bytes_short

Told = dict[str, Any]


class Files(NamedTuple):
    """What the document leads to, by name."""

    figures: str
    gpu_figures: str
    chart: str


def markdown(measured: Told | None, gpu: Told | None, files: Files) -> str:
    """Made from the figures alone, so the document can be written again without measuring."""
    if measured is None:
        lines = ["The engine has not been measured yet."]
    else:
        lines = [*_engine(measured, files.figures), *_beside(measured)]
    lines += ["", "## On a GPU", ""]
    lines += ["No GPU has been measured."] if gpu is None else _gpu(gpu, files)
    return "\n".join(lines)


def _engine(told: Told, figures: str) -> Iterator[str]:
    on, conditions = told["machine"], told["conditions"]
    yield (
        f"Measured on {told['date']}: {on['processor']}, {on['cores']} cores, Python {on['python']}, "
        f"NumPy {on['numpy']}, Numba {on['numba']}, load {conditions['load_before']:.1f} before the run; "
        f"[all figures as JSON]({figures})." + (" A quick run, with small numbers." if conditions["quick"] else "")
    )
    yield from ("", "## The engine", "")
    lines = ([figure[key] for key in ("name", "shown", "how")] for figure in told["figures"])
    yield from table(("what", "figure", "how"), "lrl", lines)


# Beside others.


def _beside(told: Told) -> Iterator[str]:
    conditions = told["conditions"]
    yield from ("", "## Beside others", "")
    if told["others"]:
        yield (
            "All play random legal actions, each in its own process on one core unless a line says otherwise. A figure "
            f"is the median of {conditions['repeats']} runs of {conditions['seconds']:g} s, after one that does not "
            "count. The games differ, so no line says which engine is better made; they say how long a program that "
            "learns or searches waits for a step."
        )
    else:
        yield "Other engines were not measured in this run."
    for comparison in COMPARISONS:
        yield from _comparison(comparison, told)


def _comparison(comparison: Comparison, told: Told) -> Iterator[str]:
    rows = [row for row in told["beside"] if row["comparison"] == comparison.key]
    missing = [each for each in told["left_out"] if each["comparison"] == comparison.key]
    yield from ("", f"### {comparison.title}", "", comparison.told)
    if rows:
        yield ""
        headings = ("library", "game", "at once", "cores", "steps a second", "games a second", "a step is")
        yield from table(headings, "llrrrrl", map(cells, rows))
    for each in missing:
        yield from ("", f"Left out: {each['what']} (`{each['why']}`).")


def cells(row: Told) -> tuple[str, ...]:
    """A line of a comparison: the last cell says what a step is."""
    games = row["games_per_second"]
    rates = (rounded(row["steps_per_second"]), "" if games is None else rounded(games))
    return (row["library"], row["game"], f"{row['at_once']:,}", str(row["cores"]), *rates, row["step"])


# On a GPU.


def _gpu(told: Told, files: Files) -> Iterator[str]:
    on = told["machine"]
    yield (
        f"Measured on {told['date']}: {on['gpu']}, Python {on['python']}, Numba {on['numba']}, torch {on['torch']}; "
        f"[all figures as JSON]({files.gpu_figures})."
    )
    for part, lines in GPU_PARTS.items():
        if part in told:
            yield from ("", *lines(told[part]))
    if "growth" in told:
        yield from ("", f"![Time of a step and memory by the number of games]({files.chart})", "")
        yield "*Needed* is what the arrays of a batch hold, *taken* how much less memory is free once it is there."


def _speed(speeds: Sequence[Told]) -> Iterator[str]:
    """A line for each kind of step, a column for each number of players."""
    players = sorted({speed["players"] for speed in speeds})
    kinds = list(dict.fromkeys((speed["what"], speed["games"]) for speed in speeds))
    rates = {(speed["what"], speed["games"], speed["players"]): speed["steps_per_second"] for speed in speeds}
    yield from table(
        ("million steps a second", "games at once", *(f"{count} players" for count in players)),
        "lr" + "r" * len(players),
        (
            (what, f"{games:,}", *(_millions(rates.get((what, games, count))) for count in players))
            for what, games in kinds
        ),
    )


def _pgx(rows: Sequence[Told]) -> Iterator[str]:
    yield from ("On the same GPU, with pgx, where games that have ended are stepped on and count:", "")
    lines = ((row["game"], f"{row['batch']:,}", _millions(row["steps_per_second"])) for row in rows)
    yield from table(("game", "games at once", "million steps a second"), "lrr", lines)


def _equality(runs: Sequence[Told]) -> Iterator[str]:
    yield from ("The same games on the CPU and on the GPU, every output of every step compared:", "")
    lines = (
        (
            str(run["players"]),
            f"{run['games']:,}",
            f"{run['steps']:,}",
            bytes_short(run["bytes"]),
            ("nothing" if run["equal"] else ", ".join(run["differing"]))
            + (f" ({run['note']})" if "note" in run else ""),
        )
        for run in runs
    )
    yield from table(("players", "games", "steps", "compared", "what differs"), "rrrrl", lines)


def _copies(told: Told) -> Iterator[str]:
    kernels, crossings = f"{told['kernels']:,}", f"{told['crossings']:,}"
    yield (
        f"While a network plays and learns, {told['iterations']} iterations launch {kernels} kernels; "
        f"copies between CPU and GPU: {crossings}, of {bytes_short(told['bytes'])} in all."
    )


def _millions(rate: float | None) -> str:
    return "" if rate is None else rounded(rate / 1e6)


GPU_PARTS: dict[str, Callable[[Any], Iterator[str]]] = {
    "speed": _speed,
    "pgx": _pgx,
    "equality": _equality,
    "copies": _copies,
}


# Any table.


def table(headings: Sequence[str], sides: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """`sides` has an l or an r for each column."""
    yield _line(headings)
    yield "|" + "|".join("---" if side == "l" else "---:" for side in sides) + "|"
    for row in rows:
        yield _line(row)


def rounded(value: float) -> str:
    """To three digits: further ones change from run to run."""
    value = float(f"{value:.2e}")
    digits = 2 - math.floor(math.log10(value)) if value else 0
    return f"{value:,.{max(digits, 0)}f}"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
