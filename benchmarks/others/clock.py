"""The clock for all programs: the same warm-up, the same repeats, the same JSON on the standard output."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple


class Played(NamedTuple):
    """What was done in one run, or in about a second: a game, or some steps of many."""

    steps: float
    games: float | None = None  # None for a batch: its games begin together, and so end together at first


class Game(NamedTuple):
    """A game that can be played, and what counts as a step of it."""

    step: str
    play: Callable[[], Played]
    at_once: int = 1


def main(library: str, packages: tuple[str, ...], games: Mapping[str, Callable[[int], Game]]) -> None:
    """Measures the named games. Each is made for the number of games at once."""
    parser = argparse.ArgumentParser(description=f"Random play with {library}, measured.")
    parser.add_argument("games", nargs="+", choices=sorted(games), metavar="GAME", help="; ".join(games))
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run (2)")
    parser.add_argument("--repeats", type=int, default=5, help="runs, of which the median counts (5)")
    parser.add_argument("--at-once", type=int, default=1024, help="games at once, where that can be chosen (1024)")
    parser.add_argument("--into", type=Path, metavar="FILE", help=f"put the figures into this JSON, as its {library!r}")
    options = parser.parse_args()
    figures = list(_measure(games, options))
    versions = " with ".join(f"{name} {version(name)}" for name in packages)
    told = {"library": library + versions.removeprefix(packages[0]), "figures": figures}
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    if options.into:
        found = json.loads(options.into.read_text("utf-8")) | {library: figures}
        options.into.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


def rates(play: Callable[[], Played], seconds: float, repeats: int) -> Played:
    """Steps and games a second: the median of several runs, after one that does not count."""
    _run(play, seconds)
    runs = [_run(play, seconds) for _ in range(repeats)]
    games = [run.games for run in runs if run.games is not None]
    return Played(statistics.median(run.steps for run in runs), statistics.median(games) if games else None)


def _measure(games: Mapping[str, Callable[[int], Game]], options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    for name in options.games:
        game = games[name](options.at_once)
        rate = rates(game.play, options.seconds, options.repeats)
        yield {
            "game": name,
            "batch": game.at_once,
            "steps_per_second": rate.steps,
            "games_per_second": rate.games,
            "step": game.step,
        }


def _run(play: Callable[[], Played], seconds: float) -> Played:
    """Plays until the time is over, and then to the end of the current game or launch: all of that counts."""
    played, start = list[Played](), time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds or not played:
        played.append(play())
    games = [each.games for each in played if each.games is not None]
    return Played(sum(each.steps for each in played) / passed, sum(games) / passed if games else None)
