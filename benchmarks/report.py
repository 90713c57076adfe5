"""What was measured: as a table on the screen, as JSON, and in the document."""

from __future__ import annotations

import os
import platform
import re
import statistics
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from chart import Point
from rich.table import Table

from fogline import __version__
from fogline.bench import machine

_PACKAGES = ("fastapi", "pydantic", "sqlalchemy", "starlette", "uvicorn", "uvloop", "websockets")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number, and its target."""

    name: str
    value: float
    unit: str
    how: str
    below: float | None = None  # the target

    @property
    def met(self) -> bool | None:
        return None if self.below is None else self.value < self.below

    @property
    def shown(self) -> str:
        digits = 0 if self.value >= 100 or float(self.value).is_integer() else 1 if self.value >= 10 else 2
        return f"{self.value:,.{digits}f} {self.unit}".rstrip()

    @property
    def target(self) -> str:
        return "" if self.below is None else "none" if self.below == 1 else f"below {self.below:g} {self.unit}"


@dataclass
class Report:
    """All figures of a run."""

    database: str
    conditions: dict[str, Any]
    figures: list[Figure] = field(default_factory=list)
    curve: list[Point] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        figures = [asdict(figure) | {"shown": figure.shown, "met": figure.met} for figure in self.figures]
        return {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine() | {"system": f"{platform.system()} {platform.release()}"},
            "versions": {
                "fogline": __version__,
                "database": self.database,
                **{name: version(name) for name in _PACKAGES},
            },
            "conditions": self.conditions,
            "figures": figures,
            "curve": [asdict(point) for point in self.curve],
            "errors": self.errors[:20],
        }

    def tables(self) -> Iterable[Table]:
        """The figures for the screen."""
        if self.figures:
            yield self._figure_table()
        if self.curve:
            yield self._curve_table()

    def markdown(self) -> str:
        """The figures for the document."""
        told = self.as_json()
        on, cores, python = told["machine"]["processor"], told["machine"]["cores"], told["machine"]["python"]
        lines = [
            f"Measured on {told['date']}: {on}, {cores} cores, Python {python}, {self.database}, "
            f"{self.conditions['sync_ms']:g} ms for a synced write.",
            "",
            "| what | figure | target |",
            "|---|---:|---:|",
            *(f"| {figure.name} | {figure.shown} | {figure.target} |" for figure in self.figures),
        ]
        if self.curve:
            lines += ["", "| tables | moves a second | p50 | p99 |", "|---:|---:|---:|---:|"]
            lines += [
                f"| {p.tables:,} | {p.moves_per_second:,.0f} | {p.p50_ms:,.1f} ms | {p.p99_ms:,.1f} ms |"
                for p in self.curve
            ]
        return "\n".join(lines)

    def _figure_table(self) -> Table:
        table = Table(title=f"The table server on {self.database}", title_justify="left")
        table.add_column("what")
        table.add_column("figure", justify="right")
        table.add_column("target", justify="right")
        table.add_column("how", ratio=1, style="dim")
        marks = {None: "", True: " [green]✓[/]", False: " [red]✗[/]"}
        for figure in self.figures:
            table.add_row(figure.name, figure.shown, figure.target + marks[figure.met], figure.how)
        return table

    def _curve_table(self) -> Table:
        table = Table(title="People who answer at once", title_justify="left")
        for heading in ("tables", "moves a second", "p50 ms", "p99 ms"):
            table.add_column(heading, justify="right")
        for p in self.curve:
            table.add_row(f"{p.tables:,}", f"{p.moves_per_second:,.0f}", f"{p.p50_ms:,.1f}", f"{p.p99_ms:,.1f}")
        return table


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that is at least as large as this share of them."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)] if ordered else float("nan")


def conditions(folder: Path, *, apart: bool) -> dict[str, Any]:
    """What else the figures depend on."""
    return {
        "cores_apart": apart,  # one core for the server, another for the crowd
        "load_before": round(os.getloadavg()[0], 2),
        "sync_ms": round(1000 * _sync_seconds(folder), 2),
    }


def into_document(path: Path, figures: str) -> None:
    """Puts the figures between the two marks of the document."""
    text = path.read_text("utf-8")
    marked = re.compile(r"(<!-- figures -->\n).*?(<!-- end of figures -->)", re.S)
    path.write_text(marked.sub(lambda found: f"{found[1]}{figures}\n{found[2]}", text), "utf-8")


def _sync_seconds(folder: Path, times: int = 50) -> float:
    """How long the disk takes for a small write that survives a power cut: no move is stored faster."""
    taken = []
    with (folder / "synced").open("wb", buffering=0) as file:
        for _ in range(times):
            file.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - began)
    return statistics.median(taken)
