"""Stable-Baselines3: many games at once as one of its vectorised environments.

This module can be imported without the package, which is needed to make an environment. `MaskablePPO` of sb3-contrib
takes only legal actions: it asks the environment for its masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np

from fogline.envs.gymnasium import FoglineVectorEnv, Observed

Infos = list[dict[str, Any]]


def vec_env(num_envs: int = 64, **settings: Any) -> Any:
    """A `VecEnv` of this many games; the `settings` are those of `FoglineVectorEnv`."""
    return adapter()(FoglineVectorEnv(num_envs, **settings))


@cache
def adapter() -> type:
    """`Lanes` as a subclass of `VecEnv`, because learners there check the type."""
    try:
        base = import_module("stable_baselines3.common.vec_env").VecEnv
    except ModuleNotFoundError as error:
        raise ImportError("vec_env needs Stable-Baselines3: pip install stable-baselines3 sb3-contrib") from error
    return type("FoglineVecEnv", (Lanes, base), {"__doc__": Lanes.__doc__})


class Lanes:
    """Everything that a `VecEnv` must do, on the games of one batch."""

    # What a `VecEnv` itself keeps.
    num_envs: int
    render_mode: str | None
    reset_infos: Infos
    _seeds: list[int | None]
    _options: Infos
    _get_indices: Any
    _reset_seeds: Any
    _reset_options: Any

    def __init__(self, envs: FoglineVectorEnv) -> None:
        self.envs = envs
        self._actions = np.zeros(0, np.int64)
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)  # type: ignore[call-arg]

    def reset(self) -> Observed:
        """Begins all games anew. After `seed(n)`, they are those of `Batch.reset(n)`."""
        options = next((one for one in self._options if one), None)
        observations, infos = self.envs.reset(seed=self._seeds[0], options=options)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = self._told(infos)
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Takes the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[Observed, np.ndarray, np.ndarray, Infos]:
        """Plays the step: observations, rewards, dones, infos."""
        observations, rewards, dones, _, infos = self.envs.step(self._actions)
        told = self._told(infos)
        for lane in np.flatnonzero(dones).tolist():
            final = infos["final_info"]
            told[lane]["terminal_observation"] = infos["final_obs"][lane]
            told[lane] |= {"seat": int(final["seat"][lane]), "scores": final["scores"][lane].tolist()}
        return observations, rewards.astype(np.float32), dones, told

    def close(self) -> None:
        """Closes the environment."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the environment, once for each game asked for."""
        if attr_name == "action_masks":
            return [partial(self._mask, lane) for lane in self._get_indices(indices)]
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute for all games together: they share one environment."""
        if len(list(self._get_indices(indices))) < self.num_envs:
            raise ValueError(f"{attr_name}: the games of a batch share one environment, and so all its attributes")
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Calls `action_masks`: nothing else can be asked of one game."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name}: a game of a batch has no other method than action_masks")
        return [self._mask(lane) for lane in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """False for each game: there are no wrappers."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """A picture of each game."""
        return self.envs.render() or [None] * self.num_envs

    def _mask(self, lane: int) -> np.ndarray:
        mask: np.ndarray = self.envs.batch.masks[lane].copy()
        return mask

    def _told(self, infos: dict[str, Any]) -> Infos:
        """One dict a game, as Stable-Baselines3 expects."""
        seats, refused = infos["seat"].tolist(), infos["refused"].tolist()
        return [
            {"seat": seat, "refused": wrong, "TimeLimit.truncated": False}
            for seat, wrong in zip(seats, refused, strict=True)
        ]
