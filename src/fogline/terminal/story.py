"""The story: events told in sentences.

>>> tell(Board.load("tiny"), {"e": "claim", "seat": 1, "route": "market-hill", "cards": {"blue": 1}})
'Seat 1 claimed Market–Hill (blue) with 1 blue.'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fogline.game.events import Event
from fogline.maps.board import Board
from fogline.rules.state import SEATS
from fogline.terminal.words import Words, cards_text, listing, many, souvenir_text

FOLLOWS = {"draw": "draw", "claim": "token", "offer": "keep"}
"""The events that form one sentence with the event before, when one seat did both."""


def tell(board: Board, event: Event) -> str:
    """Any event, with the seats' numbers for names."""
    return _sentence(Words(board, tuple(f"Seat {seat}" for seat in range(SEATS))), [event])


def tell_all(words: Words, events: Iterable[Event]) -> list[str]:
    """A sentence for events that belong together; what is in sight anyway is left out."""
    return [_sentence(words, group) for group in _groups(events) if not _is_quiet(group)]


def _groups(events: Iterable[Event]) -> list[list[Event]]:
    groups: list[list[Event]] = []
    deciding: list[Event] = []
    for event in events:
        if deciding and FOLLOWS.get(deciding[-1]["e"]) == event["e"] and deciding[0]["seat"] == event["seat"]:
            deciding.append(event)
            continue
        groups.append([event])
        if "seat" in event:
            deciding = groups[-1]
    return groups


def _is_quiet(group: list[Event]) -> bool:
    """The display is always in sight, an offer is shown where it is answered, and everyone is dealt cards."""
    first = group[0]
    return first["e"] in ("display", "flip") or (first["e"] == "deal" and "cards" not in first) or _is_open_offer(group)


def _is_open_offer(group: list[Event]) -> bool:
    return group[0]["e"] == "offer" and len(group) == 1


def _sentence(words: Words, group: list[Event]) -> str:
    phrases = [_PHRASES[event["e"]](words, event) for event in group]
    if phrases == ["drew a card from the deck"] * 2:
        phrases = ["drew 2 cards from the deck"]
    if len(group) > 1 and group[0]["e"] == "offer":
        phrases[0] = f"drew {_count(group[0])}"
    subject = f"{words.players[group[0]['seat']]} " if "seat" in group[0] else ""
    return f"{subject}{' and '.join(phrases)}."


def _deal(words: Words, event: Event) -> str:
    return f"got {listing(event['cards']) if 'cards' in event else many(event['count'], 'card')} in the deal"


def _display(words: Words, event: Event) -> str:
    return f"The display was turned up: {listing(event['cards'])}"


def _reset(words: Words, event: Event) -> str:
    return f"The display was discarded, for {event['cards'].count('ferry')} of it were ferries (3.7)"


def _offer(words: Words, event: Event) -> str:
    named = f": {_tickets(words, event)}" if "tickets" in event else ""
    return f"drew {_count(event)}{named}"


def _keep(words: Words, event: Event) -> str:
    if "tickets" in event:
        return f"kept {_tickets(words, event)}"
    return f"kept {_count(event)}" if "count" in event else "chose among them"  # the number is shown later (2.5)


def _tickets(words: Words, event: Event) -> str:
    return listing([words.ticket(ticket) for ticket in event["tickets"]])


def _count(event: Event) -> str:
    return many(event.get("count") or len(event["tickets"]), "ticket")


def _place(words: Words, event: Event) -> str:
    tokens = many(event["count"], f"{souvenir_text(event['souvenir'])} token")
    return f"placed {tokens} on {words.location(event['location'])}"


def _draw(words: Words, event: Event) -> str:
    if event["from"] == "display":
        return f"took {event['card']} from the display"
    return f"drew {event.get('card', 'a card')} from the deck"


def _claim(words: Words, event: Event) -> str:
    return f"claimed {words.route(event['route'])} with {cards_text(event['cards'])}"


def _token(words: Words, event: Event) -> str:
    return f"took the {souvenir_text(event['souvenir'])} token of {words.location(event['location'])}"


_END = {"last_round": "The last round is over", "stuck": "Nobody could do anything any more, so the game is over (8.4)"}

_PHRASES: dict[str, Callable[[Words, Event], str]] = {
    "deal": _deal,
    "display": _display,
    "reset": _reset,
    "offer": _offer,
    "keep": _keep,
    "place": _place,
    "draw": _draw,
    "flip": lambda words, event: f"{event['card'].capitalize()} was turned up",
    "recycle": lambda words, event: "The discard pile was shuffled and is the new deck (3.8)",
    "claim": _claim,
    "token": _token,
    "pass": lambda words, event: "passed",
    "last_round": lambda words, event: "began the last round, so everyone has one more turn (7.1)",
    "end": lambda words, event: _END[event["reason"]],
}
