"""What the network does, and the page that tells it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from fogline.players.neural import WEIGHTS
from fogline.rules.state import PLACE
from tests.boards import load_board
from tests.conformance import ROOT
from tests.scripts import load_script, run

DIGEST = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()[:16]


@pytest.fixture(scope="module")
def habits() -> ModuleType:
    return load_script("habits")


def test_they_are_told(tmp_path: Path) -> None:
    page = tmp_path / "habits.md"
    run("habits.py", "--games", "6", "-o", str(page))
    text = page.read_text("utf-8")
    assert DIGEST in text
    assert "## Does it block?" in text
    assert len(re.findall(r"^\| [a-z ,]+ \| [\d.]+ ± [\d.]+ \|$", text, re.M)) == 4, "a row for each habit"
    assert (tmp_path / "habits.svg").exists()


def test_a_habit_is_what_it_says(habits: ModuleType) -> None:
    """Forced to keep both, it does, in its own seat and in no other; what nobody needs is on nobody's way."""
    board = load_board("san_francisco")
    play = habits.Play(board, WEIGHTS, 2, 40, seed=3)
    kept = np.zeros((40, 2))
    for moment in play.moments(habits.keep_both, seat=1):
        first = moment.seen["phase"][:, PLACE] > 0
        kept[moment.lanes[first], moment.seats[first]] = moment.seen["wanted"].sum(1)[first]
    assert (kept[:, 1] == 2).all()
    assert (kept[:, 0] < 2).any()
    claims = habits.Claims(play, seed=1)
    seen = {"open": np.ones((1, len(board.routes))), "owned": np.zeros((1, 4, len(board.routes)))}
    seen["cars"] = np.full((1, 4), 20)
    ticket = np.zeros((2, len(board.tickets)), bool)
    ticket[1, 0] = True
    nothing, ways = (claims.on_way(seen, ticket[row : row + 1])[0] for row in range(2))
    assert not nothing.any()
    ends = {board.tickets[0].first, board.tickets[0].second}
    touched = {
        end for number in np.flatnonzero(ways) for end in (board.routes[number].first, board.routes[number].second)
    }
    assert ends <= touched
    held = np.zeros((1, 2, len(board.tickets)), bool)
    held[0, 0, 3] = held[0, 1, 5] = True
    strangers = claims.strangers(held, held[:, 1])
    assert strangers.sum() == 1
    assert not (strangers & held.any(1)).any()


def test_the_page_of_habits_is_that_of_the_weights_that_come_along() -> None:
    text = (ROOT / "docs/habits.md").read_text("utf-8")
    assert DIGEST in text
    assert (ROOT / "docs/habits.svg").exists()
