"""Names: who gives none keeps the one that was drawn at the first visit."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.screens import Visit
from tests.page.visitor import Visitor
from tests.page.words import said

OTHER_LOTS = """{
    const loads = Number(sessionStorage.loads ?? 0) + 1;
    sessionStorage.loads = loads;
    Math.random = () => (0.37 * loads) % 1;
}"""
"""Every load of the page draws something else."""


def test_a_suggested_name_stays(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script(OTHER_LOTS)
    visitor.go("/")
    name = suggested(visitor).get_attribute("placeholder")
    assert name
    visitor.page.reload()
    expect(suggested(visitor)).to_have_attribute("placeholder", name)

    visitor.button("home.friends").click()
    chairs = visitor.page.get_by_role("list", name=said("lobby.chairs"))
    expect(chairs).to_contain_text(name)
    expect(suggested(visitor)).to_have_attribute("placeholder", name)
    visitor.page.reload()
    expect(chairs).to_contain_text(name)
    expect(suggested(visitor)).to_have_attribute("placeholder", name)


def suggested(visitor: Visitor) -> Locator:
    return visitor.page.get_by_label(said("name.label"))
