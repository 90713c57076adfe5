"""Ray: the same games through its interface. `python -m tests.arena.cluster` plays them on a real one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fogline.arena.cluster import LOCAL, Cluster
from fogline.arena.contest import Contest, hold
from fogline.arena.faults import ArenaError
from fogline.arena.pool import Alone, open_pool
from tests.arena.arrange import FIRST, match_of, same_games, write_player
from tests.conformance import ROOT


class RayError(Exception):
    pass


class RayTaskError(RayError):
    def __init__(self, cause: Exception) -> None:
        self.cause = cause


class FakeRay(ModuleType):
    """As much of Ray as is used; tasks are played when they are fetched."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)
        self.addresses: list[str] = []
        self.running = False

    def init(self, address: str, **_: Any) -> None:
        if address not in (LOCAL, "auto"):
            raise ConnectionError("nobody there")
        self.addresses.append(address)
        self.running = True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0}

    def remote(self, function: Callable[..., np.ndarray]) -> SimpleNamespace:
        return SimpleNamespace(remote=lambda *arguments: lambda: function(*arguments))

    def get(self, task: Callable[[], np.ndarray]) -> np.ndarray:
        try:
            return task()
        except ArenaError as error:
            raise RayTaskError(error) from error

    def shutdown(self) -> None:
        self.running = False


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    fake = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", fake)
    return fake


def test_a_cluster_plays_the_same_games(ray: FakeRay) -> None:
    match = match_of("racer", "random", games=2000)
    with open_pool(ray="auto") as pool:
        assert isinstance(pool, Cluster)
        assert (pool.workers, ray.addresses, ray.running) == (3, ["auto"], True)
        assert same_games(hold(Contest(match), pool).outcomes, hold(Contest(match), Alone()).outcomes)
    assert not ray.running


def test_a_player_that_fails_on_a_cluster_is_told_of(ray: FakeRay, tmp_path: Path) -> None:
    file = write_player(tmp_path, FIRST.replace("return view", "return view.nothing"))
    with open_pool(ray=LOCAL) as pool, pytest.raises(ArenaError, match="first failed in seat 0"):
        hold(Contest(match_of(f"{file}:First", "random")), pool)


def test_a_cluster_that_is_lost_is_told_of(ray: FakeRay, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(task: object) -> np.ndarray:
        raise RayError("the node died")

    monkeypatch.setattr(ray, "get", lost)
    with open_pool(ray=LOCAL) as pool, pytest.raises(ArenaError, match="the cluster could not play: the node died"):
        hold(Contest(match_of("racer", "random")), pool)


def test_an_address_where_nobody_is_gets_a_clear_word(ray: FakeRay) -> None:
    with pytest.raises(ArenaError, match=r"--ray 10.0.0.1:1: nobody there"), open_pool(ray="10.0.0.1:1"):
        pass


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ArenaError, match=r"pip install 'fogline\[cluster\]'"), open_pool(ray=LOCAL):
        pass


@pytest.mark.thorough
def test_a_real_ray_on_this_machine_plays_the_same_games() -> None:
    """In a process of its own: Ray starts others, and its warnings are not ours."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.arena.cluster"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "are the same on" in run.stdout
    assert "told of: first failed" in run.stdout
