"""Reports: every figure is that of the games, and a report is the same after its way through JSON."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from fogline.arena.clock import decision_seconds
from fogline.arena.contest import Contest, hold
from fogline.arena.match import Match
from fogline.arena.outcome import totals, victories
from fogline.arena.pool import Alone
from fogline.arena.report import FORMAT, Report, Trial, write_report
from fogline.arena.sprt import Sprt
from fogline.cli import main
from tests.arena.arrange import match_of, write_player


def report_on(match: Match, sprt: Sprt | None = None) -> tuple[Report, np.ndarray]:
    contest = hold(Contest(match, sprt), Alone())
    return write_report(contest, "tiny", decision_seconds(contest)), contest.outcomes


def test_the_figures_are_those_of_the_games() -> None:
    match = match_of("racer", "random", players=3, games=60)
    report, outcomes = report_on(match)
    racer, random = report.standings
    seats = [(game, int(np.argmax(outcomes["entrant"][game] == 0))) for game in range(60)]
    assert racer.share.value == pytest.approx(np.mean([victories(outcomes)[seat] / 12 for seat in seats]))
    assert racer.share.value + 2 * random.share.value == pytest.approx(1)
    for name in ("routes", "tickets", "tokens", "kept", "completed"):
        assert getattr(racer, name) == pytest.approx(np.mean([outcomes[name][seat] for seat in seats]))
    assert racer.points == pytest.approx(np.mean([totals(outcomes)[seat] for seat in seats]))
    assert racer.points == pytest.approx(racer.routes + racer.tickets + racer.tokens)
    assert (racer.seats, random.seats, report.games, report.blocks, report.fair) == (60, 120, 60, 20, 1 / 3)
    assert report.actions == pytest.approx(outcomes["actions"].mean())
    assert report.turns == pytest.approx(outcomes["turns"].mean())
    assert sum(report.ends.values()) == 60
    assert np.mean(racer.share_by_seat) == pytest.approx(racer.share.value)
    assert sum(report.share_by_seat) == pytest.approx(1)
    assert racer.share.low <= racer.share.value <= racer.share.high
    assert racer.elo.low < racer.elo.value < racer.elo.high
    assert (random.elo.low, random.elo.value, random.elo.high) == (0, 0, 0)


@pytest.mark.parametrize("sprt", [None, Sprt(0.5, 0.9)])
def test_a_report_is_the_same_after_its_way_through_json(sprt: Sprt | None) -> None:
    report, _ = report_on(match_of("racer", "random", games=100), sprt)
    assert Report.from_json(report.to_json()) == report
    assert json.loads(report.to_json())["format"] == FORMAT
    assert (report.test is None) == (sprt is None)


def test_other_json_is_refused() -> None:
    with pytest.raises(ValueError, match="not a report of the arena"):
        Report.from_json('{"format": "fogline-record/1"}')


@pytest.mark.parametrize(
    ("names", "players"),
    [
        (("racer", "random"), 2),
        (("racer", "random"), 4),
        (("racer", "random", "planner"), 3),
        (("racer",) * 2 + ("random",), 3),
    ],
)
def test_the_command_of_a_report_plays_the_same_games(
    names: tuple[str, ...], players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, _ = report_on(match_of(*names, players=players, games=12, seed=9))
    again = tmp_path / "again.json"
    assert main([*shlex.split(report.command)[1:], "--cores", "1", "--json", str(again)]) == 0
    assert without_times(Report.from_json(again.read_text("utf-8"))) == without_times(report)


def without_times(report: Report) -> object:
    data = json.loads(report.to_json())
    for standing in data["standings"]:
        assert standing.pop("seconds") > 0
    return data


def test_a_report_names_the_versions_the_seatings_and_the_files(tmp_path: Path) -> None:
    own = write_player(tmp_path)
    report, _ = report_on(match_of(f"{own}:First", "random", games=2))
    assert set(report.versions) == {"fogline", "python", "numpy", "numba"}
    assert report.seatings == [["first", "random"], ["random", "first"]]
    assert list(report.files) == [f"{own}:First"]
    assert len(report.files[f"{own}:First"]) == 64


def test_a_sequential_test_is_reported() -> None:
    report, outcomes = report_on(match_of("planner", "random", games=2000, board="san_francisco"), Sprt(0.5, 0.6))
    assert isinstance(report.test, Trial)
    assert (report.test.accepted, report.test.games) == ("high", len(outcomes))
    assert report.games == len(outcomes) < report.games_planned == 2000
    assert report.command.endswith("--sprt 0.5 0.6")


def test_nothing_can_be_reported_before_the_first_block() -> None:
    with pytest.raises(ValueError, match="nothing to report"):
        write_report(Contest(match_of("racer", "random")), "tiny", [0.0, 0.0])


def test_who_takes_longer_is_measured_so() -> None:
    """By far: chance, against a plan for every decision, or against hundreds of games imagined for each."""
    compiled, _ = report_on(match_of("planner", "random", games=2, board="san_francisco"))
    by_views, _ = report_on(match_of("search@300", "random", games=2))
    for report in (compiled, by_views):
        thinker, random = report.standings
        assert thinker.seconds > random.seconds > 0
