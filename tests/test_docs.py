"""What the documents say is so."""

import json
import re
from pathlib import Path

import pytest

from fogline import Board, Game
from fogline.actions import board_actions
from fogline.cli import COMMANDS, main
from fogline.drawing import draw
from fogline.mapfile import DEFAULTS, LIMITS
from fogline.recordfile import _EVENT_KEYS, _check_event
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


def test_every_optional_key_of_maps_is_documented() -> None:
    assert set(re.findall(r"^\| `([a-z_]+)` \|", read("docs/maps.md"), re.M)) == set(DEFAULTS)


def test_every_event_is_documented_with_a_good_example() -> None:
    examples = [json.loads(text) for text in re.findall(r"^\| `(\{.*?\})` \|", read("docs/records.md"), re.M)]
    assert {event["e"] for event in examples} == set(_EVENT_KEYS)
    for number, event in enumerate(examples):
        _check_event(number, event)


def test_the_numbers_of_actions_are_those_of_the_code() -> None:
    actions = [str(action) for action in board_actions(Board.load())]
    rows = re.findall(r"^\| ([\d, to]+) \| `([a-z ]+)`", read("docs/engine.md"), re.M)
    for numbers, text in rows:
        first = int(re.findall(r"\d+", numbers)[0])
        assert actions[first].startswith(text)
    assert re.findall(r"\d+", rows[-1][0])[-1] == str(len(actions) - 1)


def test_every_command_stands_in_the_readme() -> None:
    documented = set(re.findall(r"^fogline ((?:map )?[a-z]+)", read("README.md"), re.M))
    assert documented == {command.name for command in COMMANDS}


@pytest.mark.parametrize("document", DOCUMENTS, ids=[path.name for path in DOCUMENTS])
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", text):
        assert (document.parent / "".join(target)).exists(), target


def test_the_pictures_of_the_board_are_up_to_date() -> None:
    assert read("docs/board.svg") == draw(Board.load())
    assert read("docs/board-dark.svg") == draw(Board.load(), dark=True)


def test_the_example_of_the_help_texts_parse() -> None:
    for command in COMMANDS:
        for example in command.examples.replace("\\\n", "").splitlines():
            assert example.strip().startswith(f"fogline {command.name}"), example


def test_the_version_is_the_same_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    import fogline

    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"fogline {fogline.__version__}\n"
    assert f"## {fogline.__version__}" in read("CHANGELOG.md")


def test_the_readme_says_what_it_is_not() -> None:
    assert "Unofficial, not affiliated" in read("README.md")
    assert Game(players=3, seed=7).play("keep both")  # the game of the README's example
