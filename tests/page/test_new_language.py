"""A language that is written from the right: the layout turns round, the map does not; and how a language is added."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.conformance import ROOT
from tests.page import words
from tests.page.faults import faults_of
from tests.page.places import PLACES, Place, Tables, tour
from tests.page.screens import Visit
from tests.page.words import LOCALES, Message, said
from tests.seeds import drawn_for
from tests.server.serving import Person, Served

LETTERS = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ابثدهفگحیجکلمنوپقرسطعغصخشز")
FORMS = ("zero", "one", "two", "few", "many", "other")
"""Of Arabic, by the Unicode CLDR."""

SIDES = """() => {
    const middle = (selector) => {
        const { left, right } = document.querySelector(selector).getBoundingClientRect();
        return (left + right) / 2;
    };
    return { map: middle("[role=application]"), seat: middle("[data-spot=seat-0]") };
}"""

SIDED = r"(?:(?:margin|padding|border)-(?:left|right)|text-align: (?:left|right))\b"

NAMES_ON_THE_MAP = """() => [...document.querySelectorAll("[role=application] svg text")]
    .map((name) => [name.textContent, getComputedStyle(name).direction])"""


def test_the_layout_turns_round_and_the_map_does_not(visit: Visit, tables: Tables) -> None:
    places = [place for place in PLACES if place.name == "game"]
    for _, page in tour(visit, tables, screens=["laptop"], places=places):
        before = page.evaluate(SIDES)
        page.evaluate("document.documentElement.dir = 'rtl'")
        after = page.evaluate(SIDES)
        assert before["map"] < before["seat"]
        assert after["map"] > after["seat"]
        assert {direction for _, direction in page.evaluate(NAMES_ON_THE_MAP)} == {"ltr"}
        assert faults_of(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert faults_of(page) == []


def test_styles_speak_of_where_a_line_begins() -> None:
    """Not of left and right: these change places where one writes from the right."""
    sources = (path for path in (ROOT / "web/src").rglob("*") if path.suffix in (".svelte", ".css"))
    styles = {path.name: re.sub(r"^.*<style>", "", path.read_text("utf-8"), flags=re.S) for path in sources}
    sides = {name: re.findall(SIDED, style) for name, style in styles.items() if re.search(SIDED, style)}
    assert sides == {}, "say margin-inline-start, text-align: end and the like"


def in_arabic_letters(text: str) -> str:
    """What nobody can read, but as long as the English text, with its {places}."""
    parts = re.split(r"(\{\w+\})", text)
    return "".join(part if part.startswith("{") else part.lower().translate(LETTERS) for part in parts)


def translated(message: Message) -> Message:
    if isinstance(message, str):
        return in_arabic_letters(message)
    return {form: in_arabic_letters(message["other"]) for form in FORMS}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the page with a sixth language, added as CONTRIBUTING.md says."""
    copy = tmp_path_factory.mktemp("sources")
    shutil.copytree(ROOT / "web", copy / "web", ignore=shutil.ignore_patterns("node_modules"))
    (copy / "web/node_modules").symlink_to((ROOT / "web/node_modules").resolve())
    locales = copy / "src/fogline/locales"
    shutil.copytree(LOCALES, locales)

    english = json.loads((locales / "en.json").read_text("utf-8"))
    catalogue = {key: translated(message) for key, message in english.items()}
    (locales / "ar.json").write_text(json.dumps(catalogue, ensure_ascii=False), "utf-8")
    shutil.copy(locales / "rules/en.json", locales / "rules/ar.json")
    settings = copy / "web/src/lib/settings.svelte.ts"
    before = settings.read_text("utf-8")
    settings.write_text(before.replace('nl: "Nederlands"', 'nl: "Nederlands", ar: "العربية"'), "utf-8")
    assert settings.read_text("utf-8") != before
    return copy


@pytest.fixture(scope="module")
def page_in_arabic(copy: Path) -> Iterator[Served]:
    subprocess.run(["npm", "run", "--silent", "build", "--", "--logLevel", "warn"], cwd=copy / "web", check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOGLINE_CLIENT", os.fspath(copy / "src/fogline/server/client"))
        patch.setattr(words, "LOCALES", copy / "src/fogline/locales")
        with Served(f"sqlite:///{copy}/fogline.db", copy) as served:
            yield served
    words.catalogue.cache_clear()


@pytest.mark.thorough
def test_the_check_finds_no_fault_with_a_language_that_was_added(copy: Path) -> None:
    subprocess.run(["npm", "run", "--silent", "check"], cwd=copy / "web", check=True)
    subprocess.run(["npx", "vitest", "run", "tests/words.test.ts"], cwd=copy / "web", check=True)


@pytest.mark.thorough
def test_a_language_that_was_added_is_spoken(visit: Visit, page_in_arabic: Served) -> None:
    visitor = visit(page_in_arabic.url, locale="ar")
    visitor.go("/")
    page = visitor.page
    page.get_by_text(said("home.tagline", "ar")).wait_for()
    assert written_in(page) == ("ar", "rtl")
    page.get_by_role("button", name=said("settings.title", "ar")).click()
    page.get_by_label(said("settings.language", "ar")).select_option(label="Dansk")
    page.get_by_role("heading", name=said("settings.title", "da")).wait_for()
    assert written_in(page) == ("da", "ltr")


@pytest.mark.thorough
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_every_page_is_read_from_the_right(place: Place, visit: Visit, page_in_arabic: Served, arabs: Tables) -> None:
    for name, page in tour(lambda **more: visit(page_in_arabic.url, **more), arabs, "ar", places=[place]):
        assert written_in(page) == ("ar", "rtl")
        assert faults_of(page) == [], name


@pytest.fixture(scope="module")
def arabs(page_in_arabic: Served) -> Tables:
    with drawn_for("the tables of the page in another language"):
        return Tables.of(Person(page_in_arabic.url))


def written_in(page: Page) -> tuple[str | None, str | None]:
    html = page.locator("html")
    return html.get_attribute("lang"), html.get_attribute("dir")
