"""What the network does, and the page that tells it."""

from __future__ import annotations

import hashlib
import importlib
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from fogline.players.neural.neural import WEIGHTS
from fogline.rules.numbering import DRAW_DECK
from fogline.rules.state import SECOND_CARD, TURN
from tests.boards import load_board
from tests.conformance import ROOT
from tests.scripts import run

DIGEST = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()[:16]


@pytest.fixture(scope="module")
def habits() -> ModuleType:
    return importlib.import_module("research.habits")


@pytest.mark.thorough
def test_they_are_told(tmp_path: Path) -> None:
    page = tmp_path / "habits.md"
    run("habits", "--games", "6", "-o", str(page))
    text = page.read_text("utf-8")
    assert DIGEST in text
    assert "## Does it block?" in text
    assert len(re.findall(r"^\| [a-z ,]+ \| [\d.]+ ± [\d.]+ \| (is right|was not|errs)", text, re.M)) == 4, (
        "a row for each habit"
    )
    assert (tmp_path / "habits.svg").exists()


def test_a_habit_is_what_it_says(habits: ModuleType) -> None:
    """Forced to keep both, it does, in its own seat and in no other."""
    play = habits.Play(load_board("san_francisco"), WEIGHTS, 2, 40, seed=3)
    kept = np.zeros((40, 2))
    for moment in play.moments(habits.keep_both, seat=1):
        begun = (moment.seen["phase"][:, TURN] > 0) & (kept[moment.lanes, moment.seats] == 0)
        kept[moment.lanes[begun], moment.seats[begun]] = moment.seen["wanted"].sum(1)[begun]
    assert (kept[:, 1] == 2).all()
    assert (kept[:, 0] == 1).any()


def test_the_other_s_ways_are_what_the_other_would_call_its_own(habits: ModuleType) -> None:
    """What is worked out from the records, against what the other seat sees by itself, a moment later."""
    play = habits.Play(load_board("san_francisco"), WEIGHTS, 2, 60, seed=3)
    claims, compared = habits.Claims(play), 0
    before: dict[int, tuple[int, np.ndarray]] = {}
    for moment in play.moments():
        ways = claims.others_ways(moment.records, moment.seats)
        for row, lane in enumerate(moment.lanes):
            known = before.pop(lane, None)
            if known is not None and known[0] != moment.seats[row]:
                compared += 1
                assert (known[1] == (moment.seen["path"][row] > 0)).all()
            if moment.actions[row] == DRAW_DECK and moment.seen["phase"][row][SECOND_CARD]:
                before[lane] = (moment.seats[row], ways[row])  # nothing on the board changes by it
    assert compared > 100


def test_the_page_of_habits_is_that_of_the_weights_that_come_along() -> None:
    text = (ROOT / "docs/habits.md").read_text("utf-8")
    assert DIGEST in text
    assert (ROOT / "docs/data/habits.svg").exists()
