"""Draws how a training went: python -m research.training.curves run [-o curves.svg]

Reads run/log.csv, which selfplay.py writes, and run/evaluations.csv, which evaluate.py does.
Needs matplotlib: pip install "fogline[plots]".
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

from fogline.arena.plotting import FAINT, INK, new_figure, styled

COLOURS = {2: "#1f6f8b", 3: "#c8553d", 4: "#7a5c99"}
"""The numbers of players."""


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def draw(folder: Path, picture: Path) -> None:
    log = [row for row in read(folder / "log.csv") if games_have_ended(row)]
    evaluations = read(folder / "evaluations.csv")
    with styled(9):
        figure = new_figure(11, 6.4)
        panels = figure.subplots(2, 3).flat
        draw_wins(next(panels), evaluations)
        draw_tickets(next(panels), evaluations)
        draw_lines(next(panels), log, "points a seat, at all tables", {f"score{n}": COLOURS[n] for n in COLOURS})
        draw_lines(next(panels), log, "entropy of its choices", {"entropy": INK})
        draw_lines(next(panels), log, "share of what came that its values explain", {"explained": INK})
        draw_lines(next(panels), log, "decisions a second", {"per_second": INK})
        figure.savefig(picture, metadata={"Date": None} if picture.suffix == ".svg" else None)


def games_have_ended(row: dict[str, str]) -> bool:
    """Leaves out the start, which compiling slows down."""
    return all(float(row.get(f"score{players}", 1)) for players in COLOURS)


def draw_wins(panel: Any, evaluations: list[dict[str, str]]) -> None:
    """Win shares against planners in all other seats; dotted, the share of equals."""
    for players, colour in COLOURS.items():
        rows = chosen(evaluations, players)
        middle, low, high = ([100 * float(row[name]) for row in rows] for name in ("won", "low", "high"))
        panel.plot(minutes(rows), middle, "o-", color=colour, markersize=3, label=f"{players} players")
        panel.fill_between(minutes(rows), low, high, color=colour, alpha=0.15, linewidth=0)
        panel.axhline(100 / players, color=colour, linewidth=0.8, linestyle=":")
    dress(panel, "games won against planners, %")
    panel.legend(frameon=False)


def draw_tickets(panel: Any, evaluations: list[dict[str, str]]) -> None:
    for players, colour in COLOURS.items():
        rows = chosen(evaluations, players)
        panel.plot(minutes(rows), [float(row["kept"]) for row in rows], color=colour)
        panel.plot(minutes(rows), [float(row["completed"]) for row in rows], "--", color=colour)
    dress(panel, "tickets kept, and dashed, completed")


def draw_lines(panel: Any, log: list[dict[str, str]], title: str, names: dict[str, str]) -> None:
    for name, colour in names.items():
        panel.plot(minutes(log), [float(row[name]) for row in log], color=colour, linewidth=1)
    dress(panel, title)


def chosen(evaluations: list[dict[str, str]], players: int) -> list[dict[str, str]]:
    rows = [row for row in evaluations if int(row["players"]) == players and row["opponent"] == "planner"]
    return sorted(rows, key=lambda row: float(row["seconds"]))


def minutes(rows: list[dict[str, str]]) -> list[float]:
    return [float(row["seconds"]) / 60 for row in rows]


def dress(panel: Any, title: str) -> None:
    panel.set_title(title, fontsize=9, loc="left")
    panel.set_xlabel("minutes of training")
    panel.grid(color=FAINT, linewidth=0.6)
    panel.spines[["top", "right"]].set_visible(False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where training wrote to")
    parser.add_argument("-o", dest="picture", type=Path, help="the picture (default: curves.svg in the folder)")
    arguments = parser.parse_args()
    picture = arguments.picture or arguments.folder / "curves.svg"
    draw(arguments.folder, picture)
    print(picture)


if __name__ == "__main__":
    main()
