"""Imagined games that a network plays on: what may come of an action, in hundreds of games as they may be."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.batch.lanes import play_action
from fogline.cardcount import CardCount
from fogline.mapfile import CARDS
from fogline.observation import observation_length, observe
from fogline.players.network import Network
from fogline.players.neural import encode
from fogline.rules.compiled import door
from fogline.rules.legal import legal_mask
from fogline.rules.scoring import share_of_victory
from fogline.rules.state import CARD_COUNT, OVER, SEATS, TURN
from fogline.tally import COUNT, TALLY, count_cards
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
        lanes = np.arange(len(games))
        observations = np.zeros((len(games), observation_length(self.board, self.players)), np.uint8)
        masks = np.zeros((len(games), network_actions(self.network)), np.bool_)
        worth, left = np.zeros(len(games)), np.full(len(games), turns)
        whims, begun_turns = Whims(self.generator, masks.shape[1], luck), np.zeros((len(games), SEATS), np.int64)
        begun = games["seat"] != self.seat  # whether somebody else has had a turn since
        while len(lanes):
            play_lanes(self.board.tables, games, tallies, lanes, actions, self._count, observations, masks)
            over = games["phase"][lanes] == OVER
            if over.any():
                worth[lanes[over]] = self._ends(games, lanes[over])
                lanes = lanes[~over]
            if not len(lanes):
                break
            others = games["seat"][lanes] != self.seat
            back = ~others & begun[lanes] & (games["phase"][lanes] == TURN)
            left[lanes[back]] -= 1
            begun[lanes] = others | (begun[lanes] & ~back)
            logits, values = self.network(encode(self.board, self.players, observations[lanes]))
            done = back & (left[lanes] <= 0)
            worth[lanes[done]] = values[done]
            lanes, logits = lanes[~done], logits[~done]
            seats, phases = games["seat"][lanes], games["phase"][lanes]
            begun_turns[lanes, seats] += phases == TURN
            liking = np.where(masks[lanes], logits, -np.inf)
            actions = (liking + whims.of(lanes, seats, begun_turns[lanes, seats], phases)).argmax(1)
        return worth

    def _ends(self, games: np.ndarray, lanes: np.ndarray) -> np.ndarray:
        shares, leads = np.zeros(len(lanes)), np.zeros(len(lanes))
        judge_ends(self.board.tables, games, lanes, self.seat, shares, leads)
        rewards = (shares * self.players - 1) / (self.players - 1)
        return (1 - MARGIN_SHARE) * rewards + MARGIN_SHARE * np.clip(leads / MARGIN, -1, 1)


def network_actions(network: Network) -> int:
    return network.claims.stop


def tallies_of(view: View, games: np.ndarray) -> np.ndarray:
    """What the seats of imagined games have counted, as far as this seat can tell: its own count is exact."""
    count = CardCount(view)
    tallies = np.zeros(len(games), TALLY)
    public = _taken(view)
    for viewer in range(view.players):
        for seat in range(view.players):
            tallies["least"][:, viewer, seat] = public[seat] if seat == view.seat else count.least[seat]
    hidden = np.maximum(count.unseen - games["deck"].astype(np.int64), 0)
    tallies["drawn"][:, count.others[0]] = hidden
    put_back = sum(1 << view.board.ticket_number[ticket] for ticket in {*view.put_back} - {*view.tickets})
    tallies["put_back"][:, view.seat] = put_back
    return tallies


def _taken(view: View) -> np.ndarray:
    """[seat, card]: taken from the display and not paid since."""
    taken = np.zeros((SEATS, CARD_COUNT), np.int64)
    for event in view.events:
        if event["e"] == "draw" and event["from"] == "display":
            taken[event["seat"], CARDS.index(event["card"])] += 1
        elif event["e"] == "claim":
            for card, paid in event["cards"].items():
                place = event["seat"], CARDS.index(card)
                taken[place] = max(0, taken[place] - paid)
    return np.minimum(taken, 255)
