"""`python -m research.study`: its page, its notes, its refusals, and the page that lies in docs."""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fogline import Board, __version__
from fogline.arena.bootstrap import Estimate
from research.study.__main__ import main, make_parser
from research.study.change import CHANGES, UNCHANGED
from research.study.chapters.proposals import proposals_chapter
from research.study.chapters.seats import seats_chapter
from research.study.faults import StudyError
from research.study.note import Note, kept_notes, parse_notes, pool_notes, write_notes
from research.study.page import FORMAT, study_page
from research.study.plot import Panel, draw
from research.study.study import FEWEST, Study, count_games, make_study
from research.study.words import listed, marked, percent, table
from research.study.workers import gather_workers
from tests.conformance import ROOT

PICTURES = ("seats", "tickets", "routes", "souvenirs", "placement", "changes")
NOTE = Note(
    map="san_francisco",
    change=UNCHANGED,
    player="search@500",
    games=300,
    seed=1,
    shares=(Estimate(0.53, 0.47, 0.59), Estimate(0.47, 0.41, 0.53)),
    command="python -m research.study --note notes.json",
    date="2026-01-01",
)


def parse(command: str) -> argparse.Namespace:
    """The options of `python -m research.study ...`."""
    return make_parser().parse_args(shlex.split(command)[3:])


@pytest.fixture(scope="module")
def study() -> Study:
    heard: list[int] = []
    with gather_workers(1, heard.append) as workers:
        found = make_study(Board.load(), "planner", FEWEST, 5, workers)
    assert 0 < sum(heard) <= count_games(Board.load(), "planner", FEWEST)
    return found


@pytest.mark.thorough
def test_the_same_command_makes_the_same_page_and_pictures(study: Study, tmp_path: Path) -> None:
    page = tmp_path / "study.md"
    words = ["--games", str(FEWEST), "--seed", "5", "--player", "planner", "--map", "san_francisco"]
    assert main([*words, "--cores", "1", "-o", str(page)]) == 0
    assert page.read_text("utf-8") == study_page(
        study, kept_notes(), ["python", "-m", "research.study", *words, "-o", str(page)], "study"
    )
    assert {path.name for path in tmp_path.iterdir()} == {"study.md", *(f"study-{name}.svg" for name in PICTURES)}
    assert set(re.findall(r"\((study-.*?svg)\)", page.read_text("utf-8"))) == {f"study-{name}.svg" for name in PICTURES}


MINE = """
class Mine:
    def __init__(self, seed):
        self.seed = seed

    def choose(self, view):
        self.seed += 1
        return view.legal_actions[hash(self.seed * 7919) % len(view.legal_actions)]
"""


def test_a_player_that_is_not_compiled_is_studied_in_its_own_games_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE, "utf-8")
    assert main(["--player", "mine.py:Mine", "--games", "2", "--cores", "1", "-o", "slow.md"]) == 0
    text = Path("slow.md").read_text("utf-8")
    assert "What 2 games each of two, three and four players on San Francisco say, with `mine.py:Mine` in all" in text
    assert "## Which tickets pay" in text
    assert "## Could the map be fairer?" not in text
    assert "## Does racing beat tickets?" not in text
    assert {path.name for path in tmp_path.glob("slow*")} == {"slow.md", *(f"slow-{name}.svg" for name in PICTURES[:4])}


def test_the_page_names_every_ticket_route_and_change(study: Study) -> None:
    page = study_page(study, [], ["python", "-m", "research.study"], "study")
    rows = {line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if line.startswith("| ")}
    board = Board.load()
    assert {ticket.id.replace("_", " ") for ticket in board.tickets} <= rows
    assert {route.id.replace("_", " ") for route in board.routes} <= rows
    assert {change.name for change in CHANGES} <= rows
    assert {location.name for location in board.locations if not location.landmark} <= rows


def with_first_of_two(study: Study, share: Estimate) -> Study:
    two = study.self_play[2]
    seats = [share, Estimate(1 - share.value, 1 - share.high, 1 - share.low)]
    return replace(study, self_play=study.self_play | {2: replace(two, seats=seats)})


@pytest.mark.parametrize(
    ("share", "advantage", "earlier"),
    [
        (Estimate(0.6, 0.57, 0.63), "seat 0 wins more than its share, by 10.0", "which agrees with that"),
        (Estimate(0.7, 0.67, 0.73), "seat 0 wins more than its share, by 20.0", "it wins more than that"),
        (Estimate(0.5, 0.49, 0.51), "no advantage of seat 0 was seen", "that is not confirmed"),
        (Estimate(0.4, 0.37, 0.43), "seat 0 wins less than its share, by 10.0", "that is not confirmed"),
    ],
)
def test_the_words_follow_the_figures(study: Study, share: Estimate, advantage: str, earlier: str) -> None:
    text = "\n".join(seats_chapter(with_first_of_two(study, share), [], "study"))
    assert f"- With 2 players {advantage}" in text
    assert earlier in text


def test_a_proposal_is_made_only_where_fresh_deals_confirm_it(study: Study) -> None:
    uneven, even = [Estimate(v, v - 0.01, v + 0.01) for v in (0.6, 0.4)], [Estimate(0.5, 0.49, 0.51)] * 2
    change = next(change for change in CHANGES if change.name == "22 cars")
    good = replace(study.proposals[0], chosen=change, before=uneven, after=even)
    text = "\n".join(proposals_chapter(replace(study, proposals=[good]), [], "study"))
    assert 'id = "san_francisco_2"\ncars = 22\n' in text
    assert "falls from 10.0 to 0.0 points" in text
    bad = replace(good, before=even, after=uneven)
    text = "\n".join(proposals_chapter(replace(study, proposals=[bad]), [], "study"))
    assert "```toml" not in text
    assert "there is no proposal" in text


def test_notes_are_told_with_their_date_and_command(study: Study) -> None:
    after = replace(NOTE, change="22 cars", shares=(NOTE.shares[1], NOTE.shares[0]), command="the other command")
    page = study_page(
        study, [NOTE, after, replace(NOTE, map="tiny", date="never")], ["python", "-m", "research.study"], "study"
    )
    assert "A note of 2026-01-01: in 300 games of 2 with `search@500` in all seats" in page
    assert "53.0 ± 6.0 % (no advantage was seen; 58 % is not excluded)" in page
    assert re.search(r"- \*22 cars\*: no effect was seen, [+-][\d.]+ ± [\d.]+ points of a hundred for seat 0\.", page)
    assert NOTE.command in page
    assert after.command in page
    assert "never" not in page


def test_notes_are_read_as_they_were_written() -> None:
    assert parse_notes(write_notes([NOTE, NOTE])) == [NOTE, NOTE]


def test_a_note_is_added_to_those_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "notes.json"
    file.write_text(write_notes([NOTE]), "utf-8")
    words = ["--games", "4", "--players", "3", "--change", "22 cars", "--cores", "1", "--note", str(file)]
    assert main(words) == 0
    first, added = parse_notes(file.read_text("utf-8"))
    assert first == NOTE
    assert (added.change, added.player, added.games, len(added.shares)) == ("22 cars", "planner", 4, 3)
    assert sum(share.value for share in added.shares) == pytest.approx(1)
    again = vars(parse(added.command))
    assert (again["games"], again["players"], again["change"], again["note"]) == (4, 3, "22 cars", Path("notes.json"))
    assert "4 games of planner, 22 cars: seat 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--player", "nobody"], "there is no player 'nobody'"),
        (["--player", "search"], "search decides by the clock"),
        (["--player", "search@1s"], "search@1s decides by the clock"),
        (["--games", "79"], "a study needs at least 80 games, not 79"),
        (["--map", "nowhere"], "nowhere: 1 fault"),
        (["-o", "nowhere/study.md"], "nowhere/study.md cannot be written: No such file or directory"),
        (["--change", "other", "--note", "notes.json"], "there is no change 'other'"),
        (["--note", "broken.json"], "broken.json holds no notes of a study"),
        (["--note", "nowhere/notes.json"], "nowhere/notes.json cannot be written"),
    ],
)
def test_what_cannot_be_done_is_told_before_any_game(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.json").write_text(json.dumps([{"a": 1}]), "utf-8")
    monkeypatch.setattr("research.study.__main__.gather_workers", None)
    assert main(words) == 2
    assert told in capsys.readouterr().err


def test_without_matplotlib_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["-o", str(tmp_path / "study.md")]) == 2
    assert "pip install 'fogline[plots]'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_picture_is_the_same_again_and_has_colours_for_the_dark() -> None:
    panels = [Panel("some, %", ["a_b", "c"], [Estimate(0.6, 0.55, 0.65), Estimate(0.5, 0.4, 0.6)], 0.5)]
    assert draw(panels) == draw(panels)
    assert "@media (prefers-color-scheme: dark)" in draw(panels)
    assert ">a b</text>" in draw(panels)


def test_figures_are_told_with_their_intervals() -> None:
    share = Estimate(0.531, 0.52, 0.542)
    assert percent(share) == "53.1 ± 1.1"
    assert marked(share, 0.5) == "**53.1 ± 1.1**"
    assert marked(share, 0.53) == "53.1 ± 1.1"
    assert percent(None) == "—"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert table(["x", "y"], [["1", "2"]]) == ["| x | y |", "|---|--:|", "| 1 | 2 |"]


# The page in docs.

PAGE = ROOT / "docs" / "study.md"


def test_the_page_in_docs_is_of_this_code_and_its_command_makes_it() -> None:
    """Playing it again takes minutes; but format, version, command and notes would show that it is out of date."""
    text = PAGE.read_text("utf-8")
    assert f"<!-- {FORMAT} -->" in text
    assert f"with fogline {__version__};" in text
    (command,) = re.findall(r"^```\n(python -m research.study .* -o .*)\n```$", text, re.M)
    arguments = parse(command)
    assert (arguments.page, arguments.player, arguments.map) == (Path("docs/study.md"), "planner", "san_francisco")
    assert f"What {arguments.games:,} games each" in text
    for name in PICTURES:
        assert f"(data/study-{name}.svg)" in text
        assert "prefers-color-scheme" in (PAGE.parent / f"data/study-{name}.svg").read_text("utf-8")


def test_there_is_a_page_of_the_network_too() -> None:
    text = (PAGE.parent / "study-neural.md").read_text("utf-8")
    assert f"<!-- {FORMAT} -->" in text
    (command,) = re.findall(r"^```\n(python -m research.study .* -o .*)\n```$", text, re.M)
    assert parse(command).player == "neural"
    pictures = set(re.findall(r"\((data/study-neural-.*?svg)\)", text))
    assert len(pictures) == 4
    assert all((PAGE.parent / name).exists() for name in pictures)


def test_the_page_in_docs_tells_every_note() -> None:
    text = PAGE.read_text("utf-8")
    assert kept_notes()
    for note in pool_notes(kept_notes()):
        assert note.command in text
        assert percent(note.shares[0]) in text


def test_notes_of_the_same_on_other_deals_are_one() -> None:
    other = replace(
        NOTE,
        games=100,
        seed=1000,
        date="2026-01-02",
        shares=(Estimate(0.61, 0.51, 0.7), Estimate(0.39, 0.3, 0.49)),
        command="b",
    )
    (both,) = pool_notes([NOTE, other])
    assert (both.games, both.command, both.date) == (400, f"{NOTE.command}\nb", "2026-01-01 to 2026-01-02")
    first = both.shares[0]
    assert first.value == pytest.approx(0.75 * 0.53 + 0.25 * 0.61)
    assert first.high - first.low == pytest.approx(math.hypot(0.75 * 0.12, 0.25 * 0.19)), "errors add up by squares"
    assert len(pool_notes([NOTE, replace(NOTE, player="neural"), replace(NOTE, change="24 cars")])) == 3
    with pytest.raises(StudyError, match=r"two notes of search@500, unchanged, have the deal 300 in common"):
        pool_notes([replace(NOTE, seed=300), NOTE])


def test_the_page_in_docs_tries_every_change() -> None:
    rows = [line.split(" | ")[0] for line in PAGE.read_text("utf-8").splitlines()]
    assert {f"| {change.name}" for change in CHANGES} <= set(rows)
