"""Plays the files of weights in a folder against a player of the ladder, and notes how often they win.

    python training/evaluate.py run                           # those of a training that has ended
    python training/evaluate.py run --watch                   # beside one that goes on, on the cores that it leaves
    python training/evaluate.py run --opponent racer --games 400

Each file plays with two, three and four players, one seat against all others, on the same deals: a row for each in
run/evaluations.csv, from which training/curves.py draws. What is there already is not played again.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

from fogline import Board
from fogline.arena.clock import decision_seconds
from fogline.arena.contest import Contest, hold
from fogline.arena.crew import gather_crew
from fogline.arena.entrant import parse_entrant
from fogline.arena.match import make_match
from fogline.arena.report import write_report
from fogline.players.weights import read_about

FIELDS = (
    *("file", "seconds", "decisions", "opponent", "players", "games"),
    *("won", "low", "high", "points", "kept", "completed"),
)


def rows_of(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def evaluate(weights: Path, opponent: str, players: int, games: int, cores: int | None) -> dict[str, object]:
    """One match, as a row."""
    entrants = [parse_entrant(str(weights)), parse_entrant(opponent)]
    contest = Contest(make_match(entrants, Board.load(), players=players, games=games, seed=0))
    with gather_crew(cores, None) as crew:
        hold(contest, crew)
    report, about = write_report(contest, "san_francisco", decision_seconds(contest)), read_about(weights)
    mine = report.standings[0]
    row = (weights.name, about["seconds"], about["decisions"], opponent, players, report.games)
    shares = [round(share, 4) for share in (mine.share.value, mine.share.low, mine.share.high)]
    means = [round(mean, 2) for mean in (mine.points, mine.kept, mine.completed)]
    return dict(zip(FIELDS, (*row, *shares, *means), strict=True))


def catch_up(folder: Path, arguments: argparse.Namespace) -> None:
    """Plays what has not been played, the newest first: that is what one wants to know."""
    table = folder / "evaluations.csv"
    while True:
        known = {(row["file"], row["opponent"], int(row["players"])) for row in rows_of(table)}
        files = sorted(folder.glob("*.npz"), key=lambda path: -path.stat().st_mtime)
        missing = [
            (path, players)
            for path in files
            for players in (2, 3, 4)
            if (path.name, arguments.opponent, players) not in known
        ]
        if not missing:
            return
        row = evaluate(missing[0][0], arguments.opponent, missing[0][1], arguments.games, arguments.cores)
        print("  ".join(f"{name} {row[name]}" for name in FIELDS), flush=True)
        add(table, row)


def add(table: Path, row: dict[str, object]) -> None:
    new = not table.exists()
    with table.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        if new:
            writer.writeheader()
        writer.writerow(row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where training writes to")
    parser.add_argument("--opponent", default="planner", help="named as in the arena (default: planner)")
    parser.add_argument("--games", type=int, default=400, help="in each match (default: 400)")
    parser.add_argument("--cores", type=int, help="how many to use (default: all)")
    parser.add_argument("--watch", action="store_true", help="go on until ctrl-C, as new files come")
    arguments = parser.parse_args()
    while True:
        catch_up(arguments.folder, arguments)
        if not arguments.watch:
            return
        time.sleep(5)


if __name__ == "__main__":
    main()
