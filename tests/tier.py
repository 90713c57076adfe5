"""The two tiers of the tests: `make test` takes minutes and covers everything, `make test-all` digs deeper.

A test that only digs deeper is marked `@pytest.mark.thorough`; one that both tiers run may take its size from `pick`.
"""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")

thorough = False
"""Whether this run is of the thorough tier."""


def pick(quick: T, otherwise: T) -> T:
    """What a test takes in the quick tier, and in the thorough one."""
    return otherwise if thorough else quick
