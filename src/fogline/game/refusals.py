"""Refusals: why an action is not legal, in words, with the id of the rule.

The compiled rules alone decide what is legal; this module only explains why not. It says nothing that the acting seat
may not know.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fogline.game.actions import Action, Claim, Draw, DrawTickets, Keep, Pass, Place, Token
from fogline.game.position import Position
from fogline.maps.board import Route
from fogline.maps.mapfile import COLOURS, FERRY, GREY
from fogline.rules.state import BY_STUCK, KEEP_FIRST_TICKETS, KEEP_TICKETS, OVER, PLACE, SECOND_CARD, TOKEN, TURN


@dataclass(frozen=True, slots=True)
class Refusal:
    """The rule that forbids an action, and what it means here."""

    rule: str
    reason: str
    key: str  # which refusal it is, for translations
    values: Mapping[str, str | int] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return f"{self.rule} {self.reason}"


class IllegalAction(ValueError):
    """An action that the rules forbid; nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        self.rule = refusal.rule
        super().__init__(str(refusal))

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalAction, (self.refusal,)


def refuse(position: Position, action: Action) -> Refusal:
    """Why the acting seat cannot do this now. Only for actions that the rules have found illegal."""
    if position.phase == OVER:
        return Refusal("8.4" if position.end == BY_STUCK else "7.1", "the game is over", "game_over")
    return _REFUSALS[type(action)](position, action)


def refuse_route(position: Position, route: str) -> Refusal:
    """Why the acting seat can claim this route now with no payment at all. Only where the rules allow none."""
    if position.phase != TURN:
        return refuse(position, Claim(route, None, 0, 1))
    if route not in position.board.route_number:
        return _unknown("route", route, position.board.route_number)
    found = position.board.route(route)
    return _not_open(position, found) or _cannot_pay(position, found)


def not_your_turn(position: Position, seat: int) -> Refusal:
    """The refusal of a decision that belongs to another seat."""
    return Refusal(
        "3.1", f"seat {position.seat} must decide, not seat {seat}", "not_your_turn", {"seat": position.seat}
    )


def _draw(position: Position, action: Draw) -> Refusal:
    if position.phase not in (TURN, SECOND_CARD):
        return _due(position)
    if action.source == "deck":
        return Refusal("8.1", "deck and discard pile are empty: cards can only be taken from the display", "no_deck")
    if action.source == FERRY and position.phase == SECOND_CARD and position.cards_of("display").get(FERRY):
        return Refusal("3.5", "a ferry card on display cannot be taken as the second card", "no_second_ferry")
    return Refusal("3.2", f"no {action.source} card is on display", "not_on_display", {"card": action.source})


def _draw_tickets(position: Position, action: DrawTickets) -> Refusal:
    if position.phase != TURN:
        return _due(position)
    return Refusal("6.1", "no tickets are left to draw", "no_tickets")


def _claim(position: Position, action: Claim) -> Refusal:
    if position.phase != TURN:
        return _due(position)
    if action.route not in position.board.route_number:
        return _unknown("route", action.route, position.board.route_number)
    route = position.board.route(action.route)
    return _not_open(position, route) or _wrong_payment(route, action) or _not_in_hand(position, action)


def _not_open(position: Position, route: Route) -> Refusal | None:
    """Why the route cannot be claimed, whatever the payment."""
    owners = position.owners()
    if route.id in owners:
        if owners[route.id] == position.seat:
            return Refusal("4.9", f"{route.id} is your own", "your_own", {"route": route.id})
        return Refusal("4.9", f"{route.id} is claimed already", "claimed", {"route": route.id})
    if route.twin is not None and owners.get(route.twin) == position.seat:
        text = f"you own {route.twin}, and nobody may own both routes of a double route"
        return Refusal("4.7", text, "own_twin", {"route": route.twin})
    if route.twin in owners and position.players == 2:
        text = "with two players the twin of a claimed route is closed"
        return Refusal("4.8", text, "twin_closed", {"route": route.id})
    cars = int(position.cars[position.seat])
    if cars < route.length:
        text = f"{route.id} has {route.length} spaces and you have {_many(cars, 'car')}"
        return Refusal("4.5", text, "too_few_cars", {"route": route.id, "spaces": route.length, "count": cars})
    return None


def _cannot_pay(position: Position, route: Route) -> Refusal:
    """What the route takes, and the best that the seat has for it: cards of one colour, and all its ferries."""
    hand = position.hand_of(position.seat)
    colours = COLOURS if route.colour == GREY else (route.colour,)
    card = max(colours, key=lambda colour: hand.get(colour, 0))
    held, held_ferries = hand.get(card, 0), hand.get(FERRY, 0)
    price = f"{route.length} {'of one colour' if route.colour == GREY else route.colour} or {FERRY}"
    least = f", at least {route.ferries} {FERRY}" if route.ferries else ""
    text = f"{route.id} takes {price}{least}; the best that you hold is {held} {card} and {held_ferries} {FERRY}"
    values: dict[str, str | int] = {
        "route": route.id,
        "spaces": route.length,
        "colour": route.colour,
        "ferries": route.ferries,
    }
    values |= {"card": card, "held": held, "held_ferries": held_ferries}
    return Refusal("4.4" if held_ferries < route.ferries else "4.1", text, "cannot_pay", values)


def _wrong_payment(route: Route, action: Claim) -> Refusal | None:
    """Why this payment could never buy the route."""
    paid = action.cards + action.ferries
    if paid != route.length:
        text = f"{route.id} has {_many(route.length, 'space')} and costs as many cards, not {paid}"
        return Refusal("4.1", text, "wrong_price", {"route": route.id, "count": route.length, "paid": paid})
    if action.cards and route.colour not in (GREY, action.colour):
        text = f"{route.id} is {route.colour}, and {action.colour} cards cannot pay for it"
        values = {"route": route.id, "colour": route.colour, "card": str(action.colour)}
        return Refusal("4.2", text, "wrong_colour", values)
    if action.ferries < route.ferries:
        text = f"{route.id} is a ferry route and its payment needs {_many(route.ferries, 'ferry card')}"
        return Refusal("4.4", text, "needs_ferries", {"route": route.id, "count": route.ferries})
    return None


def _not_in_hand(position: Position, action: Claim) -> Refusal:
    hand = position.hand_of(position.seat)
    short = [(card, count) for card, count in action.payment.items() if hand.get(card, 0) < count]
    card, count = short[0] if short else (FERRY, action.ferries)
    held = hand.get(card, 0)
    text = f"the payment takes {count} {card} and you hold {held}"
    return Refusal("4.1", text, "not_in_hand", {"count": count, "card": card, "held": held})


def _keep(position: Position, action: Keep) -> Refusal:
    if position.phase not in (KEEP_FIRST_TICKETS, KEEP_TICKETS):
        return _due(position)
    return Refusal("6.1", "the only ticket left must be kept: keep first", "only_ticket")


def _token(position: Position, action: Token) -> Refusal:
    if action.location not in position.board.location_number:
        return _unknown("location", action.location, position.board.location_number)
    if position.phase != TOKEN:
        return _due(position)
    return Refusal(
        "5.2",
        f"{action.location} is not at an end of the route you claimed",
        "no_token_there",
        {"location": action.location},
    )


def _place(position: Position, action: Place) -> Refusal:
    if action.location not in position.board.location_number:
        return _unknown("location", action.location, position.board.location_number)
    if position.phase != PLACE:
        return _due(position)
    rule = "2.8" if position.players == 2 else "2.7"
    return Refusal(rule, f"{action.location} has a stack already", "stack_there", {"location": action.location})


def _pass(position: Position, action: Pass) -> Refusal:
    if position.phase != TURN:
        return _due(position)
    return Refusal("8.3", "passing is legal only when no other action is possible", "no_pass")


_REFUSALS: dict[type, Callable[[Position, Any], Refusal]] = {
    Draw: _draw,
    DrawTickets: _draw_tickets,
    Claim: _claim,
    Keep: _keep,
    Token: _token,
    Place: _place,
    Pass: _pass,
}


def _due(position: Position) -> Refusal:
    """What must be decided first."""
    stacks = "2.8" if position.players == 2 else "2.7"
    return {
        KEEP_FIRST_TICKETS: Refusal("2.5", "first keep one or both of the tickets offered", "keep_first"),
        PLACE: Refusal(stacks, "first place the souvenirs that were set aside", "place_first"),
        TURN: Refusal("3.1", "a turn is to draw transport cards, to claim a route, or to draw tickets", "turn_first"),
        SECOND_CARD: Refusal("3.2", "drawing means two cards: first take the second one", "second_card_first"),
        KEEP_TICKETS: Refusal("6.1", "first keep one or both of the tickets offered", "keep_first"),
        TOKEN: Refusal("5.2", "first choose the token for the route you claimed", "token_first"),
    }[position.phase]


def _unknown(what: str, word: str, known: Iterable[str]) -> Refusal:
    near = difflib.get_close_matches(word[:80], list(known), n=1)
    text = f"there is no {what} {word[:80]!r} on this board" + (f"; did you mean {near[0]}?" if near else "")
    return Refusal("1.1", text, f"unknown_{what}")


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
