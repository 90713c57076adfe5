"""What is wrong with a page: faults in its texts (see `faults.js`), and what keeps people out (axe)."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.conformance import ROOT
from tests.page.words import catalogue

_AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
_RUN_AXE = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(" ")}`));
}"""

_FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def faults_of(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_FAULTS, [key for key in catalogue("en") if "." in key])
    return found


def violations(page: Page) -> list[str]:
    """What keeps out those who use a page otherwise than with eyes and a mouse."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))  # as a script of the page, its own policy would keep it out
    found: list[str] = page.evaluate(_RUN_AXE)
    return found
