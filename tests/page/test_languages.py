"""Every page in every language, on a laptop and on a phone."""

from __future__ import annotations

import pytest

from tests.page.faults import faults_of
from tests.page.places import Tables, part, tour
from tests.page.screens import Visit
from tests.page.words import LANGUAGES
from tests.tier import pick

SCREENS = ("laptop", "phone")
PARTS = 4
"""Of a tour: a test for each."""


def parts_of(language: str) -> range:
    """In the quick tier one part in each language, so that every page is walked through in one of them."""
    return pick(range(LANGUAGES.index(language) % PARTS, PARTS, PARTS), range(PARTS))


@pytest.mark.parametrize(("language", "number"), [(one, number) for one in LANGUAGES for number in parts_of(one)])
def test_every_page_reads_well(language: str, number: int, visit: Visit, tables: Tables) -> None:
    faults = []
    screens = pick(SCREENS[number // 2 :][:1], SCREENS)
    for place, page in tour(visit, tables, language, screens, part(number, PARTS)):
        assert page.locator("html").get_attribute("lang") == language
        faults += [f"{place}: {fault}" for fault in faults_of(page)]
    assert not faults, "\n".join(faults)
