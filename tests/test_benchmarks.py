"""The benchmarks run, and the document says what they measured last. How fast anything is, no test says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conformance import ROOT

DOCUMENT, FIGURES, CHART = "performance-server.md", "data/performance-server.json", "data/performance-server.svg"

SMALL = (
    *(
        "--tables=2",
        "--seconds=0.5",
        "--levels=1,2",
        "--level-seconds=2",
        "--bot-seconds=0.5",
        "--evening-tables=3",
        "--duels=1",
        "--evening-seconds=10",
        "--idle=10",
        "--idle-sockets=4",
    ),
    *("--stored=30", "--bots-due=3", "--starts=1", "--after-start=0.5"),
)


ANSWERS = ("p50 of a bot's answer", "p95 of a bot's answer", "longest answer of a bot")


def measure(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = ROOT / "benchmarks" / "server.py"
    return subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=False)


def told(docs: Path) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads((docs / FIGURES).read_text("utf-8"))
    return figures


def check_documents(docs: Path) -> None:
    """The document, the figures and the chart are of the same run, in which nothing went wrong."""
    document, measured = (docs / DOCUMENT).read_text("utf-8"), told(docs)
    assert measured["errors"] == []
    assert measured["date"] in document
    for figure in measured["figures"]:
        assert f"| {figure['name']} | {figure['shown']} |" in document
    for point in measured["curve"]:
        assert f"| {point['tables']:,} | {point['moves_per_second']:,.0f} |" in document
    chart = ElementTree.fromstring((docs / CHART).read_text("utf-8"))
    tips = [circle.findtext("{*}title") for circle in chart.iterfind("{*}circle")]
    assert tips[: len(measured["curve"])] == [f"{point['moves_per_second']:,.1f}" for point in measured["curve"]]
    assert "prefers-color-scheme: dark" in str(chart.findtext("{*}style"))


@pytest.mark.thorough
def test_a_small_run_measures_everything_without_an_error(tmp_path: Path) -> None:
    shutil.copy(ROOT / "docs" / DOCUMENT, tmp_path)
    done = measure(*SMALL, f"--docs={tmp_path}", f"--folder={tmp_path}")
    assert done.returncode == 0, done.stderr
    check_documents(tmp_path)

    measured = told(tmp_path)
    figures = {figure["name"]: figure for figure in measured["figures"]}
    assert figures["errors"]["met"] is True
    assert "2 tables of two at once, " in figures["errors"]["how"]
    assert " 0 whole games" not in figures["errors"]["how"]
    assert "10 loaded" in figures["memory of an idle table"]["how"]
    assert "4 open" in figures["memory of an idle socket"]["how"]
    assert 0 < figures["p50 of a move"]["value"] <= figures["p99 of a move"]["value"]
    for evening in ("evening", "evening with trouble"):
        assert 0 < figures[f"{evening}: p50 of a move"]["value"] <= figures[f"{evening}: p99 of a move"]["value"]
        answers = [figures[f"{evening}: {name}"]["value"] for name in ANSWERS]
        assert 0 < answers[0] <= answers[1] <= answers[2]
    assert "health 200: " in figures["evening: p99 with trouble"]["how"]
    assert "tables 201: " in figures["evening: p99 with trouble"]["how"]
    computed = figures["evening with trouble: p99 of a move"]["how"]
    assert all(f"{name} 0.0 s" not in computed for name in ("server", "workers", "crowd", "troublemaker"))
    assert "troublemaker " in computed
    assert figures["moves, all answering at once"]["value"] > 0
    assert figures["start, 30 stored games"]["value"] > 0
    assert [point["tables"] for point in measured["curve"]] == [1, 2]
    assert measured["versions"]["database"].startswith("SQLite 3")
    assert list(tmp_path.glob("fogline-*")) == [], "databases of the run are left"


@pytest.mark.parametrize(
    ("available", "cores"),
    [
        (0, ((), (), ())),
        (1, ((0,), (0,), (0,))),
        (2, ((0, 1), (0, 1), (0, 1))),
        (3, ((0, 1), (0, 1), (0, 1))),
        (4, ((0, 1), (2,), (3,))),
        (16, ((0, 1), (2,), (3,))),
    ],
)
def test_an_evening_has_two_cores_for_the_server_and_others_for_the_others_where_there_are_any(
    available: int, cores: tuple[tuple[int, ...], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from serving import Cores

    found = Cores.two(range(available))
    assert (found.server, found.crowd, found.troublemaker) == tuple(map(frozenset, cores))
    assert found.apart == (available >= 4)


def test_the_published_document_figures_and_chart_are_of_the_same_run() -> None:
    check_documents(ROOT / "docs")


def test_what_cannot_be_measured_is_refused() -> None:
    done = measure("speed")
    assert done.returncode == 2
    assert "speed: there are play, curve, bots, evening, memory, start" in done.stderr
