"""Compiles everything for some boards, so that tests side by side need not each do it: `python -m tests.warm NAMES`."""

from __future__ import annotations

import sys

import numpy as np

from fogline.batch import Batch
from fogline.batch.simulate import random_game, simulate
from fogline.envs.gymnasium import FoglineVectorEnv
from fogline.envs.seats import Observer
from fogline.game.game import Game
from fogline.knowledge.observation import observation_length
from fogline.knowledge.seat_state import new_seat_states
from fogline.players.batch_players import BatchPlayers
from fogline.players.neural.encoder import encode
from fogline.players.neural.master import Master
from fogline.players.neural.network import Network
from fogline.players.scripted.match import play_games
from fogline.players.scripted.plan import new_plans
from fogline.players.search.search import Search
from fogline.rules.state import new_games
from fogline.server.run import warm_up
from tests.boards import load_board
from tests.weights import regular_weights


def compile_all(name: str) -> None:
    board = load_board(name)
    warm_up(board)
    simulate(board, 2, 1)
    random_game(board, 2, 1)
    Search(0, iterations=1).choose(Game(board, seed=0).view(0))
    Master(0, iterations=1).choose(Game(board, seed=0).view(0))
    Network(board, regular_weights(board, 1, 0))(
        encode(board, 2, np.zeros((1, observation_length(board, 2)), np.uint8))
    )
    seeds, ones = np.zeros(1, np.uint64), np.zeros((1, 2), np.int64)
    scratch = new_seat_states(board, 1), new_plans(board, 1)
    play_games(
        board.tables,
        new_games(board, 1),
        *scratch,
        seeds,
        ones,
        ones.astype(np.uint64),
        ones.copy(),
        np.zeros(1, np.int64),
    )


def compile_batches(name: str) -> None:
    board = load_board(name)
    for observe in (True, False):
        batch = Batch(board, 2, 2, observe=observe)
        batch.step(batch.sample())
        batch.random_steps(1)
    BatchPlayers(batch, "planner").choose(batch.sample(), batch.dones)
    Observer(Game(board, seed=0)).observe(0)
    FoglineVectorEnv(2, map=board, opponents=("racer",)).reset(seed=0)


if __name__ == "__main__":
    for board_name in sys.argv[1:]:
        compile_all(board_name)
        compile_batches(board_name)
