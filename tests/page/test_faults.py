"""What looks for faults in the texts of a page finds them."""

from __future__ import annotations

import pytest

from tests.page.faults import faults_of, violations
from tests.page.screens import Visit

LONG = "Lighthouse keepers"


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        ("<p>A text without any fault.</p>", None),
        ("<p>home.play</p>", "a key: home.play"),
        ("<button aria-label='home.play'>Play</button>", "a key: home.play"),
        ("<p>{name} to play</p>", "a place that was not filled"),
        (f"<p id=wide>{LONG}</p>", "scrolls sideways"),
        (f"<p id=left>{LONG}</p>", "outside the window"),
        (f"<p class=narrow id=hidden>{LONG}</p>", "cut"),
        (f"<div class=narrow id=hidden><span>{LONG}</span></div>", "cut"),
        (f"<div class=narrow id=scrolling><span>{LONG}</span></div>", None),
        (f"<button class=narrow>{LONG}</button>", "outside its button"),
        (f"<p>{LONG}</p><p id=raised>Bell ringers</p>", "over one another"),
        (f"<p>{LONG}</p><dialog open>Bell ringers</dialog>", None),
    ],
)
def test_a_fault_is_found(markup: str, fault: str | None, visit: Visit) -> None:
    page = visit().page
    page.set_content(f"<style>{STYLE}</style><main>{markup}</main>")
    found = faults_of(page)
    assert bool(found) == (fault is not None), found
    assert all(one.startswith(str(fault)) for one in found)


def test_what_keeps_people_out_is_found(visit: Visit) -> None:
    page = visit().page
    page.set_content("<html lang=en><title>A test</title><main><h1>A test</h1><button></button></main>")
    assert violations(page) == ["button-name at button"]


STYLE = """
    p { white-space: nowrap; margin: 0; line-height: 20px }
    .narrow { width: 40px; height: 20px; padding: 0; white-space: nowrap }
    #wide { width: 3000px }
    #left { margin-left: -90px }
    #hidden { overflow: hidden }
    #scrolling { overflow: auto }
    #raised { margin-top: -15px }
    dialog { top: 0 }
"""
