"""The server dies in the middle of a game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.hands import Mouse
from tests.page.screens import Visit
from tests.page.words import said
from tests.server.nursery import Forked
from tests.server.serving import Served


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Served]:
    """A server of the test's own, to be killed."""
    with Forked(f"sqlite:///{tmp_path}/fogline.db", tmp_path, "--bot-delay=0.02") as server:
        yield server


def test_a_killed_server_is_told_of_and_nothing_is_lost(mortal: Served, visit: Visit) -> None:
    visitor = visit(mortal.url)
    visitor.expected = [r"WebSocket connection to .* failed", r"net::ERR_"]
    visitor.go("/")
    visitor.button("home.play").first.click()
    mouse = Mouse(visitor)
    asked = mouse.play(turns=2)
    before = visitor.position()

    mortal.kill()
    expect(visitor.page.get_by_text(said("link.offline"))).to_be_visible()
    assert visitor.position() == before
    visitor.drawable.first.click()  # decided while nobody hears it

    mortal.start()
    expect(visitor.page.get_by_text(said("link.offline"))).to_be_hidden()
    expect(visitor.prompt).to_have_text(said("prompt.second"))
    mouse.play(asked, turns=1)
