"""What the store is given when something happens at a table."""

from __future__ import annotations

from fogline.fairness.secret import new_secret
from fogline.server.storage.store import Append, NewTable
from fogline.server.tables.entries import Again, Entry, Filled, Opened, Sat, Stood, write_entry
from fogline.server.tables.people import new_key
from fogline.server.tables.table import OPEN, SCHEME, Table

GRACE = 2.0
"""Seconds after which others may do what a server had to do, and did not."""


def make_append(before: Table, entry: Entry, after: Table, bot_delay: float) -> Append:
    after.set_back(entry.at)
    due = after.due(bot_delay)
    return Append(
        game=after.id,
        ply=after.n,
        entry=write_entry(entry),
        status=after.status,
        invite=after.invite or None,
        due=None if due is None else due + GRACE,
        at=entry.at,
        joins=entry.person if isinstance(entry, Sat) else None,
        leaves=before.chairs[entry.chair].person or None if isinstance(entry, Stood | Filled) else None,
        opens=new_table(entry.table, _rematch(before, entry)) if isinstance(entry, Again) else None,
    )


def new_table(id: str, entry: Opened) -> NewTable:
    guests = tuple(chair.person for chair in entry.chairs if chair.person)
    return NewTable(id, new_secret(), entry.host, OPEN, entry.invite or None, write_entry(entry), guests, entry.at)


def _rematch(table: Table, entry: Again) -> Opened:
    """The same people and bots, at the same kind of table; whoever comes first is its host."""
    return Opened(
        at=entry.at,
        map=table.map,
        digest=table.offer.digests[table.map],
        clock=table.clock,
        spectators=table.spectators,
        autostart=False,
        # The old salts are known to whoever makes the new secret: people bring new ones.
        chairs=tuple(chair.model_copy(update={"seal": "", "salt": ""}) for chair in table.chairs),
        host=entry.person,
        invite=new_key(),
        scheme=SCHEME,
    )
