"""Events: what happened, in the words of the game record, told from a step and its tape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from fogline.game.actions import Action, Claim, Draw, DrawTickets, Keep, Pass, Place, Token
from fogline.game.position import Position
from fogline.maps.mapfile import CARDS
from fogline.rules.chance import RECYCLE, RESET
from fogline.rules.setup import DEALT
from fogline.rules.state import DISPLAY_SLOTS, END_REASONS, KEEP_FIRST_TICKETS, OVER

Event = dict[str, Any]


def copy_event(event: Event) -> Event:
    """A copy of an event: what a caller does to it must not reach the game."""
    return {key: value.copy() if isinstance(value, (list, dict)) else value for key, value in event.items()}


class Before(NamedTuple):
    """What must be remembered of a position to say what a step has changed."""

    seat: int
    display: list[int]  # by card
    offer: tuple[str, ...]
    stack: list[int]  # by location
    last_round: bool

    @staticmethod
    def of(position: Position) -> Before:
        return Before(
            seat=position.seat,
            display=position.display.tolist(),
            offer=position.offered(),
            stack=position.stack.tolist(),
            last_round=position.turns_left >= 0,
        )


def setup_events(position: Position, noted: list[int]) -> Iterator[Event]:
    """The deal, the display and its resets (2.4), and the first offer, from the tape of a new game."""
    dealt = position.players * DEALT
    for seat in range(position.players):
        yield {"e": "deal", "seat": seat, "cards": [CARDS[mark] for mark in noted[seat * DEALT : (seat + 1) * DEALT]]}
    display = [CARDS[mark] for mark in noted[dealt : dealt + DISPLAY_SLOTS]]
    yield {"e": "display", "cards": display}
    yield from _turned_up(noted[dealt + len(display) :], display)
    yield offer_event(position)


def step_events(before: Before, action: Action, position: Position, noted: list[int]) -> Iterator[Event]:
    """The events of one action, in the order in which they happen at a table."""
    yield from _TOLD[type(action)](before, action, position, noted)
    if position.turns_left >= 0 and not before.last_round:
        yield {"e": "last_round", "seat": before.seat}
    if position.phase == OVER:
        yield {"e": "end", "reason": END_REASONS[position.end]}


def _draw(before: Before, action: Draw, position: Position, noted: list[int]) -> Iterator[Event]:
    display = list(before.display)
    if action.source == "deck":
        yield {"e": "draw", "seat": before.seat, "from": "deck", "card": CARDS[noted[0]]}
        noted = noted[1:]
    else:
        yield {"e": "draw", "seat": before.seat, "from": "display", "card": action.source}
        display[CARDS.index(action.source)] -= 1
    yield from _turned_up(noted, _by_name(display))


def _draw_tickets(before: Before, action: DrawTickets, position: Position, noted: list[int]) -> Iterator[Event]:
    yield offer_event(position)


def _claim(before: Before, action: Claim, position: Position, noted: list[int]) -> Iterator[Event]:
    yield {"e": "claim", "seat": before.seat, "route": action.route, "cards": action.payment}
    yield from _turned_up(noted, _by_name(before.display))
    yield from _token(before, action, position, noted)


def _token(before: Before, action: Claim | Token, position: Position, noted: list[int]) -> Iterator[Event]:
    """The token that was taken, if one was."""
    for number, (old, new) in enumerate(zip(before.stack, position.stack.tolist(), strict=True)):
        if new < old:
            souvenir = position.board.souvenirs[position.souvenir[number]]
            location = position.board.locations[number].id
            yield {"e": "token", "seat": before.seat, "location": location, "souvenir": souvenir}


def _keep(before: Before, action: Keep, position: Position, noted: list[int]) -> Iterator[Event]:
    kept = {"first": before.offer[:1], "second": before.offer[1:], "both": before.offer}[action.which]
    yield {"e": "keep", "seat": before.seat, "tickets": list(kept)}
    if position.phase == KEEP_FIRST_TICKETS:
        yield offer_event(position)


def _place(before: Before, action: Place, position: Position, noted: list[int]) -> Iterator[Event]:
    souvenir, count = position.stacks()[action.location]
    yield {"e": "place", "seat": before.seat, "location": action.location, "souvenir": souvenir, "count": count}


def _pass(before: Before, action: Pass, position: Position, noted: list[int]) -> Iterator[Event]:
    yield {"e": "pass", "seat": before.seat}


_TOLD: dict[type, Callable[[Before, Any, Position, list[int]], Iterator[Event]]] = {
    Draw: _draw,
    DrawTickets: _draw_tickets,
    Claim: _claim,
    Keep: _keep,
    Token: _token,
    Place: _place,
    Pass: _pass,
}


def _turned_up(noted: list[int], display: list[str]) -> Iterator[Event]:
    """Flips, resets and recycles, with the display as it was before them."""
    display = list(display)
    for mark in noted:
        if mark == RECYCLE:
            yield {"e": "recycle"}
        elif mark == RESET:
            yield {"e": "reset", "cards": display}
            display = []
        else:
            display.append(CARDS[mark])
            yield {"e": "flip", "card": CARDS[mark]}


def offer_event(position: Position) -> Event:
    return {"e": "offer", "seat": position.seat, "tickets": list(position.offered())}


def _by_name(counts: list[int]) -> list[str]:
    """A list of cards from their counts."""
    return [card for card, count in zip(CARDS, counts, strict=True) for _ in range(count)]
