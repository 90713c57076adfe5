"""The end: nobody's points are told before they are counted."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.places import Tables
from tests.page.screens import Visit
from tests.page.visitor import ENDS
from tests.page.words import said

NO_FRAMES = "window.requestAnimationFrame = () => 0"
"""Nothing moves: the counting stays at its beginning, however long somebody looks at it."""


def test_the_players_total_and_the_winner_are_told_when_all_is_counted(visit: Visit, tables: Tables) -> None:
    seats = tables.person.get(f"/tables/{tables.over}")["view"]["seats"]
    visitor = visit(reduced_motion="no-preference")
    visitor.context.add_init_script(NO_FRAMES)
    visitor.go(f"/game/{tables.over}")
    expect(visitor.heading).to_have_text(said("end.counting"))
    players = visitor.page.get_by_role("list", name=said("players.title"))
    expect(players.get_by_text(said("players.winner"))).to_have_count(0)
    assert shown_points(players) == [seat["points"] for seat in seats]

    visitor.button("end.skip").click()
    expect(visitor.heading).to_have_text(ENDS)
    expect(players.get_by_text(said("players.winner"))).not_to_have_count(0)
    assert shown_points(players) == [seat["score"]["total"] for seat in seats]


def shown_points(players: Locator) -> list[int]:
    return [int(text.removeprefix(said("players.points"))) for text in players.locator(".points").all_inner_texts()]
