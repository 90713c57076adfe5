"""The program `fogline`: every command does what its help says, and bad input gets a clear line, never a traceback."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fogline import bench
from fogline.commands.listed import LISTED
from fogline.game.record import audit
from fogline.game.recordfile import read_records
from fogline.players.player import PLAYERS
from tests.boards import DATA, load_board
from tests.program import Program, Ran

DEAD_END = str(DATA / "dead_end.toml")
FULL = Path("/dev/full")


@pytest.fixture
def games(fogline: Program, tmp_path: Path) -> Path:
    """The records of three games of two."""
    path = tmp_path / "games.jsonl"
    fogline("simulate", "--games", "3", "--seed", "5", "--map", "tiny", "--record", path)
    return path


# Help.


@pytest.mark.parametrize("name", [command.name for command in LISTED])
def test_the_help_of_every_command_has_an_example_of_it(fogline: Program, name: str) -> None:
    ran = fogline(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert f"fogline {name}" in ran.out.partition("examples:\n")[2]


def test_there_is_a_command_for_everything_that_the_readme_promises() -> None:
    names = {command.name for command in LISTED}
    played = {"play", "serve", "simulate", "arena", "ladder"}
    assert names == played | {"record", "replay", "audit", "map check", "map draw", "bench"}


def test_help_and_version(fogline: Program) -> None:
    ran = fogline("--help")
    assert ran.code == 0
    assert all(command.name.split()[0] in ran.out for command in LISTED)
    assert fogline("--version").out.startswith("fogline 0.")
    assert "check a map file" in fogline("map", "--help").out


def test_without_a_word_it_says_what_there_is(fogline: Program) -> None:
    ran = fogline("")
    assert (ran.code, ran.err) == (0, "")
    assert "play in the browser, or in the terminal" in ran.out


# Bad input.


@pytest.mark.parametrize(
    "line",
    [
        "steal",
        "map",
        "map steal",
        "simulate --games 0",
        "simulate --games many",
        "simulate --players 5",
        "simulate --players 1",
        "simulate --seed -1",
        "simulate --seed 0x10000000000000000",
        "simulate --cores 0",
        "simulate --map atlantis",
        "simulate -n 1 --map tiny --record /no/such/folder/games.jsonl",
        "record",
        "record - --seats racer",
        "record - --seats racer,random,racer,random,racer",
        "record - --seats racer,nobody",
        "record /no/such/folder/game.json --map tiny",
        "record /no/such/folder/games.jsonl --map tiny --games 2",
        "record game.json --games 0",
        "replay /no/such/file",
        "replay / --at 3",
        "replay /dev/null",
        "play --opponents racer",
        "play --terminal --opponents nobody",
        "play --terminal --opponents racer,racer,racer,racer",
        "play --terminal --seat 2",
        "play --seat 7",
        "play --map atlantis",
        "play --terminal --map tiny --record /no/such/folder/game.json",
        "map draw atlantis",
        "map draw tiny -o /no/such/folder/board.svg",
        "bench --fast",
    ],
)
def test_a_wrong_call_gives_code_2_and_says_what_is_wrong(
    fogline: Program, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    ran = fogline(line)
    assert ran.code == 2
    assert ran.err.strip()
    assert "Traceback" not in ran.err
    assert ran.out == ""
    assert len([text for text in ran.err.splitlines() if "fogline" in text and "usage:" not in text]) == 1


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("simulate --games 0", "must be a whole number from 1 on, not '0'"),
        ("simulate --seed x", "must be a whole number from 0 to 2**64 - 1, not 'x'"),
        ("simulate --map atlantis", "cannot be read: No such file or directory; the built-in maps are"),
        (
            "record - --seats racer,nobody",
            f"--seats takes two to four of {', '.join(PLAYERS)}, not 'racer,nobody'",
        ),
        ("record /no/such/game.json --map tiny", "/no/such/game.json cannot be written: No such file or directory"),
        ("play --seed 7", "--seed is for the game in the terminal"),
        ("play --terminal --opponents nobody", "'nobody'"),
        ("play --terminal --seat 2", "the seats go from 0 to 1"),
        ("replay /no/such/file", "/no/such/file cannot be read: No such file or directory"),
        ("replay /dev/null", "is not JSON"),
    ],
)
def test_the_line_names_what_is_wrong(fogline: Program, line: str, words: str) -> None:
    assert words in fogline(line).err


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "line",
    [
        f"record {FULL} --map tiny",
        f"simulate -n 1 --map tiny --record {FULL}",
        f"map draw tiny -o {FULL}",
        f"play --terminal --map tiny --seat 0 --seed 7 --record {FULL}",
    ],
)
def test_a_full_disk_is_told_in_one_line(fogline: Program, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    ran = fogline(line)
    assert ran.code == 2
    assert "cannot be written: No space left on device" in ran.err


def test_ctrl_c_stops_without_a_traceback(fogline: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fogline.commands.maps.draw", interrupted)
    assert fogline("map", "draw", "tiny") == Ran(130, "", "stopped\n")


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    """As in `fogline simulate --record - | head -1`."""
    program = f"from fogline.cli import main; raise SystemExit(main({['map', 'draw', 'san_francisco', '-o', '-']}))"
    command = f'"{sys.executable}" -c "{program}" | head -c 10'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("<")
    assert done.stderr == ""


@pytest.mark.parametrize("line", ["replay {}", "map draw tiny -o -"])
def test_a_terminal_that_knows_only_ascii_is_served_too(games: Path, line: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from fogline.cli import main; raise SystemExit(main())", *line.format(games).split()],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()


# simulate


def test_simulate_sums_up_games(fogline: Program) -> None:
    ran = fogline("simulate", "--games", "1,000", "--players", "3", "--map", "tiny", "--seed", "0x7")
    assert ran.code == 0
    for words in ("1,000 random games of 3 on Tiny", "actions a game", "points a seat", "seat 2", "games/s"):
        assert words in ran.out
    assert "seat 3" not in ran.out


def test_simulate_gives_the_same_table_for_the_same_seed_on_any_number_of_cores(fogline: Program) -> None:
    def table(*more: str) -> list[str]:
        return fogline("simulate", "-n", "5000", "-m", "tiny", *more).out.splitlines()[
            :-1
        ]  # the last line tells the time

    assert table() == table("--cores", "1") == table("--cores", "3", "--seed", "0")
    assert table() != table("--seed", "1000000")


def test_simulate_writes_records_that_pass_an_audit(fogline: Program, games: Path) -> None:
    found = list(read_records(games))
    assert [record["seed"][-2:] for record in found] == ["05", "06", "07"]
    assert all(audit(record).from_seed for record in found)
    ran = fogline("audit", games)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "3 good, 0 bad")


# record


def test_record_lets_programs_play_and_the_same_seed_plays_the_same_game(fogline: Program, tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    seats = ("--seats", "racer, random,racer", "--seed", "7")
    ran = fogline("record", first, *seats)
    fogline("record", second, *seats)
    assert ran.code == 0
    assert "events, won by seat" in ran.out.replace("\n", " ")
    assert first.read_text() == second.read_text()
    (record,) = read_records(first)
    assert (record["players"], record["seed"]) == (3, "0x0000000000000007")
    assert audit(record).from_seed


def test_record_writes_to_the_screen_and_nothing_else(fogline: Program) -> None:
    ran = fogline("record", "-", "--map", "tiny", "--seed", "7")
    assert (ran.code, ran.err) == (0, "")
    assert audit(json.loads(ran.out)).finished


def test_record_draws_a_seed_by_lot_where_none_is_given(fogline: Program) -> None:
    seeds = {json.loads(fogline("record", "-", "--map", "tiny").out)["seed"] for _ in range(3)}
    assert len(seeds) == 3


def test_record_says_who_played(fogline: Program, tmp_path: Path) -> None:
    fogline("record", tmp_path / "game.json", "--map", "tiny")
    (record,) = read_records(tmp_path / "game.json")
    assert [seat["player"] for seat in record["about"]["seats"]] == ["racer", "random"]
    assert record["about"]["program"].startswith("fogline ")
    assert len(record["digest"]) == 64


def test_record_adds_as_many_games_as_are_asked_for(fogline: Program, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for games in ("1", "3"):
        assert fogline("record", path, "--map", "tiny", "--seed", str(2**64 - 2), "--games", games).code == 0
    found = list(read_records(path))
    assert [record["seed"][-2:] for record in found] == ["fe", "fe", "ff", "00"]
    assert found[0] == found[1]
    assert all(audit(record).from_seed for record in found)
    ran = fogline("record", "-", "--map", "tiny", "--games", "2")
    assert (len(ran.out.splitlines()), ran.err) == (2, "")


# replay


def test_replay_tells_every_event_and_the_position_at_the_end(fogline: Program, games: Path) -> None:
    record = next(read_records(games))
    ran = fogline("replay", games)
    story, _, position = ran.out.partition("\n\n")
    assert ran.code == 0
    assert [int(line.split()[0]) for line in story.splitlines()] == list(range(len(record["events"])))
    assert position.startswith("Tiny, 2 players, over")
    assert f"won by {' and '.join(f'seat {seat}' for seat in record['winners'])}" in position


def test_replay_chooses_a_game_of_the_file(fogline: Program, games: Path) -> None:
    told = [fogline("replay", games, "--game", str(number)).out for number in (1, 2, 3)]
    assert len(set(told)) == 3
    ran = fogline("replay", games, "--game", "4")
    assert (ran.code, ran.err) == (2, f"fogline: {games} has no game 4\n")


def test_replay_stops_before_any_event(fogline: Program, games: Path) -> None:
    """At a decision it shows the position there; in the middle of what follows from one, the position before it."""
    events = next(read_records(games))["events"]
    whole = fogline("replay", games).out.splitlines()
    first = next(number for number, event in enumerate(events) if event["e"] == "keep")
    for number in range(first, len(events) + 1):
        ran = fogline("replay", games, "--at", str(number))
        assert ran.code == 0, (number, ran.err)
        told = ran.out.partition("\n\n")[0].splitlines()
        assert told == whole[: len(told)]
        assert len(told) <= number


def test_replay_for_a_seat_keeps_the_secrets_of_the_others(fogline: Program, games: Path) -> None:
    events = next(read_records(games))["events"]
    mine, everything = fogline("replay", games, "--seat", "1").out, fogline("replay", games).out
    offer = next(number for number, event in enumerate(events) if event["e"] == "keep" and event["seat"] == 0)
    assert mine.splitlines()[offer] != everything.splitlines()[offer]
    deal = next(number for number, event in enumerate(events) if event["e"] == "deal" and event["seat"] == 1)
    assert mine.splitlines()[deal] == everything.splitlines()[deal]
    assert "cars" not in mine


def test_replay_for_a_seat_that_nobody_has_is_a_wrong_call(fogline: Program, games: Path) -> None:
    ran = fogline("replay", games, "--seat", "3")
    assert ran.code == 2
    assert "seat 3" in ran.err


def test_replay_says_where_a_record_is_wrong(fogline: Program, games: Path) -> None:
    record = next(read_records(games))
    del record["events"][1]
    games.write_text(json.dumps(record), encoding="utf-8")
    ran = fogline("replay", games)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith(f"fogline: {games}: event 1: 2.4 ")
    assert ran.err.count("\n") == 1


# audit


def test_audit_tells_of_every_game_what_it_found(fogline: Program, games: Path) -> None:
    good, bad, reseeded = read_records(games)
    bad["winners"] = []
    reseeded["seed"] = "0x0"
    games.write_text("".join(json.dumps(record) + "\n" for record in (good, bad, reseeded)), encoding="utf-8")
    ran = fogline("audit", games)
    first, second, last = ran.out.splitlines()
    assert ran.code == 1
    assert first.startswith(f"game 1: {len(good['events'])} events, won by seat")
    assert first.endswith("breaks no rule; chance comes from its seed")
    assert second.startswith("game 3: ")
    assert "does not come from its seed" in second
    assert last == "2 good, 1 bad; the chance of 1 does not come from the seed"
    assert ran.err.startswith("game 2: 9.3 the winners are")


def test_audit_goes_on_after_a_line_that_is_not_json(fogline: Program, games: Path) -> None:
    first, second, third = games.read_text("utf-8").splitlines()
    games.write_text(f"{first}\n{second[:-9]}\n{third}\n", encoding="utf-8")
    ran = fogline("audit", games)
    assert ran.code == 1
    assert ran.err.startswith("game 2: line 2 is not JSON")
    assert ran.out.splitlines()[-1] == "2 good, 1 bad"


def test_audit_tells_of_a_game_that_has_not_ended(fogline: Program, games: Path) -> None:
    record = next(read_records(games))
    place = next(number for number, event in enumerate(record["events"]) if event["e"] == "place")
    games.write_text(json.dumps({**record, "events": record["events"][:place]}), encoding="utf-8")
    assert fogline("audit", games).code == 1  # it still has its scores
    del record["scores"], record["winners"]
    games.write_text(json.dumps({**record, "events": record["events"][:place]}), encoding="utf-8")
    ran = fogline("audit", games)
    assert (ran.code, ran.err) == (0, "")
    assert "not finished" in ran.out


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"{"])
def test_audit_of_a_file_without_a_good_record_fails(fogline: Program, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    ran = fogline("audit", path)
    assert ran.code == 1
    assert ran.err.startswith("game 1: ")
    assert ran.err.count("\n") == 1
    assert ran.out == "0 good, 1 bad\n"


def test_audit_of_a_file_that_is_no_text_is_a_wrong_call(fogline: Program, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\xff")
    assert fogline("audit", path) == Ran(2, "", f"fogline: {path} is not a text file\n")


def test_a_map_of_ones_own_is_given_to_record_audit_and_replay(fogline: Program, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    assert fogline("record", path, "--map", DEAD_END, "--seed", "1").code == 0
    ran = fogline("audit", path)
    assert ran.code == 1
    assert "the map 'dead_end' does not come with the program: give its file" in ran.err
    assert fogline("audit", path, "--map", DEAD_END).code == 0
    assert fogline("replay", path, "--map", DEAD_END).code == 0
    assert "the record is of the map dead_end, not tiny" in fogline("replay", path, "--map", "tiny").err


# map


def test_map_check_counts_what_a_good_map_has(fogline: Program) -> None:
    ran = fogline("map", "check", "san_francisco")
    assert (ran.code, ran.err) == (0, "")
    for words in ("San Francisco is a good map", "20 locations", "5 of them landmarks", "55 routes (13 double, 3 with"):
        assert words in ran.out
    assert fogline("map", "check", DEAD_END).code == 0


def test_map_check_lists_every_fault_of_a_bad_map(fogline: Program, tmp_path: Path) -> None:
    text = Path(DEAD_END).read_text("utf-8")
    path = tmp_path / "my_city.toml"
    path.write_text(
        text.replace("cars = 12", "cars = 99").replace('["red", "grey"]', '["rde", "grey"]'), encoding="utf-8"
    )
    ran = fogline("map", "check", path)
    assert (ran.code, ran.out) == (1, "")
    assert sorted(ran.err.splitlines()) == [
        "  - cars: 99 is not within 3 to 60",
        "  - route 1 (gate-square): unknown colour 'rde'; did you mean 'red'?",
        f"{path}: 2 faults",
    ]


def test_map_draw_draws_a_picture_by_day_and_by_night(fogline: Program, tmp_path: Path) -> None:
    day, night = tmp_path / "day.svg", tmp_path / "night.svg"
    ran = fogline("map", "draw", "san_francisco", "-o", day)
    assert ran.code == 0
    assert ran.out.replace("\n", "") == f"drawn: {day}"
    assert fogline("map", "draw", "san_francisco", "-o", night, "--dark").code == 0
    for path in (day, night):
        text = path.read_text("utf-8")
        assert ET.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert all(location.name.split()[0] in text for location in load_board("san_francisco").locations)
    assert day.read_text("utf-8") != night.read_text("utf-8")


def test_map_draw_draws_to_the_screen_and_to_board_svg(
    fogline: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fogline("map", "draw", "tiny").out == "drawn: board.svg\n"
    assert fogline("map", "draw", "tiny", "-o", "-").out == Path("board.svg").read_text("utf-8")


def test_map_draw_of_a_bad_map_lists_its_faults(fogline: Program, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("schema = 1", encoding="utf-8")
    ran = fogline("map", "draw", path, "-o", tmp_path / "bad.svg")
    assert ran.code == 2
    assert "the map: routes is missing" in ran.err
    assert not (tmp_path / "bad.svg").exists()


# bench


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same figures from few games; a cold start, which compiles everything anew, is left out."""
    monkeypatch.setattr(bench, "GAMES", 1000)
    monkeypatch.setattr(bench, "PLANNER_GAMES", 20)
    monkeypatch.setattr(bench, "ITERATIONS", 64)
    monkeypatch.setattr(bench, "REPEATS", 1)
    monkeypatch.setattr(bench, "_play_seconds", lambda: 1e-4)
    monkeypatch.setattr(bench, "_first_game_seconds", lambda cache: 0.5)


@pytest.mark.usefixtures("quick")
@pytest.mark.thorough
def test_bench_writes_json(fogline: Program) -> None:
    ran = fogline("bench", "--json")
    found = json.loads(ran.out)
    assert ran.code == 0
    assert set(found["machine"]) == {"processor", "cores", "python", "numpy", "numba"}
    assert all(set(figure) == {"name", "value", "unit", "how"} for figure in found["figures"])
    assert all(figure["value"] > 0 for figure in found["figures"])
    names = {figure["name"] for figure in found["figures"]}
    assert {"2 players, one core", "4 players, one core", "Game.play", "first game, cold cache"} <= names


@pytest.mark.thorough
@pytest.mark.usefixtures("quick")
def test_bench_prints_a_table(fogline: Program) -> None:
    ran = fogline("bench")
    assert ran.code == 0
    for words in ("3 players, one core", "M steps/s", "first game, warm cache"):
        assert words in ran.out


# play


def test_play_plays_a_whole_game_and_writes_its_record(
    fogline: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 500))
    ran = fogline(
        *("play", "--terminal", "--map", "tiny", "--opponents", "random, racer", "--seat", "1"),
        *("--seed", "7", "--record", path),
    )
    assert (ran.code, ran.err) == (0, "")
    assert "Welcome to Tiny!" in ran.out
    (record,) = read_records(path)
    assert record["players"] == 3
    assert record["seed"] == "0x0000000000000007"
    assert audit(record).finished


def test_play_may_be_left_at_any_time_and_the_record_is_kept(
    fogline: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    monkeypatch.setattr(sys, "stdin", io.StringIO("keep both\nquit\ny\n"))
    ran = fogline("play", "--terminal", "--seat", "0", "--seed", "7", "--record", path)
    assert (ran.code, ran.err) == (0, "")
    (record,) = read_records(path)
    assert not audit(record).finished
    assert [event["tickets"] for event in record["events"] if event["e"] == "keep" and event["seat"] == 0]


def test_brackets_in_the_name_of_a_map_file_are_shown_as_they_are(fogline: Program, tmp_path: Path) -> None:
    said = fogline("map check", tmp_path / "[red]x[/red].toml").err
    assert "[red]x[/red].toml: 1 fault" in said
