"""Clocks: how long a person may take for a turn."""

from __future__ import annotations

from typing import Literal

ClockName = Literal["none", "30s", "60s", "1d", "3d"]

DAY = 24 * 60 * 60.0
SECONDS: dict[ClockName, float | None] = {"none": None, "30s": 30.0, "60s": 60.0, "1d": DAY, "3d": 3 * DAY}
