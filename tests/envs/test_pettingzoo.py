"""The environment for PettingZoo passes PettingZoo's own tests, and ours."""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo.test as official
import pytest

from fogline.envs import render
from fogline.envs.pettingzoo import FoglineEnv, env, raw_env
from fogline.envs.seats import observe
from fogline.game.actions import ActionError
from fogline.game.game import Game
from fogline.game.refusals import IllegalAction
from tests.boards import BOARDS, load_board
from tests.seeds import seeds

# PettingZoo prefers plain arrays, which have no place for a mask, and agents that can do something even at the end.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def play(environment: Any, generator: random.Random) -> Iterator[str]:
    """Random play to the end."""
    for agent in environment.agent_iter():
        observation, _, termination, _, _ = environment.last()
        yield agent
        environment.step(None if termination else generator.choice(np.flatnonzero(observation["action_mask"]).tolist()))


def seeded(environment: Any) -> Any:
    """PettingZoo's tests sample from the spaces, and that must be the same every time."""
    for agent in environment.possible_agents:
        environment.action_space(agent).seed(1)
    return environment


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", BOARDS)
def test_it_passes_the_api_test(board: str, players: int) -> None:
    official.api_test(seeded(env(load_board(board), players=players)), num_cycles=60)


def test_it_passes_the_seed_test() -> None:
    official.seed_test(lambda: env("tiny", players=3), num_cycles=100)


def test_it_passes_the_render_test(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(render, "PIXELS", 100)
    kinds = {"svg": lambda picture: picture.startswith("<svg")}
    official.render_test(lambda render_mode: seeded(env("tiny", players=2, render_mode=render_mode)), kinds)
    assert "seat 0 decides: keep first tickets" in capsys.readouterr().out  # render_mode "human"


def test_it_passes_the_test_of_saved_observations(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which saves nothing, since our observations are no images."""
    monkeypatch.chdir(tmp_path)
    official.test_save_obs(env("tiny"))
    assert "did not save the observations" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_it_passes_the_performance_benchmark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ticks = (0.05 * number for number in count())
    module = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(ticks)))  # a hundred cycles, not 5 seconds
    monkeypatch.setattr(module, "random", random.Random(1))
    official.performance_benchmark(env("tiny"))
    assert "Finished performance benchmark" in capsys.readouterr().out


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_agent_can_be_observed_at_any_time_and_sees_what_its_seat_may_know(players: int) -> None:
    environment = raw_env(load_board("san_francisco"), players=players)
    environment.reset(seed=players)
    for deciding in play(environment, random.Random(players)):
        for seat, agent in enumerate(environment.possible_agents):
            seen = environment.observe(agent)
            assert environment.observation_space(agent).contains(seen)
            assert np.array_equal(seen["observation"], observe(environment.game.view(seat)))
            legal = environment.game.legal_mask() if agent == deciding and not environment.game.over else np.zeros(1)
            assert seen["action_mask"].sum() == legal.sum()


def test_the_mask_stands_in_the_infos_too_and_nothing_else_does() -> None:
    environment = env("tiny", players=3)
    environment.reset(seed=5)
    for _ in play(environment, random.Random(5)):
        for agent in environment.agents:
            assert set(environment.infos[agent]) == {"action_mask"}
            assert np.array_equal(environment.infos[agent]["action_mask"], environment.observe(agent)["action_mask"])


def test_who_has_won_gets_what_the_others_lose() -> None:
    environment = env("tiny", players=3)
    for seed in seeds(20):
        environment.reset(seed=seed)
        total = dict.fromkeys(environment.possible_agents, 0.0)
        for agent in play(environment, random.Random(seed)):
            total[agent] += environment.last()[1]
        winners = environment.unwrapped.game.winners
        share = (3 / len(winners) - 1) / 2
        for seat, agent in enumerate(environment.possible_agents):
            assert total[agent] == pytest.approx(share if seat in winners else -0.5)


def test_a_seed_deals_the_game_of_that_seed_and_then_the_same_ones_after_it() -> None:
    first, second = raw_env("tiny"), raw_env("tiny")
    for environment in (first, second):
        environment.reset(seed=7)
    assert first.game.events == Game("tiny", players=2, seed=7).events
    seeds = []
    for _ in range(5):
        first.reset()
        second.reset()
        assert first.game.seed == second.game.seed
        seeds.append(first.game.seed)
    assert len(set(seeds)) == 5


def test_an_illegal_action_names_its_rule_and_changes_nothing() -> None:
    environment = raw_env("tiny")
    environment.reset(seed=1)
    before = environment.game.position.snapshot()
    with pytest.raises(IllegalAction, match=r"2\.5"):
        environment.step(0)
    for wrong in (None, 1.5, "keep both", True, np.zeros(1)):
        with pytest.raises(ActionError, match="a whole number from 0 to"):
            environment.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(ActionError, match="numbered from 0"):
        environment.step(-1)
    assert environment.game.position.snapshot() == before
    assert environment.agent_selection == "player_0"
    environment.step(np.int64(np.flatnonzero(environment.infos["player_0"]["action_mask"])[0]))
    assert environment.agent_selection == "player_1"


def test_wrong_arguments_are_told_by_their_names() -> None:
    with pytest.raises(ValueError, match="2 to 4 players, not 5"):
        raw_env("tiny", players=5)
    with pytest.raises(ValueError, match="render_mode: one of human, ansi, svg, rgb_array, or None, not 'film'"):
        raw_env("tiny", render_mode="film")
    environment = raw_env("tiny")
    with pytest.raises(ValueError, match=r"a seed is a whole number from 0"):
        environment.reset(seed=-1)
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="agent: one of player_0, player_1, not 'player_2'"):
        environment.observe("player_2")
    with pytest.raises(ValueError, match="render_mode: choose human"):
        environment.render()


def test_a_running_environment_can_be_pickled() -> None:
    environment = raw_env("tiny", players=2)
    environment.reset(seed=3)
    environment.step(int(np.flatnonzero(environment.infos["player_0"]["action_mask"])[0]))
    other: FoglineEnv = pickle.loads(pickle.dumps(environment))
    for one in (environment, other):
        for _ in play(one, random.Random(3)):
            pass
    assert other.game.record() == environment.game.record()


def test_without_pettingzoo_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "fogline.envs.pettingzoo")
    with pytest.raises(ImportError, match=r'pip install "fogline\[rl\]"'):
        import fogline.envs.pettingzoo  # noqa: F401
