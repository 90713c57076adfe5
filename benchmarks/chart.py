"""The chart of a server's speed by the number of tables: an SVG for light and dark pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from panel import Axis, Panel, chart, linear, log, ticks_linear, ticks_log, with_commas


@dataclass(frozen=True, slots=True)
class Point:
    """With this many tables, all of whose people answer at once."""

    tables: int
    moves_per_second: float
    p50_ms: float
    p99_ms: float


def draw(points: Sequence[Point], caption: str) -> str:
    tables = [float(point.tables) for point in points]
    across = Axis(tables, log, "{:.0f}".format, least_end=10 * tables[0])
    fastest = max(point.moves_per_second for point in points)
    slowest, quickest = max(point.p99_ms for point in points), min(point.p50_ms for point in points)
    speed = Panel(60, "moves a second", Axis(ticks_linear(fastest), linear), across, "tables")
    delay = Panel(480, "milliseconds that a move takes", Axis(ticks_log(quickest, slowest), log), across, "tables")

    def places(value: Callable[[Point], float]) -> list[tuple[float, float]]:
        return [(point.tables, value(point)) for point in points]

    parts = [
        *speed.frame(),
        *speed.curve(places(lambda point: point.moves_per_second), "a", with_commas(points[-1].moves_per_second)),
        *delay.frame(),
        *delay.curve(places(lambda point: point.p99_ms), "b", "p99", -5),
        *delay.curve(places(lambda point: point.p50_ms), "a", "p50", 5),
    ]
    return chart(caption, parts)
