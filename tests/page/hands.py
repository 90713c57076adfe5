"""Hands: ways to do the same things on the page, with a mouse, with a finger, or with keys alone."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from playwright.sync_api import Locator

from tests.page.visitor import Asked, Visitor
from tests.page.words import like, said

CARDS_FIRST = 1
TICKETS_ONCE = 2
"""The turns at which somebody draws cards and tickets whatever else is possible, so that every game has seen both."""


MOST_TABS = 40
"""A page on which one has to press Tab more often is no good for keys."""

MOST_ZOOM = 6
"""So often zoomed out, the whole board is seen."""

DOUBLE_TAP = 350.0
"""Milliseconds: two taps on one place that are quicker mean one thing."""

GLANCE = 20.0
"""Milliseconds between a look at one page and the look at another."""


class Hand(ABC):
    """Plays greedily: claims the longest route that can be paid for, and draws where there is none."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.turns = 0

    def play(self, before: Asked | None = None, *, turns: int | None = None) -> Asked:
        """Until the game is over, or this many turns more have begun."""
        last = None if turns is None else self.turns + turns
        asked = self.visitor.asked(before)
        while asked.prompt != "over" and not (asked.prompt == "turn" and self.turns == last):
            self.decide(asked.prompt)
            asked = self.visitor.asked(asked)
        return asked

    def decide(self, prompt: str) -> None:
        self.turns += prompt == "turn"
        match prompt:
            case "keep":
                self.keep()
            case "place" | "token":
                self.choose_place()
            case "pass":
                self.press(self.visitor.button("action.pass"))
            case "second":
                if self.visitor.drawable.count() == 1:
                    self.visitor.page.wait_for_timeout(DOUBLE_TAP)  # it may lie where the first lay
                self.draw(-1)
            case "turn":
                self.take_turn()

    def take_turn(self) -> None:
        routes = self.visitor.payable_routes()
        if self.turns == TICKETS_ONCE:
            self.draw_tickets()
        elif routes and self.turns != CARDS_FIRST:
            self.claim(routes[0])
        else:
            self.draw()

    def keep(self) -> None:
        self.press(self.visitor.offer.get_by_role("button").first)
        self.press(self.visitor.offer.get_by_role("button", name=said("offer.keep", count=1)))

    def draw(self, which: int = 0) -> None:
        taken = self.visitor.drawable
        if taken.count():
            self.press(taken.nth(which))
        else:
            self.draw_tickets()

    def draw_tickets(self) -> None:
        """It is asked first, unless nothing else can be done."""
        self.press(self.visitor.ticket_deck)
        question = self.visitor.ticket_question
        if question.count():
            self.visitor.page.wait_for_timeout(DOUBLE_TAP)
            self.press(question.get_by_role("button", name=said("action.tickets")))

    def claim(self, route: str) -> None:
        self.touch_route(route)
        self.press(self.visitor.dialog.get_by_role("button", name=like("pay.with")).first)

    def choose_place(self, location: str | None = None) -> None:
        self._touch_spot(lambda: self.visitor.place_spot(location))

    def touch_route(self, route: str) -> None:
        self._touch_spot(lambda: self.visitor.route_spot(route))

    def _touch_spot(self, spot: Callable[[], tuple[float, float] | None]) -> None:
        """Where not all of the board is seen, one looks from further away."""
        for _ in range(MOST_ZOOM):
            self.visitor.let_the_board_rest()
            if found := spot():
                return self.touch(*found)
            self.press(self.visitor.button("board.zoomOut"))
        raise AssertionError("it lies nowhere on the board that is seen")

    @abstractmethod
    def press(self, button: Locator) -> None: ...

    @abstractmethod
    def touch(self, x: float, y: float) -> None: ...


def play_together(hands: Sequence[Hand], until: str = "over") -> Hand | None:
    """Everyone decides when asked, until the game is over for all, or somebody is asked for what it is played until."""
    before: dict[Hand, Asked | None] = dict.fromkeys(hands)
    playing = list(hands)
    while playing:
        for hand in tuple(playing):
            asked = hand.visitor.asks(before[hand])
            if asked is None:
                hand.visitor.page.wait_for_timeout(GLANCE)
                continue
            if asked.prompt == "over":
                playing.remove(hand)
                continue
            if asked.prompt == until:
                return hand
            hand.decide(asked.prompt)
            before[hand] = asked
    return None


class Mouse(Hand):
    """Clicks."""

    def press(self, button: Locator) -> None:
        button.click()

    def touch(self, x: float, y: float) -> None:
        self.visitor.page.mouse.click(x, y)


class Finger(Hand):
    """Taps, twice if need be, and pinches."""

    def __init__(self, visitor: Visitor) -> None:
        super().__init__(visitor)
        self._screen = visitor.context.new_cdp_session(visitor.page)

    def press(self, button: Locator) -> None:
        button.tap()

    def touch(self, x: float, y: float) -> None:
        """By the browser itself: a finger that we lift it may take for one that stays, on a busy machine."""
        self._screen.send("Input.synthesizeTapGesture", {"x": x, "y": y, "duration": 20})

    def double_tap(self, x: float, y: float) -> None:
        """Quick by the touchscreen's own clock, however slow the machine."""
        now = time.time()
        for at in (now, now + 0.1):
            self._fingers("touchStart", [(x, y)], at)
            self._fingers("touchEnd", [], at + 0.02)

    def pinch(self, x: float, y: float, narrow: float, wide: float, steps: int = 5) -> None:
        """Two fingers move apart around a point."""
        for step in range(steps + 1):
            apart = (narrow + (wide - narrow) * step / steps) / 2
            self._fingers("touchMove" if step else "touchStart", [(x - apart, y), (x + apart, y)])
        self._fingers("touchEnd", [])

    def _fingers(self, kind: str, points: Sequence[tuple[float, float]], at: float | None = None) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._screen.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches} | ({"timestamp": at} if at else {})
        )


class Keys(Hand):
    """Tab, arrows and Enter: every decision is made in the list of actions."""

    def play(self, before: Asked | None = None, *, turns: int | None = None) -> Asked:
        self.visitor.asked(before)
        self.tab_to(said("actions.title"))
        self.key("Enter")
        return super().play(before, turns=turns)

    def decide(self, prompt: str) -> None:
        self.turns += prompt == "turn"
        self.key("Tab")
        actions = self.visitor.actions
        assert actions.first.inner_text() == self.focused(), "the focus has left the list"
        if prompt == "turn" and self.turns == TICKETS_ONCE:
            while self.focused() != said("action.tickets"):
                self.key("ArrowDown")
        elif prompt == "turn" and self.turns != CARDS_FIRST:
            self.key("End")  # claims come last
        self.key("Enter")
        if self.visitor.ticket_question.count():
            self.key("Enter")

    def tab_to(self, name: str) -> None:
        for _ in range(MOST_TABS):
            self.key("Tab")
            if self.focused().startswith(name):
                return
        raise AssertionError(f"Tab does not lead to {name}")

    def focused(self) -> str:
        """What the focus is on, by its words."""
        text: str = self.visitor.page.evaluate("document.activeElement.innerText")
        return text

    def key(self, key: str) -> None:
        self.visitor.page.keyboard.press(key)

    def press(self, button: Locator) -> None:
        raise NotImplementedError

    def touch(self, x: float, y: float) -> None:
        raise NotImplementedError
