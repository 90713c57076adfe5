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

DOCUMENT, FIGURES, CHART = (f"performance-server.{kind}" for kind in ("md", "json", "svg"))

SMALL = (
    *("--tables=2", "--seconds=0.5", "--levels=1,2", "--level-seconds=0.5", "--idle=10", "--idle-sockets=4"),
    *("--stored=30", "--bots-due=3", "--starts=1", "--after-start=0.5"),
)


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
    assert figures["moves, all answering at once"]["value"] > 0
    assert figures["start, 30 stored games"]["value"] > 0
    assert [point["tables"] for point in measured["curve"]] == [1, 2]
    assert measured["versions"]["database"].startswith("SQLite 3")
    assert list(tmp_path.glob("fogline-*")) == [], "databases of the run are left"


def test_the_published_document_figures_and_chart_are_of_the_same_run() -> None:
    check_documents(ROOT / "docs")


def test_what_cannot_be_measured_is_refused() -> None:
    done = measure("speed")
    assert done.returncode == 2
    assert "speed: there are play, curve, memory, start" in done.stderr
