"""The examples for whoever learns run, and do what they say."""

from __future__ import annotations

import csv
import importlib.util
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from fogline.cli import main
from tests.boards import load_board
from tests.conformance import ROOT

EXAMPLES = ROOT / "examples"


Run = Callable[..., str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs an example in an empty folder, here: to start Python with torch takes longer than all else."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(EXAMPLES)

    def run_example(name: str, *arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        try:
            runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
        except SystemExit as end:
            if end.code:  # --help ends with none
                raise
        return capsys.readouterr().out

    return run_example


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for it there
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["random_rollout", "ppo", "evaluate_policy"])
def test_help_teaches(name: str, run: Run) -> None:
    told = run(name, "--help")
    assert f"examples/{name}.py" in told
    assert "(default" in told


@pytest.mark.parametrize("options", [[], ["--blind"]])
def test_random_games_go_on_in_a_batch(options: list[str], run: Run) -> None:
    told = run("random_rollout", "--board", "tiny", "--games", "64", "--seconds", "0.3", *options)
    found = re.match(r"([\d,]+) games/s, ([\d,]+) steps/s \(([\d,]+) games\)\n", told)
    assert found, told
    assert int(found[3].replace(",", "")) > 0
    assert ("mean scores by seat: " in told) == (not options)


LITTLE = (
    "--board tiny --games 32 --steps 16 --width 32 --iterations 3 --evaluate-every 2 --evaluate-games 16 --out mine"
)


def test_it_learns_and_what_it_has_learnt_plays_in_the_arena(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run("ppo", *LITTLE.split())
    assert re.search(r"^before training, against random play: win_rate 0\.\d+$", told, re.M)
    rows = list(csv.DictReader((tmp_path / "mine.csv").read_text("utf-8").splitlines()))
    assert [row["iteration"] for row in rows] == ["1", "2", "3"]
    assert [row["win_rate"] == "nan" for row in rows] == [True, False, False]
    assert all(0 < float(row["entropy"]) < 5 for row in rows)
    monkeypatch.setenv("FOGLINE_CHECKPOINT", "mine.pt")
    told = run("evaluate_policy", "random")
    assert re.fullmatch(r"learned -?\d+( won)?\nrandom -?\d+( won)?\n", told)
    player = f"{EXAMPLES / 'evaluate_policy.py'}:Learned"
    assert main(["arena", player, "random", "--map", "tiny", "--games", "2", "--cores", "1"]) == 0
    assert "learned" in capsys.readouterr().out


def test_the_same_seed_learns_the_same(run: Run, tmp_path: Path) -> None:
    weights = []
    for _ in range(2):
        run("ppo", *LITTLE.split())
        weights.append(torch.load(tmp_path / "mine.pt", weights_only=True)["weights"])
    assert all(torch.equal(tensor, weights[1][name]) for name, tensor in weights[0].items())


def test_without_a_checkpoint_the_player_says_where_one_comes_from(run: Run) -> None:
    with pytest.raises(FileNotFoundError, match=r"no checkpoint 'ppo.pt': train one with examples/ppo.py"):
        run("evaluate_policy", "random")


@pytest.mark.parametrize("players", [2, 3])
def test_advantages_go_along_each_seat_s_own_decisions(players: int) -> None:
    """Against the plain statement: each seat's decisions of each game in a list, from the last to the first."""
    ppo, gamma, lam = load("ppo"), 0.9, 0.8
    torch.manual_seed(0)
    batch = ppo.TorchBatch(load_board("tiny"), players, 6, seed=1)
    agent, rollout = ppo.Agent(batch.board, players, 16), ppo.Rollout(batch, 60)
    rollout.play(batch, agent)
    assert 6 < int(rollout.dones.sum()) < 60
    last_values = torch.randn(6)
    found, learnable = rollout.advantages(batch.seats, last_values, gamma, lam)
    for lane in range(6):
        told = plain_advantages(rollout, lane, (int(batch.seats[lane]), float(last_values[lane])), gamma, lam)
        assert learnable[:, lane].tolist() == [advantage is not None for advantage in told]
        assert found[:, lane].tolist() == pytest.approx([advantage or 0.0 for advantage in told], abs=1e-5)
    assert 6 < int((~learnable).sum()) + 6 <= 6 * players


def plain_advantages(rollout: Any, lane: int, last: tuple[int, float], gamma: float, lam: float) -> list[float | None]:
    """None where a seat's next decision lies behind the rollout, and so its value is not known."""
    seats, values = rollout.seats[:, lane].tolist(), rollout.values[:, lane].tolist()
    dones, rewards = rollout.dones[:, lane].tolist(), rollout.rewards[:, lane].tolist()
    found: list[float | None] = [None] * len(seats)
    for t in reversed(range(len(seats))):
        end = next((u for u in range(t, len(seats)) if dones[u]), None)
        following = next((u for u in range(t + 1, len(seats)) if seats[u] == seats[t]), None)
        if end is not None and (following is None or end < following):
            found[t] = rewards[end][seats[t]] - values[t]
        elif following is not None:
            found[t] = gamma * values[following] - values[t] + gamma * lam * (found[following] or 0.0)
        elif last[0] == seats[t]:
            found[t] = gamma * last[1] - values[t]
    return found
