"""Notes: what was once measured with players too slow to be asked again for every page.

Each is dated, has the command that made it, and is printed as it was.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from importlib import resources
from pathlib import Path

from fogline.arena.bootstrap import Estimate
from fogline.arena.entrant import parse_entrant
from fogline.study.change import change_board, find_change
from fogline.study.faults import StudyError
from fogline.study.played import Played
from fogline.study.series import Series
from fogline.study.workers import Workers


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


def kept_notes() -> list[Note]:
    """Those that come with the package."""
    return parse_notes(resources.files("fogline").joinpath("study", "notes.json").read_text("utf-8"))


def read_notes(path: Path) -> list[Note]:
    """The notes of a file, none where it is not there yet."""
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
