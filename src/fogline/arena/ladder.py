"""The ladder: everyone against everyone, for 2, 3 and 4 players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from fogline.arena.blocks import Blocks
from fogline.arena.bootstrap import RESAMPLES, Estimate, estimates, resample, resample_drawn
from fogline.arena.contest import Contest, hold
from fogline.arena.entrant import Entrant
from fogline.arena.faults import ArenaError
from fogline.arena.guests import Guest, invite
from fogline.arena.match import Match, make_match
from fogline.arena.pool import Pool
from fogline.arena.rating import elo
from fogline.arena.report import Report
from fogline.game.game import PLAYER_COUNTS
from fogline.maps.board import Board

ANCHOR = "random"
"""The player whose rating is 0; without it, the last player."""


@dataclass(frozen=True)
class Rung:
    """The results for one number of players."""

    players: int
    ratings: list[Estimate]  # by entrant
    shares: dict[tuple[int, int], Estimate]  # (entrant, opponent) -> its win share, alone among seats of the other
    games: dict[tuple[int, int], int]

    @property
    def order(self) -> list[int]:
        """The entrants, strongest first."""
        return sorted(range(len(self.ratings)), key=lambda number: (-self.ratings[number].value, number))


@dataclass(frozen=True)
class Ladder:
    """The players of a ladder and its results."""

    board: Board
    entrants: tuple[Entrant, ...]
    games: int  # a match
    slow_games: int  # a match in which someone thinks for long
    seed: int
    guests: tuple[Guest, ...] = ()  # players too slow to meet everyone
    rungs: list[Rung] = field(default_factory=list)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(entrant.label for entrant in self.entrants)

    @property
    def anchor(self) -> int:
        return self.labels.index(ANCHOR) if ANCHOR in self.labels else len(self.labels) - 1

    @property
    def slow(self) -> list[str]:
        return [entrant.label for entrant in self.entrants if entrant.slow]

    @property
    def clocked(self) -> list[str]:
        return [entrant.label for entrant in self.entrants if entrant.clocked]

    def elo(self) -> dict[str, dict[str, int]]:
        """Ratings by number of players, then by the player's name without its budget."""
        found = {}
        for rung in self.rungs:
            rated = zip(self.entrants, rung.ratings, strict=True)
            found[str(rung.players)] = {entrant.name: round(rating.value) for entrant, rating in rated}
            for guest in self.guests_of(rung):
                name = guest.name.partition("@")[0]
                found[str(rung.players)][name] = round(self.guest_rating(rung, guest).value)
        return found

    def guests_of(self, rung: Rung) -> list[Guest]:
        return [guest for guest in self.guests if guest.players == rung.players]

    def guest_rating(self, rung: Rung, guest: Guest) -> Estimate:
        """The host's rating plus the guest's lead; the interval is that of their matches."""
        if guest.host in self.labels:
            base = rung.ratings[self.labels.index(guest.host)].value
        else:
            host = next(other for other in self.guests_of(rung) if other.name == guest.host)
            base = self.guest_rating(rung, host).value
        return Estimate(base + guest.ahead.value, base + guest.ahead.low, base + guest.ahead.high)

    @property
    def game_count(self) -> int:
        return sum(match.games for players in PLAYER_COUNTS for _, match in self.matches(players))

    def matches(self, players: int) -> Iterator[tuple[tuple[int, int], Match]]:
        """The matches. Two at a table meet once; at a larger table, each sits once alone among the other."""
        for first, entrant in enumerate(self.entrants):
            for second, other in enumerate(self.entrants):
                if first < second or (first > second and players > 2):
                    games = self.slow_games if entrant.slow or other.slow else self.games
                    pair = (entrant, other)
                    yield (first, second), make_match(pair, self.board, players=players, games=games, seed=self.seed)


def make_ladder(
    entrants: Sequence[Entrant],
    board: Board,
    *,
    games: int,
    slow_games: int,
    seed: int,
    guests: Sequence[Report] = (),
) -> Ladder:
    labels = [entrant.label for entrant in entrants]
    if len(set(labels)) < len(labels) or len(labels) < 2:
        raise ArenaError("a ladder needs two or more players, all different")
    return Ladder(board, tuple(entrants), games, slow_games, seed, invite(guests, labels, board))


def climb(ladder: Ladder, pool: Pool, progress: Callable[[Contest], None] = lambda _: None) -> Ladder:
    """Plays all matches; `progress` hears how each goes."""
    for players in PLAYER_COUNTS:
        contests = {}
        for pair, match in ladder.matches(players):
            contests[pair] = hold(Contest(match), pool, progress)
            if contests[pair].interrupted:
                raise KeyboardInterrupt  # half a ladder says nothing
        ladder.rungs.append(_rung(ladder, players, {pair: contest.blocks for pair, contest in contests.items()}))
    return ladder


def _rung(ladder: Ladder, players: int, played: dict[tuple[int, int], Blocks]) -> Rung:
    count = len(ladder.entrants)
    pairs, resampled = np.zeros((count, count)), np.zeros((RESAMPLES, count, count))
    shares: dict[tuple[int, int], Estimate] = {}
    for stream, ((first, second), blocks) in enumerate(played.items()):
        shares_again, pairs_again = resample(blocks, stream)
        rows, columns = np.ix_([first, second], [first, second])
        pairs[rows, columns] += blocks.pairs.sum(axis=0) / 2
        resampled[:, rows, columns] += pairs_again / 2
        found = estimates(blocks.shares.mean(axis=0), shares_again)
        shares[first, second] = found[0]
        if players == 2:
            shares[second, first] = found[1]
    ratings = estimates(elo(pairs, ladder.anchor), elo(resampled, ladder.anchor, resample_drawn(count)))
    games = {pair: match.games for pair, match in ladder.matches(players)}
    return Rung(players, ratings, shares, games)
