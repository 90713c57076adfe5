"""Reads typed actions forgivingly: `draw blue`, `d`, `claim cas mis g1`, `claim castro`, `keep both`, `both`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fogline.game.actions import KEEPS, Action, ActionError, Claim, board_actions, parse_action
from fogline.game.view import View
from fogline.maps.mapfile import CARDS
from fogline.terminal.look import LETTERS
from fogline.terminal.places import find_locations, find_routes
from fogline.terminal.words import listing

VERBS = ("draw", "claim", "keep", "token", "place", "pass")
SHORT_VERBS = {"d": "draw", "take": "draw", "c": "claim", "k": "keep"}
_CARDS_OF_LETTERS = {letter: card for card, letter in LETTERS.items() if card in CARDS}
_PAID = re.compile(r"([1-9]\d?)?([a-z]+)([1-9]\d?)?")

Payment = dict[str, int | None]
"""Cards as typed; None where no number was given."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The actions that a text can mean; `sure` unless the person should look again before one is carried out."""

    actions: tuple[Action, ...]
    sure: bool = True


def understand(text: str, view: View) -> Wanted:
    """Reads a text. Raises ActionError for a text that makes no sense; the result need not be legal."""
    words = text.lower().split()
    if not words:
        raise ActionError("write what to do, such as: draw deck")
    verb = _verb(words[0])
    if verb in _READERS and len(words) > 1:
        return _READERS[verb](words[1:], view)
    return Wanted((_one_word(words, view) or parse_action(" ".join([verb, *words[1:]])),))


def _verb(word: str) -> str:
    begun = [verb for verb in VERBS if verb.startswith(word)]
    return SHORT_VERBS.get(word) or (begun[0] if len(begun) == 1 else word)


def _one_word(words: list[str], view: View) -> Action | None:
    """A deck, a card, a ticket or a location alone says enough."""
    text = " ".join(words)
    if text in ("d", "deck"):
        return parse_action("draw deck")
    if text in KEEPS:
        return parse_action(f"keep {text}")
    if view.phase in ("place", "token") and find_locations(text, view.board):
        return parse_action(f"{view.phase} {_location(words, view)}")
    if len(text) > 1 and _begun(text, CARDS):
        return parse_action(f"draw {_one_of(text, CARDS)}")
    return None


def _draw(words: list[str], view: View) -> Wanted:
    word = _CARDS_OF_LETTERS.get(words[0]) or _one_of(words[0], ("deck", "tickets", *CARDS))
    return Wanted((parse_action(" ".join(["draw", word, *words[1:]])),))


def _keep(words: list[str], view: View) -> Wanted:
    word = {"1": "first", "2": "second", "1st": "first", "2nd": "second"}.get(words[0]) or _one_of(words[0], KEEPS)
    return Wanted((parse_action(" ".join(["keep", word, *words[1:]])),))


def _place(words: list[str], view: View) -> Wanted:
    return Wanted((parse_action(f"place {_location(words, view)}"),))


def _token(words: list[str], view: View) -> Wanted:
    return Wanted((parse_action(f"token {_location(words, view)}"),))


def _location(words: list[str], view: View) -> str:
    found = find_locations(" ".join(words), view.board)
    if len(found) > 1:
        # If several are possible, the legal ones come first.
        legal = [key for key in found if any(getattr(action, "location", None) == key for action in view.legal_actions)]
        if len(legal) != 1:
            raise ActionError(f"{' '.join(words)} could be {listing(found, 'or')}")
        found = legal
    return found[0] if found else "_".join(words)


def _claim(words: list[str], view: View) -> Wanted:
    places, payment = _split(words)
    routes = find_routes(" ".join(places), view.board)
    if not routes:
        # The rules know that there is no such route, and which one is near.
        return Wanted((Claim("-".join(places), None, 0, 1),))
    claims = [claim for route in routes for claim in _claims(view, route.id) if _fits(claim, payment)]
    if not claims:
        return Wanted((_impossible(routes[0].id, payment),))
    claims.sort(key=lambda claim: _short_of(claim, view))
    return Wanted(tuple(claims), sure=len({(route.first, route.second) for route in routes}) == 1)


def _split(words: list[str]) -> tuple[list[str], Payment]:
    """A claim's words: first the route, then the payment, which a number or a card's full name marks."""
    text = re.sub(rf"(?<!\S)([1-9]) +(?=(?:{'|'.join(CARDS)})\b)", r"\1", " ".join(words))
    places, payment = text.split(), dict[str, int | None]()
    while len(places) > 1 and (paid := _paid(places[-1])):
        payment[paid[0]] = paid[1]
        places.pop()
    return places, payment


def _paid(word: str) -> tuple[str, int | None] | None:
    """`green1`, `g1`, `1green` or `green`."""
    match = _PAID.fullmatch(word)
    if match is None or (match[1] and match[3]):
        return None
    number = match[1] or match[3]
    card = _CARDS_OF_LETTERS.get(match[2]) if number else None
    begun = _begun(match[2], CARDS) if number else [card for card in CARDS if card == match[2]]
    found = card or (begun[0] if len(begun) == 1 else None)
    return (found, int(number) if number else None) if found else None


def _claims(view: View, route: str) -> list[Claim]:
    return [action for action in board_actions(view.board) if isinstance(action, Claim) and action.route == route]


def _fits(claim: Claim, payment: Payment) -> bool:
    """Whether a claim pays what was typed: exactly, if every card has a number."""
    if payment and None not in payment.values():
        return claim.payment == payment
    return all(card in claim.payment and count in (None, claim.payment[card]) for card, count in payment.items())


def _impossible(route: str, payment: Payment) -> Action:
    paid = " ".join(f"{card}{count or 1}" for card, count in payment.items())
    return parse_action(f"claim {route} {paid}")


def _short_of(claim: Claim, view: View) -> tuple[int, int]:
    """How many cards are missing for a payment, then its ferries."""
    missing = [max(0, count - view.hand.get(card, 0)) for card, count in claim.payment.items()]
    return sum(missing), claim.ferries


def _begun(word: str, known: Sequence[str]) -> list[str]:
    return [word] if word in known else [name for name in known if name.startswith(word)]


def _one_of(word: str, known: Sequence[str]) -> str:
    """The name that the word begins; the word itself if there is none, for the rules to refuse."""
    found = _begun(word, known)
    if len(found) > 1:
        raise ActionError(f"{word} could be {listing(found, 'or')}")
    return found[0] if found else word


_READERS: dict[str, Callable[[list[str], View], Wanted]] = {
    "draw": _draw,
    "claim": _claim,
    "keep": _keep,
    "token": _token,
    "place": _place,
}
