"""What one seat may know (chapter 10): the gate for people, screens, the server, and players in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fogline.game.actions import Action, Actions
from fogline.game.events import Event, copy_event
from fogline.game.position import Position
from fogline.game.score import Score, completed_tickets, score_seat, winning_seats
from fogline.maps.board import Board
from fogline.rules.state import KEEP_FIRST_TICKETS, OFFERED, OVER, PHASES


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everyone may know of a seat."""

    seat: int
    points: int  # for routes
    cars: int
    cards: int
    tickets: int  # while the first tickets are being chosen, 0 for all others (2.5)
    tokens: tuple[str, ...]
    hand: dict[str, int] | None  # None before the end (10.4), as are the two below
    kept: tuple[str, ...] | None
    score: Score | None


@dataclass(frozen=True, slots=True)
class View:
    """A game as one seat sees it. A spectator's view has the seat None."""

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
    open_routes: frozenset[str]  # those that this seat may claim, given the cards (4.5, 4.7 to 4.9)
    stacks: dict[str, tuple[str, int]]  # by location: the souvenir, and how many tokens
    hand: dict[str, int]
    tickets: tuple[str, ...]  # this seat's own
    completed: tuple[str, ...]
    offer: tuple[str, ...]
    put_back: tuple[str, ...]  # tickets that this seat put at the bottom, in that order (10.2)
    legal_actions: Actions  # empty unless this seat must decide
    winners: tuple[int, ...]  # empty before the end
    events: tuple[Event, ...]  # as this seat saw them


def make_view(
    position: Position, events: Sequence[Event], legal: Sequence[Action], seat: int | None, *, since: int = 0
) -> View:
    """`legal` are the actions of the acting seat; the view holds the events from number `since` on."""
    phase, acting, players, turns_left = position.phase, position.seat, position.players, position.turns_left
    over, choosing = phase == OVER, phase == KEEP_FIRST_TICKETS
    deciding = not over and acting == seat
    return View(
        board=position.board,
        seat=seat,
        players=players,
        phase=PHASES[phase],
        acting=None if over else acting,
        turns_left=turns_left if turns_left >= 0 else None,
        display=position.cards_of("display"),
        deck_count=position.deck_count,
        discard=position.cards_of("discard"),
        ticket_count=_ticket_count(position),
        seats=tuple(
            _seat_view(position, other, opened=over, hide_tickets=choosing and other != seat)
            for other in range(players)
        ),
        owners=position.owners(),
        open_routes=frozenset() if seat is None else frozenset(position.open_routes_of(seat)),
        stacks=position.stacks(),
        hand={} if seat is None else position.hand_of(seat),
        tickets=() if seat is None else position.tickets_of(seat),
        completed=() if seat is None else completed_tickets(position, seat),
        offer=position.offered() if deciding else (),
        put_back=_put_back(events, seat),
        legal_actions=Actions(legal if deciding else (), position.board),
        winners=tuple(winning_seats(position)) if over else (),
        events=tuple(_first_choice_hidden(redact(event, seat), choosing) for event in events[since:]),
    )


def make_open_view(position: Position, events: Sequence[Event], legal: Sequence[Action], *, since: int = 0) -> View:
    """Everybody's cards and tickets on the table. Only for finished games, at any step."""
    acting = None if position.phase == OVER else int(position.seat)
    seen = make_view(position, (), legal, acting)
    return replace(
        seen,
        seat=None,
        ticket_count=int(position.ticket_count),
        seats=tuple(_seat_view(position, seat, opened=True, hide_tickets=False) for seat in range(position.players)),
        open_routes=frozenset(),
        hand={},
        tickets=(),
        completed=(),
        events=tuple(copy_event(event) for event in events[since:]),
    )


def redact(event: Event, seat: int | None) -> Event:
    """An event as a seat saw it: what others drew blind, were dealt or offered appears only as a count (10.1, 10.2)."""
    hidden = _HIDDEN.get(event["e"])
    if hidden is None or event["seat"] == seat or hidden not in event or event.get("from") == "display":
        return copy_event(event)
    shown = {key: value for key, value in event.items() if key != hidden}
    return shown if hidden == "card" else shown | {"count": len(event[hidden])}


_HIDDEN = {"deal": "cards", "draw": "card", "offer": "tickets", "keep": "tickets"}


def _ticket_count(position: Position) -> int:
    """The tickets left to draw. During the first choice, every first offer counts as made (2.5)."""
    if position.phase == KEEP_FIRST_TICKETS:
        return len(position.board.tickets) - OFFERED * int(position.players)
    return int(position.ticket_count)


def _first_choice_hidden(event: Event, choosing: bool) -> Event:
    """Until everyone has chosen, nobody sees how many of the first tickets another keeps (2.5)."""
    if choosing and event["e"] == "keep" and "count" in event:
        return {"e": "keep", "seat": event["seat"]}
    return event


def _seat_view(position: Position, seat: int, *, opened: bool, hide_tickets: bool) -> SeatView:
    return SeatView(
        seat=seat,
        points=position.points.item(seat),
        cars=position.cars.item(seat),
        cards=sum(position.hand[seat].tolist()),
        tickets=0 if hide_tickets else position.tickets.item(seat).bit_count(),
        tokens=position.tokens_of(seat),
        hand=position.hand_of(seat) if opened else None,
        kept=position.tickets_of(seat) if opened else None,
        score=score_seat(position, seat) if opened else None,
    )


def _put_back(events: Sequence[Event], seat: int | None) -> tuple[str, ...]:
    mine = [event for event in events if event["e"] in ("offer", "keep") and event["seat"] == seat]
    pairs = zip(mine[::2], mine[1::2], strict=False)  # a last offer may still wait for its answer
    return tuple(ticket for offer, keep in pairs for ticket in offer["tickets"] if ticket not in keep["tickets"])
