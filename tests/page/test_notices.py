"""Notices: where they stand, how long, and how often they are read aloud."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.page.hands import Mouse
from tests.page.places import Tables
from tests.page.screens import SCREENS, Visit
from tests.page.visitor import Visitor
from tests.page.words import like
from tests.tier import pick

SIZES = SCREENS | {"small phone": {"width": 360, "height": 640}, "phone held sideways": {"width": 844, "height": 390}}

OF_A_TURN = [".prompt", ".tray", ".side", ".tabs", ".zoom", "main [data-location]"]
"""What somebody needs for a turn; of the board, its upper edge may be covered, and taps go through."""

# Which of these lie under a notice. What the board does not show now, nothing covers.
_COVERED = """(selectors) => {
    const notice = document.querySelector(".notice").getBoundingClientRect();
    const covered = ({ left, top, right, bottom }) =>
        left < notice.right && right > notice.left && top < notice.bottom && bottom > notice.top;
    const board = document.querySelector("main").getBoundingClientRect();
    const onBoard = ({ left, bottom }) => bottom > board.top && left < board.right;
    const shown = (one) => !one.closest("main") || onBoard(one.getBoundingClientRect());
    return selectors.filter((selector) => [...document.querySelectorAll(selector)].some((one) =>
        shown(one) && one.getBoundingClientRect().width && covered(one.getBoundingClientRect())));
}"""

# Counts what a screen reader reads: what is added to the live region.
_LISTEN = """() => {
    const region = document.querySelector(".notices");
    window.said = [];
    new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
        if (node.textContent.trim()) said.push(node.textContent);
    }))).observe(region, { childList: true, subtree: true, characterData: true });
    return [region.role, region.ariaLive, region.ariaAtomic];
}"""


@pytest.mark.parametrize("size", pick(["small phone", "laptop"], list(SIZES)))
def test_a_notice_covers_nothing_of_a_turn(size: str, visit: Visit, tables: Tables) -> None:
    visitor, notice = refused(visit, tables, viewport=SIZES[size])
    assert visitor.page.evaluate(_COVERED, OF_A_TURN) == []
    box = notice.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= SIZES[size]["width"]


def test_a_notice_goes_with_the_next_thing_that_one_does(visit: Visit, tables: Tables) -> None:
    visitor, notice = refused(visit, tables)
    Mouse(visitor).touch_route(visitor.payable_routes()[0])
    expect(visitor.dialog).to_be_visible()
    expect(notice).to_have_count(0)


def test_a_notice_goes_after_a_while(visit: Visit, tables: Tables) -> None:
    visitor, notice = refused(visit, tables, clock=True)
    visitor.page.clock.run_for(5_000)
    expect(notice).to_be_visible()
    visitor.page.clock.run_for(2_000)
    expect(notice).to_have_count(0)


def test_a_notice_is_read_aloud_once(visit: Visit, tables: Tables) -> None:
    visitor = at_turn(visit(), tables)
    assert visitor.page.evaluate(_LISTEN) == ["status", "polite", "false"]
    notice = refuse(visitor)
    text = notice.locator("span").inner_text()
    notice.locator(".close").click()
    expect(notice).to_have_count(0)
    said = visitor.page.evaluate("said")
    assert len(said) == 1
    assert said[0].startswith(text)


def refused(visit: Visit, tables: Tables, *, clock: bool = False, **settings: Any) -> tuple[Visitor, Locator]:
    """Somebody in the middle of a game, who was just told why a route cannot be claimed."""
    visitor = visit(**settings)
    if clock:
        visitor.page.clock.install()
    at_turn(visitor, tables)
    return visitor, refuse(visitor)


def at_turn(visitor: Visitor, tables: Tables) -> Visitor:
    tables.let_in(visitor.context)
    visitor.go(f"/game/{tables.halfway}")
    visitor.asked()
    return visitor


def refuse(visitor: Visitor) -> Locator:
    Mouse(visitor).touch_route(visitor.quiet_routes()[0])
    expect(visitor.page.get_by_role("link", name=like("rule.link"))).to_be_visible()
    return visitor.page.locator(".notice")
