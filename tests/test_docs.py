"""What the documents say is so."""

import ast
import hashlib
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fogline import Board, Game
from fogline.batch.simulate import simulate
from fogline.cli import main
from fogline.commands.listed import LISTED, Listed
from fogline.drawing.board import draw
from fogline.game.actions import board_actions
from fogline.game.recordfile import _ABOUT, _EVENT_KEYS, _check_event, check_structure
from fogline.maps.mapfile import DEFAULTS, LIMITS
from fogline.players.player import PLAYERS
from fogline.rules.state import BY_LAST_ROUND
from tests import front
from tests.conformance import ROOT

DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_limits_of_maps_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \| (\d+) \| (\d+) \|$", read("docs/maps.md"), re.M)
    assert {name: (int(low), int(high)) for name, low, high in rows} == LIMITS


def test_the_example_of_a_map_is_a_good_one() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", read("docs/maps.md"), re.S)
    assert Board.parse(example).name == "My City"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_on_the_example_of_a_map_end_with_a_last_round(players: int) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", read("docs/maps.md"), re.S)
    summary = simulate(Board.parse(example), players, games=500, seed=1)
    assert summary.ends[BY_LAST_ROUND] > 450


def test_every_optional_key_of_maps_is_documented() -> None:
    assert set(re.findall(r"^\| `([a-z_]+)` \|", read("docs/maps.md"), re.M)) == set(DEFAULTS)


def test_every_event_is_documented_with_a_good_example() -> None:
    examples = [json.loads(text) for text in re.findall(r"^\| `(\{.*?\})` \|", read("docs/records.md"), re.M)]
    assert {event["e"] for event in examples} == set(_EVENT_KEYS)
    for number, event in enumerate(examples):
        _check_event(number, event)


@pytest.mark.parametrize("library", ["polars", "pandas", None])
def test_records_become_a_table_in_three_lines(
    library: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With what is installed; and always with a list in place of a table."""
    (code,) = re.findall(r"```python\n(import polars\n.*?)```", read("docs/records.md"), re.S)
    stand_in = ModuleType("stand_in")
    stand_in.DataFrame = list  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "polars", pytest.importorskip(library) if library else stand_in)
    monkeypatch.chdir(tmp_path)
    assert main(["record", "games.jsonl", "--games", "3", "--map", "tiny"]) == 0
    found: dict[str, Any] = {}
    exec(code, found)
    assert len(ast.parse(code).body) == 3
    assert len(found["table"]) == 6


def test_an_example_of_what_is_said_of_a_game_is_a_good_one() -> None:
    example = json.loads(re.findall(r"```json\n(\{.*?\})\n```", read("docs/records.md"), re.S)[-1])
    check_structure(example)
    assert set(example["about"]) == set(_ABOUT)


def test_the_numbers_of_actions_are_those_of_the_code() -> None:
    actions = [str(action) for action in board_actions(Board.load())]
    rows = re.findall(r"^\| ([\d, to]+) \| `([a-z ]+)`", read("docs/engine.md"), re.M)
    for numbers, text in rows:
        first = int(re.findall(r"\d+", numbers)[0])
        assert actions[first].startswith(text)
    assert re.findall(r"\d+", rows[-1][0])[-1] == str(len(actions) - 1)


def test_every_command_stands_in_the_readme() -> None:
    documented = set(re.findall(r"^fogline ((?:map )?[a-z]+)", read("README.md"), re.M))
    assert documented == {command.name for command in LISTED}


@pytest.mark.parametrize("document", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", text):
        assert (document.parent / "".join(target)).exists(), target


def test_the_pictures_of_the_board_are_up_to_date() -> None:
    assert read("docs/data/board.svg") == draw(Board.load())
    assert read("docs/data/board-dark.svg") == draw(Board.load(), dark=True)


def test_the_example_of_the_help_texts_parse() -> None:
    for command in map(Listed.load, LISTED):
        for example in command.examples.replace("\\\n", "").splitlines():
            assert example.strip().startswith(f"fogline {command.name}"), example


def test_the_version_is_the_same_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    import fogline

    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"fogline {fogline.__version__}\n"
    assert f"## {fogline.__version__}" in read("CHANGELOG.md")
    assert f'"./fogline-{fogline.__version__}-py3-none-any.whl[play]"' in read("README.md")


def test_the_citation_names_the_version() -> None:
    import fogline

    assert f"\nversion: {fogline.__version__}\n" in read("CITATION.cff")


def test_the_model_card_is_of_the_shipped_weights() -> None:
    card, run = read("docs/model-card.md"), json.loads(read("research/training/neural/run.json"))
    assert hashlib.sha256((ROOT / run["weights"]).read_bytes()).hexdigest() == run["sha256"]
    assert f"`{run['sha256']}`" in card
    assert f"`{run['command']}`" in card
    measured = re.findall(r"^\| ([234]) \| ([\d.]+ % \([\d.]+ to [\d.]+\)) \|", card, re.M)
    assert len(measured) == 3
    assert all(f"| {players} | {won} |" in read("docs/players.md") for players, won in measured)


def test_the_pictures_of_the_readme_are_up_to_date() -> None:
    assert list(front.elo()) == list(dict.fromkeys(["master", "neural", "search", "planner", *front.elo()]))
    assert set(front.elo()) == set(PLAYERS)
    for name, picture in front.pictures().items():
        assert read(f"docs/data/{name}") == picture, "draw them anew: python -m tests.front"


def test_the_speeds_of_the_readme_are_those_of_the_page() -> None:
    speeds = re.findall(r"([\d.,]+) million", read("README.md"))
    assert len(speeds) == 3
    assert all(f"| {speed} " in read("docs/performance.md") for speed in speeds)


def test_the_readme_says_what_it_is_not() -> None:
    assert "Unofficial, not affiliated" in read("README.md")
    assert Game(players=3, seed=7).play("keep both")  # the game of the README's example
