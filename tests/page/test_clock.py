"""The clock of a turn."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

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


def test_the_last_ten_seconds_are_seen_heard_and_told_once(visit: Visit, served: Served) -> None:
    person = Person(served.url)
    table = person.open_table("me", "racer", name="Ada", clock="60s")["table"]["id"]
    visitor = visit()
    visitor.context.add_cookies([{"name": "fogline", "value": person.token, "url": served.url}])
    visitor.context.add_init_script(KNOCKS)
    visitor.page.clock.install()
    visitor.go(f"/game/{table}")
    visitor.asked()
    visitor.page.keyboard.press("Shift")  # a first touch: before it, a browser lets nothing sound
    clock = visitor.page.get_by_role("timer", name=said("clock.left"))
    alarm = visitor.page.get_by_role("alert")
    expect(alarm).to_be_empty()
    expect(visitor.page.locator(".clock svg")).to_have_count(0)
    assert visitor.page.evaluate("knocks") == 0

    visitor.page.evaluate(HEAR_ALARMS)
    visitor.page.clock.run_for(1000 * (seconds_of(clock) - 9))
    expect(visitor.page.locator(".clock svg")).to_be_visible()
    expect(alarm).to_have_text(said("clock.soon"))
    visitor.page.clock.run_for(5_000)
    visitor.page.wait_for_function("() => knocks > 4")
    assert visitor.page.evaluate("alarms") == 1


KNOCKS = """{
    window.knocks = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) { knocks += 0.5; return start.call(this, at); };
}"""
"""Counts the knocks on wood: each has two notes."""

HEAR_ALARMS = """{
    window.alarms = 0;
    new MutationObserver(() => alarms++).observe(
        document.querySelector("[role=alert]"), { childList: true, characterData: true, subtree: true });
}"""


def seconds_of(clock: Locator) -> int:
    minutes, seconds = map(int, clock.inner_text().split(":"))
    return 60 * minutes + seconds
