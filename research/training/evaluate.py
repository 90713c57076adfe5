"""Plays the files of weights in a folder against a player of the ladder, and notes how often they win.

    python -m research.training.evaluate run                           # those of a training that has ended
    python -m research.training.evaluate run --watch                   # beside one that goes on, on cores left free
    python -m research.training.evaluate run --opponent racer --games 400

Each file plays with two, three and four players, one seat against all others, on the same deals: a row for each in
run/evaluations.csv, from which curves.py draws. What is there already is not played again.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

from fogline import Board
from fogline.arena.clock import decision_seconds
from fogline.arena.contest import Contest, hold
from fogline.arena.entrant import parse_entrant, player_class
from fogline.arena.faults import ArenaError
from fogline.arena.match import make_match
from fogline.arena.pool import open_pool
from fogline.arena.report import write_report
from fogline.maps.mapfile import MapError
from fogline.players.neural.neural import find_network
from fogline.players.neural.weights import WeightsError, read_about

FIELDS = (
    *("file", "seconds", "decisions", "opponent", "players", "games"),
    *("won", "low", "high", "points", "kept", "completed"),
)
WHICH = ("file", "decisions", "opponent", "players")
"""The columns that identify a match; a resumed training writes a file anew."""


def rows_of(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def evaluate(
    board: Board, weights: Path, players: int, *, opponent: str, games: int, cores: int | None
) -> dict[str, object]:
    """One match, as a row."""
    player_class.cache_clear()  # a file may have other weights than when it was last looked at
    find_network.cache_clear()
    entrants, about = [parse_entrant(str(weights)), parse_entrant(opponent)], read_about(weights)
    contest = Contest(make_match(entrants, board, players=players, games=games, seed=0))
    with open_pool(cores, None) as pool:
        hold(contest, pool)
    report = write_report(contest, board.id, decision_seconds(contest))
    mine = report.standings[0]
    row = (weights.name, about["seconds"], about["decisions"], opponent, players, report.games)
    shares = [round(share, 4) for share in (mine.share.value, mine.share.low, mine.share.high)]
    means = [round(mean, 2) for mean in (mine.points, mine.kept, mine.completed)]
    return dict(zip(FIELDS, (*row, *shares, *means), strict=True))


def catch_up(folder: Path, arguments: argparse.Namespace) -> None:
    """Plays what has not been played, newest first, because the newest is the most interesting."""
    table, board = folder / "evaluations.csv", Board.load(arguments.board)
    while True:
        known = {tuple(row[name] for name in WHICH) for row in rows_of(table)}
        files = sorted(folder.glob("*.npz"), key=lambda path: -path.stat().st_mtime)
        played = {path: (path.name, str(read_about(path)["decisions"]), arguments.opponent) for path in files}
        missing = [(path, n) for path in files for n in (2, 3, 4) if (*played[path], str(n)) not in known]
        if not missing:
            return
        path, players = missing[0]
        chosen = {"opponent": arguments.opponent, "games": arguments.games, "cores": arguments.cores}
        row = evaluate(board, path, players, **chosen)
        print("  ".join(f"{name} {row[name]}" for name in FIELDS), flush=True)
        add(table, row)


def add(table: Path, row: dict[str, object]) -> None:
    new = not table.exists()
    with table.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        if new:
            writer.writeheader()
        writer.writerow(row)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where training writes to")
    parser.add_argument("--opponent", default="planner", help="named as in the arena (default: planner)")
    parser.add_argument("--board", default="san_francisco", help="the map, as in training (default: san_francisco)")
    parser.add_argument("--games", type=int, default=400, help="in each match (default: 400)")
    parser.add_argument("--cores", type=int, help="how many to use (default: all)")
    parser.add_argument("--watch", action="store_true", help="go on until ctrl-C, as new files come")
    arguments = parser.parse_args(words)
    if not any(arguments.folder.glob("*.npz")) and not arguments.watch:
        raise SystemExit(f"evaluate.py: there are no files of weights in {arguments.folder}")
    while True:
        catch_up(arguments.folder, arguments)
        if not arguments.watch:
            return
        time.sleep(5)


if __name__ == "__main__":
    try:
        main()
    except (ArenaError, MapError, WeightsError) as error:
        raise SystemExit(f"evaluate.py: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
