"""Imagined games that a network plays on: what may come of an action, in hundreds of games as they may be."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.batch.lanes import play_action
from fogline.observation import observation_length, observe
from fogline.players.network import Network
from fogline.players.neural import encode
from fogline.rules.compiled import door
from fogline.rules.legal import legal_mask
from fogline.rules.scoring import share_of_victory
from fogline.rules.state import OVER, SEATS, TURN
from fogline.tally import COUNT, count_cards
from fogline.view import View

MARGIN_SHARE, MARGIN = 0.05, 40.0
"""How much of an end's worth lies in the margin, and the points that count as much as can be: as in the training of the
weights that come along."""


@door
def play_lanes(
    board: Any, games: Any, tallies: Any, lanes: Any, actions: Any, count: Any, observations: Any, masks: Any
) -> None:
    """Carries out an action in each of these lanes, and writes what whoever decides next knows, and what is legal."""
    for i in range(lanes.shape[0]):
        lane = lanes[i]
        play_action(board[0], games[lane], tallies[lane], actions[i])
        if games[lane].phase != OVER:
            legal_mask(board[0], games[lane], masks[lane])
            count_cards(games[lane], tallies[lane], count[0])
            observe(board[0], games[lane], count[0], observations[lane])


@door
def judge_ends(board: Any, games: Any, lanes: Any, seat: int, shares: Any, leads: Any) -> None:
    """Of games that are over: the seat's share of the victory, and how many points it is ahead of the best other."""
    for i in range(lanes.shape[0]):
        game = games[lanes[i]]
        shares[i] = share_of_victory(board[0], game, seat)
        best = -10000
        for other in range(game.players):
            if other != seat:
                best = max(best, game.score[other])
        leads[i] = game.score[seat] - best


class Whims:
    """What makes seats stray from what they like best: by a game's luck, the seat, its turn, and what it decides there.

    So whether somebody has claimed a route or drawn two cards, the others' whims stay what they were.
    """

    def __init__(self, generator: np.random.Generator, actions: int, luck: np.ndarray) -> None:
        self.generator, self.luck = generator, luck
        self._shape = int(luck.max(initial=0)) + 1, actions
        self._known: dict[int, np.ndarray] = {}

    def of(self, lanes: np.ndarray, seats: np.ndarray, turns: np.ndarray, phases: np.ndarray) -> np.ndarray:
        """[lane, action]"""
        found = np.empty((len(lanes), self._shape[1]), np.float32)
        moments = (turns * SEATS + seats) * (OVER + 1) + phases
        for moment in np.unique(moments):
            here = moments == moment
            found[here] = self._at(int(moment))[self.luck[lanes[here]]]
        return found

    def _at(self, moment: int) -> np.ndarray:
        if moment not in self._known:
            self._known[moment] = -np.log(self.generator.exponential(size=self._shape).astype(np.float32))
        return self._known[moment]


class OwnTurns:
    """How often a seat's turn must yet come, in each of many games."""

    def __init__(self, games: np.ndarray, seat: int, turns: int) -> None:
        self.seat, self.left = seat, np.full(len(games), turns)
        self.away = games["seat"] != seat  # whether it has been somebody else's since

    def have_come(self, games: np.ndarray, lanes: np.ndarray) -> np.ndarray:
        """After a step in these lanes: where the last of them has just begun."""
        others = games["seat"][lanes] != self.seat
        back = ~others & self.away[lanes] & (games["phase"][lanes] == TURN)
        self.left[lanes[back]] -= 1
        self.away[lanes] = others | (self.away[lanes] & ~back)
        return np.asarray(back & (self.left[lanes] <= 0))


class Lookahead:
    """Plays imagined games on by a network: each seat as the network would in its place, from what it would see."""

    def __init__(self, view: View, network: Network, generator: np.random.Generator) -> None:
        assert view.seat is not None
        self.board, self.players, self.seat = view.board, view.players, view.seat
        self.network, self.generator = network, generator
        self._count = np.zeros(1, COUNT)

    def values(
        self, games: np.ndarray, tallies: np.ndarray, actions: np.ndarray, turns: int, luck: np.ndarray
    ) -> np.ndarray:
        """What each game is worth to the seat after its action, from -1 to 1.

        It is played on until the seat's turn comes again for the so-manieth time, and judged by the network there.
        Where two games have the same number as their luck, a seat has the same whims in the same turn, too.
        """
        count, lanes = len(games), np.arange(len(games))
        observations = np.zeros((count, observation_length(self.board, self.players)), np.uint8)
        masks = np.zeros((count, self.network.claims.stop), np.bool_)
        worth, own = np.zeros(count), OwnTurns(games, self.seat, turns)
        whims, begun = Whims(self.generator, masks.shape[1], luck), np.zeros((count, SEATS), np.int64)
        while len(lanes):
            play_lanes(self.board.tables, games, tallies, lanes, actions, self._count, observations, masks)
            over = games["phase"][lanes] == OVER
            worth[lanes[over]] = self._ends(games, lanes[over])
            lanes = lanes[~over]
            if not len(lanes):
                break
            logits, values = self.network(encode(self.board, self.players, observations[lanes]))
            done = own.have_come(games, lanes)
            worth[lanes[done]] = values[done]
            lanes, logits = lanes[~done], logits[~done]
            seats, phases = games["seat"][lanes], games["phase"][lanes]
            begun[lanes, seats] += phases == TURN
            liking = np.where(masks[lanes], logits, -np.inf)
            actions = (liking + whims.of(lanes, seats, begun[lanes, seats], phases)).argmax(1)
        return worth

    def _ends(self, games: np.ndarray, lanes: np.ndarray) -> np.ndarray:
        shares, leads = np.zeros(len(lanes)), np.zeros(len(lanes))
        judge_ends(self.board.tables, games, lanes, self.seat, shares, leads)
        rewards = (shares * self.players - 1) / (self.players - 1)
        return (1 - MARGIN_SHARE) * rewards + MARGIN_SHARE * np.clip(leads / MARGIN, -1, 1)
