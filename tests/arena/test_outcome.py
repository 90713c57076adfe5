"""Outcomes: they say of a game what its scores say."""

from __future__ import annotations

import numpy as np
import pytest

from fogline.arena.outcome import comparisons, new_outcomes, read_games, totals, victories
from fogline.batch.simulate import random_game
from fogline.rules.state import END_REASONS
from tests.boards import BOARDS, load_board
from tests.seeds import seeds


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_outcome_says_what_the_scores_of_the_game_say(board: str, players: int) -> None:
    for seed in seeds(15):
        game = random_game(load_board(board), players, seed)
        outcome = new_outcomes(players, 1)
        read_games(game.board, game.position.array, outcome)
        scores = game.scores()
        assert outcome["routes"].tolist() == [[score.routes for score in scores]]
        assert outcome["tickets"].tolist() == [[score.tickets for score in scores]]
        assert outcome["tokens"].tolist() == [[score.tokens for score in scores]]
        assert totals(outcome).tolist() == [[score.total for score in scores]]
        assert outcome["completed"].tolist() == [[len(score.completed) for score in scores]]
        assert outcome["kept"].tolist() == [[len(score.completed) + len(score.failed) for score in scores]]
        assert outcome["actions"].tolist() == [len(game.actions)]
        assert END_REASONS[outcome["end"].item()] == game.events[-1]["reason"]
        assert np.flatnonzero(victories(outcome)[0]).tolist() == game.winners


def outcome_of(points: list[int], completed: list[int]) -> np.ndarray:
    outcome = new_outcomes(len(points), 1)
    outcome["routes"], outcome["completed"] = points, completed
    return outcome


@pytest.mark.parametrize(
    ("points", "completed", "shares"),
    [
        ([10, 9], [0, 5], [12, 0]),
        ([10, 10], [0, 1], [0, 12]),
        ([10, 10], [1, 1], [6, 6]),
        ([-3, -3, -3], [0, 0, 0], [4, 4, 4]),
        ([7, 7, 7, 7], [2, 2, 2, 2], [3, 3, 3, 3]),
        ([7, 8, 8, 7], [9, 2, 2, 9], [0, 6, 6, 0]),
    ],
)
def test_a_shared_victory_counts_its_share(points: list[int], completed: list[int], shares: list[int]) -> None:
    assert victories(outcome_of(points, completed)).tolist() == [shares]


def test_places_are_compared_by_points_then_by_completed_tickets() -> None:
    found = comparisons(outcome_of([10, 10, 12, 10], [1, 2, 0, 1]))
    assert found.tolist() == [[[1, 0, 0, 1], [2, 1, 0, 2], [2, 2, 1, 2], [1, 0, 0, 1]]]
