"""Micro can be solved: algorithms of OpenSpiel run on it, and what they find can be exploited less and less."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import (
    cfr,
    expected_game_score,
    exploitability,
    external_sampling_mccfr,
    outcome_sampling_mccfr,
)

import fogline.envs.openspiel
from fogline.envs.dealer import Dealer
from fogline.maps.board import Board

NAME = f"{fogline.envs.openspiel.NAME}(players=2,map=micro)"
UNIFORM = 1.4814814814814814
"""What two who know the other's way gain together against random play."""


@pytest.fixture(scope="module")
def game() -> Any:
    return pyspiel.load_game(NAME)


@pytest.mark.thorough
def test_micro_has_as_many_states_as_its_file_says() -> None:
    waiting, states = [Dealer(Board.load("micro"), 2)], 0
    while waiting:
        dealer = waiting.pop()
        states += 1
        for outcome, _ in dealer.outcomes:
            branch = dealer.fork()
            branch.deal(outcome)
            waiting.append(branch)
        for number in [] if dealer.outcomes else dealer.dealt.legal_numbers():
            branch = dealer.fork()
            branch.play(number)
            waiting.append(branch)
    assert states == 32_913


@pytest.mark.thorough
def test_random_play_can_be_exploited(game: Any) -> None:
    assert exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) == pytest.approx(UNIFORM)


@pytest.mark.thorough
@pytest.mark.parametrize("solver", [cfr.CFRSolver, cfr.CFRPlusSolver])
def test_what_cfr_finds_can_be_exploited_less_and_less(game: Any, solver: Callable[[Any], Any]) -> None:
    solving, found = solver(game), [UNIFORM]
    for _ in range(2):
        for _ in range(2):
            solving.evaluate_and_update_policy()
        found.append(exploitability.nash_conv(game, solving.average_policy()))
    assert found[0] > found[1] > found[2] > 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("solver", "iterations"),
    [
        (external_sampling_mccfr.ExternalSamplingSolver, 200),
        (outcome_sampling_mccfr.OutcomeSamplingSolver, 4000),
    ],
)
def test_what_sampling_finds_is_better_than_random_play(
    game: Any, solver: Callable[[Any], Any], iterations: int
) -> None:
    np.random.seed(1)
    solving = solver(game)
    for _ in range(iterations):
        solving.iteration()
    assert exploitability.nash_conv(game, solving.average_policy()) < UNIFORM / 2


@pytest.mark.thorough
def test_values_of_all_together_are_zero(game: Any) -> None:
    uniform = policy.UniformRandomPolicy(game)
    values = expected_game_score.policy_value(game.new_initial_state(), [uniform, uniform])
    assert sum(values) == pytest.approx(0)
