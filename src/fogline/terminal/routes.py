"""The table of routes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from fogline.game.actions import Claim
from fogline.game.view import View
from fogline.maps.board import Route
from fogline.terminal.cards import chip
from fogline.terminal.look import Look
from fogline.terminal.standing import player_text
from fogline.terminal.ways import is_closed, own_seat
from fogline.terminal.words import Words

ROOMY = 104
"""From this width on, the names stand beside the ids."""


def routes_table(view: View, routes: Sequence[Route], look: Look, words: Words, width: int) -> Table:
    """Each route with its id, length, colour, ferries, points, and whose it is or could be."""
    table = Table(box=None, header_style=look.faint, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("route", overflow="fold")
    if width >= ROOMY:
        table.add_column("between")
    for name in ("colour", "spaces", "ferries", "points", "now"):
        table.add_column(name, justify="left" if name in ("colour", "now") else "right")
    payable = {action.route for action in view.legal_actions if isinstance(action, Claim)}
    for route in routes:
        names = [Text(words.ends(route.first, route.second))] if width >= ROOMY else []
        table.add_row(Text(route.id), *names, *_facts(view, route, look), _state(view, route, look, words, payable))
    return table


def _facts(view: View, route: Route, look: Look) -> list[Text]:
    points = view.board.map_file.route_points[route.length]
    return [chip(look, route.colour), Text(str(route.length)), Text(str(route.ferries or "")), Text(str(points))]


def _state(view: View, route: Route, look: Look, words: Words, payable: set[str]) -> Text:
    """Owned, closed, payable, or open."""
    owner = view.owners.get(route.id)
    if owner is not None:
        return player_text(owner, look, words)
    if is_closed(view, route):
        return Text("closed", look.faint)
    if route.id in payable:
        return Text("you can pay", look.accent)
    return Text("open" if route.length <= own_seat(view).cars else "too few cars")
