"""One decision of a person: what is typed, what is answered, and that nothing changes meanwhile."""

from __future__ import annotations

import pytest

from fogline.game.actions import Claim, Draw
from fogline.game.events import Event
from fogline.game.game import Game
from fogline.maps.mapfile import CARDS
from tests.arrange import arrange, first_turn

from .driver import ask


def test_a_number_does_what_stands_beside_it() -> None:
    game = first_turn()
    action, text = ask(game, "1")
    assert action == Draw("deck")
    assert "1 draw from the deck" in text


def test_a_route_with_several_payments_asks_for_one() -> None:
    game = arrange(first_turn(), hands={0: "black2 ferry1"})
    action, text = ask(game, "claim painted pacific", "2")
    assert action == Claim("painted_ladies-pacific_heights:2", "black", 1, 1)
    assert "How do you pay for Painted Ladies–Pacific Heights" in text.replace("\n", " ")
    assert "1 black + 1 ferry" in text


def test_an_empty_line_goes_back() -> None:
    game = arrange(first_turn(), hands={0: "black2 ferry1"})
    action, text = ask(game, "claim painted pacific", "", "1")
    assert action == Draw("deck")
    assert text.count("1 draw from the deck") == 2


def test_one_location_alone_lists_its_routes_before_anything_is_claimed() -> None:
    game = arrange(first_turn(), hands={0: "green1"})
    action, text = ask(game, "claim mission", "1")
    assert action == Claim("castro-mission:1", "green", 1, 0)
    assert "Which route?" in text


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("pass", "8.3"),
        ("keep both", "3.1"),
        ("place castro", "3.1"),
        ("place nowhere", "1.1"),
        ("draw red", "3.2"),
        ("claim nowhere-castro red1", "1.1"),
        ("claim castro-mission:1 green2", "4.1"),
        ("claim castro-mission:1 red1", "4.2"),
        ("claim pier alc red2", "4.4"),
        ("claim twin mission", "4.1"),
        ("why claim union mission", "4.1"),
    ],
)
def test_what_is_illegal_is_answered_with_its_rule_and_changes_nothing(typed: str, rule: str) -> None:
    game = arrange(first_turn(), hands={0: "green1 red2"}, display="blue5")
    before = game.position.snapshot()
    action, text = ask(game, typed, "draw deck")
    assert f"(rule {rule})" in " ".join(text.split())
    assert "Traceback" not in text
    assert text.count("Take two cards") == 2
    assert action == Draw("deck")
    assert game.position.snapshot() == before


@pytest.mark.parametrize(
    "typed", ["zzz", "claim", "draw", "draw bl", "claim castro green1 red1", "99", "9" * 5000, "why", "why zzz"]
)
def test_what_makes_no_sense_is_answered(typed: str) -> None:
    _, text = ask(first_turn(), typed, "1")
    assert "✗" in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_why_says_that_a_legal_action_is_legal() -> None:
    action, text = ask(first_turn(), "why draw deck", "draw deck")
    assert "You can do that now" in text
    assert action == Draw("deck")


def test_more_shows_every_choice() -> None:
    game = arrange(first_turn(), hands={0: "green3 red3 blue3 black3 ferry4"})
    _, text = ask(game, "more", "1")
    assert "more routes: type more" in text
    assert len(text.split("> ")[-1].splitlines()) > 30


def test_the_first_tickets_are_offered_with_what_they_take() -> None:
    game = Game(players=2, seed=1)
    action, text = ask(game, "second")
    assert str(action) == "keep second"
    assert text.count("spaces missing") == 2


def test_the_last_ticket_is_kept_without_a_choice() -> None:
    game = arrange(first_turn(), ticket_count=1)
    game.play("draw tickets")
    action, text = ask(game, "1")
    assert str(action) == "keep first"
    assert "This is the last ticket, and you keep it: type 1." in " ".join(text.split())


def test_who_can_do_nothing_is_told_to_pass() -> None:
    game = arrange(first_turn(), hands={0: ""}, deck="", display="", ticket_count=0)
    action, text = ask(game, "1")
    assert str(action) == "pass"
    assert "Nothing is possible, so you pass: type 1 (8.3)." in text


def test_the_last_round_is_announced() -> None:
    game = arrange(first_turn(), turns_left=2)
    assert "Last round: this is your last turn" in ask(game, "1")[1]


def test_what_others_hide_changes_nothing_on_the_screen() -> None:
    game = _middle()
    other = _with_other_secrets(game)
    replies = ("t", "log all", "cards", "routes", "board", "more", "1")
    assert game.position.snapshot() != other.position.snapshot()
    assert ask(game, *replies) == ask(other, *replies)


def _middle() -> Game:
    """The second turn of seat 0; seat 1 has drawn twice from the deck."""
    game = first_turn(seed=3)
    for text in ("draw deck", "draw deck", "draw deck", "draw deck"):
        game.play(text)
    return game


def _with_other_secrets(game: Game) -> Game:
    """Seat 1 holds other cards and tickets, and the events tell of these."""
    other, board = game.copy(), game.board
    position = other.position
    hidden = position.hand[1] + position.deck
    position.hand[1] = _spread(hidden, int(position.hand[1].sum()))
    position.deck[:] = hidden - position.hand[1]
    mine = int(position.tickets[0])
    free = [number for number in range(len(board.tickets)) if not mine >> number & 1]
    position.tickets[1] = sum(1 << number for number in free[-2:])
    tickets = [board.tickets[free[0]].id] * 2
    secrets: dict[str, Event] = {
        "deal": {"cards": ["ferry", "ferry"]},
        "draw": {"card": "ferry"},
        "offer": {"tickets": tickets},
        "keep": {"tickets": tickets},
    }
    other.events = [event | (secrets.get(event["e"], {}) if event.get("seat") == 1 else {}) for event in other.events]
    return other


def _spread(counts: list[int], size: int) -> list[int]:
    """A hand of this size with as many of the last cards as there are."""
    hand = [0] * len(CARDS)
    for card in reversed(range(len(CARDS))):
        hand[card] = min(int(counts[card]), size - sum(hand))
    return hand
