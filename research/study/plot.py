"""The pictures of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from fogline.arena.bootstrap import Estimate
from fogline.arena.plotting import FAINT, INK, PAPER, new_figure, styled
from research.study.estimate import side
from research.study.study import SelfPlay, Study

_DARK = {INK: "#dce3ea", FAINT: "#3a444e", PAPER: "#0d1117"}
"""These three colours change on dark pages; the bars are readable on both."""
_ABOVE, _NEITHER, _BELOW = "#2a8fa8", "#8a949e", "#cf6f3c"
_SIZE = 9


@dataclass(frozen=True, slots=True)
class Panel:
    """Bars from a fair value to what was measured, each with its interval."""

    title: str
    names: Sequence[str]
    values: Sequence[Estimate]
    fair: float


def draw_pictures(study: Study) -> dict[str, str]:
    """By the picture's name: its SVG."""
    two = study.self_play[2]
    pictures = {
        "seats": [_seats(play) for play in study.self_play.values()],
        "tickets": [_worths("win share of who keeps the ticket, %", two, two.tickets)],
        "routes": [_worths("win share of who owns the route, %", two, two.routes)],
        "souvenirs": [_souvenirs(play) for play in study.self_play.values()],
    }
    if study.placement is not None:
        locations = sorted(study.placement.locations.items(), key=lambda item: item[1].value)
        title = "win share of seat 0 with a token there, %"
        pictures["placement"] = [Panel(title, *_columns(locations), study.placement.anywhere.value)]
        pictures["changes"] = [
            Panel(
                f"win share of seat 0 of {proposal.players}, %",
                *_columns([(name, shares[0]) for name, shares in proposal.tried.items()]),
                proposal.fair,
            )
            for proposal in study.proposals
        ]
    return {name: draw(panels) for name, panels in pictures.items()}


def _seats(play: SelfPlay) -> Panel:
    names = [f"seat {seat}" for seat in range(play.players)]
    return Panel(f"{play.players} players: win share, %", names, play.seats, play.fair)


def _souvenirs(play: SelfPlay) -> Panel:
    had = [(str(worth.count), worth.won) for worth in play.souvenirs]
    return Panel(f"{play.players} players: win share by souvenirs, %", *_columns(had), play.fair)


def _worths(title: str, play: SelfPlay, worths: Sequence[Any]) -> Panel:
    """The best on top."""
    held = sorted((worth for worth in worths if worth.won is not None), key=lambda worth: -worth.won.value)
    return Panel(f"{play.players} players: {title}", *_columns([(worth.id, worth.won) for worth in held]), play.fair)


def _columns(rows: Sequence[tuple[str, Estimate | None]]) -> tuple[list[str], list[Estimate]]:
    found = [(name, value) for name, value in rows if value is not None]
    return [name for name, _ in found], [value for _, value in found]


def draw(panels: Sequence[Panel]) -> str:
    """Panels side by side, on one scale; their rows share names only where they are the same."""
    reach = 1.05 * max(_farthest(panel) for panel in panels)
    rows = max(len(panel.names) for panel in panels)
    shared = all(list(panel.names) == list(panels[0].names) for panel in panels)
    with styled(_SIZE):
        figure = new_figure(8.5, 0.8 + 0.2 * rows)
        axes = figure.subplots(1, len(panels), squeeze=False, sharey=shared)[0]
        for place, (axis, panel) in enumerate(zip(axes, panels, strict=True)):
            _bars(axis, panel, named=not shared or place == 0)
            axis.set_xlim(max(0.0, 100 * (panel.fair - reach)), min(100.0, 100 * (panel.fair + reach)))
        file = StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": "fogline study"})
    return _with_dark_colours(file.getvalue())


def _farthest(panel: Panel) -> float:
    """The farthest end of an interval from fair."""
    return max(max(panel.fair - value.low, value.high - panel.fair) for value in panel.values)


def _bars(axis: Any, panel: Panel, *, named: bool) -> None:
    rows = range(len(panel.names))
    colours = [(_NEITHER, _ABOVE, _BELOW)[side(value, panel.fair)] for value in panel.values]
    away = [100 * (value.value - panel.fair) for value in panel.values]
    reach = [
        [100 * max(0.0, value.value - value.low) for value in panel.values],
        [100 * max(0.0, value.high - value.value) for value in panel.values],
    ]
    axis.barh(rows, away, left=100 * panel.fair, height=0.66, color=colours)
    centres = [100 * value.value for value in panel.values]
    axis.errorbar(centres, rows, xerr=reach, fmt="none", ecolor=INK, elinewidth=0.9, capsize=1.8)
    axis.axvline(100 * panel.fair, color=INK, linewidth=0.8)
    if named:
        axis.set_yticks(rows, [name.replace("_", " ") for name in panel.names])
        axis.set_ylim(len(panel.names) - 0.5, -0.5)
    axis.set_title(panel.title, fontsize=_SIZE, color=INK)
    axis.grid(axis="x", color=FAINT, linewidth=0.7)
    axis.set_axisbelow(True)
    axis.tick_params(axis="y", length=0)
    for edge in ("top", "right", "left"):
        axis.spines[edge].set_visible(False)


def _with_dark_colours(svg: str) -> str:
    """Adds a style sheet that makes viewers show the picture light or dark as the reader prefers."""
    rules = "".join(
        f'[style*="{kind}: {light}"]{{{kind}:{dark}!important}}'
        for light, dark in _DARK.items()
        for kind in ("fill", "stroke")
    )
    head, tag, tail = svg.partition("<defs>")
    return f"{head}<style>@media (prefers-color-scheme: dark){{{rules}}}</style>\n {tag}{tail}"
