"""`fogline arena` and `fogline ladder`: what they print and write, what they refuse, and Ctrl-C."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path

import pytest

from fogline import Game, __version__, audit, read_records
from fogline.arena.report import Report
from tests.arena.arrange import FIRST, write_player
from tests.conformance import ROOT
from tests.program import Program, Ran

PATIENCE = 180


# The arena.


def test_the_arena_says_who_wins_how_often_and_why(fogline: Program) -> None:
    ran = fogline("arena racer random --map tiny --games 200 --seed 3 --cores 1")
    assert (ran.code, ran.err) == (0, "")
    for words in (
        "200 games of 2 on tiny: 100 blocks of 2 seatings; fair is 50.0%",
        "won (95 %)",
        "Elo (95 %)",
        "a decision",
        "tickets kept",
        "won by seat",
        "actions; ",
        "again: fogline arena racer random --players 2 --games 200 --seed 3 --map tiny",
    ):
        assert words in ran.out


def test_few_blocks_are_said_to_be_few(fogline: Program) -> None:
    assert "fewer than 20 blocks" in fogline("arena racer random --map tiny --games 38 --cores 1").out
    assert "fewer than 20 blocks" not in fogline("arena racer random --map tiny --games 40 --cores 1").out


def test_the_number_of_names_is_the_number_of_players_unless_it_is_given(fogline: Program) -> None:
    assert "of 3 on" in fogline("arena racer random planner --map tiny --games 6 --cores 1").out
    assert "of 4 on tiny: 2 blocks of 4" in fogline("arena racer random -p 4 -m tiny -n 5 --cores 1").out


def test_the_report_goes_to_a_file_or_alone_to_the_screen(fogline: Program, tmp_path: Path) -> None:
    line = "arena racer random --map tiny --games 20 --cores 1 --json"
    printed = Report.from_json(fogline(f"{line} -").out)
    file = tmp_path / "match.json"
    assert "won by seat" in fogline(f"{line} {file}").out
    assert Report.from_json(file.read_text("utf-8")).command == printed.command


@pytest.mark.parametrize("cores", [1, 2])
def test_every_game_can_be_recorded(fogline: Program, tmp_path: Path, cores: int) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(Game("tiny", seed=1).record()) + "\n")
    call = f"arena racer random planner --map tiny --games 12 --seed 5 --cores {cores} --json -"
    recorded, other = fogline(f"{call} --record {path}"), fogline(call)
    assert recorded.code == 0
    found, untold = json.loads(recorded.out), json.loads(other.out)
    assert found["share_by_seat"] == untold["share_by_seat"]
    assert (found["turns"], found["actions"], found["ends"]) == (untold["turns"], untold["actions"], untold["ends"])
    first, *games = read_records(path)
    assert "about" not in first
    assert [int(game["seed"], 16) for game in games] == [5] * 6 + [6] * 6
    assert all(audit(game).from_seed for game in games)
    seated = {tuple(seat["player"] for seat in game["about"]["seats"]) for game in games}
    assert seated == set(permutations(("racer", "random", "planner")))


def test_a_player_of_one_s_own_is_recorded_with_the_digest_of_its_file(fogline: Program, tmp_path: Path) -> None:
    file, path = write_player(tmp_path, FIRST), tmp_path / "games.jsonl"
    assert fogline(f"arena {file}:First random --map tiny --games 2 --cores 1 --record {path}").code == 0
    seats = next(read_records(path))["about"]["seats"]
    digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    assert {seat["player"]: seat["version"] for seat in seats} == {"first": digest, "random": __version__}


def test_a_plot_is_drawn(fogline: Program, tmp_path: Path) -> None:
    assert fogline(f"arena racer random --map tiny --games 20 --cores 1 --plot {tmp_path}/match.svg").code == 0
    assert "<svg" in (tmp_path / "match.svg").read_text("utf-8")


def test_a_sequential_test_says_what_it_accepts(fogline: Program) -> None:
    ran = fogline("arena planner random --games 2000 --cores 1 --sprt 0.5 0.6")
    assert "sequential test: accepted after" in ran.out
    assert "that planner wins 60.0%, not 50.0%" in ran.out
    assert "stopped after" not in ran.out
    assert (
        "undecided between 0.5 and 0.501 after 40 games"
        in fogline("arena racer planner --map tiny --games 40 --cores 1 --sprt 0.5 0.501").out
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("arena racer", "name two to four players, not 1"),
        ("arena racer random planner search racer", "name two to four players, not 5"),
        ("arena racer nobody", "there is no player 'nobody'"),
        ("arena racer racer", "cannot play a match against itself"),
        ("arena racer random planner --players 4", "4 players: name two, or 4, not 3"),
        ("arena racer@1s random", "racer takes no budget"),
        ("arena /no/such.py:Mine random", "there is no file /no/such.py"),
        ("arena racer random --sprt 0.6 0.5", "0 < LOW < HIGH < 1"),
        ("arena racer random --sprt 0.6", "expected 2 arguments"),
        ("arena racer random --games 0", "must be a whole number from 1 on"),
        ("arena racer random --map atlantis", "cannot be read"),
        ("arena racer random --plot match.gif", "ends in .svg or .png"),
        ("arena racer random --json /no/such/folder/match.json", "cannot be written"),
        ("arena racer random --record /no/such/folder/games.jsonl", "cannot be written"),
        ("ladder racer", "a ladder needs two or more players"),
        ("ladder racer random -o /no/such/folder/ladder.md", "/no/such/folder"),
    ],
)
def test_a_wrong_call_gives_code_2_and_one_clear_line(fogline: Program, line: str, words: str) -> None:
    ran = fogline(line)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert "Traceback" not in ran.err


def test_a_player_that_fails_ends_the_match_in_one_clear_line(fogline: Program, tmp_path: Path) -> None:
    file = write_player(tmp_path, FIRST.replace("return view.legal_actions[0]", "return 'pass'"))
    ran = fogline(f"arena {file}:First random --map tiny --games 2 --cores 1")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "first failed in seat 0" in ran.err
    assert "IllegalAction: 2.5" in ran.err


PATIENT = """
from pathlib import Path
from time import sleep

def note(what):
    with (Path(__file__).parent / what).open("a") as file:
        file.write("x")

note("loads")
sleep(0.3)

class First:
    name = "first"

    def __init__(self, seed):
        sleep(0.02)
        note("games")

    def choose(self, view):
        return view.legal_actions[0]
"""


@pytest.mark.parametrize("cores", [pytest.param(1, marks=pytest.mark.thorough), 2])
def test_ctrl_c_reports_what_was_played_so_far(tmp_path: Path, cores: int) -> None:
    ran = interrupted_after("games", 60, tmp_path, cores)
    assert (ran.code, ran.err) == (130, "")
    assert "of 100,000 games" in ran.out.partition("stopped after")[2]
    assert "won by seat" in ran.out


def test_ctrl_c_while_workers_start_is_no_less_quiet(tmp_path: Path) -> None:
    """The file is loaded here first, and then by the workers, one of which is at it when it is interrupted."""
    assert interrupted_after("loads", 2, tmp_path, 2) == Ran(130, "", "stopped\n")


def interrupted_after(what: str, count: int, folder: Path, cores: int) -> Ran:
    """A match that is interrupted after so many loads or games: as in a terminal, all its processes hear of it."""
    file = write_player(folder, PATIENT)
    arguments = ["arena", f"{file}:First", "random", "--map", "tiny", "--games", "100000", "--cores", str(cores)]
    program = "from fogline.cli import main; raise SystemExit(main())"
    heard = ["env", "--default-signal=INT"]  # also where the tests themselves were started to run in the background
    running = subprocess.Popen(
        [*heard, sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_for(folder / what, count)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    return Ran(running.returncode, out, err)


def wait_for(file: Path, characters: int) -> None:
    for _ in range(PATIENCE * 20):
        if file.exists() and len(file.read_text()) >= characters:
            return
        time.sleep(0.05)
    raise AssertionError("nothing was played")


def test_ctrl_c_before_the_first_block_says_no_more_than_that(
    fogline: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fogline.arena.pool.play_piece", interrupted)
    assert fogline("arena racer random --map tiny --games 2 --cores 1") == Ran(130, "", "stopped\n")
    assert fogline("ladder racer random --map tiny --games 2 --cores 1") == Ran(130, "", "stopped\n")


# The ladder.


def test_the_ladder_is_printed_or_written_with_its_plot(fogline: Program, tmp_path: Path) -> None:
    line = "ladder racer random --map tiny --games 12 --seed 4 --cores 1"
    printed = fogline(line)
    assert printed.code == 0
    assert printed.out.startswith("# The ladder")
    assert "```\nfogline ladder racer random --games 12 --slow-games 100 --seed 4 --map tiny\n```" in printed.out
    written = fogline(f"{line} -o {tmp_path}/ladder.md")
    assert written.code == 0
    page = (tmp_path / "ladder.md").read_text("utf-8")
    assert "![Ratings with their intervals](ladder.svg)" in page
    assert "<svg" in (tmp_path / "ladder.svg").read_text("utf-8")
    assert (
        page.partition("## 2 players")[2].partition("Made with")[0]
        == (printed.out.partition("## 2 players")[2].partition("Made with")[0])
    )


def test_who_is_too_slow_for_the_ladder_is_rated_by_a_match_of_its_own(fogline: Program, tmp_path: Path) -> None:
    match, ratings = tmp_path / "match.json", tmp_path / "ratings.json"
    assert fogline(f"arena search@3 racer --map tiny --games 4 --cores 1 --json {match}").code == 0
    line = f"ladder racer random --map tiny --games 12 --cores 1 --match {match} --ratings {ratings}"
    page = fogline(line).out
    assert re.search(r"\| `search@3` \| \d+ \| .* \| `racer` \| 4 \| ", page)
    assert f"--match {match}" in page
    elo = json.loads(ratings.read_text("utf-8"))["elo"]
    ahead = json.loads(match.read_text("utf-8"))["standings"][0]["elo"]["value"]
    assert elo["2"]["search"] == pytest.approx(elo["2"]["racer"] + ahead, abs=1.5)
    assert "search" not in elo["3"]

    told = fogline(f"ladder planner random --map tiny --games 2 --match {match}")
    assert told.code == 2
    assert "search@3 against racer does not tell how a guest stands" in told.err
    match.write_text("{}", "utf-8")
    assert "not a report of the arena" in fogline(line).err


def test_a_ladder_that_is_interrupted_leaves_the_last_one_as_it_was(
    fogline: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "ladder.md").write_text("the last one", encoding="utf-8")
    monkeypatch.setattr("fogline.arena.pool.play_piece", interrupted)
    assert fogline(f"ladder racer random --map tiny --games 2 --cores 1 -o {tmp_path}/ladder.md").code == 130
    assert (tmp_path / "ladder.md").read_text("utf-8") == "the last one"
