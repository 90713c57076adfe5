"""Many random games: the same whatever plays them, one by one or on all cores, as numbers or as records."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fogline.batch import simulate as simulation
from fogline.batch.simulate import Summary, random_game, record_lines, simulate
from fogline.game.game import Game
from fogline.game.record import audit
from fogline.maps.board import Board
from fogline.rules.random_play import find_winners, play_random_games
from fogline.rules.state import END_REASONS, new_games

ROOT = Path(__file__).parents[2]

each_map = pytest.mark.parametrize("name", ["san_francisco", "tiny"])
each_number = pytest.mark.parametrize("players", [2, 3, 4])


def same(first: Summary, second: Summary) -> bool:
    return all(np.array_equal(value, asdict(second)[key]) for key, value in asdict(first).items())


# The same games.


@each_map
def test_the_same_seed_gives_the_same_summary_on_any_number_of_cores(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board.load(name)
    first = simulate(board, 3, 1000, seed=7)
    assert same(first, simulate(board, 3, 1000, seed=7, cores=1))
    for chunk in (1, 300, 5000):
        monkeypatch.setattr(simulation, "CHUNK", chunk)
        assert same(first, simulate(board, 3, 1000, seed=7, cores=3))
    assert not same(first, simulate(board, 3, 1000, seed=1007))


@each_map
@each_number
def test_a_random_game_is_the_very_game_that_is_simulated(name: str, players: int) -> None:
    board = Board.load(name)
    games = new_games(board, 20)
    play_random_games(board.tables, games, players, np.uint64(100))
    for number, played in enumerate(games):
        game = random_game(board, players, 100 + number)
        assert game.position.snapshot() == played.tobytes()
        assert game.seed == 100 + number


@pytest.mark.parametrize("seed", [2**64 - 2, 2**63, 0])
def test_seeds_go_round_after_the_largest(seed: int) -> None:
    board = Board.load("tiny")
    games = [random_game(board, 2, (seed + number) % 2**64) for number in range(4)]
    assert [json.loads(line) for line in record_lines(board, 2, 4, seed)] == [game.record() for game in games]
    assert simulate(board, 2, 4, seed).steps == sum(len(game.actions) for game in games)


def test_games_with_neighbouring_seeds_have_nothing_in_common() -> None:
    board = Board.load("san_francisco")
    openings = Counter(str(random_game(board, 2, seed).events[:8]) for seed in range(50))
    assert max(openings.values()) == 1


# The summary.


@each_map
@each_number
def test_a_summary_counts_what_its_games_were_like(name: str, players: int) -> None:
    board = Board.load(name)
    games = [random_game(board, players, seed) for seed in range(40)]
    found = simulate(board, players, 40)
    scores = [[score.total for score in game.scores()] for game in games]
    assert found.games == 40
    assert found.steps == sum(len(game.actions) for game in games)
    assert found.wins.tolist() == [sum(seat in game.winners for game in games) for seat in range(4)]
    assert found.seat_totals.tolist()[:players] == [sum(column) for column in zip(*scores, strict=True)]
    assert found.ends.tolist() == [sum(reason_of(game) == reason for game in games) for reason in END_REASONS]
    lengths, points = sorted(len(game.actions) for game in games), sorted(total for row in scores for total in row)
    assert found.length_quantiles((0.0, 1.0)) == [lengths[0], lengths[-1]]
    assert found.score_quantiles((0.0, 0.5, 1.0)) == [points[0], points[len(points) // 2 - 1], points[-1]]


def reason_of(game: Game) -> Any:
    return game.events[-1]["reason"]


def test_quantiles_are_the_smallest_values_that_so_many_do_not_exceed() -> None:
    summary = Summary(2)
    summary.lengths[[10, 20, 30, 40]] = 25
    shares = (0.0, 0.01, 0.25, 0.26, 0.5, 0.75, 0.9, 1.0)
    assert summary.length_quantiles(shares) == [10, 10, 10, 20, 20, 30, 40, 40]


def test_quantiles_of_scores_may_be_negative() -> None:
    board = Board.load("san_francisco")
    games, winners = new_games(board, 3), np.zeros((3, 2), np.uint8)
    games["score"][:, :2] = [[-40, 7], [0, 12], [-3, 100]]
    summary = Summary(2)
    summary.add(games, winners)
    assert summary.score_quantiles((0.0, 0.5, 1.0)) == [-40, 0, 100]
    assert summary.seat_totals.tolist() == [-43, 119, 0, 0]


def test_every_game_has_a_winner_with_the_most_points() -> None:
    board = Board.load("tiny")
    games, winners = new_games(board, 500), np.zeros((500, 4), np.uint8)
    play_random_games(board.tables, games, 4, np.uint64(1))
    find_winners(board.tables, games, winners)
    best = games["score"] == games["score"].max(axis=1, keepdims=True)
    assert (winners.sum(axis=1) >= 1).all()
    assert not (winners.astype(bool) & ~best).any()
    assert (winners.sum(axis=1) < best.sum(axis=1)).any()  # a tie that the completed tickets decide (9.3)
    assert (winners.sum(axis=1) > 1).any()  # a shared victory


def test_progress_hears_of_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "CHUNK", 30)
    heard: list[int] = []
    simulate(Board.load("tiny"), 2, 100, progress=heard.append)
    assert heard == [30, 30, 30, 10]


# Records.


@pytest.mark.parametrize("cores", [1, 2])
def test_records_come_in_the_order_of_their_seeds_whatever_the_number_of_cores(
    cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "RECORD_CHUNK", 3)
    board = Board.load("tiny")
    lines = list(record_lines(board, 3, 10, 5, cores=cores))
    assert lines == [json.dumps(random_game(board, 3, seed).record()) for seed in range(5, 15)]
    assert all(audit(json.loads(line)).from_seed for line in lines)


def test_records_of_a_map_file_are_written_too() -> None:
    board = Board.load(Path(__file__).parents[1] / "data/dead_end.toml")
    records = [json.loads(line) for line in record_lines(board, 2, 3)]
    assert [record["map"] for record in records] == ["dead_end"] * 3
    assert all(audit(record, board).from_seed for record in records)


# Compiled code on disk, which processes share.

DEALS = """
import json, sys
from fogline.game.game import Game
from tests.boards import load_board
print(json.dumps({name: [Game(load_board(name), seed=seed).events for seed in range(20)] for name in sys.argv[1:]}))
"""


@pytest.mark.thorough
def test_code_that_another_process_has_compiled_is_never_taken_for_that_of_another_map(tmp_path: Path) -> None:
    """One process keeps the code of one map; a second compiles that of another before it loads the first."""

    def deals(*names: str) -> Any:
        command = [sys.executable, "-c", DEALS, *names]
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        return json.loads(subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True).stdout)

    alone = deals("dead_end")
    assert deals("tiny", "dead_end")["dead_end"] == alone["dead_end"]
