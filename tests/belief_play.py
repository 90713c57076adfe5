"""Games to have beliefs about, and how far beliefs are from the truth."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import TypeVar

import numpy as np

from fogline.game.actions import Action, Claim, Draw, DrawTickets, Keep
from fogline.game.game import Game
from fogline.knowledge.belief import Belief
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from tests.belief_exact import Hands
from tests.boards import load_board
from tests.policies import action_weights, choose

Thing = TypeVar("Thing", bound=Hashable)


@cache
def board_of(name: str) -> Board:
    """A board of the tests, or `rich`: the tiny one with more cards and cars, so that hands grow and decks run out."""
    if name != "rich":
        return load_board(name)
    cards = {"blue": 5, "green": 3, "red": 5, "ferry": 4}
    tiny = load_board("tiny").map_file
    return Board(replace(tiny, id="rich", cars=9, cards=tuple(cards.get(card, 0) for card in CARDS)))


def play_oddly(board: Board, players: int, seed: int) -> Game:
    """A whole game, each seat with a preference of its own for cards, tickets or routes."""
    game, generator = Game(board, players=players, seed=seed), random.Random(seed)
    weights = [action_weights(board, generator) for _ in range(players)]
    while not game.over:
        game.play(choose(game.legal_numbers(), weights[game.seat], generator))
    return game


def draw_many_tickets(board: Board, players: int, seed: int) -> Game:
    """A whole game in which the ticket deck comes round, because most keep one ticket of two and draw again."""
    game, generator = Game(board, players=players, seed=seed), random.Random(seed)
    while not game.over:
        actions = game.legal_actions()
        liked = [action for action in actions if action == DrawTickets() or _keeps_one(action)]
        game.play(generator.choice(liked if liked and generator.random() < 0.8 else actions))
    return game


def _keeps_one(action: Action) -> bool:
    return isinstance(action, Keep) and action.which != "both"


CLAIMING = 0.9


def play_blindly(players: int, seed: int, steps: int) -> tuple[Game, list[float]]:
    """A game whose seats think of a claim without a look at their hands, and the weight of each seat's choices.

    A seat thinks of any claim that is open to it, mostly, and makes it if it can pay; else it draws any card. So every
    claim that is legal is equally likely, but that a seat draws tells that it could hardly pay for anything. Weighed by
    how unlikely its draws were, a game tells as much of the hidden cards as a belief believes: what was legal.
    """
    game, generator, weights = Game(players=players, seed=seed), random.Random(seed), [1.0] * players
    while len(game.actions) < steps:
        actions = game.legal_actions()
        draws = [action for action in actions if isinstance(action, Draw)]
        claims = [action for action in actions if isinstance(action, Claim)]
        if game.phase == "turn":
            open_claims = sum(word.bit_count() for word in game.position.open[game.seat].tolist())
            payable = CLAIMING * len(claims) / open_claims
            if generator.random() < payable:
                draws = []
            else:
                weights[game.seat] /= 1 - payable
        game.play(generator.choice(draws or claims or actions))
    return game, weights


def naive(belief: Belief) -> Belief:
    """One that thinks that payments and passes tell nothing."""
    draws = belief._fog.draws.copy()
    draws["first"] = draws["end"] = 0
    belief._fog = belief._fog._replace(draws=draws, needs=np.zeros_like(belief._fog.needs))
    return belief


def hands_of(belief: Belief, batches: int) -> Iterable[Hands]:
    """All hands of many samples, taken in batches, as a search does."""
    for seed in range(batches):
        yield from (tuple(map(tuple, hands)) for hands in belief.sample(64, seed)["hand"].tolist())


def surprise(exact: Mapping[Thing, float], seen: Iterable[Thing]) -> float:
    """How far what was seen is from what was to be expected: chi-square, as standard deviations of a normal number."""
    counts = Counter(seen)
    if not counts.keys() <= exact.keys():
        return math.inf
    total = counts.total()
    pairs = [(counts[thing], chance * total) for thing, chance in exact.items() if chance * total >= 10]
    rest = total - sum(expected for _, expected in pairs)
    if rest >= 5:
        pairs.append((total - sum(count for count, _ in pairs), rest))
    free = len(pairs) - 1
    if free < 1:
        return 0.0
    square = sum((count - expected) ** 2 / expected for count, expected in pairs)
    return (math.cbrt(square / free) - 1 + 2 / (9 * free)) / math.sqrt(2 / (9 * free))  # Wilson and Hilferty


def deviations(truth: np.ndarray, belief: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """[card]: by how many standard deviations the true numbers of cards, [game, card], are more than the samples.

    `belief` is [game, sample, card].
    """
    more = weights[:, None] * (truth - belief.mean(axis=1))
    spread = weights[:, None] ** 2 * belief.var(axis=1, ddof=1) * (1 + 1 / belief.shape[1])
    return more.sum(axis=0) / np.sqrt(spread.sum(axis=0))  # type: ignore[no-any-return]
