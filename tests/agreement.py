"""The engine against the referee: random games on the engine, every event and every choice checked by the referee.

python -m tests.agreement --games 1000000     # on all cores, with a line of progress now and then
"""

from __future__ import annotations

import argparse
import os
import random
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import product

from fogline.actions import board_actions
from fogline.board import Board
from fogline.game import Game
from tests.boards import BOARDS, load_board, map_data
from tests.policies import action_weights, choose
from tests.referee import Referee

PLAYERS = (2, 3, 4)


@cache
def action_texts(name: str) -> list[str]:
    return [str(action) for action in board_actions(load_board(name))]


def check_game(name: str, players: int, seed: int) -> int:
    """Plays one random game; returns how many decisions it had. An AssertionError tells where the two disagree."""
    game, referee = Game(load_board(name), players=players, seed=seed), Referee(map_data(name), players)
    generator, texts = random.Random(seed), action_texts(name)
    weights = [_weights(game.board, generator) for _ in range(players)]
    events = game.events
    while True:
        for event in events:
            referee.apply(event)
        if game.over:
            break
        numbers = game.legal_numbers()
        choices = {texts[number] for number in numbers}
        assert choices == referee.choices(), (name, players, seed, choices ^ referee.choices())
        assert game.seat == referee.seat, (name, players, seed)
        events = game.play(choose(numbers, weights[game.seat], generator))
    record = game.record()
    assert referee.over, (name, players, seed)
    assert record["scores"] == referee.scores(), (name, players, seed)
    assert record["winners"] == referee.winners(), (name, players, seed)
    return len(game.actions)


def _weights(board: Board, generator: random.Random) -> list[float]:
    """Half the seats choose uniformly, the others have tastes that lead into odd corners."""
    uniform = [1.0] * len(board_actions(board))
    return uniform if generator.random() < 0.5 else action_weights(board, generator)


def check_games(name: str, players: int, seeds: range) -> int:
    return sum(check_game(name, players, seed) for seed in seeds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Random games on the engine, checked event by event by the referee.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--first-seed", type=int, default=1_000_000)
    arguments = parser.parse_args()
    chunk = 500
    kinds = list(product(BOARDS, PLAYERS))
    jobs = [
        (*kinds[number % len(kinds)], range(first, min(first + chunk, arguments.first_seed + arguments.games)))
        for number, first in enumerate(range(arguments.first_seed, arguments.first_seed + arguments.games, chunk))
    ]
    games = decisions = 0
    for name in BOARDS:
        check_game(name, 2, 0)  # compiles once, before the processes start
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for job, count in zip(jobs, pool.map(check_games, *zip(*jobs, strict=True)), strict=True):
            games, decisions = games + len(job[2]), decisions + count
            if games % 20_000 < chunk:
                print(f"{games:,} games, {decisions:,} decisions agree", flush=True)  # noqa: T201
    print(f"all {games:,} games agree, {decisions:,} decisions")  # noqa: T201


if __name__ == "__main__":
    main()
