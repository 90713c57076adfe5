"""Every page in every language, on a laptop and on a phone, by day and by night, for all who read it."""

from __future__ import annotations

import pytest

from tests.page.faults import faults_of, violations
from tests.page.places import Tables, part, tour
from tests.page.screens import Visit
from tests.page.words import LANGUAGES
from tests.tier import pick

SCREENS = ("laptop", "phone")
PARTS = 10
"""Of a tour: a test for each."""


def parts_of(language: str) -> range:
    """In the quick tier each page is seen in one language, and each language on a fifth of the pages."""
    first = 2 * LANGUAGES.index(language) % PARTS
    return pick(range(first, first + 2), range(PARTS))


@pytest.mark.parametrize(("language", "number"), [(one, number) for one in LANGUAGES for number in parts_of(one)])
def test_every_page_serves_everyone(language: str, number: int, visit: Visit, tables: Tables) -> None:
    faults = []
    screens = pick(SCREENS[number % 2 :][:1], SCREENS)
    light = ("light", "dark")[LANGUAGES.index(language) % 2]
    for place, page in tour(visit, tables, language, screens, part(number, PARTS), color_scheme=light):
        assert page.locator("html").get_attribute("lang") == language
        faults += [f"{place}: {fault}" for fault in faults_of(page) + violations(page)]
    assert not faults, "\n".join(faults)
