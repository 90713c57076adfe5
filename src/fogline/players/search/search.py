"""The search player: before it decides, it imagines thousands of ways the game may go on."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from fogline.game.actions import Action, board_actions
from fogline.game.view import View
from fogline.knowledge.belief import Belief
from fogline.maps.board import Board
from fogline.players.reason import Reason
from fogline.players.scripted.compiled_player import Planner
from fogline.players.scripted.plan import new_plans
from fogline.players.search.tree import NODE, search_more
from fogline.rules.state import SEATS, new_games

NODES = 1 << 16
CHUNK = 64
"""Iterations between two looks at the clock."""
SETTLED = 0.5
"""A choice is settled when the next best action would need more than this share of all tries to come."""
IMAGINED = 512
"""Games that the belief imagines at once: many take less time each than few."""


class Tree:
    """A tree that grows with every game that the belief imagines."""

    def __init__(self, board: Board, belief: Belief, seed: int) -> None:
        self.board = board
        self.belief = belief
        self.iterations = 0
        self._generator = np.random.default_rng(seed)
        self._games = new_games(board, 0)
        self._nodes = np.zeros(NODES, NODE)
        self._used = np.ones(1, np.int64)  # the root
        self._game = new_games(board, 1)
        self._plans = new_plans(board, SEATS)
        self._actions = np.zeros(len(board_actions(board)), np.int64)

    def grow(self, iterations: int) -> None:
        """Runs iterations, each in one of these imagined games; a game is imagined for one iteration only."""
        if len(self._games) < iterations:
            self._games = self.belief.sample(max(IMAGINED, iterations), self._random())
        games, self._games = self._games[:iterations], self._games[iterations:]
        state = np.uint64(self._random())
        search_more(self.board.tables, games, self._game, self._plans, self._nodes, self._used, self._actions, state)
        self.iterations += iterations

    def _random(self) -> int:
        return int(self._generator.integers(1 << 63))

    def children(self) -> dict[int, tuple[int, float]]:
        """By action: how often it was tried, and how many of its games were won."""
        found, child = {}, int(self._nodes[0]["first"])
        while child:
            node = self._nodes[child]
            found[int(node["action"])] = (int(node["visits"]), float(node["won"]))
            child = int(node["next"])
        return found

    def lead(self) -> int:
        """How much more often the favourite was tried than any other action."""
        tries = sorted((visits for visits, _ in self.children().values()), reverse=True)
        return tries[0] - (tries[1] if len(tries) > 1 else 0)


class Search:
    """Information-set Monte-Carlo tree search, with a budget of seconds or of iterations for each decision."""

    name = "search"
    level = 7
    description = "imagines thousands of ways in which the game may go on"

    def __init__(self, seed: int, *, seconds: float = 1.0, iterations: int | None = None, cores: int = 1) -> None:
        self.generator = np.random.default_rng(seed)
        self.seconds = seconds
        self.iterations = iterations
        self.cores = cores or os.cpu_count() or 1
        self._view: View | None = None
        self._hope: float | None = None

    def choose(self, view: View) -> Action:
        self._view, self._hope = view, None
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        visits: Counter[int] = Counter()
        won: dict[int, float] = {}
        for tree in self._grow(view):
            for action, (tries, victories) in tree.children().items():
                visits[action] += tries
                won[action] = won.get(action, 0.0) + victories
        best, tries = visits.most_common(1)[0]
        self._hope = won[best] / tries
        return board_actions(view.board)[best]

    def explain(self) -> Reason | None:
        """What a planner would have in mind here, with the share of imagined games that were won."""
        if self._view is None:
            return None
        planner = Planner(0)
        planner.choose(self._view)
        reason = planner.explain()
        return reason and replace(reason, hope=self._hope)

    def _grow(self, view: View) -> list[Tree]:
        """A tree for each core, each with its own belief and generator."""
        seeds = [int(seed) for seed in self.generator.integers(1 << 63, size=self.cores)]
        trees = [Tree(view.board, Belief(view), seed) for seed in seeds]
        left = self._budget()
        if len(trees) == 1:
            _grow_until(trees[0], left)
        else:
            with ThreadPoolExecutor(len(trees)) as pool:  # the compiled rules release Python's lock
                list(pool.map(lambda tree: _grow_until(tree, left), trees))
        return trees

    def _budget(self) -> Callable[[Tree], float]:
        """How many iterations a tree may still make."""
        if self.iterations is not None:
            share = -(-self.iterations // self.cores)
            return lambda tree: share - tree.iterations
        start = time.perf_counter()

        def left(tree: Tree) -> float:
            spent = time.perf_counter() - start
            return tree.iterations * (self.seconds / spent - 1.0)

        return left


def _grow_until(tree: Tree, left: Callable[[Tree], float]) -> None:
    """Runs until the budget is spent, or the choice is unlikely to change."""
    while True:
        tree.grow(CHUNK)
        remaining = left(tree)
        if remaining <= 0 or (tree.iterations % IMAGINED == 0 and tree.lead() > SETTLED * remaining):
            return
