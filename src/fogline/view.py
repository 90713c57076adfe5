"""What one seat may know (chapter 10): the only gate through which anything leaves for a player, a bot or a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fogline.actions import Action
from fogline.board import Board
from fogline.events import Event
from fogline.position import Position
from fogline.rules.state import OVER


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everyone may know of a seat."""

    seat: int
    points: int  # for routes
    cars: int
    cards: int
    tickets: int
    tokens: tuple[str, ...]
    hand: dict[str, int] | None  # None before the end (10.4), as are the two below
    kept: tuple[str, ...] | None
    completed: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat sees it, or as a spectator does, whose `seat` is None."""

    board: Board
    seat: int | None
    players: int
    phase: str
    acting: int | None  # the seat that must decide, None at the end
    turns_left: int | None  # of the last round, None before it
    display: dict[str, int]
    deck_count: int
    discard: dict[str, int]
    ticket_count: int  # tickets left to draw
    seats: tuple[SeatView, ...]
    owners: dict[str, int]  # by route
    stacks: dict[str, tuple[str, int]]  # by location: the souvenir, and how many tokens
    hand: dict[str, int]
    tickets: tuple[str, ...]  # one's own
    completed: tuple[str, ...]
    offer: tuple[str, ...]
    put_back: tuple[str, ...]  # tickets that one put at the bottom, in that order (10.2)
    legal_actions: tuple[Action, ...]  # empty unless this seat must decide
    events: tuple[Event, ...]  # as this seat saw them


def make_view(position: Position, events: Sequence[Event], legal: Sequence[Action], seat: int | None) -> View:
    """`legal` are the actions of the acting seat."""
    over = position.phase == OVER
    deciding = not over and position.seat == seat
    return View(
        board=position.board,
        seat=seat,
        players=position.players,
        phase=position.phase_name,
        acting=None if over else position.seat,
        turns_left=position.turns_left if position.turns_left >= 0 else None,
        display=position.cards_of("display"),
        deck_count=position.deck_count,
        discard=position.cards_of("discard"),
        ticket_count=position.ticket_count,
        seats=tuple(_seat_view(position, other, over) for other in range(position.players)),
        owners=position.owners(),
        stacks=position.stacks(),
        hand={} if seat is None else position.hand_of(seat),
        tickets=() if seat is None else position.tickets_of(seat),
        completed=() if seat is None else completed_tickets(position, seat),
        offer=position.offered() if deciding else (),
        put_back=_put_back(events, seat),
        legal_actions=tuple(legal) if deciding else (),
        events=tuple(redact(event, seat) for event in events),
    )


def completed_tickets(position: Position, seat: int) -> tuple[str, ...]:
    """The kept tickets whose two locations the seat's own routes join (6.3)."""
    board, line = position.board, position.line[seat].tolist()
    ends = {
        ticket.id: (board.location_number[ticket.first], board.location_number[ticket.second])
        for ticket in board.tickets
    }
    return tuple(kept for kept in position.tickets_of(seat) if line[ends[kept][0]] == line[ends[kept][1]])


def redact(event: Event, seat: int | None) -> Event:
    """An event as a seat saw it: what others drew blind, were dealt or offered is only counted (10.1, 10.2)."""
    hidden = _HIDDEN.get(event["e"])
    if hidden is None or event["seat"] == seat or hidden not in event or event.get("from") == "display":
        return {key: _copy(value) for key, value in event.items()}
    shown = {key: value for key, value in event.items() if key != hidden}
    return shown if hidden == "card" else shown | {"count": len(event[hidden])}


def _copy(value: Any) -> Any:
    """What a player does to its view must not reach the game."""
    return value.copy() if isinstance(value, (list, dict)) else value


_HIDDEN = {"deal": "cards", "draw": "card", "offer": "tickets", "keep": "tickets"}


def _seat_view(position: Position, seat: int, over: bool) -> SeatView:
    return SeatView(
        seat=seat,
        points=int(position.points[seat]),
        cars=int(position.cars[seat]),
        cards=int(position.hand[seat].sum()),
        tickets=int(position.tickets[seat]).bit_count(),
        tokens=position.tokens_of(seat),
        hand=position.hand_of(seat) if over else None,
        kept=position.tickets_of(seat) if over else None,
        completed=completed_tickets(position, seat) if over else None,
    )


def _put_back(events: Sequence[Event], seat: int | None) -> tuple[str, ...]:
    mine = [event for event in events if event["e"] in ("offer", "keep") and event["seat"] == seat]
    pairs = zip(mine[::2], mine[1::2], strict=False)  # a last offer may still wait for its answer
    return tuple(ticket for offer, keep in pairs for ticket in offer["tickets"] if ticket not in keep["tickets"])
