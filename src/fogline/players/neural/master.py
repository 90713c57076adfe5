"""The master: it asks the network what to try, and then looks ahead in imagined games.

Every candidate is tried in the same imagined games. In each, the hidden cards and tickets come from one sample of the
belief, chance brings the same, and all seats make the same random choices. All seats go on as the network would in
their place until the master's own turn has come some times; then the network judges. A difference between two
candidates is then due to them, and few games tell them apart.
"""

from __future__ import annotations

import time

import numpy as np

from fogline.game.view import View
from fogline.knowledge.belief import Belief
from fogline.players.neural.lookahead import Lookahead
from fogline.players.neural.network import Network
from fogline.players.neural.neural import Learnt
from fogline.players.neural.sampled_counters import counters_of
from fogline.players.neural.thought import Thought
from fogline.players.neural.ticket_prior import redeal_tickets
from fogline.players.search.search import Search

CANDIDATES = 8
"""The most actions that it looks into: those with the highest logits."""
UNLIKELY = 0.002
"""It does not look into actions to which the network gives less probability than this."""
AT_FIRST, AT_ONCE = 16, 128
"""Games of all candidates together before the first look at the clock, and the most between two looks: a network judges
many at once in less time each.
"""
FIRST_LOOK = 0.05
"""Seconds that looking ahead takes at least: with less, the master plays the network's policy."""
ENOUGH = 32
"""Games before a candidate may be dropped: fewer can all be alike by chance."""
TURNS = 12
"""How far it looks, in turns of any seat. The network judges better after some turns. Looking only until its own next
turn gains next to nothing.
"""
HABIT = 0.005
"""The weight of the network's logits beside the results: this much value for each e-fold."""
HOPELESS = 3.0
"""A candidate is dropped when it is this many standard errors behind the best."""


class Master(Learnt):
    """Looks ahead, with a budget of seconds or of imagined games for each decision."""

    name = "master"
    level = 9
    description = "asks what it has learnt, and looks ahead before it acts"

    def __init__(self, seed: int, *, seconds: float = 2.0, iterations: int | None = None) -> None:
        super().__init__(seed, Search(seed, seconds=seconds, iterations=iterations))
        self.seconds, self.iterations = seconds, iterations

    def _pick(self, thought: Thought) -> int:
        budget = Allowance(self.seconds, self.iterations)
        trial = Trial(*candidates_of(thought))
        if len(trial.actions) > 1:
            self._look_ahead(thought.view, thought.network, trial, budget)
        if trial.games:
            thought.value = trial.worth_of(trial.best)  # more has happened since
        return int(trial.actions[trial.best])

    def _look_ahead(self, view: View, network: Network, trial: Trial, budget: Allowance) -> None:
        belief, ahead = Belief(view), Lookahead(view, network, self.generator)
        while len(trial.alive) > 1 and (count := budget.more(trial)):
            games = belief.sample(count, int(self.generator.integers(1 << 63)))
            redeal_tickets(view, games, self.generator)
            counters = counters_of(view, games)
            same = np.tile(np.arange(count), len(trial.alive))
            actions = np.repeat(trial.actions[trial.alive], count)
            worth = ahead.values(games[same], counters[same], actions, TURNS // view.players, luck=same)
            trial.note(worth.reshape(len(trial.alive), count))


def candidates_of(thought: Thought) -> tuple[np.ndarray, np.ndarray]:
    """The actions worth looking into, by number, highest logit first, and their logits."""
    order = np.argsort(-thought.logits)[:CANDIDATES]
    order = order[thought.logits[order] > np.log(UNLIKELY)]
    return thought.legal[order], thought.logits[order]


class Allowance:
    """A budget of seconds from now on, or of imagined games for each candidate."""

    def __init__(self, seconds: float, iterations: int | None) -> None:
        self.seconds, self.iterations = seconds, iterations
        self.start, self.spent_on = time.perf_counter(), 0

    def more(self, trial: Trial) -> int:
        """How many games to imagine next for each remaining candidate; 0 when there is no time left."""
        candidates = len(trial.alive)
        count = max(1, min(AT_ONCE, max(AT_FIRST, self.spent_on)) // candidates)
        if self.iterations is not None:
            count = min(count, self.iterations - trial.games)
        elif self.seconds < FIRST_LOOK:
            return 0
        elif self.spent_on:
            left = self.seconds / (time.perf_counter() - self.start) - 1
            count = max(0, min(count, int(left * self.spent_on / candidates)))
        self.spent_on += count * candidates
        return count


class Trial:
    """Candidates, and what each was worth in the imagined games."""

    def __init__(self, actions: np.ndarray, logits: np.ndarray) -> None:
        self.actions, self.habit = actions, HABIT * logits
        self.alive = np.arange(len(actions))
        self._worth = np.zeros((len(actions), 0))  # [candidate, game]; remaining ones have been tried in all

    @property
    def games(self) -> int:
        return self._worth.shape[1]

    @property
    def best(self) -> int:
        """The candidate with the most worth, logits included; without results, the one with the highest logit."""
        score = self.habit[self.alive] + (self._worth[self.alive].mean(1) if self.games else 0.0)
        return int(self.alive[score.argmax()])

    def worth_of(self, candidate: int) -> float:
        return float(self._worth[candidate].mean())

    def note(self, worth: np.ndarray) -> None:
        """Adds the results of more games, a row for each remaining candidate; drops those hopelessly behind."""
        seen = np.full((len(self.actions), worth.shape[1]), np.nan)
        seen[self.alive] = worth
        self._worth = np.concatenate([self._worth, seen], 1)
        if self.games < ENOUGH:
            return
        best = self.best
        self.alive = np.array([other for other in self.alive if other == best or not self._behind(int(other), best)])

    def _behind(self, other: int, best: int) -> bool:
        gap = self._worth[best] - self._worth[other]
        error = gap.std() / np.sqrt(len(gap)) + 1e-3
        return bool(gap.mean() + self.habit[best] - self.habit[other] > HOPELESS * error)
