"""Defaults of a server's settings, which the command shows without loading the server."""

from __future__ import annotations

BOT_DELAY = 0.8
"""Seconds that a bot takes at least for a decision."""

KEEP_IMPORTS = 90.0
"""Days after which an imported game is deleted."""

FORGET_AFTER = 60.0
"""Seconds after which a table that nobody uses is only in the store."""

PATIENCE = 180.0
"""Seconds of absence after which others at a table without a clock may let a bot play on."""
