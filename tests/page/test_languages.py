"""Every page in every language, on a laptop and on a phone."""

from __future__ import annotations

import pytest

from tests.page.faults import faults_of
from tests.page.places import PLACES, Tables, tour
from tests.page.screens import Visit
from tests.page.words import LANGUAGES
from tests.tier import pick

SCREENS = ("laptop", "phone")
PARTS = 4
"""Of a tour: a test for each."""


def parts_of(language: str) -> range:
    """In the quick tier every other part: the ones in one language, the others in the next."""
    return pick(range(LANGUAGES.index(language) % 2, PARTS, 2), range(PARTS))


@pytest.mark.parametrize(("language", "part"), [(one, part) for one in LANGUAGES for part in parts_of(one)])
def test_every_page_reads_well(language: str, part: int, visit: Visit, tables: Tables) -> None:
    faults = []
    screens = pick(SCREENS[part // 2 :][:1], SCREENS)
    for place, page in tour(visit, tables, language, screens, PLACES[part::PARTS]):
        assert page.locator("html").get_attribute("lang") == language
        faults += [f"{place}: {fault}" for fault in faults_of(page)]
    assert not faults, "\n".join(faults)
