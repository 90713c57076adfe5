"""Every page, by day and by night, for those who use it otherwise than with eyes and a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.conformance import ROOT
from tests.page.places import Tables, part, tour
from tests.page.screens import Visit
from tests.tier import pick

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"

_RUN = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(" ")}`));
}"""


PARTS = 9
"""Of a tour: a test for each."""


@pytest.mark.parametrize("number", range(PARTS))
@pytest.mark.parametrize(("light", "screen"), pick([("dark", "phone")], [("light", "laptop"), ("dark", "phone")]))
def test_axe_finds_nothing(light: str, screen: str, number: int, visit: Visit, tables: Tables) -> None:
    found = []
    places = part(number, PARTS)
    # The Content-Security-Policy would keep axe out; all other tests hold it.
    for place, page in tour(visit, tables, screens=[screen], places=places, color_scheme=light, bypass_csp=True):
        found += [f"{place}: {violation}" for violation in violations(page)]
    assert not found, "\n".join(found)


def violations(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    listed: list[str] = page.evaluate(_RUN)
    return listed
