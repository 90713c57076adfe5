"""Whole-tree counts on the tiny map: every way in which a game can go on from its first turn to its end."""

import json
from typing import Any

import pytest

from tests.trees import FILE, STARTS, count

TREES = json.loads(FILE.read_text("utf-8"))
MANY = 3_000_000


def case(tree: dict[str, Any]) -> Any:
    """The largest ones take a while."""
    marks = [pytest.mark.thorough] if sum(tree["games"]) > MANY else []
    return pytest.param(tree, id=f"{tree['players']} players, {tree['cards']}", marks=marks)


@pytest.mark.parametrize("tree", [*map(case, TREES)])
def test_a_whole_tree_has_as_many_games_as_ever(tree: dict[str, Any]) -> None:
    assert count(tree["players"], tree["cards"]) == tree["games"]


def test_trees_are_stored_for_two_three_and_four_players() -> None:
    assert [(tree["players"], tree["cards"]) for tree in TREES] == STARTS
    assert {players for players, _ in STARTS} == {2, 3, 4}
    assert max(sum(tree["games"]) for tree in TREES) > 5_000_000
