"""Pictures of results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fogline.arena.bootstrap import Estimate
from fogline.arena.faults import ArenaError
from fogline.arena.ladder import Ladder
from fogline.arena.plotting import FAINT, INK, check_matplotlib, new_figure, styled
from fogline.arena.report import Report

ENDINGS = (".svg", ".png")
_SIZE, _DOT = 10, "#1f6f8b"


def check_plot(path: Path) -> None:
    """Raises before the games, rather than after them, if something is missing."""
    if path.suffix.lower() not in ENDINGS:
        raise ArenaError(f"{path}: a plot is a file that ends in {' or '.join(ENDINGS)}")
    if not path.absolute().parent.is_dir():
        raise ArenaError(f"{path} cannot be written: there is no folder {path.parent}")
    check_matplotlib()


def plot_report(report: Report, path: Path) -> None:
    """Win shares against the fair one, and ratings, with their intervals."""
    names = [standing.name for standing in report.standings]
    figure, (shares, ratings) = _figure(2, len(names))
    _dots(shares, names, [_percent(standing.share) for standing in report.standings])
    shares.axvline(100 * report.fair, color=INK, linewidth=1, linestyle=":")
    shares.set_xlabel(f"games won, % (fair: {100 * report.fair:.0f})")
    _dots(ratings, names, [standing.elo for standing in report.standings])
    ratings.set_xlabel(f"Elo against {names[-1]}")
    title = f"{report.games:,} games of {report.players} on {report.map}, seed {report.seed}"
    _save(figure, title, path)


def plot_ladder(ladder: Ladder, path: Path) -> None:
    """The ratings for each number of players, the strongest on top."""
    figure, panels = _figure(len(ladder.rungs), len(ladder.entrants))
    for panel, rung in zip(panels, ladder.rungs, strict=True):
        order = rung.order
        _dots(panel, [ladder.labels[number] for number in order], [rung.ratings[number] for number in order])
        panel.set_xlabel(f"Elo, {rung.players} players")
    _save(figure, f"{ladder.labels[ladder.anchor]} has 0; bars are 95 % intervals", path)


def _figure(panels: int, rows: int) -> tuple[Any, Sequence[Any]]:
    with styled(_SIZE):
        figure = new_figure(4.2 * panels, 1.4 + 0.42 * rows)
        return figure, figure.subplots(1, panels, squeeze=False)[0]


def _dots(panel: Any, names: list[str], values: list[Estimate]) -> None:
    """A dot a name, from top to bottom, with its interval as a bar."""
    rows = range(len(names))
    reach = [[value.value - value.low for value in values], [value.high - value.value for value in values]]
    reach = [[max(0.0, length) for length in lengths] for lengths in reach]
    centres = [value.value for value in values]
    panel.errorbar(centres, rows, xerr=reach, fmt="o", color=_DOT, markersize=6, capsize=3, linewidth=1.5)
    panel.set_yticks(rows, names)
    panel.set_ylim(len(names) - 0.5, -0.5)
    panel.grid(axis="x", color=FAINT, linewidth=0.8)
    panel.set_axisbelow(True)
    for side in ("top", "right", "left"):
        panel.spines[side].set_visible(False)
    panel.tick_params(axis="y", length=0)


def _percent(share: Estimate) -> Estimate:
    return Estimate(100 * share.value, 100 * share.low, 100 * share.high)


def _save(figure: Any, title: str, path: Path) -> None:
    figure.suptitle(title, fontsize=11, color=INK)
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
    with styled(_SIZE):
        try:
            figure.savefig(path, dpi=160, metadata=metadata)
        except OSError as error:
            raise ArenaError(f"{path} cannot be written: {error.strerror}") from None
