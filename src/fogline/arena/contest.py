"""A contest: the games of a match that have been played, up to its end, a verdict or an interruption."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fogline.arena.blocks import Blocks, sum_blocks
from fogline.arena.match import Match
from fogline.arena.outcome import new_outcomes
from fogline.arena.playing import work_of
from fogline.arena.pool import Pool, play_pieces
from fogline.arena.sprt import Sprt, Verdict


class Contest:
    """Grows piece by piece. Only whole blocks count, and with a sequential test only those up to its verdict."""

    def __init__(self, match: Match, sprt: Sprt | None = None) -> None:
        self.match = match
        self.sprt = sprt
        self.verdict: Verdict | None = None if sprt is None else sprt.judge(np.zeros(0))
        self.interrupted = False
        self.played = 0
        self._outcomes = new_outcomes(match.players, match.games)
        self._shares = np.zeros(match.blocks)  # the first entrant's
        self._whole = 0  # blocks

    def add(self, piece: np.ndarray) -> None:
        """Adds the outcomes of the next games."""
        self._outcomes[self.played : self.played + len(piece)] = piece[list(self._outcomes.dtype.names or ())]
        self.played += len(piece)
        seatings, known = len(self.match.seatings), self._whole
        self._whole = self.played // seatings
        fresh = self._outcomes[known * seatings : self._whole * seatings]
        self._shares[known : self._whole] = sum_blocks(self.match, fresh).shares[:, 0]
        if self.sprt is not None:
            self.verdict = self.sprt.judge(self._shares[: self._whole], since=known)

    @property
    def decided(self) -> bool:
        """Whether the sequential test has a verdict."""
        return self.verdict is not None and self.verdict.accepted is not None

    @property
    def outcomes(self) -> np.ndarray:
        """The outcomes of whole blocks up to the verdict: more cores must not mean more games."""
        blocks = self._whole if self.verdict is None else self.verdict.blocks
        return self._outcomes[: blocks * len(self.match.seatings)]

    @property
    def blocks(self) -> Blocks:
        """The results by block."""
        return sum_blocks(self.match, self.outcomes)

    @property
    def share(self) -> float | None:
        """The first entrant's win share so far."""
        return float(self._shares[: self._whole].mean()) if self._whole else None


def hold(
    contest: Contest,
    pool: Pool,
    progress: Callable[[Contest], None] = lambda _: None,
    keep: Callable[[list[str]], None] = lambda _: None,
) -> Contest:
    """Plays the match; `progress` hears of every piece. Ctrl-C ends it, and the games played so far count.

    Where the match is recorded, `keep` gets every game that was played, as one line of JSON.
    """
    try:
        for piece in play_pieces(work_of(contest.match), pool):
            contest.add(piece)
            if contest.match.recorded:
                keep(piece["record"].tolist())
            progress(contest)
            if contest.decided:
                break
    except KeyboardInterrupt:
        contest.interrupted = True
    return contest
