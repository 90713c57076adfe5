"""Belief: from what one seat has seen to whole games that may be the real one.

Every hidden history that agrees with what the seat has seen counts, with the probability that cards and tickets come
that way. From the choices of others it takes only that they were legal.

A deck is a shuffled pile of cards that everyone knows: all of them at first, the discard pile after a recycle (3.8). So
the cards of a shuffle that the seat has not seen lie, in any order, on the places that it could not see: what others
were dealt or drew blind, and what is left of the deck. A particle filter replays the game in many particles at once,
and each draws the hidden cards as they come. A particle is dropped when a seat in it cannot pay what it paid, or could
pay something when it passed; another takes its place. To drop few, particles draw cards that will be paid with more
often than chance brings them, and lose weight in return.

Tickets lie in any order in a ring. Offers take from it, and a ticket that is not kept returns to it (2.5, 6.1). Each of
the two may be the one that returned, with equal chance, where that agrees with the tickets that the seat has seen come
round again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fogline.compiler.kernels import entry_point
from fogline.game.game import check_seed
from fogline.game.view import View
from fogline.knowledge.card_count import CardCount, Fog, by_card, records
from fogline.knowledge.offers import deal_tickets, offers_of
from fogline.knowledge.particles import PARTICLE, deal_cards, draw_all, resample, shuffled, total_weight
from fogline.knowledge.seat_state import seat_state_of
from fogline.rules.chance import seeded
from fogline.rules.state import new_games

FEWEST_PARTICLES = 256
MOST_PARTICLES = 1 << 17
"""As many particles as samples, but enough that dropping some does not show; more when all were dropped."""

SOURCE = records(("seed", "u8"), ("chance", "u8"))
"""A generator. If `chance` were alone, it would look like the beginning of a game's record, and Numba would mix them
up.
"""


class Belief:
    """What a seat may think of a game that goes on, from its view with all events.

    >>> from fogline.game.game import Game
    >>> belief = Belief(Game(players=2, seed=7).view(0))
    >>> games = belief.sample(1000, seed=1)
    >>> games["hand"][:, 1].sum(axis=1).tolist() == [2] * 1000
    True
    """

    def __init__(self, view: View) -> None:
        if view.acting is None:
            raise ValueError("the game is over, and nothing is hidden any more (10.4)")
        if not view.events or (view.events[0]["e"], view.events[0].get("seat")) != ("deal", 0):
            raise ValueError("a belief needs a view with all events, from the deal on")
        self.view = view
        count = CardCount(view)
        self._least = count.least
        self._unseen = count.hidden() - count.least.sum(0)
        self._fog = count.fog()
        self._offers = offers_of(view)
        self._public = _public_part(view)

    @property
    def unseen(self) -> dict[str, int]:
        """The cards whose place the seat does not know: in the deck, or in a hand that need not hold them."""
        return by_card(self._unseen)

    def certain(self, seat: int) -> dict[str, int]:
        """Cards that a seat holds for certain: at least these, and exactly these where no card of it is in doubt."""
        return dict(self.view.hand) if seat == self.view.seat else by_card(self._least[seat])

    def sample(self, count: int, seed: int) -> np.ndarray:
        """So many games as they may be: what the seat knows as it is, the rest as it may be, and chance anew.

        A few hundred at once take less time each than a few.
        """
        check_seed(seed)
        games = np.frombuffer(bytearray(self._public.tobytes() * count), self._public.dtype)
        source = np.zeros(1, SOURCE)
        source["seed"] = seed
        particles = max(count, FEWEST_PARTICLES if len(self._fog.bounds) else 1)
        while not sample_games(games, np.zeros(particles, PARTICLE), self._fog, self._offers, source):
            particles *= 4
            if particles > MOST_PARTICLES:
                raise ValueError("no hidden cards and tickets were found that agree with the events")
        return games


def _public_part(view: View) -> np.ndarray:
    """The game with everything that is public; hands and tickets are dealt in every sample."""
    game, seat_state = new_games(view.board, 1), seat_state_of(replace(view, seat=view.acting))
    for name in set(game.dtype.names or ()) & set(seat_state.dtype.names or ()):
        game[name] = seat_state[name]
    return game


# Dealing the hidden cards.


@entry_point
def sample_games(games: Any, particles: Any, fog: Fog, offers: Any, source: Any) -> bool:
    """Deals the hidden cards and tickets of each game; False when nothing was found that agrees with what was seen."""
    source[0].chance = seeded(source[0].seed)
    particles = draw_all(particles, fog, source[0])
    if total_weight(particles) == 0.0:
        return False
    chosen = np.empty_like(particles)[: games.shape[0]]
    resample(particles, chosen, source[0])
    names, left = np.empty((2, games["ticket_deck"].shape[1]), np.int64)
    order = shuffled(games.shape[0], source[0])
    for number in range(games.shape[0]):
        deal_cards(games[number], chosen[order[number]], fog.shown, fog.around)
        if not deal_tickets(games[number], offers, source[0], names, left):
            return False
        games[number].chance = seeded(seeded(source[0].seed) ^ np.uint64(number))
    return True
