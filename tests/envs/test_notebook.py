"""The notebook trains a player, and is kept without what it showed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from fogline.game.game import Game
from tests.conformance import ROOT
from tests.tier import pick

torch = pytest.importorskip("torch")

NOTEBOOK = ROOT / "examples/train.ipynb"


def code_cells() -> list[dict[str, Any]]:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


@pytest.fixture
def beside_the_examples(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In an empty folder, but with their imports; what the notebook changes is put back."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(NOTEBOOK.parent)
    monkeypatch.setenv("FOGLINE_CHECKPOINT", "")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    for name in ("ppo", "evaluate_policy"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def test_it_is_kept_without_outputs() -> None:
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code_cells())


@pytest.mark.usefixtures("beside_the_examples")
def test_it_trains_a_player_that_beats_random_play() -> None:
    updates, games, least = pick((1, 16, 0.2), (24, 256, 0.9))
    found: dict[str, Any] = {}
    for cell in code_cells():
        code = "".join(cell["source"]).replace("UPDATES = 24", f"UPDATES = {updates}")
        exec(code.replace("evaluate_games=256", f"evaluate_games={games}"), found)
    assert torch.isfinite(next(found["agent"].parameters())).all()
    assert list(found["curve"])[-1] == updates
    assert found["curve"][updates] > least
    assert isinstance(found["game"], Game)
    assert found["game"].over
