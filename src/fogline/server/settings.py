"""Settings: what the operator of a server decides."""

from __future__ import annotations

from dataclasses import dataclass, field

from fogline.server.defaults import BOT_DELAY, FORGET_AFTER, KEEP_IMPORTS, PATIENCE
from fogline.server.http.limits import Limits
from fogline.server.tables.clock import DAY
from fogline.server.tables.table import Offer
from fogline.server.workers.thinkers import ThinkersAt, usable_cores, usual_thinkers


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator of a server decides."""

    offer: Offer
    limits: Limits = field(default_factory=Limits)
    origins: frozenset[str] = frozenset()  # further addresses under which browsers know this server
    bot_delay: float = BOT_DELAY  # seconds
    keep_imports: float = KEEP_IMPORTS * DAY  # seconds
    forget_after: float = FORGET_AFTER  # seconds
    patience: float = PATIENCE  # seconds
    thinkers: int = field(default_factory=lambda: usual_thinkers(usable_cores()))  # processes in which bots think
    thinkers_at: tuple[ThinkersAt, ...] = ()  # further ones, on other machines
