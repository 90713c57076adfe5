"""The chart of a batch on a GPU as it grows: the time of a step, and the memory, by the number of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from panel import Axis, Panel, chart, log, ticks_log

CAPTION = "Batches of two players on one GPU, one step with masks and observations"


def draw(points: Sequence[dict[str, Any]], caption: str = CAPTION) -> str:
    """From the points that `gpu.py` has measured, the smallest batch first."""
    most = float(points[-1]["games"])
    across = Axis(ticks_log(1, most)[::2], log, _short, least_end=most)
    seconds = [(point["games"], point["seconds"]) for point in points]
    needed, taken = (
        [(point["games"], point[kind]) for point in points if point[kind] > 0]  # 0, while the first allocation suffices
        for kind in ("bytes_needed", "bytes_taken")
    )
    micros = [(games, 1e6 * each) for games, each in seconds]
    time = Panel(60, "microseconds that a step takes", _axis(micros, _short), across, "games")
    memory = Panel(466, "memory", _axis([*needed, *taken], bytes_short), across, "games")
    parts = [*time.frame(), *time.curve(micros, "a", f"{micros[-1][1]:,.0f}"), *memory.frame()]
    if taken:
        parts += memory.curve(taken, "b", "taken", -7, tip=bytes_short)
    parts += memory.curve(needed, "a", "needed", 7, tip=bytes_short)
    return chart(caption, parts)


def bytes_short(count: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= size:
            return f"{count / size:.4g} {unit}"
    return f"{count:.0f} B"


def _short(value: float) -> str:
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def _axis(points: Sequence[tuple[float, float]], label: Any) -> Axis:
    heights = [up for _, up in points]
    return Axis(ticks_log(min(heights), max(heights)), log, label)
