"""The table, as far as chance needs it: what comes next is worked out, and the record must say the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .faults import FairnessError, exact
from .pieces import CARDS, Pieces
from .secret import Source
from .stream import shuffled

_FORMS = {
    "offer": ("seat", "tickets"),
    "keep": ("seat", "tickets"),
    "place": ("seat", "location", "souvenir", "count"),
    "draw": ("seat", "from", "card"),
    "claim": ("seat", "route", "cards"),
    "token": ("seat", "location", "souvenir"),
    "pass": ("seat",),
    "last_round": ("seat",),
    "end": ("reason",),
}
"""What follows from no secret, and how it is told; whatever else happens is worked out as a whole."""

_KINDS: dict[str, type] = {"seat": int, "count": int, "tickets": list, "cards": dict}


class Table:
    """The table, as far as chance needs it. What comes next is worked out first; then the record must say the same."""

    def __init__(self, events: list[Any], players: int, pieces: Pieces, fairness: Source) -> None:
        self.events = events
        self.at = 0  # the next event
        self.players = players
        self.fairness = fairness
        self.step = 0
        self.chance = fairness.chance(0)
        self.deck = list(pieces.cards)  # sorted by kind
        self.display: list[str] = []
        self.discard: list[str] = []
        self.tickets = list(pieces.tickets)  # from top to bottom
        self.offered: list[str] = []
        self.stack_size = 3 if players == 4 else 2
        self.stacks = {location: [souvenir] * self.stack_size for location, souvenir in pieces.landmarks.items()}
        self.owned: set[tuple[int, str]] = set()  # which seat has which souvenir
        self.choice: list[str] = []  # two locations, while a seat must choose between their tokens
        self.cards_seen = self.tickets_seen = 0

    def follow(self) -> None:
        self.deal()
        while self.at < len(self.events):
            kind = self.value("e", str)
            if kind in ("last_round", "end"):
                self.check_form(kind)
                self.at += 1  # nobody decides them, and they bring nothing
            else:
                self.act()
            if kind == "end" and self.at < len(self.events):
                self.fail(f"nothing can follow the end, and {exact(self.events[self.at])} does")

    def deal(self) -> None:
        """Two cards for every seat, five for the display, the tickets shuffled, and the first two offered."""
        for seat in range(self.players):
            self.expect({"e": "deal", "seat": seat, "cards": [self.next_card(), self.next_card()]})
        self.display = [self.next_card() for _ in range(min(5, len(self.deck)))]
        self.expect({"e": "display", "cards": self.display})
        self.reset_ferries()
        self.tickets = shuffled(self.tickets, self.chance)
        self.offer(0)

    def act(self) -> None:
        """One action, which is one step: chance has new numbers for it."""
        self.step += 1
        self.chance = self.fairness.chance(self.step)
        actions = self.possible_actions()
        if self.value("e", str) not in actions:
            self.fail(f"{' or '.join(actions)} must come here, not {exact(self.events[self.at])}")
        self.check_form(self.value("e", str))
        actions[self.value("e", str)]()

    def possible_actions(self) -> dict[str, Callable[[], None]]:
        """Where none of these comes next, an action is missing, or there is one too many."""
        if self.offered:
            return {"keep": self.keep}
        if self.step <= self.players + 2:  # every seat has kept its first tickets, and two stacks are placed
            return {"place": self.place}
        if self.choice:
            return {"token": self.token}
        return {"draw": self.draw, "claim": self.claim, "offer": self.draw_tickets, "pass": self.skip}

    def keep(self) -> None:
        kept = self.value("tickets", list)
        others = [ticket for ticket in self.offered if ticket not in kept]
        if not kept or len(kept) + len(others) != len(self.offered):
            self.fail(f"{exact(kept)} is not one or both of the tickets offered")
        self.at += 1
        self.offered = []
        self.tickets += others  # to the bottom
        if self.step < self.players:
            self.offer(self.step)  # the first tickets of the next seat

    def place(self) -> None:
        size = 1 if self.players == 2 else self.stack_size
        self.stacks[self.value("location", str)] = [self.value("souvenir", str)] * size
        self.at += 1

    def draw(self) -> None:
        card = self.value("card", str)
        if self.value("from", str) == "deck":
            if not self.deck:
                self.fail("the deck is empty")
            self.expect(self.events[self.at] | {"card": self.next_card()})
            self.recycle()
        else:
            if card not in self.display:
                self.fail(f"{exact(card)} is not on display")
            self.at += 1
            self.display.remove(card)
            self.fill_display()

    def draw_tickets(self) -> None:
        self.offer(self.value("seat", int))

    def claim(self) -> None:
        """The payment is discarded. A token follows: the only one, or one to choose, which is an action of its own."""
        seat, route, payment = self.value("seat", int), self.value("route", str), self.value("cards", dict)
        for card, count in payment.items():
            if card not in CARDS or type(count) is not int or not 0 < count <= 8:
                self.fail(f"{exact(payment)} is no payment")
            self.discard += [card] * count
        self.at += 1
        self.recycle()
        self.fill_display()
        ends = route.partition(":")[0].split("-")
        tokens = [end for end in ends if self.stacks.get(end) and (seat, self.stacks[end][0]) not in self.owned]
        if len(tokens) > 1:
            self.choice = tokens
        elif tokens:
            souvenir = self.stacks[tokens[0]].pop()
            self.expect({"e": "token", "seat": seat, "location": tokens[0], "souvenir": souvenir})
            self.owned.add((seat, souvenir))

    def token(self) -> None:
        seat, location = self.value("seat", int), self.value("location", str)
        if location not in self.choice:
            self.fail(f"a token of {' or '.join(self.choice)} must come here, not of {exact(location)}")
        self.at += 1
        self.owned.add((seat, self.stacks[location].pop()))
        self.choice = []

    def skip(self) -> None:
        self.at += 1

    # What follows from an action.

    def next_card(self) -> str:
        """Any card of the deck, with equal chance: it is the top card of a deck whose order nobody knows."""
        self.cards_seen += 1
        return self.deck.pop(self.chance.below(len(self.deck)))

    def fill_display(self) -> None:
        if len(self.display) < 5:
            self.turn_up()
            self.reset_ferries()

    def turn_up(self) -> None:
        while len(self.display) < 5 and self.deck:
            self.display.append(self.next_card())
            self.expect({"e": "flip", "card": self.display[-1]})
            self.recycle()

    def reset_ferries(self) -> None:
        """A display with three ferries is discarded, while there is a deck, but at most three times in a row."""
        for _ in range(3):
            if self.display.count("ferry") >= 3 and self.deck:
                self.expect({"e": "reset", "cards": sorted(self.display)})
                self.discard += self.display
                self.display = []
                self.turn_up()

    def recycle(self) -> None:
        """The discard pile becomes the deck at once when that is empty."""
        if not self.deck and self.discard:
            self.expect({"e": "recycle"})
            self.deck, self.discard = sorted(self.discard, key=CARDS.index), []

    def offer(self, seat: int) -> None:
        if not self.tickets:
            self.fail("no ticket is left to offer")
        self.offered, self.tickets = self.tickets[:2], self.tickets[2:]
        self.tickets_seen += len(self.offered)
        self.expect({"e": "offer", "seat": seat, "tickets": self.offered})

    # The record.

    def expect(self, event: dict[str, Any]) -> None:
        """The next event must be this one."""
        if self.at == len(self.events):
            self.fail(f"the record stops where {exact(event)} must follow")
        found = self.events[self.at]
        if self.value("e", str) == "reset":
            found = found | {"cards": sorted(self.value("cards", list), key=exact)}  # a display has no order
        if exact(found) != exact(event):
            self.fail(f"{exact(event)} must come here, not {exact(found)}")
        self.at += 1

    def value(self, key: str, kind: type) -> Any:
        """A value of the next event."""
        event = self.events[self.at]
        found = event.get(key) if type(event) is dict else None
        if type(found) is not kind:
            self.fail(f"{exact(event)} is no event of a record")
        return found

    def check_form(self, kind: str) -> None:
        """A decision has no more than it needs: what nobody asks for, nobody compares."""
        event, keys = self.events[self.at], _FORMS[kind]
        good = set(event) == {"e", *keys} and all(type(event[key]) is _KINDS.get(key, str) for key in keys)
        seated = 0 <= event.get("seat", 0) < self.players if good else False
        if not seated or event.get("from", "deck") not in ("deck", "display") or not 0 < event.get("count", 1) <= 3:
            self.fail(f"{exact(event)} is no event of a record")

    def fail(self, reason: str) -> NoReturn:
        raise FairnessError(reason, self.at)
