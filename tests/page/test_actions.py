"""The list of actions: by routes, no two alike, and the board shows what is meant."""

from __future__ import annotations

from itertools import pairwise

from playwright.sync_api import Locator, expect

from fogline.maps.board import Board
from tests.page.places import Tables
from tests.page.screens import Visit
from tests.page.visitor import Visitor
from tests.page.words import said


def test_claims_are_grouped_by_routes_that_are_told_apart(visit: Visit, tables: Tables) -> None:
    visitor = listing(visit(), tables)
    board = Board.load("san_francisco")
    routes = {route.id: route for route in board.routes}
    payable = visitor.payable_routes()
    groups = groups_of(visitor)
    assert len(groups) == len(payable) > 1
    headings = [group.get_by_role("heading").inner_text() for group in groups]
    assert len(set(headings)) == len(headings)
    for group, heading in zip(groups, headings, strict=True):
        buttons = group.get_by_role("button").all_inner_texts()
        assert len(set(buttons)) == len(buttons) > 0
        group.get_by_role("button").first.focus()
        shown = marked(visitor)
        assert len(shown) == 1
        route = routes[shown[0]]
        for fact in (
            said("route.spaces", count=route.length),
            said(f"card.{route.colour}"),
            said("route.points", count=board.map_file.route_points[route.length]),
        ):
            assert fact in heading
    visitor.page.keyboard.press("Shift+Tab")
    visitor.actions.first.focus()
    assert marked(visitor) == []


def test_keys_go_through_the_list_in_the_order_in_which_it_is_read(visit: Visit, tables: Tables) -> None:
    visitor = listing(visit(), tables)
    visitor.actions.first.focus()
    tops = []
    for _ in range(visitor.actions.count()):
        tops.append(visitor.page.evaluate("document.activeElement.offsetTop"))
        visitor.page.keyboard.press("ArrowDown")
    assert all(before < after for before, after in pairwise(tops))
    visitor.page.keyboard.press("Home")
    expect(visitor.actions.first).to_be_focused()
    for group in groups_of(visitor):
        visitor.page.keyboard.press("PageDown")
        expect(group.get_by_role("button").first).to_be_focused()
    visitor.page.keyboard.press("End")
    expect(visitor.actions.last).to_be_focused()


def listing(visitor: Visitor, tables: Tables) -> Visitor:
    tables.let_in(visitor.context)
    visitor.go(f"/game/{tables.crowd}")
    visitor.asked()
    visitor.button("actions.title").click()
    return visitor


def groups_of(visitor: Visitor) -> list[Locator]:
    return visitor.page.get_by_role("group", name=said("actions.title"), exact=True).get_by_role("group").all()


def marked(visitor: Visitor) -> list[str]:
    found: list[str] = visitor.page.evaluate(
        "[...document.querySelectorAll('[data-route].marked')].map((one) => one.dataset.route)"
    )
    return found
