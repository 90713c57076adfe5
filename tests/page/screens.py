"""The screens that the page is seen on, and what lets a visitor in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import ViewportSize

from tests.page.visitor import Visitor

SCREENS: dict[str, ViewportSize] = {
    "laptop": {"width": 1440, "height": 900},
    "small laptop": {"width": 1024, "height": 768},
    "phone": {"width": 390, "height": 844},
}

PHONE: dict[str, Any] = {
    "viewport": SCREENS["phone"],
    "has_touch": True,
    "is_mobile": True,
}

CLIPBOARD = ["clipboard-read", "clipboard-write"]
"""What a browser must be allowed for a copied link to be pasted."""

Visit = Callable[..., Visitor]
"""Takes the settings of a browser's context."""
