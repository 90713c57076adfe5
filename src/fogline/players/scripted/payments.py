"""Payments: which cards of the hand a plan sets aside for its routes, and what the missing ones are worth."""

from __future__ import annotations

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.players.scripted.plan import times
from fogline.rules.state import CARD_COUNT, COLOUR_COUNT, FERRY

GREY = -1

# Found by playing thousands of games of one setting against another.
PATIENCE = 0.76
"""What a card for the next route of a plan is worth, against one for the route before it."""
ANY_COLOUR = 0.35
"""What any colour is worth to a grey route, against the colour that is gathered for it."""
HELD_COLOUR = 0.02
"""How much more, for each card of it that is held."""
WILD = 1.1
"""What a ferry card is worth, against the card that it stands in for."""


@kernel
def payment(board: Record, plan: Record, route: int) -> tuple[int, int, int, int]:
    """How to pay with what the plan leaves: a colour, how many cards of it, how many ferries, and how many are missing.

    What is missing is meant to come in the colour.
    """
    length, symbols = as_int(board.route_length[route]), as_int(board.route_ferries[route])
    colour = as_int(board.route_colour[route])
    if colour == GREY:
        colour = most_spare(plan)
    coloured = min(as_int(plan.spare[colour]), length - symbols)
    ferries = max(symbols, min(as_int(plan.spare[FERRY]), length - coloured))
    cards = length - ferries
    missing = cards - min(cards, as_int(plan.spare[colour])) + ferries - min(ferries, as_int(plan.spare[FERRY]))
    return colour, cards, ferries, missing


@kernel
def most_spare(plan: Record) -> int:
    best = 0
    for colour in range(1, COLOUR_COUNT):
        if plan.spare[colour] > plan.spare[best]:
            best = colour
    return best


@kernel
def pay_for(board: Record, plan: Record, place: int) -> None:
    """Sets cards of the hand aside for a planned route."""
    colour, cards, ferries, missing = payment(board, plan, plan.order[place])
    plan.colour[place], plan.cards[place], plan.ferries[place] = colour, cards, ferries
    plan.missing[place] = missing
    plan.spare[colour] -= min(cards, plan.spare[colour])
    plan.spare[FERRY] -= min(ferries, plan.spare[FERRY])


@kernel
def plan_payments(board: Record, game: Record, seat: int, plan: Record) -> None:
    """Sets the hand aside for the planned routes, in their order, and values the cards that are missing."""
    for card in range(CARD_COUNT):
        plan.spare[card] = game.hand[seat, card]
        plan.worth[card] = 0.0
    weight = 1.0
    for place in range(plan.count):
        pay_for(board, plan, place)
        if plan.missing[place] > 0:
            value_missing(board, game, seat, plan, place, weight)
            weight *= PATIENCE


@kernel
def value_missing(board: Record, game: Record, seat: int, plan: Record, place: int, weight: float) -> None:
    colour, route = plan.colour[place], plan.order[place]
    plan.worth[FERRY] = max(plan.worth[FERRY], WILD * weight)
    if plan.cards[place] > 0:
        plan.worth[colour] = max(plan.worth[colour], weight)
    if board.route_colour[route] == GREY:
        for other in range(COLOUR_COUNT):
            held = min(game.hand[seat, other], board.route_length[route])
            plan.worth[other] = max(plan.worth[other], weight * (ANY_COLOUR + times(HELD_COLOUR, held)))
