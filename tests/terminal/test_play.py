"""Whole games at the terminal."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

import fogline.terminal
from fogline.game.record import audit
from fogline.game.recordfile import read_records
from fogline.maps.board import Board
from fogline.terminal.play import play

from .driver import ODD_NAMES, anything, odd_board, paper, printed, types

OPPONENTS = (["racer"], ["random", "racer"], ["racer", "random", "racer"])


@pytest.mark.parametrize("board", ["tiny", "san_francisco"])
@pytest.mark.parametrize(("opponents", "width"), [(OPPONENTS[0], 80), (OPPONENTS[1], 120), (OPPONENTS[2], 80)])
def test_whole_games_end_and_no_line_is_too_long(board: str, opponents: list[str], width: int) -> None:
    console = paper(width)
    game = play(Board.load(board), opponents=opponents, seed=len(opponents), console=console, read=anything(width))
    text = printed(console)
    assert game.over
    assert max(len(line) for line in text.splitlines()) <= width
    assert "\x1b" not in text
    assert "The end" in text
    assert "routes" in text.split("The end")[1]


@pytest.mark.parametrize("width", [40, 60, 100, 200])
def test_other_widths_hold_too(width: int) -> None:
    console = paper(width)
    play(Board.load("tiny"), opponents=["racer"], seed=3, console=console, read=anything(5))
    assert max(len(line) for line in printed(console).splitlines()) <= width


@pytest.mark.parametrize("width", [60, 80, 120])
def test_names_that_are_hard_to_print(width: int) -> None:
    console = paper(width)
    play(odd_board(), opponents=["racer", "random"], seed=3, console=console, read=anything(6))
    text = printed(console)
    assert max(cell_len(line) for line in text.splitlines()) <= width
    assert ODD_NAMES[0] in text


def test_the_score_table_says_what_the_game_says() -> None:
    console = paper(120)
    game = play(Board.load("tiny"), opponents=["racer"], seed=3, seat=0, console=console, read=anything(5))
    end = printed(console).split("The end")[1]
    for name, score in zip(("You", "Racer"), game.scores(), strict=True):
        numbers = rf"{name}\s+{score.routes}\s+{score.tickets}\s+{score.tokens}\s+{score.total}\b"
        assert re.search(numbers, end), end
    assert end.count("completed") >= sum(len(score.completed) for score in game.scores())
    assert end.count("failed") == sum(len(score.failed) for score in game.scores())


def test_the_same_seed_and_the_same_words_give_the_same_game() -> None:
    games = [
        play(Board.load("tiny"), opponents=OPPONENTS[2], seed=9, console=paper(), read=anything(1)) for _ in range(2)
    ]
    assert games[0].events == games[1].events


def test_the_seed_shuffles_the_seats_unless_one_is_given() -> None:
    def first_words(seed: int, seat: int | None) -> str:
        console = paper()
        play(Board.load("tiny"), opponents=["racer", "random"], seed=seed, seat=seat, console=console, read=types([]))
        return "".join(re.findall(r"^(\S \w+):", printed(console), re.MULTILINE))

    assert len({first_words(seed, None) for seed in range(20)}) == 6
    assert {first_words(seed, 1) for seed in range(5)} == {"▲ Racer● You■ Random"}


@pytest.mark.parametrize(
    ("opponents", "seat", "word"),
    [([], None, "1 to 3"), (["racer"] * 4, None, "1 to 3"), (["nobody"], None, "nobody"), (["racer"], 2, "seat 2")],
)
def test_what_makes_no_game_is_refused(opponents: list[str], seat: int | None, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        play(Board.load("tiny"), opponents=opponents, seed=1, seat=seat, console=paper())


# Leaving.


def _interrupted(prompt: str) -> str:
    raise KeyboardInterrupt


@pytest.mark.parametrize("read", [types([]), types(["quit", "y"]), types(["1", "q", "n", "quit", "YES"]), _interrupted])
def test_one_can_leave_at_any_time(read: Callable[[str], str], tmp_path: Path) -> None:
    console, record = paper(), tmp_path / "game.jsonl"
    game = play(Board.load("tiny"), opponents=["racer"], seed=1, seat=0, console=console, read=read, record=record)
    assert not game.over
    assert "Goodbye" in printed(console)
    assert not audit(next(iter(read_records(record)))).finished


def test_every_game_adds_a_line_to_its_record_file(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    for seed in (1, 2):
        console = paper()
        play(Board.load("tiny"), opponents=["racer"], seed=seed, console=console, read=anything(2), record=record)
        assert record.name in printed(console).replace("\n", "")
    assert [audit(found).finished for found in read_records(record)] == [True, True]


def test_a_record_that_cannot_be_written_is_said_before_the_game(tmp_path: Path) -> None:
    console = paper()
    with pytest.raises(OSError, match="nowhere"):
        play(Board.load("tiny"), opponents=["racer"], seed=1, console=console, record=tmp_path / "nowhere" / "game")
    assert printed(console) == ""


# Consoles.


def test_an_ascii_console_gets_ascii() -> None:
    raw = io.BytesIO()
    console = Console(file=io.TextIOWrapper(raw, encoding="ascii", write_through=True), width=80)
    play(Board.load("tiny"), opponents=["racer"], seed=4, console=console, read=anything(3))
    text = raw.getvalue().decode("ascii")
    assert "\x1b" not in text
    assert "?" not in text.replace("?  ", "").replace("or ?", "").split("The end")[1]


def test_a_terminal_without_colour_gets_no_escape_codes() -> None:
    console = paper(80, force_terminal=True, no_color=True, _environ={"TERM": "dumb"})
    play(Board.load("tiny"), opponents=["racer"], seed=4, console=console, read=anything(3))
    assert "\x1b" not in printed(console)


def test_lines_from_a_file_are_shown() -> None:
    code = (
        "from rich.console import Console; from fogline import Board; from fogline.terminal.play import play;"
        "play(Board.load('tiny'), opponents=['racer'], seed=1, seat=0, console=Console(width=80))"
    )
    run = subprocess.run([sys.executable, "-c", code], input="1\n", capture_output=True, text=True, check=True)
    assert "> 1\n" in run.stdout
    assert "Goodbye" in run.stdout
    assert run.stderr == ""


# Secrets.


def test_no_ticket_of_another_seat_is_named_before_the_end() -> None:
    console = paper(200)
    game = play(Board.load("san_francisco"), opponents=OPPONENTS[2], seed=8, seat=1, console=console, read=anything(11))
    text = printed(console).split("The end")[0]
    board = game.board
    joined = {(route.first, route.second) for route in board.routes}
    mine = {
        ticket for event in game.events if event["e"] == "offer" and event["seat"] == 1 for ticket in event["tickets"]
    }
    for ticket in board.tickets:
        name = f"{board.location(ticket.first).name}–{board.location(ticket.second).name}"
        if ticket.id not in mine and (ticket.first, ticket.second) not in joined:
            assert name not in text
    blind = re.findall(r"(\w+(?: \d)?) drew (\w+) from the deck", text)
    assert {name for name, card in blind if card != "a"} <= {"You"}
    assert any(card == "a" for _, card in blind) or "drew 2 cards from the deck" in text


def test_only_the_table_holds_the_game_and_nobody_looks_into_its_position() -> None:
    """Everything else is a function of a view; `scores` may be read once the game is over."""
    folder = Path(fogline.terminal.__file__).parent
    for file in folder.glob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names}
        assert not attributes & {"position", "hand_of", "tickets_of"}, file
        if file.name != "play.py":
            assert not imported & {"Game", "Position"}, file
            assert "scores" not in attributes, file
