"""The picture of the layers in docs/architecture.md: `python -m tests.layers` draws it from `LAYERS`."""

from __future__ import annotations

from tests.conformance import ROOT
from tests.test_layers import LAYERS

PICTURE = ROOT / "docs/data/layers.svg"
WIDTH, ROW, GAP, MARGIN = 760, 40, 10, 16
NOTE = "Each row imports from itself and from rows below"
FACE = "the public face: Game, Board, View …"
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #24313d; text-anchor: middle; dominant-baseline: central }
rect { fill: #eef3f6; stroke: #7c909e } .note { font-size: 12px; fill: #5b6b77 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf2 } rect { fill: #22303a; stroke: #6d8494 } .note { fill: #9fb1bd }
}
""".strip()


def draw() -> str:
    """The last row of the list is on top: a module imports from its own row and from those below."""
    rows = [_row(number, row) for number, row in enumerate(reversed(LAYERS))]
    height = 2 * MARGIN + len(LAYERS) * (ROW + GAP) + 10
    note = f'<text class="note" x="{WIDTH / 2:g}" y="{height - 14}">{NOTE}</text>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    return "\n".join([head, f"<style>\n{STYLE}\n</style>", *rows, note, "</svg>", ""])


def _row(number: int, row: tuple[str, ...]) -> str:
    width = (WIDTH - 2 * MARGIN - GAP * (len(row) - 1)) / len(row)
    top = MARGIN + number * (ROW + GAP)
    return "\n".join(_box(MARGIN + i * (width + GAP), top, width, name) for i, name in enumerate(row))


def _box(left: float, top: float, width: float, name: str) -> str:
    label = f"fogline: {FACE}" if name == "fogline" else name.removeprefix("fogline.")
    box = f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{ROW}" rx="6"/>'
    return f'{box}<text x="{left + width / 2:g}" y="{top + ROW / 2:g}">{label}</text>'


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(), "utf-8")
