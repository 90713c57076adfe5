"""Messages: what each viewer of a table sees. Everything about a game comes from the viewer's view."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import lru_cache

from fogline.fairness import Fairness
from fogline.game.actions import Action, Claim, Draw, DrawTickets, Keep, Pass, Place, Token
from fogline.game.events import Event
from fogline.game.view import SeatView, View
from fogline.players.player import PLAYERS
from fogline.server.refused import Refused
from fogline.server.tables.match import Match
from fogline.server.tables.presence import Presence as People
from fogline.server.tables.table import IMPORTED, OPEN, OVER, PLAYING, Table, Viewer
from fogline.server.wire.wire import (
    Answer,
    ChairInfo,
    ChairPresence,
    Choice,
    GameView,
    Presence,
    Rejected,
    Seat,
    SeatScore,
    Stack,
    State,
    TableInfo,
    You,
)


def state_of(table: Table, viewer: Viewer, after: int = 0) -> State:
    """The state of a table for one viewer, with the events since the message of number `after`."""
    since = table.event_counts[min(after, table.n)]
    view = table.match.view(viewer.seat, since=since) if table.match else None
    shown = match_view(table.match, view) if table.match and view else None
    if shown and viewer.seat in table.away:
        shown = replace(shown, legal=())  # a bot decides, and any decision of the person would be refused
    return State(
        n=table.n,
        after=min(after, table.n),
        table=table_info(table, viewer),
        view=shown,
        events=_sealed_events(table, view.events, since) if view else (),
    )


def _sealed_events(table: Table, seen: tuple[Event, ...], since: int) -> tuple[Event, ...]:
    """Which tickets others keep is hidden, but it is sealed: nobody can say later that it was other ones."""
    hidden = [place for place, event in enumerate(seen) if event["e"] == "keep" and "tickets" not in event]
    fairness = table.fairness
    if not hidden or not isinstance(fairness, Fairness):
        return seen
    assert table.match is not None
    events = list(seen)
    for place in hidden:
        number = since + place
        seal = fairness.seal_event(number, table.match.game.events[number])
        events[place] = events[place] | {"seal": seal}
    return tuple(events)


def table_info(table: Table, viewer: Viewer) -> TableInfo:
    over = table.status in (OVER, IMPORTED)
    return TableInfo(
        id=table.id,
        status=table.status,  # type: ignore[arg-type]
        map=table.map,
        clock=table.clock,
        spectators=table.spectators,
        chairs=tuple(_chair_info(table, chair) for chair in range(len(table.chairs))),
        seating=table.seating,
        you=You(viewer.chair, viewer.seat, viewer.host),
        invite=(table.invite or None) if table.status == OPEN and (viewer.chair is not None or viewer.host) else None,
        deadline=table.deadline,
        scheme=table.scheme,
        commitment=table.fairness.commitment if table.status != IMPORTED else "",
        seals=tuple(chair.seal or None for chair in table.chairs),
        salts=tuple(chair.salt or None for chair in table.chairs) if table.match else (),
        secret=table.secret.hex() if over and table.status != IMPORTED else None,
        again=table.again or None,
        waiting=table.turn_began if table.status == PLAYING else None,
    )


def _chair_info(table: Table, number: int) -> ChairInfo:
    chair = table.chairs[number]
    away = bool(table.seating) and table.seating.index(number) in table.away
    level = PLAYERS[chair.player].level if chair.kind == "bot" and chair.player in PLAYERS else None
    return ChairInfo(chair.kind, chair.name, chair.player, level, away)


def presence_of(table: Table, presence: People, patience: float, at: float) -> Presence:
    """Who of those who sit at a table is there."""
    chairs = (_chair_presence(presence, chair.person, at) if chair.kind == "person" else None for chair in table.chairs)
    return Presence(tuple(chairs), presence.began, patience)


def _chair_presence(presence: People, person: str, at: float) -> ChairPresence:
    seen = presence.seen(person, at)
    if seen is None:
        return ChairPresence("gone", None)
    return ChairPresence(seen.how, None if seen.how == "here" else seen.since)


def answer(id: int, refused: Refused | None) -> Answer:
    """Whether an action is legal, as `decisions.why_not` found."""
    if refused is None:
        return Answer(id, True, None, None)
    return Answer(id, False, refused.reason, refused.rule, refused.key, refused.values)


def rejection(id: int | None, refused: Refused) -> Rejected:
    return Rejected(id, refused.code, refused.reason, refused.rule, refused.key, refused.values)


def match_view(match: Match, view: View) -> GameView:
    """A view of the running game."""
    chosen = match.choices.get(view.seat) if match.choosing and view.seat is not None else None
    return game_view(view, match.step, match.deciding(), str(chosen) if chosen else None)


def game_view(view: View, step: int, deciding: tuple[int, ...], chosen: str | None = None) -> GameView:
    return GameView(
        seat=view.seat,
        step=step,
        phase=view.phase,  # type: ignore[arg-type]
        deciding=deciding,
        turns_left=view.turns_left,
        display=view.display,
        deck_count=view.deck_count,
        discard=view.discard,
        ticket_count=view.ticket_count,
        seats=tuple(_seat(seat) for seat in view.seats),
        owners=view.owners,
        open_routes=tuple(sorted(view.open_routes)),
        stacks={location: Stack(*stack) for location, stack in view.stacks.items()},
        hand=view.hand,
        tickets=view.tickets,
        completed=view.completed,
        offer=view.offer,
        put_back=view.put_back,
        chosen=chosen,
        legal=tuple(_choice(action) for action in view.legal_actions),
        winners=view.winners,
    )


def _seat(seat: SeatView) -> Seat:
    score = SeatScore(**asdict(seat.score)) if seat.score else None
    return Seat(seat.points, seat.cars, seat.cards, seat.tickets, seat.tokens, seat.hand, seat.kept, score)


@lru_cache(maxsize=10_000)
def _choice(action: Action) -> Choice:
    text = str(action)
    match action:
        case Draw(source):
            return Choice(text, "draw", source, None)
        case DrawTickets():
            return Choice(text, "draw_tickets", None, None)
        case Claim(route):
            return Choice(text, "claim", route, action.payment)
        case Keep(which):
            return Choice(text, "keep", which, None)
        case Token(location):
            return Choice(text, "token", location, None)
        case Place(location):
            return Choice(text, "place", location, None)
        case Pass():
            return Choice(text, "pass", None, None)
