"""Commands: what a person can type besides actions. They show things and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from fogline.game.view import View
from fogline.maps.board import Route
from fogline.maps.mapfile import GREY
from fogline.terminal.cards import counts_table
from fogline.terminal.look import LETTERS
from fogline.terminal.places import find_routes
from fogline.terminal.routes import routes_table
from fogline.terminal.screen import Screen
from fogline.terminal.standing import players_table, souvenirs_table
from fogline.terminal.story import tell_all
from fogline.terminal.tickets import tickets_table
from fogline.terminal.words import many

RECENT = 20
"""Sentences that `log` shows by default."""


@dataclass(frozen=True, slots=True)
class Command:
    names: tuple[str, ...]
    usage: str
    meaning: str
    run: Callable[[Screen, View, str], None] | None  # None where `Person` itself must answer


def find_command(word: str) -> Command | None:
    return next((command for command in COMMANDS if word in command.names), None)


def _help(screen: Screen, view: View, rest: str) -> None:
    route = min(view.board.routes, key=lambda route: (route.colour == GREY, len(route.id)))
    colour = "blue" if route.colour == GREY else route.colour
    paid = f"{colour}{route.length - route.ferries}" + f" ferry{route.ferries}" * bool(route.ferries)
    actions = [
        ("a number", "do what stands beside it"),
        ("draw deck, or d", "take the top card of the deck"),
        (f"draw {colour}, or draw {LETTERS[colour]}", f"take a {colour} card from the display"),
        ("draw tickets", "be offered two tickets, and keep one or both"),
        (f"claim {route.id} {paid}", "claim a route, with this payment"),
        (f"claim {route.first[:4]} {route.second[:4]}", "the same in short: you are asked what is open"),
    ]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style=screen.look.strong)
    for usage, meaning in [*actions, *((command.usage, command.meaning) for command in COMMANDS)]:
        table.add_row(Text(usage), Text(meaning))
    screen.show(table)


def _board(screen: Screen, view: View, rest: str) -> None:
    screen.board(view)
    screen.show(Text(), players_table(view, screen.look, screen.words, named=True))
    screen.show(Text(), souvenirs_table(view, screen.look, screen.words))


def _routes(screen: Screen, view: View, rest: str) -> None:
    routes = _chosen_routes(view, rest)
    if not routes:
        screen.refuse(f"No route fits {rest!r}: write a location or the beginning of one, mine, or nothing for all.")
        return
    screen.show(routes_table(view, routes, screen.look, screen.words, screen.width))


def _chosen_routes(view: View, rest: str) -> list[Route]:
    if not rest:
        return list(view.board.routes)
    if rest == "mine":
        return [route for route in view.board.routes if view.owners.get(route.id) == view.seat]
    return find_routes(rest, view.board)


def _tickets(screen: Screen, view: View, rest: str) -> None:
    screen.show(tickets_table(view, screen.look, screen.words, ways=True))


def _cards(screen: Screen, view: View, rest: str) -> None:
    screen.show(counts_table(view, screen.look))


def _log(screen: Screen, view: View, rest: str) -> None:
    sentences = tell_all(screen.words, view.events)
    earlier = max(0, len(sentences) - RECENT) if rest != "all" else 0
    heading = f"{earlier} earlier ones: type log all" if earlier else "From the beginning"
    screen.news(heading, sentences[earlier:])


def _rules(screen: Screen, view: View, rest: str) -> None:
    lengths = sorted({route.length for route in view.board.routes})
    table = view.board.map_file
    points = ", ".join(f"{many(length, 'space')} {many(table.route_points[length], 'point')}" for length in lengths)
    tokens = ", ".join(f"{count} tokens {many(p, 'point')}" for count, p in enumerate(table.token_points) if p)
    screen.show(*(Text(line) for line in _RULES.format(points=points, tokens=tokens).splitlines()))


_RULES = """\
A turn is one of three things (3.1).

1. Take two cards, each from the deck or the display. \
A ferry card from the display is the only card of its turn (3.4, 3.5); from the deck it is like any other (3.6).

2. Claim a route, anywhere: pay as many cards of its colour as it has spaces, and put a car on each. \
A # route takes any one colour (4.2). Ferry cards stand in for all colours (4.3), and an f space needs one (4.4). \
It scores at once (1.8): {points}. \
If an end of it holds a token of a kind you do not own, you take it (5.1).

3. Draw two tickets and keep one or both (6.1). \
A ticket is completed when your own routes join its two locations (6.3). \
It adds its value at the end, or costs you as much if you fail (9.1).

Nobody owns both routes of a double route (4.7); with two players the second one is closed (4.8). \
Different tokens score at the end (9.2): {tokens}. \
Whoever ends a turn with 2 cars or fewer begins the last round: everyone has one more turn (7.1)."""


COMMANDS = (
    Command(("board", "b"), "board, or b", "see the board, and what its signs mean", _board),
    Command(("routes", "r"), "routes, routes mine, routes PLACE", "list routes: costs, points, owners", _routes),
    Command(("tickets", "t"), "tickets, or t", "see your tickets and the cheapest ways to complete them", _tickets),
    Command(("cards",), "cards", "count the cards you have seen", _cards),
    Command(("log", "l"), "log, log all", "read what has happened", _log),
    Command(("rules",), "rules", "read the rules of a turn", _rules),
    Command(("more", "m"), "more, or m", "see all choices", None),
    Command(("why", "w"), "why ACTION", "ask why something is not possible now", None),
    Command(("help", "h", "?"), "help, or ?", "see this", _help),
    Command(("quit", "q", "exit"), "quit, or q", "leave the game", None),
)
