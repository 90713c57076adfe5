"""The picture of the board in characters, as one seat sees it.

` b ` is a space of a blue route, `[b]` one of a route that can be paid for now, `=A=` one that player A owns, ` x ` one
that is closed. The letters stand in `look.LETTERS`.
"""

from __future__ import annotations

from rich.style import Style
from rich.text import Text

from fogline.game.actions import Claim
from fogline.game.view import View
from fogline.maps.board import Route
from fogline.maps.mapfile import COLOURS, FERRY, GREY
from fogline.terminal.canvas import Canvas
from fogline.terminal.look import LETTERS, Look
from fogline.terminal.sketch import Sketch, sketch
from fogline.terminal.spaces import SPACE
from fogline.terminal.ways import is_closed

NARROWEST, WIDEST = 30, 118


def draw_board(view: View, look: Look, width: int) -> Text:
    """The board at this width."""
    plan = sketch(view.board, max(NARROWEST, min(WIDEST, width)))
    canvas = Canvas(plan.grid.width, plan.grid.height)
    _draw_water(canvas, plan, look)
    for column, row in plan.tracks:
        canvas.put(column, row, look.glyphs.track, look.faint)
    _draw_routes(canvas, plan, look, view)
    _draw_locations(canvas, plan, look, view)
    return canvas.lines()


def legend(look: Look) -> Text:
    """The legend."""
    text = Text()
    for colour in (*COLOURS, GREY, FERRY):
        meaning = {GREY: "any one colour", FERRY: "ferry card"}.get(colour, colour)
        text.append(f" {LETTERS[colour]} ", look.card(colour)).append(f" {meaning}  ")
    text.append("[b]", look.card("blue")).append(" you can pay now  ")
    text.append(f"{look.glyphs.rail} {look.glyphs.rail}").append(" claimed  ")
    return text.append("x").append(" closed  ").append(look.glyphs.stack, look.accent).append(" tokens")


def _draw_water(canvas: Canvas, plan: Sketch, look: Look) -> None:
    for column, row in plan.water:
        canvas.put(column, row, look.glyphs.sea, look.bay)


def _draw_routes(canvas: Canvas, plan: Sketch, look: Look, view: View) -> None:
    payable = {action.route for action in view.legal_actions if isinstance(action, Claim)}
    for route in view.board.routes:
        for number, (column, row) in enumerate(plan.spaces[route.id]):
            colour = FERRY if number < route.ferries else route.colour
            text, style = _space(look, view, route, colour, route.id in payable)
            canvas.put(column - SPACE // 2, row, text, style)


def _space(look: Look, view: View, route: Route, colour: str, payable: bool) -> tuple[str, Style]:
    owner = view.owners.get(route.id)
    if owner is not None:
        return _rails(look, owner), look.seat(owner)
    if is_closed(view, route):
        return " x ", look.faint
    return f"[{LETTERS[colour]}]" if payable else f" {LETTERS[colour]} ", look.card(colour)


def _rails(look: Look, seat: int) -> str:
    return f"{look.glyphs.rail}{look.glyphs.seats[seat]}{look.glyphs.rail}"


def _draw_locations(canvas: Canvas, plan: Sketch, look: Look, view: View) -> None:
    for location, (column, row) in plan.dots.items():
        stacked = view.stacks.get(location, ("", 0))[1] > 0
        canvas.put(
            column, row, look.glyphs.stack if stacked else look.glyphs.dot, look.accent if stacked else look.strong
        )
        label = plan.labels[location]
        for down, line in enumerate(label.lines):
            canvas.put(label.column, label.row + down, line, look.strong)
