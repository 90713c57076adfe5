"""The verdict at the end."""

from __future__ import annotations

import pytest

from fogline.game.score import Score
from fogline.maps.board import Board
from fogline.terminal.scores import verdict
from fogline.terminal.words import Words

WORDS = Words(Board.load("tiny"), ("You", "Racer", "Random"))


def _score(total: int) -> Score:
    return Score(total, 0, 0, total, (), ())


@pytest.mark.parametrize(
    ("winners", "totals", "text"),
    [
        ([0], [9, 3, 2], "You win!"),
        ([1], [3, 9, 2], "Racer wins."),
        ([1], [9, 9, 2], "Racer wins with more completed tickets (9.3)."),
        ([0, 1], [9, 9, 2], "You and Racer share the victory: equal points and equally many completed tickets (9.3)."),
    ],
)
def test_who_has_won(winners: list[int], totals: list[int], text: str) -> None:
    assert verdict(winners, [_score(total) for total in totals], 0, WORDS) == text
