"""A panel: one pair of axes with curves between them. Charts are panels beside each other, for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

WIDTH, HEIGHT = 820, 360
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


def chart(caption: str, parts: Iterable[str]) -> str:
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{caption}</title><style>{_STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        *parts,
        f'<text class="faint" x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">{caption}</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def linear(value: float) -> float:
    return value


def log(value: float) -> float:
    return math.log10(value)


def with_commas(value: float) -> str:
    return f"{value:,.0f}"


class Axis:
    """The ticks, and how far along a value lies."""

    def __init__(
        self,
        ticks: Sequence[float],
        scale: Callable[[float], float],
        label: Callable[[float], str] = with_commas,
        least_end: float = -math.inf,
    ) -> None:
        self.ticks = ticks
        self.scale = scale
        self.label = label
        self.ends = ticks[0], max(ticks[-1], least_end)

    def share(self, value: float) -> float:
        """0 at the beginning, where smaller values are put too, and 1 at the end."""
        low, high = (self.scale(end) for end in self.ends)
        return (self.scale(max(value, self.ends[0])) - low) / (high - low)


class Panel:
    """One pair of axes."""

    top, bottom, width = 56.0, 278.0, 280.0

    def __init__(self, left: float, title: str, up: Axis, across: Axis, across_name: str) -> None:
        self.left = left
        self.title = title
        self.up = up
        self.across = across
        self.across_name = across_name

    def frame(self) -> Iterator[str]:
        yield f'<text x="{self.left - 30:.0f}" y="28" font-size="15" font-weight="600">{self.title}</text>'
        for tick in self.up.ticks:
            y, label = self._y(tick), self.up.label(tick)
            yield f'<path class="grid" d="M{self.left:.0f} {y:.1f}h{self.width:.0f}"/>'
            yield f'<text class="faint" x="{self.left - 8:.0f}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
        for tick in self.across.ticks:
            x, label = self._x(tick), self.across.label(tick)
            yield f'<text class="faint" x="{x:.1f}" y="{self.bottom + 20}" text-anchor="middle">{label}</text>'
        middle, name = self.left + self.width / 2, self.across_name
        yield f'<text class="faint" x="{middle:.0f}" y="{self.bottom + 40}" text-anchor="middle">{name}</text>'

    def curve(
        self,
        points: Sequence[tuple[float, float]],
        colour: str,
        name: str,
        shift: float = 0,
        tip: Callable[[float], str] = "{:,.1f}".format,
    ) -> Iterator[str]:
        """A curve with its name at its end, moved up or down a little so that two names can be read."""
        places = [(self._x(across), self._y(up)) for across, up in points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        yield f'<path class="{colour} line" d="M{path}"/>'
        for (x, y), (_, value) in zip(places, points, strict=True):
            yield f'<circle class="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{tip(value)}</title></circle>'
        x, y = places[-1]
        yield f'<text class="{colour}" x="{x + 9:.1f}" y="{y + 4 + shift:.1f}">{name}</text>'

    def _x(self, across: float) -> float:
        return self.left + self.width * self.across.share(across)

    def _y(self, up: float) -> float:
        return self.bottom - (self.bottom - self.top) * self.up.share(up)


def ticks_linear(most: float) -> list[float]:
    """Ticks from 0 on, in three to six round steps, beyond the largest value."""
    power = 10.0 ** math.floor(math.log10(max(most, 1.0)))
    step = next(step for step in (0.2 * power, 0.5 * power, power, 2 * power) if most / step <= 5)
    return [step * number for number in range(math.ceil(most / step) + 1)]


def ticks_log(least: float, most: float) -> list[float]:
    low, high = math.floor(math.log10(max(least, 0.1))), math.ceil(math.log10(max(most, 1.0)))
    return [10.0**power for power in range(low, max(high, low + 1) + 1)]
