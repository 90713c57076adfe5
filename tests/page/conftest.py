"""One browser and one server for all tests of the page in a process."""

from __future__ import annotations

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
from tests.server.nursery import Forked
from tests.server.serving import PATIENCE, Person, Served

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

USUAL: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", "viewport": SCREENS["laptop"]}

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
    with Forked(f"sqlite:///{folder}/fogline.db", folder, "--bot-delay=0.02") as server:
        yield server


@pytest.fixture(scope="package")
def tables(served: Served) -> Tables:
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
    """Lets somebody in who was never here before. In the end, no browser may have complained about anything.

    Of a test that fails, the last that was seen stays as a picture in the test's folder.
    """
    visitors = []

    def visit(url: str | None = None, **settings: Any) -> Visitor:
        context = browser.new_context(**USUAL | settings)
        context.set_default_timeout(1000 * PATIENCE)
        visitors.append(Visitor(context, url or served.url))
        return visitors[-1]

    yield visit
    for number, visitor in enumerate(visitors):
        if not request.node.stash.get(_PASSED, False):
            visitor.page.screenshot(path=tmp_path / f"visitor-{number}.png")
        visitor.context.close()
    assert [trouble for visitor in visitors for trouble in visitor.unexpected()] == []
