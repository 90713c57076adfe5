"""The benchmark of the engine runs, and its document says what it measured last. How fast anything is, no test says."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fogline import bench
from tests.conformance import ROOT

DOCUMENT, FIGURES = "performance.md", "data/performance.json"
GPU, CHART = "data/performance-gpu.json", "data/performance-growth.svg"
PINNED = ROOT / "benchmarks" / "others" / "requirements.txt"

ROW = {
    "comparison": "pgx",
    "library": "pgx 1.0 with jax 2.0",
    "game": "backgammon",
    "at_once": 1024,
    "cores": 2,
    "steps_per_second": 45678.9,
    "games_per_second": None,
    "step": "one die moved",
}
MEASURED: dict[str, Any] = {
    "date": "2001-02-03",
    "machine": {"processor": "Abacus", "cores": 2, "python": "3.11.0", "numpy": "2.0", "numba": "0.61"},
    "conditions": {"load_before": 0.25, "seconds": 2.0, "repeats": 5, "quick": False},
    "figures": [{"name": "Game.play", "value": 20.0, "unit": "µs", "how": "one action", "shown": "20 µs"}],
    "others": ["pgx", "catanatron"],
    "beside": [ROW, ROW | {"comparison": "catanatron", "cores": 1, "games_per_second": 9.876}],
    "left_out": [{"comparison": "pettingzoo", "ours": True, "what": "pettingzoo: Fogline", "why": "no such module"}],
}

Engine = Callable[..., int]


@pytest.fixture(autouse=True)
def _modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs, not a package: they import what lies beside them."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    monkeypatch.syspath_prepend(ROOT / "benchmarks" / "others")


@pytest.fixture
def engine() -> Engine:
    import engine

    return lambda *arguments: engine.main([str(argument) for argument in arguments])


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "docs" / DOCUMENT, tmp_path)
    (tmp_path / "data").mkdir()
    return tmp_path


def figures_of(docs: Path) -> str:
    return (docs / DOCUMENT).read_text("utf-8").partition("<!-- figures -->")[2].partition("<!-- end of figures -->")[0]


@pytest.mark.thorough
def test_a_small_run_measures_the_engine_and_writes_the_document(
    engine: Engine, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "_play_seconds", lambda: 1e-4)
    monkeypatch.setattr(bench, "_first_game_seconds", lambda cache: 0.5)
    usual = bench.GAMES
    assert engine("--quick", "--others=none", "--seconds=0.01", f"--docs={docs}") == 0
    assert usual == bench.GAMES, "a quick run changes what is measured afterwards"

    measured, text = json.loads((docs / FIGURES).read_text("utf-8")), figures_of(docs)
    assert "A quick run, with small numbers." in text
    for figure in measured["figures"]:
        assert f"| {figure['name']} | {figure['shown']} | {figure['how']} |" in text
    assert "| Game.play | 100 µs |" in text
    assert "| first game, cold cache | 0.50 s |" in text

    assert "Other engines were not measured in this run." in text
    rows, left_out = measured["beside"], measured["left_out"]
    assert {row["comparison"] for row in rows} >= {"pgx", "catanatron"}, "Fogline itself"
    assert {each["comparison"] for each in rows + left_out} == {"pgx", "pettingzoo", "openspiel", "catanatron"}
    assert all(row["game"].startswith("Fogline, ") and row["steps_per_second"] > 0 for row in rows)
    assert all(f"Left out: {each['what']} (`{each['why']}`)." in text for each in left_out)
    assert text.endswith("\n## On a GPU\n\nNo GPU has been measured.\n")
    assert not (docs / CHART).exists()


def test_the_document_says_what_was_measured_beside_fogline(engine: Engine, docs: Path) -> None:
    (docs / FIGURES).write_text(json.dumps(MEASURED), "utf-8")
    assert engine(f"--rewrite={docs}") == 0
    text = figures_of(docs)
    assert "Measured on 2001-02-03: Abacus, 2 cores, Python 3.11.0, NumPy 2.0, Numba 0.61, load 0.2 before" in text
    assert "A quick run" not in text
    assert "the median of 5 runs of 2 s" in text
    assert "| pgx 1.0 with jax 2.0 | backgammon | 1,024 | 2 | 45,700 |  | one die moved |" in text
    assert "| pgx 1.0 with jax 2.0 | backgammon | 1,024 | 1 | 45,700 | 9.88 | one die moved |" in text
    assert "Left out: pettingzoo: Fogline (`no such module`)." in text


def test_the_document_says_what_a_gpu_did(engine: Engine, docs: Path) -> None:
    shutil.copy(ROOT / "tests" / GPU, docs / GPU)
    assert engine(f"--rewrite={docs}") == 0
    text = figures_of(docs)
    assert text.startswith("\nThe engine has not been measured yet.\n\n## On a GPU\n\nMeasured on 2001-02-03: A GPU of")
    assert "| million steps a second | games at once | 2 players | 3 players | 4 players |" in text
    assert "| random play | 4,096 | 1,230 | 1,000 | 1,000 |" in text
    assert "| actions from outside | 512 | 98.8 |  | 5.04 |" in text
    assert "| 2 | 1,000 | 80,000 | 64 MB | nothing |" in text
    assert "| 3 | 1,001 | 120,000 | 1.5 KB | masks, seats |" in text
    assert "20 iterations launch 1,240 kernels; copies between CPU and GPU: 0, of 0 B in all." in text
    assert "| backgammon | 16,384 | 16.0 |" in text
    assert f"]({CHART})" in text


def test_the_chart_of_growth_has_a_point_for_every_batch(engine: Engine, docs: Path) -> None:
    shutil.copy(ROOT / "tests" / GPU, docs / GPU)
    assert engine(f"--rewrite={docs}") == 0
    chart = ElementTree.fromstring((docs / CHART).read_text("utf-8"))
    circles = list(chart.iterfind("{*}circle"))
    time, taken, needed = ["40.0", "50.0", "1,200.0"], ["2.097 MB", "8.389 MB"], ["1.5 KB", "96 KB", "6.144 MB"]
    assert [circle.findtext("{*}title") for circle in circles] == time + taken + needed, "none where nothing was taken"
    across = [float(circle.attrib["cx"]) for circle in circles]
    assert across[2] - across[1] == pytest.approx(across[1] - across[0], abs=0.1), "64 times as many games, twice"
    assert [x - across[0] for x in across[:3]] == pytest.approx([x - across[5] for x in across[5:]])
    assert "prefers-color-scheme: dark" in str(chart.findtext("{*}style"))


def test_the_published_document_is_made_of_the_published_figures(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for name in (DOCUMENT, FIGURES, GPU):
        shutil.copy(ROOT / "docs" / name, tmp_path / name)
    assert engine(f"--rewrite={tmp_path}") == 0
    for name in (DOCUMENT, FIGURES, GPU, CHART):
        assert (tmp_path / name).read_text("utf-8") == (ROOT / "docs" / name).read_text("utf-8"), name


def test_who_cannot_be_measured_is_told_and_fails_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import comparison

    chosen = tuple(each for each in comparison.COMPARISONS if each.key == "catanatron")
    monkeypatch.setattr(comparison, "COMPARISONS", chosen)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "ready").write_text(PINNED.read_text("utf-8"), "utf-8")  # so nothing is installed
    others = comparison.Others(("catanatron",), tmp_path, 0.01, 1)
    others.install(lambda what: None)
    others.measure(lambda what: None)
    assert [row.library.split()[0] for row in others.rows] == ["Fogline"]
    (missing,) = others.left_out
    assert missing["what"] == "catanatron: Catan, 4 players"
    assert missing["why"] == "ModuleNotFoundError: No module named 'catanatron'"
    assert others.failed


def test_an_interface_that_fogline_lacks_does_not_fail_the_run() -> None:
    import comparison

    others = comparison.Others((), Path(), 0.01, 1)
    others.left_out.append(MEASURED["left_out"][0])
    assert not others.failed


def test_a_rate_is_the_median_of_all_runs_but_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    import clock

    seconds = iter(range(1000))
    monkeypatch.setattr("clock.time.perf_counter", lambda: float(next(seconds)))  # each look takes a second
    steps = iter((1000, 2, 60, 4))
    assert clock.rates(lambda: clock.Played(next(steps), 1), 0, 3) == (2.0, 0.5)


def test_a_run_goes_on_until_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    import clock

    seconds = iter(range(1000))
    monkeypatch.setattr("clock.time.perf_counter", lambda: float(next(seconds)))
    assert clock.rates(lambda: clock.Played(12), 4, 1) == (12 * 3 / 4, None), "three between four looks"


def test_every_other_engine_has_a_program_and_a_pinned_version() -> None:
    import comparison

    for each in comparison.COMPARISONS:
        for program in each.programs:
            assert Path(program.arguments(1)[0]).is_file()
    pinned = [line for line in PINNED.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert all("==" in line for line in pinned)
    assert {line.split("==")[0] for line in pinned} >= {"pgx", "open-spiel", "catanatron", "pettingzoo[classic]"}


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.0581, "0.0581"), (9.999, "10.0"), (123.4, "123"), (999.9, "1,000"), (1234567.0, "1,230,000")],
)
def test_a_rate_is_shown_to_three_digits(value: float, shown: str) -> None:
    import document

    assert document.rounded(value) == shown


def test_whom_nobody_knows_is_refused(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        engine("--others=pgx,chess")
    assert "chess: there are pgx, pettingzoo, openspiel, catanatron, or none" in capsys.readouterr().err
