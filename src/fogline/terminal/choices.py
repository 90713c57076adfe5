"""Choices: the possible actions as a list of numbered lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fogline.game.actions import Action, Claim, Draw, Keep, Place, Token
from fogline.game.view import View
from fogline.maps.board import Route
from fogline.maps.mapfile import FERRY
from fogline.terminal.cards import chip
from fogline.terminal.look import Look
from fogline.terminal.tickets import ticket_state, wanted_routes
from fogline.terminal.ways import own_seat
from fogline.terminal.words import Words, cards_text, listing, many, souvenir_text

CLAIM = ("claim", " colour", "spaces", "points", "good for")
"""What stands above the routes that can be claimed."""

LONG_NAME = 40


@dataclass(frozen=True, slots=True)
class Choice:
    """One numbered choice; a route with several payments holds several actions."""

    cells: tuple[Text, ...]  # one: several choices fit on a line; more: a row of a table
    actions: tuple[Action, ...]


def list_choices(view: View, look: Look, words: Words) -> list[Choice]:
    """All legal actions: draws first, then routes, the most useful ones on top."""
    claims = [action for action in view.legal_actions if isinstance(action, Claim)]
    others = [action for action in view.legal_actions if not isinstance(action, Claim)]
    choices = [Choice(_cells(action, view, look, words), (action,)) for action in others]
    return choices + claim_choices(claims, view, look, words)


def claim_choices(claims: Sequence[Claim], view: View, look: Look, words: Words) -> list[Choice]:
    """Claims grouped by route: those that bring a ticket nearer first, then by points."""
    wanted = wanted_routes(view)
    payments: dict[str, list[Action]] = {}
    for claim in claims:
        payments.setdefault(claim.route, []).append(claim)
    routes = _without_equal_twins([view.board.route(route) for route in payments])
    routes.sort(key=lambda route: (-wanted[route.id], -route.length))
    labels = [_route_cells(route, wanted[route.id], view, look, words) for route in routes]
    return [Choice(cells, tuple(payments[route.id])) for cells, route in zip(labels, routes, strict=True)]


def payment_choices(claims: Sequence[Claim]) -> list[Choice]:
    """The payments for one route, fewest ferries first."""
    ordered = sorted(claims, key=lambda claim: claim.ferries)
    return [Choice((Text(f"pay {cards_text(claim.payment)}"),), (claim,)) for claim in ordered]


def show_choices(choices: Sequence[Choice], look: Look, most: int) -> RenderableType:
    """Short ones side by side, long ones a line each, at most `most` of these lines."""
    numbered = [(Text(f"{number:>3}", look.accent), choice.cells) for number, choice in enumerate(choices, 1)]
    short = [_grid([(number, *cells)]) for number, cells in numbered if len(cells) == 1]
    long = [(number, *cells) for number, cells in numbered if len(cells) > 1]
    shown: list[RenderableType] = [Columns(short, padding=(0, 3))] if short else []
    if long:
        headers = [(Text(), *(Text(name, look.faint) for name in CLAIM))] if len(long[0]) > len(CLAIM) else []
        shown.append(_grid([*headers, *long[:most]]))
    if len(long) > most:
        shown.append(Text(f"    and {many(len(long) - most, 'more route')}: type more to see them all", look.faint))
    return Group(*shown)


def _grid(rows: Sequence[tuple[Text, ...]]) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column()
    # Names stay on one line unless they are very long; the rest of a row may break.
    grid.add_column(min_width=min(LONG_NAME, max(row[1].cell_len for row in rows)))
    for row in rows:
        grid.add_row(*row)
    return grid


def _without_equal_twins(routes: list[Route]) -> list[Route]:
    """One of two open twins of the same colour, the first, stands for both."""
    seen = {(route.first, route.second, route.colour): route for route in reversed(routes)}
    return [route for route in routes if seen[route.first, route.second, route.colour] is route]


def _cells(action: Action, view: View, look: Look, words: Words) -> tuple[Text, ...]:
    match action:
        case Draw():
            return (_draw_label(action, view, look),)
        case Keep():
            return _keep_cells(action, view, look, words)
        case Place():
            return (Text(words.location(action.location)),)
        case Token():
            return (Text(f"{souvenir_text(view.stacks[action.location][0])} of {words.location(action.location)}"),)
        case _:
            return (Text(str(action)),)


def _draw_label(action: Draw, view: View, look: Look) -> Text:
    if action.source == "deck":
        return Text("draw from the deck")
    label = Text("take ").append_text(chip(look, action.source))
    if action.source == FERRY and view.phase == "turn":
        label.append(" and end your turn")
    return label


def _keep_cells(action: Keep, view: View, look: Look, words: Words) -> tuple[Text, ...]:
    if action.which == "both":
        return Text("keep both"), Text()
    ticket = view.offer[action.which == "second"]
    state = Text(f"value {view.board.ticket(ticket).value}, ").append_text(ticket_state(view, look, ticket))
    return Text(f"keep {words.ticket(ticket)}"), state


def _route_cells(route: Route, tickets: int, view: View, look: Look, words: Words) -> tuple[Text, ...]:
    points = view.board.map_file.route_points[route.length]
    reasons = ["ticket" if tickets == 1 else f"{tickets} tickets"] if tickets else []
    reasons += filter(None, [listing(_tokens(route, view), "or")])
    texts = (str(route.length), str(points), ", ".join(reasons))
    ends = Text(words.ends(route.first, route.second))
    return ends, chip(look, route.colour), *(Text(text) for text in texts)


def _tokens(route: Route, view: View) -> list[str]:
    """The souvenirs at its ends that the seat does not own (5.1)."""
    stacks = [view.stacks.get(end, ("", 0)) for end in (route.first, route.second)]
    owned = own_seat(view).tokens
    return [souvenir_text(souvenir) for souvenir, count in stacks if count and souvenir not in owned]
