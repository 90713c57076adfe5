"""The environment of Stable-Baselines3: by its contract always, and with the package where it is installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from fogline.envs.gymnasium import FoglineVectorEnv
from fogline.envs.stable_baselines3 import adapter, vec_env


class VecEnv:
    """What the package's own class keeps, and what it calls while it is made."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self.render_mode = self.get_attr("render_mode")[0]
        self._reset_seeds()
        self._reset_options()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        raise NotImplementedError

    def seed(self, seed: int) -> None:
        self._seeds: list[int | None] = [seed + number for number in range(self.num_envs)]

    def step(self, actions: np.ndarray) -> Any:
        self.step_async(actions)  # type: ignore[attr-defined]
        return self.step_wait()  # type: ignore[attr-defined]

    def _reset_seeds(self) -> None:
        self._seeds = [None] * self.num_envs

    def _reset_options(self) -> None:
        self._options: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]

    def _get_indices(self, indices: Any) -> Any:
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Iterator[type]:
    """The package, or where there is none, one that holds the contract alone."""
    try:
        found: type = import_module("stable_baselines3.common.vec_env").VecEnv
    except ModuleNotFoundError:
        names = ("stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env")
        for name in names:
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        sys.modules[names[-1]].VecEnv = VecEnv  # type: ignore[attr-defined]
        found = VecEnv
    adapter.cache_clear()
    yield found
    adapter.cache_clear()


@pytest.mark.parametrize("observe_mask", [True, False])
def test_it_plays_the_games_of_the_vector_environment(package: type, observe_mask: bool) -> None:
    settings: dict[str, Any] = {"map": "tiny", "players": 3, "opponents": "racer", "observe_mask": observe_mask}
    envs, others = vec_env(5, **settings), FoglineVectorEnv(5, **settings)
    assert package in type(envs).mro()
    assert (envs.num_envs, envs.observation_space) == (5, others.single_observation_space)
    envs.seed(6)
    seen, (expected, infos) = envs.reset(), others.reset(seed=6)
    ended = 0
    while ended < 8:
        masks = np.stack(envs.env_method("action_masks"))
        assert np.array_equal(masks, infos["action_mask"] == 1)
        compare(seen, expected)
        actions = masks.argmax(axis=1)
        seen, rewards, dones, told = envs.step(actions)
        expected, other_rewards, other_dones, _, infos = others.step(actions)
        assert np.array_equal(rewards, other_rewards.astype(np.float32))
        assert rewards.dtype == np.float32
        assert np.array_equal(dones, other_dones)
        for lane in np.flatnonzero(dones).tolist():
            compare(told[lane]["terminal_observation"], infos["final_obs"][lane])
            assert told[lane]["scores"] == infos["final_info"]["scores"][lane].tolist()
            assert told[lane]["seat"] == infos["final_info"]["seat"][lane]
            ended += 1
        assert [one["TimeLimit.truncated"] for one in told] == [False] * 5
        assert ["terminal_observation" in one for one in told] == dones.tolist()
    envs.close()


def compare(seen: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert seen.keys() == expected.keys()
        assert all(np.array_equal(seen[name], expected[name]) for name in expected)
    else:
        assert np.array_equal(seen, expected)


@pytest.mark.usefixtures("package")
def test_masks_can_be_asked_of_some_games() -> None:
    envs = vec_env(4, map="tiny", opponents="random")
    envs.reset()
    masks = envs.envs.batch.masks
    assert np.array_equal(envs.env_method("action_masks", indices=[2, 0]), masks[[2, 0]])
    assert np.array_equal(envs.get_attr("action_masks", 3)[0](), masks[3])
    assert envs.get_attr("players", [1]) == [2]
    assert envs.env_is_wrapped(object) == [False] * 4
    with pytest.raises(AttributeError, match="no other method"):
        envs.env_method("step", 0)
    with pytest.raises(AttributeError):
        envs.get_attr("nothing")


@pytest.mark.usefixtures("package")
def test_an_attribute_is_set_for_all_games_or_none() -> None:
    envs = vec_env(2, map="tiny")
    envs.set_attr("strict", True)
    assert envs.get_attr("strict") == [True, True]
    with pytest.raises(ValueError, match="share one environment"):
        envs.set_attr("strict", False, indices=[0])


@pytest.mark.usefixtures("package")
def test_an_illegal_action_is_told_and_changes_nothing() -> None:
    envs = vec_env(2, map="tiny", opponents="random")
    first = envs.reset()
    seen, _, dones, told = envs.step(np.array([0, 0]))
    assert np.array_equal(seen, first)
    assert not dones.any()
    assert [one["refused"] for one in told] == [True, True]


@pytest.mark.usefixtures("package")
def test_there_are_pictures_of_all_games() -> None:
    envs = vec_env(2, map="tiny", render_mode="rgb_array")
    envs.reset()
    assert [picture.shape[2] for picture in envs.get_images()] == [3, 3]


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stable_baselines3", "stable_baselines3.common.vec_env"):
        monkeypatch.setitem(sys.modules, name, None)
    adapter.cache_clear()
    with pytest.raises(ImportError, match="pip install stable-baselines3"):
        vec_env(2)


def test_with_the_package_its_masked_learner_learns() -> None:
    pytest.importorskip("stable_baselines3")
    learners = pytest.importorskip("sb3_contrib")
    model = learners.MaskablePPO("MlpPolicy", vec_env(8, map="tiny", opponents="random"), n_steps=16, batch_size=64)
    assert model.learn(256).num_timesteps == 256
