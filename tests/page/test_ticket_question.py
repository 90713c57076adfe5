"""Drawing tickets takes the whole turn, so one tap does not do it."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.hands import Finger, Mouse
from tests.page.screens import PHONE, Visit
from tests.page.test_touch import middle
from tests.page.visitor import Visitor
from tests.page.words import said


def test_it_is_asked_first_and_can_be_left(visit: Visit) -> None:
    visitor = at_turn(visit())
    visitor.ticket_deck.click()
    question = visitor.ticket_question
    expect(answer(question, "action.tickets")).to_be_focused()
    question.get_by_role("button", name=said("tickets.askNo")).click()
    expect(question).to_have_count(0)
    expect(visitor.ticket_deck).to_be_focused()
    expect(visitor.prompt).to_have_text(said("prompt.turn"))

    visitor.page.keyboard.press("Enter")
    expect(question).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    visitor.page.keyboard.press("Enter")
    answer(question, "action.tickets").press("Enter")
    expect(visitor.prompt).to_have_text(said("prompt.keep"))


def test_a_double_tap_on_the_tickets_does_not_draw_them(visit: Visit) -> None:
    visitor = at_turn(visit(**PHONE))
    Finger(visitor).double_tap(*middle(visitor.ticket_deck))
    expect(visitor.ticket_question).to_be_visible()
    expect(visitor.prompt).to_have_text(said("prompt.turn"))


def test_the_list_of_actions_asks_too(visit: Visit) -> None:
    visitor = at_turn(visit())
    visitor.button("actions.title").click()
    visitor.actions.get_by_text(said("action.tickets"), exact=True).press("Enter")
    expect(answer(visitor.ticket_question, "action.tickets")).to_be_focused()
    visitor.page.keyboard.press("Escape")
    expect(visitor.actions.get_by_text(said("action.tickets"), exact=True)).to_be_focused()
    expect(visitor.prompt).to_have_text(said("prompt.turn"))


def answer(question: Locator, key: str) -> Locator:
    return question.get_by_role("button", name=said(key))


def at_turn(visitor: Visitor) -> Visitor:
    visitor.go("/")
    visitor.button("home.play").first.click()
    Mouse(visitor).play(turns=0)
    return visitor
