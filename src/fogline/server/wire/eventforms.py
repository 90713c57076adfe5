"""The forms of events: what an event of the game looks like to a viewer who may not see all of it.

`docs/records.md` describes the events of a record, where nothing is hidden. These types describe; they check nothing
and change nothing, because events have already passed `view.redact`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema
from typing_extensions import TypedDict  # Pydantic cannot take the standard library's before Python 3.12

Card = Literal["blue", "green", "black", "purple", "red", "orange", "ferry"]


class _Form(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]


class DealEvent(_Form):
    """A seat was dealt its first cards. Only the seat itself sees `cards`; everyone else sees their `count`."""

    e: Literal["deal"]
    seat: int
    cards: NotRequired[list[Card]]
    count: NotRequired[int]


class DisplayEvent(_Form):
    """The first display was turned up."""

    e: Literal["display"]
    cards: list[Card]


class ResetEvent(_Form):
    """A ferry reset discarded these cards of the display; the new ones come as flips."""

    e: Literal["reset"]
    cards: list[Card]


class OfferEvent(_Form):
    """A seat was offered tickets. Only the seat itself sees `tickets`; everyone else sees their `count`."""

    e: Literal["offer"]
    seat: int
    tickets: NotRequired[list[str]]
    count: NotRequired[int]


class KeepEvent(_Form):
    """A seat kept these of the tickets offered.

    Everyone else sees their `count`, once all first tickets are chosen, and a `seal`, so that it cannot be said later
    that it was other ones.
    """

    e: Literal["keep"]
    seat: int
    tickets: NotRequired[list[str]]
    count: NotRequired[int]
    seal: NotRequired[str]


class PlaceEvent(_Form):
    """A stack of tokens that was set aside was placed."""

    e: Literal["place"]
    seat: int
    location: str
    souvenir: str
    count: int


class DrawEvent(_Form):
    """A seat drew a card. One that comes from the deck only the seat itself sees."""

    e: Literal["draw"]
    seat: int
    from_: Annotated[Literal["deck", "display"], Field(alias="from")]
    card: NotRequired[Card]


class FlipEvent(_Form):
    """A card was turned up into the display."""

    e: Literal["flip"]
    card: Card


class RecycleEvent(_Form):
    """The discard pile became the deck."""

    e: Literal["recycle"]


class ClaimEvent(_Form):
    """A seat claimed a route with this payment."""

    e: Literal["claim"]
    seat: int
    route: str
    cards: dict[Card, int]


class TokenEvent(_Form):
    """A seat took a token."""

    e: Literal["token"]
    seat: int
    location: str
    souvenir: str


class PassEvent(_Form):
    """A seat had nothing to do."""

    e: Literal["pass"]
    seat: int


class LastRoundEvent(_Form):
    """The turn of this seat began the last round."""

    e: Literal["last_round"]
    seat: int


class EndEvent(_Form):
    """The game ended: by its last round, or because no seat could do anything any more."""

    e: Literal["end"]
    reason: Literal["last_round", "stuck"]


GameEvent = (
    DealEvent
    | DisplayEvent
    | ResetEvent
    | OfferEvent
    | KeepEvent
    | PlaceEvent
    | DrawEvent
    | FlipEvent
    | RecycleEvent
    | ClaimEvent
    | TokenEvent
    | PassEvent
    | LastRoundEvent
    | EndEvent
)

GAME_EVENT: TypeAdapter[GameEvent] = TypeAdapter(Annotated[GameEvent, Field(discriminator="e")])


class _Described:
    """Stands for the forms where the API is described, and nowhere else."""

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(GAME_EVENT.core_schema)


ToldEvent = Annotated[dict[str, Any], _Described()]
"""An event as it leaves: any object to the server, one of the forms in the description of the API."""
