"""The report of a contest: every figure, and everything needed to play the same games again."""

from __future__ import annotations

import json
import platform
import shlex
from dataclasses import asdict, dataclass
from typing import Any

import numba
import numpy as np

from fogline import __version__
from fogline.arena.blocks import Blocks
from fogline.arena.bootstrap import Estimate, estimates, resample, resample_drawn
from fogline.arena.contest import Contest
from fogline.arena.match import Match
from fogline.arena.outcome import VICTORY, totals, victories
from fogline.arena.rating import elo
from fogline.rules.state import END_REASONS

FORMAT = "fogline-arena/1"


@dataclass(frozen=True)
class Standing:
    """How one entrant did. All means are over the seats that it had."""

    name: str
    seats: int  # how many it had, over all games
    share: Estimate  # of victories
    elo: Estimate  # against the last entrant, whose rating is 0
    points: float
    routes: float
    tickets: float
    tokens: float
    kept: float
    completed: float
    share_by_seat: list[float]  # a whole block gives everyone every seat
    seconds: float  # a decision, measured


@dataclass(frozen=True)
class Trial:
    """A sequential test, and how it came out."""

    low: float
    high: float
    alpha: float
    beta: float
    accepted: str | None
    games: int
    ratio: float


@dataclass(frozen=True)
class Report:
    """What a contest has shown."""

    format: str
    versions: dict[str, str]
    command: str
    files: dict[str, str]  # the SHA-256 of each file with a player
    map: str
    players: int
    seed: int
    seatings: list[list[str]]
    games: int
    games_planned: int
    turns: float  # a game
    actions: float
    ends: dict[str, int]  # games by reason
    share_by_seat: list[float]
    standings: list[Standing]
    test: Trial | None

    @property
    def fair(self) -> float:
        """The win share of equally strong entrants."""
        return 1 / self.players

    @property
    def blocks(self) -> int:
        """The number of blocks played."""
        return self.games // len(self.seatings)

    def to_json(self) -> str:
        """The report as JSON."""
        return json.dumps(asdict(self), indent=2) + "\n"

    @staticmethod
    def from_json(text: str) -> Report:
        """A report from its JSON; raises ValueError for another format."""
        data: dict[str, Any] = json.loads(text)
        if data.get("format") != FORMAT:
            raise ValueError(f"not a report of the arena: its format is {data.get('format')!r}, not {FORMAT!r}")
        standings = [
            Standing(**standing | {name: Estimate(**standing[name]) for name in ("share", "elo")})
            for standing in data["standings"]
        ]
        test = None if data["test"] is None else Trial(**data["test"])
        return Report(**data | {"standings": standings, "test": test})


def write_report(contest: Contest, map_name: str, seconds: list[float]) -> Report:
    """A report; `map_name` as on the command line, `seconds` that each entrant takes for a decision."""
    match, outcomes = contest.match, contest.outcomes
    if len(outcomes) == 0:
        raise ValueError("there is nothing to report before the first block is played")
    victory = victories(outcomes) / VICTORY
    return Report(
        format=FORMAT,
        versions=versions(),
        command=command(match, map_name, contest),
        files={entrant.source: entrant.file_digest for entrant in match.entrants if entrant.file_digest},
        map=match.board.id,
        players=match.players,
        seed=match.seed,
        seatings=[[match.labels[entrant] for entrant in seating] for seating in match.seatings.tolist()],
        games=len(outcomes),
        games_planned=match.games,
        turns=float(outcomes["turns"].mean()),
        actions=float(outcomes["actions"].mean()),
        ends={name: int((outcomes["end"] == end).sum()) for end, name in enumerate(END_REASONS) if end},
        share_by_seat=victory.mean(axis=0).tolist(),
        standings=_standings(match, outcomes, contest.blocks, seconds),
        test=_test(contest),
    )


def versions() -> dict[str, str]:
    """The versions of Fogline and of what it runs on."""
    return {
        "fogline": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


def command(match: Match, map_name: str, contest: Contest) -> str:
    """The command that plays the same games again."""
    lineup = [match.entrants[entrant].argument for entrant in match.lineup]
    names = lineup if len(match.entrants) > 2 or len(set(lineup[1:])) > 1 else lineup[:2]
    words = ["fogline", "arena", *names, "--players", str(match.players), "--games", str(match.games)]
    words += ["--seed", str(match.seed), "--map", map_name]
    if contest.sprt is not None:
        words += ["--sprt", f"{contest.sprt.low:g}", f"{contest.sprt.high:g}"]
    return shlex.join(words)


def _standings(match: Match, outcomes: np.ndarray, blocks: Blocks, seconds: list[float]) -> list[Standing]:
    last = len(match.entrants) - 1
    shares_again, pairs_again = resample(blocks)
    drawn_again = resample_drawn(len(match.entrants))
    seats = blocks.seats * len(blocks.wins)
    shares = estimates(blocks.shares.mean(axis=0), shares_again)
    ratings = estimates(elo(blocks.pairs.sum(axis=0) / 2, last), elo(pairs_again / 2, last, drawn_again))
    victory = victories(outcomes) / VICTORY
    found = []
    for number, name in enumerate(match.labels):
        sits = outcomes["entrant"] == number
        mean = {
            field: float(outcomes[field][sits].mean()) for field in ("routes", "tickets", "tokens", "kept", "completed")
        }
        found.append(
            Standing(
                name=name,
                seats=int(seats[number]),
                share=shares[number],
                elo=ratings[number],
                points=float(totals(outcomes)[sits].mean()),
                **mean,
                share_by_seat=[float(victory[sits[:, seat], seat].mean()) for seat in range(match.players)],
                seconds=seconds[number],
            )
        )
    return found


def _test(contest: Contest) -> Trial | None:
    sprt, verdict = contest.sprt, contest.verdict
    if sprt is None or verdict is None:
        return None
    games = verdict.blocks * len(contest.match.seatings)
    return Trial(sprt.low, sprt.high, sprt.alpha, sprt.beta, verdict.accepted, games, verdict.ratio)
