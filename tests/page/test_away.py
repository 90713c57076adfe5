"""Somebody's clock runs out, and a bot plays for them: the page says so, and leads back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.hands import GLANCE, Finger, Hand, Mouse
from tests.page.screens import PHONE, Visit
from tests.page.visitor import Asked, Visitor
from tests.page.words import said
from tests.server.nursery import Forked
from tests.server.serving import Person, Served

SLOW = 60
"""Seconds that a bot takes, the most that a server allows: it is there, and decides nothing while the test looks."""


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Served]:
    """A server of the test's own, with slow bots."""
    with Forked(f"sqlite:///{tmp_path}/fogline.db", tmp_path, f"--bot-delay={SLOW}") as server:
        yield server


_LAST = "SELECT max(ply) FROM log AS other WHERE other.game = log.game"
_ALL_BUT_THE_LAST = f"SELECT game, ply, entry FROM log WHERE ply < ({_LAST})"


def let_pass(server: Served, folder: Path, seconds: float) -> None:
    """All but the last that has happened at a table happened so much earlier; a clock that has run out is found so."""
    server.kill()
    with closing(sqlite3.connect(folder / "fogline.db")) as database, database:
        for game, ply, text in database.execute(_ALL_BUT_THE_LAST).fetchall():
            entry = json.loads(text)
            entry["at"] -= seconds
            database.execute("UPDATE log SET entry = ? WHERE game = ? AND ply = ?", (json.dumps(entry), game, ply))
        database.execute("UPDATE games SET due = due - ?, changed = changed - ?", (seconds, seconds))
    server.start()


@pytest.mark.parametrize(("screen", "hand"), [({}, Mouse), (PHONE, Finger)], ids=["laptop", "phone"])
def test_when_the_clock_has_run_out_nothing_can_be_clicked_but_the_way_back(
    slow: Served, visit: Visit, tmp_path: Path, screen: dict[str, Any], hand: type[Hand]
) -> None:
    ada, ben = visit(slow.url, **screen), Person(slow.url)
    table = open_table_for(ada, ben)
    ada.expected = [r"WebSocket connection to .* failed", r"net::ERR_", r"status of 409"]
    playing = hand(ada)
    take_turns(playing, ben, table)
    deck = ada.page.locator("[data-spot=deck]")
    playing.press(deck)
    expect(ada.prompt).to_have_text(said("prompt.second"))
    assert ada.drawable.count() > 0

    let_pass(slow, tmp_path, 31.0)
    expect(ada.prompt).to_have_text(said("menu.away"))
    expect(ada.drawable).to_have_count(0)
    expect(ada.board.locator(".payable")).to_have_count(0)
    expect(deck).to_be_disabled()
    assert ada.page.title().startswith(said("menu.away"))
    before = ada.position()
    playing.touch_route(ada.quiet_routes()[0])
    expect(ada.page.get_by_text(said("menu.awayHelp"))).to_be_visible()
    assert ada.position() == before

    back = ada.button("menu.back")
    expect(back).to_have_count(1)
    expect(back).to_be_in_viewport()
    playing.press(back)
    expect(ada.prompt).to_have_text(said("prompt.second"))
    expect(back).to_have_count(0)
    playing.press(deck)
    expect(ada.prompt).to_have_text(said("prompt.waiting", name="Ben"))


def open_table_for(ada: Visitor, ben: Person) -> str:
    """The visitor opens a table, with a clock; somebody else joins."""
    ada.go("/")
    ada.page.get_by_text(said("home.more"), exact=True).click()
    ada.page.get_by_label(said("choices.clock")).select_option("30s")
    ada.button("home.friends").click()
    ada.button("lobby.start").wait_for()
    table = ada.page.url.rpartition("/")[2]
    invite = ada.page.locator(".invite input").input_value().rpartition("/")[2]
    ben.post(f"/invites/{invite}", name="Ben")
    ada.button("lobby.start").click()
    ada.offer.wait_for()
    return table


def take_turns(playing: Hand, ben: Person, table: str) -> None:
    """Until the visitor's turn."""
    before: Asked | None = None
    while True:
        view = ben.get(f"/tables/{table}")["view"]
        if view["legal"]:
            ben.play(table, view["step"], view["legal"][0]["action"])
        elif asked := playing.visitor.asks(before):
            if asked.prompt == "turn":
                return
            playing.decide(asked.prompt)
            before = asked
        else:
            playing.visitor.page.wait_for_timeout(GLANCE)
