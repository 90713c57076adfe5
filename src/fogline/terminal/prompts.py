"""Prompts: a sentence that says what the person can do now."""

from __future__ import annotations

from collections.abc import Callable

from fogline.game.actions import Claim, Draw, DrawTickets, Pass
from fogline.game.view import View
from fogline.terminal.words import listing, souvenir_text


def prompt(view: View) -> str:
    if view.legal_actions and isinstance(view.legal_actions[0], Pass):
        return "Nothing is possible, so you pass: type 1 (8.3)."
    return _PROMPTS[view.phase](view)


def heading(view: View) -> str:
    """Whose turn it is, and whether the last round has begun (7.1)."""
    if view.phase == "keep_first_tickets":
        return "Your first tickets"
    if view.phase == "place":
        return "Setting up"
    if view.turns_left is None:
        return "Your turn"
    return "Last round: this is your last turn"


def _keep(view: View) -> str:
    if len(view.offer) == 1:
        return "This is the last ticket, and you keep it: type 1."
    lost = "A ticket not completed at the end costs its value."
    return f"Which tickets do you keep? Type a number, or first, second or both. {lost}"


def _place(view: View) -> str:
    placed = {souvenir for souvenir, _ in view.stacks.values()}
    souvenir = next(kind for kind in view.board.set_aside if kind not in placed)
    example = next(location.id for location in view.board.locations if location.id not in view.stacks)
    return f"Where does the {souvenir_text(souvenir)} stack go? Type a number, or a location such as {example}."


def _turn(view: View) -> str:
    kinds = {type(action) for action in view.legal_actions}
    names = {Draw: "take two cards", Claim: "claim a route", DrawTickets: "draw tickets"}
    what = listing([name for kind, name in names.items() if kind in kinds], "or")
    return f"{what.capitalize()}: a number, or words (see help)."


def _second(view: View) -> str:
    sources = [action.source for action in view.legal_actions if isinstance(action, Draw)]
    return f"Take a second card: {listing(sources, 'or')}. Type a number, or the word."


def _token(view: View) -> str:
    return "Both ends of your route hold a token you do not own. Which one do you take? Type a number."


_PROMPTS: dict[str, Callable[[View], str]] = {
    "keep_first_tickets": _keep,
    "keep_tickets": _keep,
    "place": _place,
    "turn": _turn,
    "second_card": _second,
    "token": _token,
}
