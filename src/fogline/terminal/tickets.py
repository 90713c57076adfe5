"""The seat's tickets: completed or not, and what is missing."""

from __future__ import annotations

from collections import Counter

from rich.table import Table
from rich.text import Text

from fogline.game.view import View
from fogline.terminal.look import Look
from fogline.terminal.ways import cheapest_way
from fogline.terminal.words import Words, many


def tickets_table(view: View, look: Look, words: Words, *, ways: bool = False) -> Table:
    """Value, ends and state of each; `ways` also names the routes of the cheapest way."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right")
    for ticket in view.tickets:
        value = Text(str(view.board.ticket(ticket).value), look.strong)
        ends = Text(f"{words.ticket(ticket)}, ").append_text(ticket_state(view, look, ticket))
        table.add_row(value, ends)
        if ways:
            table.add_row("", way_text(view, look, words, ticket))
    if not view.tickets:
        table.add_row(Text("none yet", look.faint))
    return table


def ticket_state(view: View, look: Look, ticket: str) -> Text:
    """Completed, the number of spaces missing, or no way left."""
    if ticket in view.completed:
        return Text(f"{look.glyphs.done} completed", look.style("green"))
    way = cheapest_way(view, view.board.ticket(ticket))
    if way is None:
        return Text(f"{look.glyphs.failed} no way left", look.style("red"))
    if not way.spaces:
        return Text("completed at once")  # an offered ticket
    return Text(f"{many(way.spaces, 'space')} missing")


def way_text(view: View, look: Look, words: Words, ticket: str) -> Text:
    way = None if ticket in view.completed else cheapest_way(view, view.board.ticket(ticket))
    routes = [f"{words.route(route.id)} {route.length}" for route in way.routes] if way else []
    return Text(", ".join(routes), look.faint)


def wanted_routes(view: View) -> Counter[str]:
    """On the cheapest ways of how many tickets a route lies; its twin counts the same."""
    wanted: Counter[str] = Counter()
    for ticket in view.tickets:
        way = None if ticket in view.completed else cheapest_way(view, view.board.ticket(ticket))
        for route in way.routes if way else ():
            wanted.update(filter(None, (route.id, route.twin)))
    return wanted
