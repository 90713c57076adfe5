"""The tables of the database, as the newest migration leaves them."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text

METADATA = MetaData()

people = Table(
    "people",
    METADATA,
    Column("id", String(64), primary_key=True),  # a hash of the secret that the person holds
    Column("created", Float, nullable=False),
)

games = Table(
    "games",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("host", String(64), nullable=False),
    Column("status", String(16), nullable=False),
    Column("invite", String(32), unique=True),  # null once it leads nowhere
    Column("due", Float),  # when something must happen by itself
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Index("games_due", "due"),
    Index("games_host", "host", "status"),
)

log = Table(
    "log",
    METADATA,
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("entry", Text, nullable=False),
)
"""(game, ply) orders all that happens: of two entries for the same number, one is taken."""

guests = Table(
    "guests",
    METADATA,
    Column("person", String(64), primary_key=True),
    Column("game", String(32), ForeignKey("games.id"), primary_key=True),
)
"""Who sits at which table."""
