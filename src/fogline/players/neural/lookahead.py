"""Imagined games that a network plays on: what an action may lead to, in hundreds of possible games."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.batch.lanes import play_action
from fogline.compiler.kernels import entry_point
from fogline.game.view import View
from fogline.knowledge.card_counter import COUNT, count_cards
from fogline.knowledge.observation import observation_length, observe
from fogline.players.neural.encoder import encode
from fogline.players.neural.network import Network
from fogline.rules.legal import legal_mask
from fogline.rules.scoring import share_of_victory
from fogline.rules.state import OVER, SEATS, TURN

MARGIN_SHARE, MARGIN = 0.05, 40.0
"""The weight of the margin in a game's result, and the lead beyond which more counts nothing: as in the training of the
shipped weights.
"""


@entry_point
def play_lanes(
    board: Any, games: Any, counters: Any, lanes: Any, actions: Any, count: Any, observations: Any, masks: Any
) -> None:
    """Carries out an action in each of these lanes, and writes the deciding seat's observation and mask."""
    for i in range(lanes.shape[0]):
        lane = lanes[i]
        play_action(board[0], games[lane], counters[lane], actions[i])
        if games[lane].phase != OVER:
            legal_mask(board[0], games[lane], masks[lane])
            count_cards(games[lane], counters[lane], count[0])
            observe(board[0], games[lane], count[0], observations[lane])


@entry_point
def judge_ends(board: Any, games: Any, lanes: Any, seat: int, shares: Any, leads: Any) -> None:
    """For games that are over: the seat's share of the victory, and its lead over the best other seat."""
    for i in range(lanes.shape[0]):
        game = games[lanes[i]]
        shares[i] = share_of_victory(board[0], game, seat)
        best = -10000
        for other in range(game.players):
            if other != seat:
                best = max(best, game.score[other])
        leads[i] = game.score[seat] - best


class Whims:
    """The noise on the logits: it depends on a game's luck, the seat, its turn, and the kind of decision.

    So the others' noise stays the same whether a seat has claimed a route or drawn two cards.
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
    """How often a seat's turn must still come, in each of many games."""

    def __init__(self, games: np.ndarray, seat: int, turns: int) -> None:
        self.seat, self.left = seat, np.full(len(games), turns)
        self.away = games["seat"] != seat  # whether another seat has had a turn since

    def have_come(self, games: np.ndarray, lanes: np.ndarray) -> np.ndarray:
        """Counts turns after a step in these lanes; returns where the last of them has just begun."""
        others = games["seat"][lanes] != self.seat
        back = ~others & self.away[lanes] & (games["phase"][lanes] == TURN)
        self.left[lanes[back]] -= 1
        self.away[lanes] = others | (self.away[lanes] & ~back)
        return np.asarray(back & (self.left[lanes] <= 0))


class Lookahead:
    """Plays imagined games on with a network: each seat as the network would in its place, from what it would see."""

    def __init__(self, view: View, network: Network, generator: np.random.Generator) -> None:
        assert view.seat is not None
        self.board, self.players, self.seat = view.board, view.players, view.seat
        self.network, self.generator = network, generator
        self._count = np.zeros(1, COUNT)

    def values(
        self, games: np.ndarray, counters: np.ndarray, actions: np.ndarray, turns: int, luck: np.ndarray
    ) -> np.ndarray:
        """What each game is worth to the seat after its action, from -1 to 1.

        It goes on until the seat's turn has come the given number of times; there the network judges it. Games with the
        same number as their luck have the same noise for a seat in the same turn.
        """
        count, lanes = len(games), np.arange(len(games))
        observations = np.zeros((count, observation_length(self.board, self.players)), np.uint8)
        masks = np.zeros((count, self.network.claims.stop), np.bool_)
        worth, own = np.zeros(count), OwnTurns(games, self.seat, turns)
        whims, begun = Whims(self.generator, masks.shape[1], luck), np.zeros((count, SEATS), np.int64)
        while len(lanes):
            play_lanes(self.board.tables, games, counters, lanes, actions, self._count, observations, masks)
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
            masked = np.where(masks[lanes], logits, -np.inf)
            actions = (masked + whims.of(lanes, seats, begun[lanes, seats], phases)).argmax(1)
        return worth

    def _ends(self, games: np.ndarray, lanes: np.ndarray) -> np.ndarray:
        shares, leads = np.zeros(len(lanes)), np.zeros(len(lanes))
        judge_ends(self.board.tables, games, lanes, self.seat, shares, leads)
        rewards = (shares * self.players - 1) / (self.players - 1)
        return (1 - MARGIN_SHARE) * rewards + MARGIN_SHARE * np.clip(leads / MARGIN, -1, 1)
