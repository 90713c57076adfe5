"""Settings: what whoever runs a server decides."""

from __future__ import annotations

from dataclasses import dataclass, field

from fogline.server.limits import Limits
from fogline.server.table import Offer


@dataclass(frozen=True, slots=True)
class Settings:
    """What whoever runs a server decides."""

    offer: Offer
    limits: Limits = field(default_factory=Limits)
    origins: frozenset[str] = frozenset()  # further addresses under which browsers know this server
    bot_delay: float = 0.8  # seconds that a bot takes at least
    forget_after: float = 60.0  # seconds after which a table that nobody uses is only in the store
