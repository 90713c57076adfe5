"""One browser and one server for all tests of the page in a process."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.conformance import ROOT
from tests.page.places import Tables
from tests.page.screens import SCREENS, Visit
from tests.page.visitor import Visitor
from tests.seeds import RUN, drawn_for
from tests.server.nursery import Forked
from tests.server.serving import PATIENCE, Person, Served

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

USUAL: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", "viewport": SCREENS["small laptop"]}

LOTS = """{
    let state = 0;
    for (const letter of STAMP) state = (Math.imul(state, 31) + letter.codePointAt(0)) >>> 0;
    Math.random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    crypto.getRandomValues = (bytes) => bytes.map(() => 256 * Math.random());
}"""
"""What a page draws at random, as salts and names, comes from the test and from who of its visitors it is."""

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="package")  # no longer: a running browser keeps other tests from running an event loop
def browser() -> Iterator[Browser]:
    found = subprocess.run([ROOT / "scripts/chromium", "--find"], capture_output=True, text=True, check=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.stdout.strip(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("page")
    with drawn_for("the server of the page"):
        server = Forked(f"sqlite:///{folder}/fogline.db", folder, "--bot-delay=0.02")
    with server:
        yield server


@pytest.fixture(scope="package")
def tables(served: Served) -> Tables:
    with drawn_for("the tables of the page"):
        return Tables.of(Person(served.url))


_PASSED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_PASSED] = report.passed
    return report


@pytest.fixture
def visit(browser: Browser, served: Served, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visit]:
    """Lets somebody in who was never here before. In the end, no browser may have complained about anything: a server
    of a test's own must be asked for first, so that it outlives them.

    Of a test that fails, the last that was seen stays as a picture in the test's folder.
    """
    visitors: list[Visitor] = []

    def visit(url: str | None = None, **settings: Any) -> Visitor:
        context = browser.new_context(**USUAL | settings)
        context.set_default_timeout(1000 * PATIENCE)
        context.add_init_script(LOTS.replace("STAMP", json.dumps(f"{RUN.stamp} {len(visitors)}")))
        visitors.append(Visitor(context, url or served.url))
        return visitors[-1]

    yield visit
    for number, visitor in enumerate(visitors):
        if not request.node.stash.get(_PASSED, False):
            visitor.page.screenshot(path=tmp_path / f"visitor-{number}.png")
        visitor.context.close()
    assert [trouble for visitor in visitors for trouble in visitor.unexpected()] == []
