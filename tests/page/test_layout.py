"""The layout of a game on small phones to large screens: the board is the largest thing, nothing of a turn is cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.overheard import Overheard
from tests.page.places import Tables
from tests.page.screens import SCREENS, Visit
from tests.page.visitor import Visitor
from tests.page.words import LANGUAGES, said
from tests.tier import pick

SIZES = (
    *((320, 568), (360, 640), (390, 844), (600, 960)),
    *((667, 375), (740, 360), (844, 390), (932, 430)),
    *((820, 1180), (1180, 820), (1024, 768), (1440, 900), (1920, 1080), (2560, 1440)),
)
NARROW = ((320, 568), (360, 640), (640, 360))
LANDMARKS = 3
"""So many names are seen at least, even of the whole board on the smallest phone."""
CARDS = ("blue", "green", "black", "purple", "red", "orange", "ferry")

# What is larger than the board, or as large.
_LARGER = """() => {
    const area = (element) => { const { width, height } = element.getBoundingClientRect(); return width * height; };
    const board = area(document.querySelector("[role=application]"));
    const others = [...document.querySelectorAll(".game > :not(main)")];
    return others.filter((one) => area(one) >= board).map((one) => one.className);
}"""

# Whether the buttons of the zoom lie on the board, which would cost taps and hide places.
_ON_THE_BOARD = """() => {
    const board = document.querySelector("[role=application]").getBoundingClientRect();
    const buttons = [...document.querySelectorAll(".zoom button")].map((button) => button.getBoundingClientRect());
    return buttons.some(({ left, right, top, bottom }) =>
        left < board.right && right > board.left && top < board.bottom && bottom > board.top);
}"""

# What lies over one another in the bar above.
_CROWDED = """() => {
    const found = [...document.querySelectorAll(".bar a, .bar button, [data-strip] .sign, [data-strip] .numbers")];
    const boxes = found.filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()]);
    return boxes.filter(([, one], number) => boxes.slice(number + 1).some(([, other]) => one.left < other.right - 1 &&
        other.left < one.right - 1 && one.top < other.bottom && other.top < one.bottom)).map(([one]) => one.className);
}"""

# What of a selection is not wholly seen: outside the window, or scrolled away in a box around it; and which boxes
# scroll sideways.
_CUT = """(selector) => {
    const SLACK = 1;
    const cut = [];
    const found = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    for (const element of found) {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const name = `${element.className}: ${element.innerText.slice(0, 30)}`;
        if (left < -SLACK || top < -SLACK || right > innerWidth + SLACK || bottom > innerHeight + SLACK) cut.push(name);
        for (let box = element.parentElement; box; box = box.parentElement) {
            if (getComputedStyle(box).overflowY === "visible") continue;
            const around = box.getBoundingClientRect();
            if (top < around.top - SLACK || bottom > around.bottom + SLACK) cut.push(`${name} in ${box.className}`);
            if (left < around.left - SLACK || right > around.right + SLACK) cut.push(`${name} in ${box.className}`);
        }
    }
    for (const box of document.querySelectorAll(".game, .game *")) {
        if (box.closest("[role=application]") || box.scrollWidth <= box.clientWidth + SLACK) continue;
        if (["auto", "scroll"].includes(getComputedStyle(box).overflowX)) cut.push(`${box.className} scrolls sideways`);
    }
    return [found.length, cut];
}"""

# Words that are broken, or reach out of what they stand in; and tabs for which there is no room beside the zoom.
_BROKEN = """() => {
    const broken = [];
    const walker = document.createTreeWalker(document.querySelector(".game"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode;
        const around = text.parentElement;
        if (!around.checkVisibility() || getComputedStyle(around).clipPath !== "none") continue;
        for (const word of text.data.matchAll(/[^\\s–-]+/g)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const lines = [...range.getClientRects()].filter(({ width }) => width > 0.5);
            const box = (around.closest("button, li, p, h2") ?? around).getBoundingClientRect();
            if (new Set(lines.map(({ top }) => Math.round(top))).size > 1) broken.push(word[0]);
            const out = lines.some(({ left, right }) => left < box.left - 1 || right > box.right + 1);
            if (out) broken.push(`${word[0]} sticks out`);
        }
    }
    const zoom = document.querySelector(".zoom button").getBoundingClientRect();
    for (const tab of document.querySelectorAll(".tabs button")) {
        const { left, right, bottom } = tab.getBoundingClientRect();
        if (left < zoom.right && right > zoom.left && bottom > zoom.top) broken.push(`${tab.innerText} below the zoom`);
    }
    return broken;
}"""

# Names that are too small to read, and names that lie over one another.
_NAMES = """() => {
    const names = [...document.querySelectorAll("[role=application] .name")];
    const small = [...document.querySelectorAll("[role=application] .name text")].filter(
        (text) => text.getScreenCTM().a * parseFloat(text.getAttribute("font-size")) < 11);
    const boxes = names.map((name) => name.querySelector("rect").getBoundingClientRect());
    const over = boxes.filter((one, number) => boxes.some((other, another) => another > number &&
        one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom));
    return [names.length, small.map((text) => text.textContent), over.length];
}"""

LONG = ["golden_gate_bridge-the_embarcadero", "chinatown-japanese_tea_garden"]
"""Tickets with long names."""

TURN = ".prompt p, [data-spot=display] button, [data-spot=hand] li, [data-strip], .news, .zoom button"
OFFER = ".prompt p, .offer button, [data-strip], .zoom button"


def test_the_board_is_the_largest_thing_and_nothing_of_a_turn_is_cut(visit: Visit, tables: Tables) -> None:
    visitor, overheard = come(visit, tables, tables.crowd)
    # As much as there can be: every colour in hand, all of it playable, a long story of the last turn.
    view = overheard.state["view"]
    claim = {"e": "claim", "seat": 1, "route": max(view["open_routes"], key=len), "cards": {"ferry": 1}}
    token = {"e": "token", "seat": 1, "location": "sunset", "souvenir": view["seats"][0]["tokens"][0]}
    overheard.tell([claim, token], hand=dict.fromkeys(CARDS, 4))
    expect(visitor.page.locator("[data-spot=hand] li")).to_have_count(len(CARDS))
    faults = []
    for size in sizes(visitor):
        found, cut = visitor.page.evaluate(_CUT, TURN)
        faults += [f"{size}: {one}" for one in cut]
        faults += [f"{size}: {one} is larger than the board" for one in visitor.page.evaluate(_LARGER)]
        assert found == 1 + 7 + len(CARDS) + 4 + 1 + 2, size
        assert not visitor.page.evaluate(_ON_THE_BOARD), size
        assert visitor.page.evaluate(_CROWDED) == [], size
    assert not faults, "\n".join(faults)


def test_the_first_tickets_are_kept_without_scrolling(visit: Visit, tables: Tables) -> None:
    visitor, overheard = come(visit, tables, tables.begun)
    expect(visitor.offer).to_be_visible()
    overheard.tell(offer=LONG)
    faults = []
    for size in sizes(visitor):
        found, cut = visitor.page.evaluate(_CUT, OFFER)
        faults += [f"{size}: {one}" for one in cut]
        faults += [f"{size}: {one} is larger than the board" for one in visitor.page.evaluate(_LARGER)]
        assert found == 1 + 3 + 2 + 2, size
    assert not faults, "\n".join(faults)


def test_names_are_readable_from_near_and_far(visit: Visit, tables: Tables) -> None:
    visitor, _ = come(visit, tables, tables.halfway)
    for size in sizes(visitor, pick(SIZES[:1] + SIZES[4::4], SIZES)):
        for key in ("board.zoomOut", "board.zoomOut", "board.zoomIn"):
            count, small, over = visitor.page.evaluate(_NAMES)
            assert (small, over) == ([], 0), size
            assert count >= LANDMARKS, size
            visitor.button(key).click()
            visitor.let_the_board_rest()


def test_a_phone_begins_where_names_and_routes_can_be_touched(visit: Visit, tables: Tables) -> None:
    visitor, _ = come(visit, tables, tables.halfway, viewport=SCREENS["phone"])
    height = visitor.page.locator("[role=application] .space").first.evaluate("(space) => space.height.baseVal.value")
    assert visitor.zoom * height > 11


def test_own_tickets_are_at_most_one_tap_away(visit: Visit, tables: Tables) -> None:
    visitor, _ = come(visit, tables, tables.halfway)
    own = visitor.page.get_by_role("group", name=said("tickets.mine"))
    for size in sizes(visitor):
        tab = visitor.page.get_by_role("button", name=said("tabs.tickets"), exact=True)
        if tab.is_visible():
            tab.click()
        assert own.is_visible(), size


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_broken_on_a_small_phone(language: str, visit: Visit, tables: Tables) -> None:
    visitor, overheard = come(visit, tables, tables.crowd, locale=language)
    broken = []
    for card in pick(CARDS[6:], CARDS):
        overheard.tell(display={card: 5}, hand=dict.fromkeys(CARDS, 3))
        for width, height in NARROW:
            visitor.page.set_viewport_size({"width": width, "height": height})
            visitor.let_the_board_rest()
            broken += [f"{width}: {one}" for one in visitor.page.evaluate(_BROKEN)]
    for tab in ("tabs.tickets", "tabs.players"):
        visitor.page.get_by_role("button", name=said(tab, language), exact=True).click()
        for width, height in NARROW:
            visitor.page.set_viewport_size({"width": width, "height": height})
            visitor.let_the_board_rest()
            broken += [f"{width}, {tab}: {one}" for one in visitor.page.evaluate(_BROKEN)]
    assert not broken, "\n".join(broken)


def come(visit: Visit, tables: Tables, table: str, **settings: Any) -> tuple[Visitor, Overheard]:
    visitor = visit(**settings)
    overheard = Overheard(visitor)
    tables.let_in(visitor.context)
    visitor.go(f"/game/{table}")
    visitor.prompt.wait_for()
    visitor.page.evaluate("document.fonts.ready")
    return visitor, overheard


def sizes(visitor: Visitor, which: Sequence[tuple[int, int]] = SIZES) -> Iterator[str]:
    for width, height in which:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.let_the_board_rest()
        yield f"{width}x{height}"
