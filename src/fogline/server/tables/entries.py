"""Entries: everything that can happen at a table, as its log keeps it.

A table is only its log. Each entry has the next number. The store takes one entry for each number, so of two that race
only one happens.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator, TypeAdapter

from fogline.game.actions import Action, parse_action
from fogline.server.tables.clock import ClockName


def _read_action(action: Action | str) -> Action:
    return action if isinstance(action, Action) else parse_action(action)


KeptAction = Annotated[Action, PlainValidator(_read_action), PlainSerializer(str, return_type=str)]
"""Kept as text and parsed once: when the entry comes from the store, or from a person."""


class Chair(BaseModel):
    """A place at a table, before the seats are drawn by lot (2.6)."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["open", "person", "bot"]
    person: str = ""  # who sits there; nobody else is told this id
    name: str = ""
    player: str = ""  # which of the registered players a bot is
    seal: str = ""  # what the person has shown of the salt that they add to the table's secret
    salt: str = ""  # that salt, once it is revealed


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True)

    at: float  # seconds since 1970


class Opened(_Entry):
    """Somebody opened the table. Always the first entry, unless a finished game was brought along."""

    kind: Literal["opened"] = "opened"
    map: str
    digest: str  # of the map's rules: another map under the same name is another game
    clock: ClockName
    spectators: bool
    autostart: bool
    chairs: tuple[Chair, ...]
    host: str
    invite: str
    scheme: int = 1  # of fairness: tables that were opened before there was a second one do not say


class Sat(_Entry):
    """A person took an open chair, or came again with another name or seal."""

    kind: Literal["sat"] = "sat"
    chair: int
    person: str
    name: str
    seal: str = ""
    salt: str = ""  # by the first scheme


class Stood(_Entry):
    """A person gave a chair up, or the host freed it, before the start."""

    kind: Literal["stood"] = "stood"
    chair: int


class Filled(_Entry):
    """The host gave a chair to a bot, or opened it again."""

    kind: Literal["filled"] = "filled"
    chair: int
    player: str  # empty for an open chair


class Invited(_Entry):
    """The host made a new link, or, with an empty one, revoked it."""

    kind: Literal["invited"] = "invited"
    invite: str


class Watched(_Entry):
    """The host let spectators in, or sent them away."""

    kind: Literal["watched"] = "watched"
    spectators: bool


class Closed(_Entry):
    """The host gave the table up before the start."""

    kind: Literal["closed"] = "closed"


class Locked(_Entry):
    """Chairs and seals are fixed: everyone reveals their salt now, and then the cards are dealt."""

    kind: Literal["locked"] = "locked"


class Revealed(_Entry):
    """A person revealed the salt of their seal; with the last one, seats are drawn and cards dealt."""

    kind: Literal["revealed"] = "revealed"
    chair: int
    salt: str


class Started(_Entry):
    """The seats were drawn by lot, and the cards dealt, without waiting for any more salts."""

    kind: Literal["started"] = "started"


class Moved(_Entry):
    """A seat decided something."""

    kind: Literal["moved"] = "moved"
    seat: int
    action: KeptAction
    bot: bool


class Away(_Entry):
    """A person's clock ran out, or the person left, or was gone for long: a bot plays on for the seat."""

    kind: Literal["away"] = "away"
    seat: int
    why: Literal["clock", "left", "gone"]


class Back(_Entry):
    """The person came back and plays again."""

    kind: Literal["back"] = "back"
    seat: int


class Again(_Entry):
    """Somebody opened another table for the same people."""

    kind: Literal["again"] = "again"
    table: str
    person: str  # its host


class Imported(_Entry):
    """A game that was played elsewhere, brought along as a whole; the only entry of its table."""

    kind: Literal["imported"] = "imported"
    record: dict[str, Any]
    digest: str
    names: tuple[str, ...]
    host: str


Entry = (
    Opened
    | Sat
    | Stood
    | Filled
    | Invited
    | Watched
    | Closed
    | Locked
    | Revealed
    | Started
    | Moved
    | Away
    | Back
    | Again
    | Imported
)

_ENTRY: TypeAdapter[Entry] = TypeAdapter(Annotated[Entry, Field(discriminator="kind")])


def read_entry(text: str) -> Entry:
    return _ENTRY.validate_json(text)


def write_entry(entry: Entry) -> str:
    return entry.model_dump_json()
