"""The two pictures of README.md, from the figures of other pages: `python -m tests.front` draws them anew."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.sax.saxutils import escape

from tests.conformance import ROOT

STRENGTH, SPEED = ROOT / "docs/data/strength.svg", ROOT / "docs/data/speed.svg"
WIDTH, ROW, NAMES, ROOM = 420, 24, 164, 80
_RATED = re.compile(r"^\| (?:\d+ \| )?`([\w@]+)` \| (\d+) \|", re.MULTILINE)
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #24313d; dominant-baseline: central } .name { text-anchor: end }
.bar { fill: #1f6f8b } .title { font-weight: 600 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf2 } .bar { fill: #6cc3ec } }
""".strip()


def elo() -> dict[str, float]:
    """The ratings in games of two, strongest first."""
    page = (ROOT / "docs/ladder.md").read_text("utf-8").partition("## 3 players")[0]
    found = {name.split("@")[0]: float(elo) for name, elo in _RATED.findall(page)}
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def steps() -> dict[str, float]:
    """Steps a second of many games at once, on one core."""
    figures = json.loads((ROOT / "docs/data/performance.json").read_text("utf-8"))["beside"]
    batches = [each for each in figures if each["comparison"] == "pgx" and each["cores"] == 1]
    batches.sort(key=lambda each: -float(each["steps_per_second"]))
    return {_name(each): float(f"{each['steps_per_second']:.3g}") for each in batches}


def _name(measured: dict[str, Any]) -> str:
    library = measured["library"].split()[0]
    return library if library == "Fogline" else f"{library}: {measured['game']}"


def draw(title: str, values: dict[str, float]) -> str:
    """A bar for each value, on one scale from 0."""
    height, most = ROW * (len(values) + 1) + 8, max(values.values())
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    lines = [head, f"<style>\n{STYLE}\n</style>", f'<text class="title" x="0" y="{ROW / 2:g}">{title}</text>']
    for row, (name, value) in enumerate(values.items(), 1):
        length = max(1.0, value / most * (WIDTH - NAMES - ROOM))
        middle = ROW * row + ROW / 2
        lines.append(f'<text class="name" x="{NAMES - 8}" y="{middle:g}">{escape(name)}</text>')
        lines.append(f'<rect class="bar" x="{NAMES}" y="{middle - 8:g}" width="{length:.1f}" height="16" rx="2"/>')
        lines.append(f'<text x="{NAMES + length + 6:.1f}" y="{middle:g}">{value:,.0f}</text>')
    return "\n".join([*lines, "</svg>", ""])


def pictures() -> dict[str, str]:
    """By the file's name."""
    speed = "Steps a second with masks and observations, one core"
    return {STRENGTH.name: draw("Elo, games of two", elo()), SPEED.name: draw(speed, steps())}


if __name__ == "__main__":
    for name, picture in pictures().items():
        (ROOT / "docs/data" / name).write_text(picture, "utf-8")
