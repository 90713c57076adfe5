"""Faults in the texts of a page: see `faults.js`."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.page.words import catalogue

_FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def faults_of(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_FAULTS, [key for key in catalogue("en") if "." in key])
    return found
