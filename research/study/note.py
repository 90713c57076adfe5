"""Notes: figures from players too slow to be measured anew for every page.

Each is dated and names its command. Notes on the same question with different deals are merged.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path

from fogline.arena.bootstrap import Estimate
from fogline.arena.entrant import parse_entrant
from research.study.change import change_board, find_change
from research.study.faults import StudyError
from research.study.played import Played
from research.study.series import Series
from research.study.workers import Workers

KEPT = Path(__file__).with_name("notes.json")


@dataclass(frozen=True, slots=True)
class Note:
    """How often each seat won, the same player in all."""

    map: str
    change: str
    player: str
    games: int
    seed: int
    shares: tuple[Estimate, ...]
    command: str
    date: str


def take_note(series: Series, change: str, workers: Workers, command: str, date: str) -> Note:
    board = change_board(series.board, find_change(change))
    parse_entrant(series.seats[0]).check_board(board)
    played = Played(board, series.players, workers.play(replace(series, board=board)))
    shares = tuple(played.seat_shares())
    return Note(board.id, change, series.seats[0], series.games, series.seed, shares, command, date)


def pool_notes(notes: Iterable[Note]) -> list[Note]:
    """One note for all that measured the same thing on different deals."""
    groups: dict[tuple[object, ...], list[Note]] = {}
    for note in notes:
        groups.setdefault((note.map, note.change, note.player, len(note.shares)), []).append(note)
    return [_pool(group) for group in groups.values()]


def _pool(notes: list[Note]) -> Note:
    _check_deals(notes)
    games = sum(note.games for note in notes)
    shares = []
    for estimates in zip(*(note.shares for note in notes), strict=True):
        parts = [(note.games / games, estimate) for note, estimate in zip(notes, estimates, strict=True)]
        value, low, high = (sum(part * getattr(e, name) for part, e in parts) for name in ("value", "low", "high"))
        centre, reach = (low + high) / 2, math.hypot(*(part * (e.high - e.low) / 2 for part, e in parts))
        shares.append(Estimate(value, centre - reach, centre + reach))
    commands = "\n".join(note.command for note in notes)
    dates = sorted({note.date for note in notes})
    date = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return replace(notes[0], games=games, shares=tuple(shares), command=commands, date=date)


def _check_deals(notes: list[Note]) -> None:
    """Games that were counted twice would make an interval too narrow."""
    notes = sorted(notes, key=lambda note: note.seed)
    for one, next_one in pairwise(notes):
        if one.seed + one.games > next_one.seed:
            raise StudyError(f"two notes of {one.player}, {one.change}, have the deal {next_one.seed} in common")


def kept_notes() -> list[Note]:
    """The notes that come with the package."""
    return parse_notes(KEPT.read_text("utf-8"))


def read_notes(path: Path) -> list[Note]:
    """The notes of a file; none if it does not exist yet."""
    try:
        return parse_notes(path.read_text("utf-8")) if path.exists() else []
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise StudyError(f"{path} holds no notes of a study: {error}") from None


def parse_notes(text: str) -> list[Note]:
    return [
        Note(**entry | {"shares": tuple(Estimate(**share) for share in entry["shares"])}) for entry in json.loads(text)
    ]


def write_notes(notes: list[Note]) -> str:
    return json.dumps([asdict(note) for note in notes], indent=1) + "\n"
