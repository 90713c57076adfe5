"""Without a connection: what was pressed is kept and sent once, and pages that need no server are there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.hands import Mouse
from tests.page.screens import PHONE, Visit
from tests.page.visitor import Visitor
from tests.page.words import said
from tests.server.serving import Person, Served

NO_NETWORK = [r"net::ERR_", r"WebSocket connection to .* failed"]

SILENT = """() => {
    const send = WebSocket.prototype.send;
    window.sent = [];
    WebSocket.prototype.send = function (text) {
        if (JSON.parse(text).type === "play") window.sent.push(text);
        if (!window.silent) send.call(this, text);
    };
}"""
"""A network that swallows everything, as one in a tunnel, once `silent` is set."""


def test_offline_is_said_at_once_and_a_move_is_kept_and_sent_once(visit: Visit, served: Served) -> None:
    visitor, person = visit(**PHONE), Person(served.url)
    table = begin(visitor, person)
    deck = visitor.page.locator("[data-spot=deck]")
    before = len(moves(person, table))

    visitor.context.set_offline(True)
    expect(visitor.page.get_by_text(said("link.cut"))).to_be_visible()
    deck.tap()
    expect(deck).to_have_class(re.compile("sending"))
    expect(visitor.page.get_by_text(said("link.kept"))).to_be_visible()
    expect(visitor.prompt).to_have_text(said("prompt.sending"))
    deck.tap()

    visitor.context.set_offline(False)
    expect(visitor.prompt).to_have_text(said("prompt.second"))
    expect(visitor.page.get_by_text(said("link.cut"))).to_be_hidden()
    expect(deck).not_to_have_class(re.compile("sending"))
    assert len(moves(person, table)) == before + 1, "pressed twice and sent after a pause, it happened once"


@pytest.mark.thorough
def test_a_connection_that_is_dead_without_a_word_shows_what_waits_and_sends_it_again(
    visit: Visit, served: Served
) -> None:
    visitor, person = visit(), Person(served.url)
    visitor.context.add_init_script(f"({SILENT})()")
    table = begin(visitor, person)
    deck = visitor.page.locator("[data-spot=deck]")
    before = len(moves(person, table))
    visitor.page.evaluate("window.silent = true; window.sent.length = 0")
    deck.click()
    expect(deck).to_have_class(re.compile("sending"), timeout=1000)
    expect(visitor.prompt).to_have_text(said("prompt.sending"))
    visitor.page.evaluate("window.silent = false")
    expect(visitor.prompt).to_have_text(said("prompt.second"))
    assert len(set(visitor.page.evaluate("window.sent"))) == 1
    assert len(moves(person, table)) == before + 1


def moves(person: Person, table: str) -> list[str]:
    """What has happened so far, as everybody may see it."""
    return [event["e"] for event in person.get(f"/tables/{table}")["events"] if event["e"] in ("draw", "claim")]


def begin(visitor: Visitor, person: Person) -> str:
    """A game against a bot, up to the visitor's turn."""
    table: str = person.open_table("me", "racer", name="Ada")["table"]["id"]
    visitor.context.add_cookies([{"name": "fogline", "value": person.token, "url": person.url}])
    visitor.expected = NO_NETWORK
    visitor.go(f"/game/{table}")
    asked = Mouse(visitor).play(turns=0)
    assert asked.prompt == "turn"
    return table


@pytest.mark.parametrize("path", ["/rules", "/tutorial", "/about"])
def test_pages_that_need_no_server_open_without_one_and_look_the_same(visit: Visit, path: str) -> None:
    online, visitor = visit(), visit()
    online.go(path)
    visitor.expected = [*NO_NETWORK, "Failed to fetch"]
    visitor.go("/")  # and nowhere else: what is wanted later is kept beforehand
    visitor.page.evaluate("navigator.serviceWorker.ready")
    visitor.page.wait_for_function(  # all is kept, the last thing last
        "async () => !!(await (await caches.open('fogline')).match('/api/maps/san_francisco'))"
    )
    visitor.context.set_offline(True)
    visitor.go(path)
    assert look(visitor) == look(online)


def look(visitor: Visitor) -> list[object]:
    """What stands there, and in which type and colours."""
    visitor.page.locator("main").first.wait_for()
    visitor.page.wait_for_function("document.body.innerText.length > 300")
    visitor.page.evaluate("document.fonts.ready")
    found: list[object] = visitor.page.evaluate(
        """() => {
            const main = document.querySelector("main"), style = getComputedStyle(main);
            const heading = document.querySelector("h1");
            return [document.title, heading?.innerText, style.padding, style.display, style.maxWidth,
                    document.styleSheets.length, heading && getComputedStyle(heading).fontSize];
        }"""
    )
    return found


def test_a_page_that_is_not_kept_says_so_and_not_that_there_is_a_new_version(visit: Visit) -> None:
    visitor = visit(service_workers="block")
    visitor.expected = [*NO_NETWORK, "Failed to fetch", "Service Worker registration blocked"]
    visitor.go("/")
    visitor.page.get_by_role("link", name=said("home.about")).wait_for()
    visitor.context.set_offline(True)
    visitor.page.get_by_role("link", name=said("home.about")).click()
    expect(visitor.page.get_by_role("alert")).to_contain_text(said("link.unloaded"))
    assert said("link.outdated") not in visitor.page.locator("body").inner_text()
    visitor.context.set_offline(False)
    expect(visitor.heading).to_be_visible()
