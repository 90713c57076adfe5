"""Commands show things and change nothing."""

from __future__ import annotations

import pytest

from fogline.terminal.commands import COMMANDS, find_command
from tests.arrange import arrange, claim, first_turn

from .driver import ask


@pytest.mark.parametrize("name", [command.names[0] for command in COMMANDS if command.run])
@pytest.mark.parametrize("width", [80, 120])
def test_each_command_prints_something_and_asks_again(name: str, width: int) -> None:
    game = first_turn()
    before = game.position.snapshot()
    _, alone = ask(game, "1", width=width)
    _, text = ask(game, name, "1", width=width)
    assert len(text) > len(alone) + 60
    assert max(len(line) for line in text.splitlines()) <= width
    assert game.position.snapshot() == before


def test_no_word_means_two_commands() -> None:
    names = [name for command in COMMANDS for name in command.names]
    assert len(names) == len(set(names))
    assert all(find_command(name) for name in names)


@pytest.mark.parametrize("width", [80, 120])
def test_routes_of_one_location(width: int) -> None:
    game = arrange(first_turn(), hands={0: "green1"})
    text = ask(game, "routes castro", "1", width=width)[1].split("points now")[-1]
    rows = [line for line in text.splitlines() if "castro" in line]
    assert len(rows) == 5
    assert sum("you can pay" in row for row in rows) == 2
    assert ("Castro–Mission" in text) is (width == 120)


def test_routes_name_owners_and_closed_twins() -> None:
    game = first_turn()
    claim(game, 1, "castro-mission:2")
    arrange(game, turn=0, hands={0: "green1"})
    text = ask(game, "routes castro mission", "1")[1]
    assert "● Racer" in text.split("points now")[-1]
    assert "closed" in text.split("points now")[-1]


def test_help_names_every_command() -> None:
    text = ask(first_turn(), "help", "1")[1]
    assert all(command.names[0] in text for command in COMMANDS)


def test_cards_count_what_is_unseen() -> None:
    game = arrange(first_turn(), hands={0: "blue2"}, display="blue1 red4", discard="blue1")
    rows = {
        line.split()[0]: line.split()[1:]
        for line in ask(game, "cards", "1")[1].splitlines()
        if line[:7].strip() in ("blue", "red")
    }
    assert rows == {"blue": ["2", "1", "1", "2"], "red": ["0", "4", "0", "2"]}


def test_an_unknown_place_is_said() -> None:
    assert "No route fits 'atlantis'" in ask(first_turn(), "routes atlantis", "1")[1]
