"""The wire: every message between the server and its clients, defined once.

`web/src/wire.ts` is made from these types (`python -m fogline.server.wire.typescript`), and so is the description of
the HTTP API.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from fogline.server.tables.text import NAME_LENGTH
from fogline.server.wire.eventforms import ToldEvent

PROTOCOL = 2
"""Raised whenever a client of before would misunderstand: it is then told to reload."""

# What the server says.


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that the seat may do now. `action` is what to send."""

    action: str
    kind: Literal["draw", "draw_tickets", "claim", "keep", "token", "place", "pass"]
    target: str | None  # "deck" or a card, a route, "first", "second" or "both", or a location
    cards: dict[str, int] | None  # what a claim is paid with


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The points of a seat at the end."""

    routes: int
    tickets: int
    tokens: int
    total: int
    completed: tuple[str, ...]
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """What everyone may know of a seat; the last three only when the game is over."""

    points: int  # for routes
    cars: int
    cards: int
    tickets: int
    tokens: tuple[str, ...]
    hand: dict[str, int] | None
    kept: tuple[str, ...] | None
    score: SeatScore | None


@dataclass(frozen=True, slots=True)
class Stack:
    """Tokens on a location."""

    souvenir: str
    count: int


@dataclass(frozen=True, slots=True)
class GameView:
    """The game as one seat sees it, or, where `seat` is null, as a spectator does."""

    seat: int | None
    step: int  # to be given with a decision
    phase: Literal["keep_first_tickets", "place", "turn", "second_card", "keep_tickets", "token", "over"]
    deciding: tuple[int, ...]  # several only while the first tickets are chosen
    turns_left: int | None  # of the last round
    display: dict[str, int]
    deck_count: int
    discard: dict[str, int]
    ticket_count: int
    seats: tuple[Seat, ...]
    owners: dict[str, int]  # by route
    open_routes: tuple[str, ...]
    stacks: dict[str, Stack]  # by location
    hand: dict[str, int]
    tickets: tuple[str, ...]
    completed: tuple[str, ...]
    offer: tuple[str, ...]
    put_back: tuple[str, ...]
    chosen: str | None  # the first tickets that the seat has chosen, while others still choose
    legal: tuple[Choice, ...]  # nothing while a bot plays for the person
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChairInfo:
    """A place at the table, and who has it."""

    kind: Literal["open", "person", "bot"]
    name: str
    player: str  # which of the registered players, for a bot
    level: int | None  # of a bot
    away: bool  # a bot plays on for a person who is not there


@dataclass(frozen=True, slots=True)
class You:
    """Who the server takes the receiver for."""

    chair: int | None
    seat: int | None
    host: bool


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table, apart from its game."""

    id: str
    status: Literal["open", "revealing", "playing", "over", "closed", "imported"]
    map: str
    clock: Literal["none", "30s", "60s", "1d", "3d"]
    spectators: bool
    chairs: tuple[ChairInfo, ...]
    seating: tuple[int, ...]  # the chair of each seat, once they are drawn
    you: You
    invite: str | None  # the key of the link, for those who sit here
    deadline: float | None  # when the clock runs out, in seconds since 1970
    scheme: int  # of fairness; see docs/fairness.md
    commitment: str  # to the secret, and to what it is for
    seals: tuple[str | None, ...]  # by chair: the SHA-256 of each salt
    salts: tuple[str | None, ...]  # by chair, once the game has begun
    secret: str | None  # once the game is over
    again: str | None  # the table of the rematch
    waiting: float | None = None  # since when those who must decide are waited for, in seconds since 1970


@dataclass(frozen=True, slots=True)
class State:
    """All that there is to know now, and the events since message `after`. `n` is the message's number."""

    n: int
    after: int
    table: TableInfo
    view: GameView | None  # null before the start
    events: tuple[ToldEvent, ...]
    type: Literal["state"] = "state"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The decision is stored; the state of number `n`, or a later one, shows it."""

    id: int
    n: int
    type: Literal["accepted"] = "accepted"


@dataclass(frozen=True, slots=True)
class Rejected:
    """Nothing has changed, and why."""

    id: int | None
    code: str
    reason: str
    rule: str | None
    key: str | None = None  # which refusal of the rules it is, to be said in any language
    values: Mapping[str, str | int] = field(default_factory=dict)
    type: Literal["rejected"] = "rejected"


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether an action is legal now, and if not, why."""

    id: int
    legal: bool
    reason: str | None
    rule: str | None
    key: str | None = None
    values: Mapping[str, str | int] = field(default_factory=dict)
    type: Literal["answer"] = "answer"


@dataclass(frozen=True, slots=True)
class ChairPresence:
    """How a person is there: looks at the table, has it open and looks at something else, or has it open nowhere."""

    how: Literal["here", "hidden", "gone"]
    since: float | None  # when somebody who does not look last did, in seconds since 1970; null where nobody knows


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is there, told to those who sit at the table and said in their socket's address whether they look at it."""

    chairs: tuple[ChairPresence | None, ...]  # null for bots, and for open chairs
    known: float  # since when anybody would have been seen: when this server began to use the table
    patience: float  # seconds of absence after which others may let a bot play, where no clock runs
    type: Literal["presence"] = "presence"


@dataclass(frozen=True, slots=True)
class Reload:
    """The client is not of the server's version: it must be loaded anew."""

    protocol: int
    reason: str
    type: Literal["reload"] = "reload"


@dataclass(frozen=True, slots=True)
class Gone:
    """The server ends the conversation, and coming back is no use."""

    reason: str
    type: Literal["gone"] = "gone"


@dataclass(frozen=True, slots=True)
class Mind:
    """What a bot had in mind: the ticket it worked on, the route it wanted next, and the one it feared to lose."""

    seat: int
    ticket: str | None
    route: str | None
    feared: str | None


@dataclass(frozen=True, slots=True)
class Frame:
    """A game after this many actions, and the events of the last one."""

    step: int
    view: GameView
    events: tuple[ToldEvent, ...]
    mind: Mind | None = None  # of the bot that did it, where all is shown


@dataclass(frozen=True, slots=True)
class Replay:
    """A game once more: all its frames, or one of them."""

    table: TableInfo
    eyes: str  # "all", "public", or a seat
    steps: int
    frames: tuple[Frame, ...]


ServerMessage = State | Accepted | Rejected | Answer | Presence | Reload | Gone

SERVER_MESSAGE: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, Field(discriminator="type")])


_STATE: TypeAdapter[State] = TypeAdapter(State)
"""A message of a known type is written twice as fast as one of several types."""


def write(message: ServerMessage) -> bytes:
    return _STATE.dump_json(message) if isinstance(message, State) else SERVER_MESSAGE.dump_json(message)


# What a client says.

MessageId = Annotated[int, Field(ge=0, le=2**31 - 1)]
ActionText = Annotated[str, Field(max_length=200)]
StepNumber = Annotated[int, Field(ge=0, le=100_000)]


Name = Annotated[str, Field(max_length=10 * NAME_LENGTH, description="what the others call you")]


class _FromClient(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Play(_FromClient):
    """Decides the step of this number with an action's text."""

    type: Literal["play"]
    id: MessageId  # comes back with the answer
    step: StepNumber
    action: ActionText


class WhyNot(_FromClient):
    """Asks whether an action is legal now; a claim without its payment asks about all of them."""

    type: Literal["why_not"]
    id: MessageId
    action: ActionText


class Look(_FromClient):
    """Says whether the page that shows the table is hidden now. There is no answer."""

    type: Literal["look"]
    hidden: bool


class ImportedRecord(_FromClient):
    """A record, and who played."""

    record: dict[str, Any]
    names: Annotated[list[Name], Field(max_length=4)] = []


ClientMessage = Play | WhyNot | Look

CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])
