"""Every page in every language, on a laptop and on a phone."""

from __future__ import annotations

import pytest

from tests.page.faults import faults_of
from tests.page.places import Tables, tour
from tests.page.screens import Visit
from tests.page.words import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_reads_well(language: str, visit: Visit, tables: Tables) -> None:
    faults = []
    for place, page in tour(visit, tables, language):
        assert page.locator("html").get_attribute("lang") == language
        faults += [f"{place}: {fault}" for fault in faults_of(page)]
    assert not faults, "\n".join(faults)
