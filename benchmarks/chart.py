"""The chart of a server's speed by the number of tables: an SVG for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT = 820, 360
_STYLE = """
  svg { font: 13px system-ui, sans-serif; }
  .page { fill: #ffffff; } text { fill: #1d2b33; } .faint { fill: #5b6b74; }
  .grid { stroke: #d8e0e4; } .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
  .a { stroke: #0b6e99; fill: #0b6e99; } .b { stroke: #b3470f; fill: #b3470f; } .line { fill: none; }
  text.a, text.b { stroke: none; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #10191f; } text { fill: #dce7ec; } .faint { fill: #93a4ad; } .grid { stroke: #2b3b45; }
    .a { stroke: #6cc3ec; fill: #6cc3ec; } .b { stroke: #f2a06b; fill: #f2a06b; } .line { fill: none; }
  }
"""


@dataclass(frozen=True, slots=True)
class Point:
    """So many tables, all of whose people answer at once."""

    tables: int
    moves_per_second: float
    p50_ms: float
    p99_ms: float


def draw(points: Sequence[Point], caption: str) -> str:
    tables = [float(point.tables) for point in points]
    speed = _Panel(60, "moves a second", tables, _linear, _ticks_linear(max(p.moves_per_second for p in points)))
    slowest, quickest = max(point.p99_ms for point in points), min(point.p50_ms for point in points)
    delay = _Panel(480, "milliseconds that a move takes", tables, _log, _ticks_log(quickest, slowest))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{caption}</title><style>{_STYLE}</style>",
        f'<rect class="page" width="{_WIDTH}" height="{_HEIGHT}" rx="8"/>',
        *speed.frame(),
        *speed.curve([point.moves_per_second for point in points], "a", "", 0),
        *delay.frame(),
        *delay.curve([point.p99_ms for point in points], "b", "p99", -5),
        *delay.curve([point.p50_ms for point in points], "a", "p50", 5),
        f'<text class="faint" x="{_WIDTH / 2}" y="{_HEIGHT - 12}" text-anchor="middle">{caption}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Panel:
    """One pair of axes; tables to the right, on a scale of powers of ten."""

    top, bottom, width = 56.0, 278.0, 280.0

    def __init__(
        self,
        left: float,
        title: str,
        tables: Sequence[float],
        scale: Callable[[float], float],
        ticks: Sequence[float],
    ) -> None:
        self.left = left
        self.title = title
        self.tables = tables
        self.scale = scale
        self.ticks = ticks

    def frame(self) -> Iterator[str]:
        yield f'<text x="{self.left - 30:.0f}" y="28" font-size="15" font-weight="600">{self.title}</text>'
        for tick in self.ticks:
            y = self._y(tick)
            yield f'<path class="grid" d="M{self.left:.0f} {y:.1f}h{self.width:.0f}"/>'
            yield f'<text class="faint" x="{self.left - 8:.0f}" y="{y + 4:.1f}" text-anchor="end">{tick:,.0f}</text>'
        for tables in self.tables:
            x = self._x(tables)
            yield f'<text class="faint" x="{x:.1f}" y="{self.bottom + 20}" text-anchor="middle">{tables:.0f}</text>'
        middle = self.left + self.width / 2
        yield f'<text class="faint" x="{middle:.0f}" y="{self.bottom + 40}" text-anchor="middle">tables</text>'

    def curve(self, values: Sequence[float], colour: str, name: str, shift: float) -> Iterator[str]:
        """With its name at its end, a little up or down so that two names can be read; without one, its last value."""
        places = [(self._x(tables), self._y(value)) for tables, value in zip(self.tables, values, strict=True)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        yield f'<path class="{colour} line" d="M{path}"/>'
        for (x, y), value in zip(places, values, strict=True):
            yield f'<circle class="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{value:,.1f}</title></circle>'
        x, y = places[-1]
        yield f'<text class="{colour}" x="{x + 9:.1f}" y="{y + 4 + shift:.1f}">{name or f"{values[-1]:,.0f}"}</text>'

    def _x(self, tables: float) -> float:
        low, high = math.log10(self.tables[0]), math.log10(max(self.tables[-1], 10 * self.tables[0]))
        return self.left + self.width * (math.log10(tables) - low) / (high - low)

    def _y(self, value: float) -> float:
        low, high = self.scale(self.ticks[0]), self.scale(self.ticks[-1])
        return self.bottom - (self.bottom - self.top) * (self.scale(max(value, self.ticks[0])) - low) / (high - low)


def _linear(value: float) -> float:
    return value


def _log(value: float) -> float:
    return math.log10(value)


def _ticks_linear(most: float) -> list[float]:
    """From 0 on, in three to six round steps, beyond the most."""
    power = 10.0 ** math.floor(math.log10(max(most, 1.0)))
    step = next(step for step in (0.2 * power, 0.5 * power, power, 2 * power) if most / step <= 5)
    return [step * number for number in range(math.ceil(most / step) + 1)]


def _ticks_log(least: float, most: float) -> list[float]:
    low, high = math.floor(math.log10(max(least, 0.1))), math.ceil(math.log10(max(most, 1.0)))
    return [10.0**power for power in range(low, max(high, low + 1) + 1)]
