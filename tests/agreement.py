"""The engine against the referee: random games on the engine, every event and every choice checked by the referee.

python -m tests.agreement --games 1000000     # on all cores, with a line of progress now and then
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import product
from typing import Any

from fogline.game.actions import board_actions
from fogline.game.game import Game
from fogline.maps.board import Board
from tests.boards import BOARDS, load_board, map_data
from tests.policies import action_weights, choose
from tests.referee import Referee

PLAYERS = (2, 3, 4)


@lru_cache
def action_texts(board: Board) -> list[str]:
    return [str(action) for action in board_actions(board)]


def check_game(board: Board, data: dict[str, Any], players: int, seed: int) -> Game:
    """Plays one random game, which the referee watches; an AssertionError or a Foul tells where the two disagree."""
    game, referee = Game(board, players=players, seed=seed), Referee(data, players)
    generator, texts = random.Random(seed), action_texts(board)
    weights = [_weights(board, generator) for _ in range(players)]
    where, events = (board.id, players, seed), game.events
    while True:
        for event in events:
            referee.apply(event)
        if game.over:
            break
        numbers = game.legal_numbers()
        choices = {texts[number] for number in numbers}
        assert choices == referee.choices(), (where, choices ^ referee.choices())
        assert game.seat == referee.seat, where
        events = game.play(choose(numbers, weights[game.seat], generator))
    record = game.record()
    assert referee.over, where
    assert record["scores"] == referee.scores(), where
    assert record["winners"] == referee.winners(), where
    return game


def _weights(board: Board, generator: random.Random) -> list[float]:
    """Half the seats choose uniformly, the others have tastes that lead into odd corners."""
    uniform = [1.0] * len(board_actions(board))
    return uniform if generator.random() < 0.5 else action_weights(board, generator)


def check_games(name: str, players: int, seeds: Sequence[int]) -> int:
    """How many decisions these games had."""
    board, data = load_board(name), map_data(name)
    return sum(len(check_game(board, data, players, seed).actions) for seed in seeds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Random games on the engine, checked event by event by the referee.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--first-seed", type=int, default=1_000_000)
    parser.add_argument("--boards", nargs="+", choices=BOARDS, default=BOARDS)
    arguments = parser.parse_args()
    chunk = 500
    kinds = list(product(arguments.boards, PLAYERS))
    jobs = [
        (*kinds[number % len(kinds)], range(first, min(first + chunk, arguments.first_seed + arguments.games)))
        for number, first in enumerate(range(arguments.first_seed, arguments.first_seed + arguments.games, chunk))
    ]
    games = decisions = 0
    for name in arguments.boards:
        check_games(name, 2, range(1))  # compiles once, before the processes start
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for job, count in zip(jobs, pool.map(check_games, *zip(*jobs, strict=True)), strict=True):
            games, decisions = games + len(job[2]), decisions + count
            if games % 20_000 < chunk:
                print(f"{games:,} games, {decisions:,} decisions agree", flush=True)  # noqa: T201
    print(f"all {games:,} games agree, {decisions:,} decisions")  # noqa: T201


if __name__ == "__main__":
    main()
