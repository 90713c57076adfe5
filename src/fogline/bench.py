"""How fast the engine is on this machine."""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numba
import numpy as np
from numba import cuda

from fogline.batch import Batch
from fogline.game.game import PLAYER_COUNTS, Game
from fogline.game.view import View
from fogline.knowledge.belief import Belief
from fogline.knowledge.seat_state import new_seat_states
from fogline.maps.board import Board
from fogline.players.neural.neural import Neural
from fogline.players.scripted.compiled_player import Planner
from fogline.players.scripted.match import play_games
from fogline.players.scripted.plan import new_plans
from fogline.players.scripted.policies import PLANNER
from fogline.players.search.search import Tree
from fogline.rules.random_play import play_random_games
from fogline.rules.state import new_games

GAMES = 40_000
PLANNER_GAMES = 2_000
ITERATIONS = 4_000
LANES = 8_192
"""The games of a batch on one core. What it keeps and reports still fits into a core's cache, mostly."""
GPU_LANES = {"random": 1 << 20, "given": 1 << 18}
LAUNCH = 512
MIXED = 300
"""After this many steps the games of a batch are spread over all their stages."""
MIDDLE = 30
REPEATS = 3
_FIRST_GAME = "from fogline import Game; game = Game(seed=7); game.play(game.legal_actions()[0])"
_EVERYTHING = (
    "from fogline.batch.simulate import *; board = Board.load(); simulate(board, 2, 1); random_game(board, 2, 1)"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number."""

    name: str
    value: float
    unit: str
    how: str


def measure(progress: Callable[[str], None] = lambda what: None) -> Iterator[Figure]:
    """Yields one measurement after the other; `progress` is told what comes next."""
    # Compiled in another process and loaded in this one, as in every later run: fresh code is a little slower.
    progress("compiling, where it has not been done before")
    subprocess.run([sys.executable, "-c", _EVERYTHING], check=True)
    board = Board.load()
    cores = os.cpu_count() or 1
    for players in PLAYER_COUNTS:
        progress(f"random play, {players} players, one core and {cores}")
        yield from _random_play(board, players, cores)
    progress(f"batches, one core and {cores}")
    yield from _batches(board, cores)
    if cuda.is_available():
        progress("batches on the GPU")
        yield from _gpu_batches(board)
    progress(f"planners, {cores} cores")
    yield _planner_games(board, cores)
    progress("search, one core")
    yield _search_iterations(board)
    progress("decisions of the network")
    yield _neural_decisions(board)
    progress("single actions from Python")
    yield Figure(
        "Game.play", _play_seconds() * 1e6, "µs", "one action from Python, its events included, mean over random games"
    )
    with tempfile.TemporaryDirectory() as cache:
        progress("first game, nothing compiled yet")
        how = "a new process imports fogline, begins a game and plays an action"
        yield Figure("first game, cold cache", _first_game_seconds(cache), "s", how + ", compiling the rules")
        progress("first game, compiled before")
        yield Figure("first game, warm cache", min(_first_game_seconds(cache) for _ in range(REPEATS)), "s", how)


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
    }


def as_json(figures: list[Figure]) -> dict[str, Any]:
    return {"machine": machine(), "figures": [asdict(figure) for figure in figures]}


def _random_play(board: Board, players: int, cores: int) -> Iterator[Figure]:
    play_random_games(board.tables, new_games(board, 1), players, np.uint64(0))  # compiles
    one, games_a_second = _steps_a_second(board, players, 1)
    many, _ = _steps_a_second(board, players, cores)
    how = f"random games of {players}, best of {REPEATS} runs"
    yield Figure(f"{players} players, one core", one / 1e6, "M steps/s", how)
    yield Figure(f"{players} players, one core", games_a_second, "games/s", how)
    yield Figure(f"{players} players, {cores} cores", many / 1e6, "M steps/s", how)
    yield Figure(f"{players} players, {cores} cores / one", many / one, "times", how)


def _steps_a_second(board: Board, players: int, cores: int) -> tuple[float, float]:
    """Steps and games a second on all cores."""
    games = [new_games(board, 1000) for _ in range(cores)]

    def play(core: int) -> int:
        seeds = range(core * GAMES, (core + 1) * GAMES, 1000)
        return sum(play_random_games(board.tables, games[core], players, np.uint64(seed)) for seed in seeds)

    best = (0.0, 0.0)
    with ThreadPoolExecutor(cores) as pool:
        for _ in range(REPEATS):
            start = perf_counter()
            steps = sum(pool.map(play, range(cores)))
            seconds = perf_counter() - start
            best = max(best, (steps / seconds, cores * GAMES / seconds))
    return best


def _batches(board: Board, cores: int) -> Iterator[Figure]:
    """Steps a second when the caller gives the actions: choosing them is not counted."""
    for count in sorted({1, cores}):
        for observe, told in ((False, "masks"), (True, "masks and observations")):
            batch = _mixed(board, LANES * count, observe, cores=count)
            rate = batch.games / _seconds_of_a_step(batch)
            where = "one core" if count == 1 else f"{count} cores"
            yield Figure(f"batch, {where}, {told}", rate / 1e6, "M steps/s", f"{batch.games:,} games of two at once")


def _gpu_batches(board: Board) -> Iterator[Figure]:
    random = _mixed(board, GPU_LANES["random"], False, device="cuda")
    seconds = _gpu_seconds(partial(random.play_blind, LAUNCH)) / LAUNCH
    how = f"{random.games:,} games of two at once, {LAUNCH} steps a launch"
    yield Figure("batch, GPU, random play", random.games / seconds / 1e6, "M steps/s", how)
    for observe, told in ((False, "masks"), (True, "masks and observations")):
        batch = _mixed(board, GPU_LANES["given"], observe, device="cuda")
        seconds = _gpu_seconds(partial(_sampled_step, batch))
        how = f"{batch.games:,} games of two at once, choosing the actions included"
        yield Figure(f"batch, GPU, {told}", batch.games / seconds / 1e6, "M steps/s", how)


def _mixed(board: Board, games: int, observe: bool, **where: Any) -> Batch:
    batch = Batch(board, 2, games, observe=observe, **where)
    batch.random_steps(MIXED)
    batch.step(batch.sample())  # compiles
    return batch


def _sampled_step(batch: Batch) -> None:
    batch.step(batch.sample())


def _seconds_of_a_step(batch: Batch, steps: int = 60) -> float:
    """The mean of the best of several runs."""
    best = float("inf")
    for _ in range(REPEATS):
        seconds = 0.0
        for _ in range(steps):
            actions = batch.sample()
            start = perf_counter()
            batch.step(actions)
            seconds += perf_counter() - start
        best = min(best, seconds / steps)
    return best


def _gpu_seconds(work: Callable[[], Any], warm_up: float = 0.3) -> float:
    """Seconds by a clock that waits for the GPU, after a warm-up: an idle GPU has slowed down."""
    start, best = perf_counter(), float("inf")
    while perf_counter() - start < warm_up:
        work()
        cuda.synchronize()
    for _ in range(REPEATS):
        start = perf_counter()
        for _ in range(4):
            work()
        cuda.synchronize()
        best = min(best, (perf_counter() - start) / 4)
    return best


def _planner_games(board: Board, cores: int) -> Figure:
    """Games a second between two planners. Threads do, because compiled players release Python's lock."""

    def play(core: int) -> None:
        games, ones = new_games(board, PLANNER_GAMES), np.ones((PLANNER_GAMES, 2), np.int64)
        seeds = np.arange(core * PLANNER_GAMES, (core + 1) * PLANNER_GAMES).astype(np.uint64)
        scratch = new_seat_states(board, 1), new_plans(board, 1)
        turns = np.zeros(PLANNER_GAMES, np.int64)
        play_games(
            board.tables, games, *scratch, seeds, PLANNER * ones, seeds[:, None] + ones.astype(np.uint64), ones, turns
        )

    with ThreadPoolExecutor(cores) as pool:
        play(0)  # compiles
        best = 0.0
        for _ in range(REPEATS):
            start = perf_counter()
            list(pool.map(play, range(cores)))
            best = max(best, cores * PLANNER_GAMES / (perf_counter() - start))
    return Figure(f"two planners, {cores} cores", best, "games/s", f"best of {REPEATS} runs")


def _search_iterations(board: Board) -> Figure:
    """Positions from the middle of a game: after thirty actions of planners."""
    game, planner = Game(board, seed=5), Planner(5)
    for _ in range(MIDDLE):
        game.play(planner.choose(game.view(game.seat)))
    best = 0.0
    for repeat in range(REPEATS + 1):
        tree = Tree(board, Belief(game.view(game.seat)), repeat)
        start = perf_counter()
        tree.grow(ITERATIONS)
        if repeat:  # the first compiles
            best = max(best, ITERATIONS / (perf_counter() - start))
    return Figure("search, one core", best, "iterations/s", f"after {MIDDLE} actions of a game of two")


def _neural_decisions(board: Board) -> Figure:
    """From the view to the action, in all positions of a game."""
    game, neural, views = Game(board, seed=5), Neural(5), list[View]()
    while not game.over:
        views.append(game.view(game.seat))
        game.play(neural.choose(views[-1]))
    best = float("inf")
    for _ in range(REPEATS):
        start = perf_counter()
        for view in views:
            neural.choose(view)
        best = min(best, (perf_counter() - start) / len(views))
    return Figure("neural, one core", best * 1e3, "ms", "a decision from its view, mean over a game of two")


def _play_seconds(games: int = 60) -> float:
    """Seconds that `Game.play` takes for one action."""
    generator = random.Random(1)
    seconds, actions = 0.0, 0
    for seed in range(games + 1):
        game = Game(players=3, seed=seed)
        while not game.over:
            action = generator.choice(game.legal_actions())
            start = perf_counter()
            game.play(action)
            seconds += perf_counter() - start
        actions += len(game.actions)
        if seed == 0:  # to warm up
            seconds, actions = 0.0, 0
    return seconds / actions


def _first_game_seconds(cache: str) -> float:
    start = perf_counter()
    subprocess.run([sys.executable, "-c", _FIRST_GAME], check=True, env=os.environ | {"NUMBA_CACHE_DIR": cache})
    return perf_counter() - start


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
