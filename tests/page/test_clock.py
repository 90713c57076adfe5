"""The clock of a turn."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.page.screens import Visit
from tests.page.words import said
from tests.server.serving import Person, Served

AN_HOUR_FAST = "{ const now = Date.now; Date.now = () => now() + 3_600_000; }"
UNSURE = 2
"""Seconds: the server tells its time in whole ones, and is heard a moment later."""


def test_a_device_whose_time_is_wrong_shows_how_much_is_left(visit: Visit, served: Served) -> None:
    person = Person(served.url)
    table = person.open_table("me", "racer", name="Ada", clock="60s")["table"]["id"]
    visitor = visit()
    visitor.context.add_init_script(AN_HOUR_FAST)
    visitor.go(f"/game/{table}")
    clock = visitor.page.get_by_role("timer", name=said("clock.left"))
    expect(clock).to_be_visible()
    minutes, seconds = map(int, clock.inner_text().split(":"))
    assert 0 < 60 * minutes + seconds <= 60 + UNSURE
