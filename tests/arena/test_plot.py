"""Plots: clean files by their ending, the same for the same result, and a clear word where something is missing."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fogline.arena.bootstrap import Estimate
from fogline.arena.faults import ArenaError
from fogline.arena.ladder import Rung, make_ladder
from fogline.arena.plot import check_plot, plot_ladder, plot_report
from fogline.arena.report import Report
from tests.arena.arrange import match_of
from tests.arena.test_report import report_on


@pytest.fixture(scope="module")
def report() -> Report:
    return report_on(match_of("racer", "random", games=100))[0]


def test_a_plot_is_an_svg_with_the_names_in_it(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "match.svg"
    plot_report(report, path)
    texts = ["".join(element.itertext()).strip() for element in ET.parse(path).iter() if element.tag.endswith("text")]
    assert texts.count("racer") == 2
    assert "games won, % (fair: 50)" in texts
    assert "Elo against random" in texts
    assert "100 games of 2 on tiny, seed 5" in texts


def test_a_plot_is_a_png_where_the_file_says_so(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "match.PNG"
    plot_report(report, path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_the_same_result_is_the_same_file(report: Report, tmp_path: Path) -> None:
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    plot_report(report, first)
    plot_report(report, second)
    assert first.read_bytes() == second.read_bytes()


def test_a_ladder_has_a_panel_for_each_number_of_players(tmp_path: Path) -> None:
    match = match_of("racer", "random")
    ladder = make_ladder(match.entrants, match.board, games=2, slow_games=2, seed=0)
    ladder.rungs.extend(Rung(n, [Estimate(90, 80, 95), Estimate(0, 0, 0)], {}, {}) for n in (2, 3, 4))
    plot_ladder(ladder, tmp_path / "ladder.svg")
    text = (tmp_path / "ladder.svg").read_text("utf-8")
    assert all(f"Elo, {players} players" in text for players in (2, 3, 4))


@pytest.mark.parametrize(
    ("name", "words"),
    [("match.pdf", "ends in .svg or .png"), ("match", "ends in .svg or .png"), ("no/match.svg", "there is no folder")],
)
def test_a_plot_that_cannot_be_written_is_refused_before_the_games(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(ArenaError, match=words):
        check_plot(tmp_path / name)


def test_without_matplotlib_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ArenaError, match=r"pip install 'fogline\[plots\]'"):
        check_plot(tmp_path / "match.svg")
