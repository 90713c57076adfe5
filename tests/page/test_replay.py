"""A game that is over: seen again, and checked."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.page.screens import CLIPBOARD, Visit
from tests.page.visitor import Visitor
from tests.page.words import said
from tests.server.playing import play_over_http
from tests.server.serving import Person, Served


def finished_game(served: Served, map: str = "tiny") -> tuple[Person, str]:
    """Somebody's game against a bot, and its last step."""
    person = Person(served.url)
    table = person.open_table("me", "planner", map=map, name="Ada")["table"]["id"]
    play_over_http(person, table, seed=1)
    return person, table


def test_a_replay_goes_by_buttons_keys_slider_and_link(visit: Visit, served: Served) -> None:
    person, table = finished_game(served)
    last = person.get(f"/tables/{table}/replay")["steps"] - 1
    visitor = visit(permissions=CLIPBOARD)
    visitor.go(f"/game/{table}?at=0")
    check_step(visitor, 0, last)

    for button, step in (("forward", 1), ("last", last), ("back", last - 1), ("first", 0)):
        visitor.page.get_by_role("button", name=said(f"replay.{button}"), exact=True).click()
        check_step(visitor, step, last)
    for key, step in (("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1), ("Home", 0)):
        visitor.page.keyboard.press(key)
        check_step(visitor, step, last)
    visitor.page.get_by_label(said("replay.slider")).fill("3")
    check_step(visitor, 3, last)
    visitor.page.get_by_role("list", name=said("replay.moves")).locator("[aria-current]").focus()
    for key, step in (("ArrowDown", 4), ("ArrowUp", 3)):
        visitor.page.keyboard.press(key)
        check_step(visitor, step, last)

    visitor.page.wait_for_url("**at=3*")
    visitor.button("replay.copy").click()
    expect(visitor.page.get_by_text(said("replay.copied"))).to_be_visible()
    friend = visit()
    friend.page.goto(visitor.page.evaluate("navigator.clipboard.readText()"))
    check_step(friend, 3, last)
    assert friend.position() == visitor.position()


def check_step(visitor: Visitor, step: int, last: int) -> None:
    expect(visitor.page.get_by_text(said("replay.step", step=step, last=last), exact=True)).to_be_visible()


def test_a_replay_says_what_a_bot_had_in_mind(visit: Visit, served: Served) -> None:
    person, table = finished_game(served, "san_francisco")
    frames = person.get(f"/tables/{table}/replay")["frames"]
    planned = next(frame for frame in frames if frame["mind"] and frame["mind"]["ticket"])
    quiet = next(frame for frame in frames if not frame["mind"])
    visitor = visit()
    title = visitor.page.get_by_text(said("mind.title", name=said("player.planner")))
    visitor.go(f"/game/{table}?at={planned['step']}")
    expect(title).to_be_visible()
    visitor.go(f"/game/{table}?at={quiet['step']}")
    check_step(visitor, quiet["step"], len(frames) - 1)
    expect(title).to_have_count(0)


def test_a_replay_plays_by_itself(visit: Visit, served: Served) -> None:
    person, table = finished_game(served)
    last = person.get(f"/tables/{table}/replay")["steps"] - 1
    visitor = visit()
    visitor.page.clock.install()
    visitor.go(f"/game/{table}?at=0")
    visitor.page.get_by_role("button", name=said("replay.play"), exact=True).click()
    visitor.page.clock.run_for(2000 * last)
    check_step(visitor, last, last)
    expect(visitor.page.get_by_role("button", name=said("replay.play"), exact=True)).to_be_visible()


def test_a_finished_game_is_checked_and_a_forged_one_is_found(visit: Visit, served: Served) -> None:
    person, table = finished_game(served, "san_francisco")
    visitor = visit()
    visitor.go(f"/verify?table={table}")
    expect(visitor.page.get_by_text(said("verify.consistent"))).to_be_visible()
    expect(visitor.page.get_by_text(said("verify.good"), exact=True)).to_have_count(4)

    visitor.page.get_by_role("link", name=said("verify.another")).click()
    record = person.get(f"/tables/{table}/record")
    dealt = record["events"][0]
    dealt["cards"] = ["ferry", "blue" if dealt["cards"] == ["ferry", "ferry"] else "ferry"]
    visitor.page.get_by_text(said("verify.paste")).click()
    visitor.page.get_by_label(said("verify.pasteHere")).fill(json.dumps(record))
    visitor.button("verify.check").click()
    expect(visitor.page.get_by_text(said("verify.unfair"))).to_be_visible()
    expect(visitor.page.get_by_text(said("verify.bad"), exact=True)).to_have_count(1)
