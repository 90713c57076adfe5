"""Chapter 3: drawing transport cards."""

import pytest

from fogline import IllegalAction
from tests.arrange import arrange, first_turn, kinds, texts

rule = pytest.mark.rule
COLOURS = ("blue", "green", "black", "purple", "red", "orange")


@rule("3.1")
def test_a_turn_is_to_draw_cards_to_claim_or_to_draw_tickets_and_not_to_pass() -> None:
    game = arrange(first_turn(), hands={0: "blue3"}, display="blue1 red2 green2")
    verbs = {" ".join(text.split()[:2]) if text.startswith("draw") else text.split()[0] for text in texts(game)}
    assert verbs == {"draw deck", "draw blue", "draw red", "draw green", "draw tickets", "claim"}
    with pytest.raises(IllegalAction, match=r"8\.3"):
        game.play("pass")


@rule("3.1")
@pytest.mark.parametrize(
    "actions", [["draw deck", "draw deck"], ["claim lombard_street-pier_39 blue1"], ["draw tickets", "keep both"]]
)
def test_a_turn_is_only_one_of_them(actions: list[str]) -> None:
    game = arrange(first_turn(players=3), hands={0: "blue1"}, display="blue5")
    for action in actions:
        assert game.seat == 0
        game.play(action)
    assert (game.seat, game.phase) == (1, "turn")


@rule("3.1", "3.2")
def test_after_the_first_card_only_a_second_card_can_follow() -> None:
    game = arrange(first_turn(), hands={0: "blue3"}, display="blue1 red2 green2")
    game.play("draw deck")
    assert texts(game) == {"draw deck", "draw blue", "draw red", "draw green"}
    for action in ("draw tickets", "claim lombard_street-pier_39 blue1", "pass"):
        with pytest.raises(IllegalAction, match=r"3\.2"):
            game.play(action)


@rule("3.2")
@pytest.mark.parametrize("first", ["deck", "red"])
@pytest.mark.parametrize("second", ["deck", "red"])
def test_each_of_two_cards_comes_from_the_deck_or_the_display(first: str, second: str) -> None:
    game = arrange(first_turn(), hands={0: ""}, deck="red6 blue6", display="red5")
    game.play(f"draw {first}")
    assert (game.seat, game.phase) == (0, "second_card")
    game.play(f"draw {second}")
    assert game.seat == 1
    assert sum(game.position.hand_of(0).values()) == 2


@rule("3.2")
def test_only_colours_on_display_can_be_taken_from_it() -> None:
    game = arrange(first_turn(), display="red4 blue1", hands={0: ""})
    assert {text for text in texts(game) if text != "draw tickets"} == {"draw deck", "draw red", "draw blue"}
    with pytest.raises(IllegalAction, match=r"3\.2 no green card is on display"):
        game.play("draw green")


@rule("3.2")
def test_there_is_no_hand_limit() -> None:
    game = arrange(
        first_turn(), hands={0: "blue6 green6 black6 purple6 red6", 1: ""}, deck="orange6", display="ferry2 orange0"
    )
    game.play("draw deck")
    game.play("draw deck")
    assert sum(game.position.hand_of(0).values()) == 32


@rule("3.3")
def test_a_displayed_card_is_replaced_before_the_second_is_chosen() -> None:
    game = arrange(first_turn(), deck="green4", display="red5", hands={0: ""})
    assert game.play("draw red") == [
        {"e": "draw", "seat": 0, "from": "display", "card": "red"},
        {"e": "flip", "card": "green"},
    ]
    assert game.position.cards_of("display") == {"green": 1, "red": 4}
    assert "draw green" in texts(game)


@rule("3.4")
def test_a_displayed_ferry_taken_first_ends_the_turn() -> None:
    game = arrange(first_turn(), deck="red6", display="red4 ferry1")
    game.play("draw ferry")
    assert (game.seat, game.phase) == (1, "turn")


@rule("3.5")
def test_a_displayed_ferry_cannot_be_the_second_card() -> None:
    game = arrange(first_turn(), deck="red6", display="red4 ferry1")
    game.play("draw red")
    assert "draw ferry" not in texts(game)
    with pytest.raises(IllegalAction, match=r"3\.5"):
        game.play("draw ferry")


@rule("3.6")
def test_a_ferry_drawn_blind_is_a_card_like_any_other() -> None:
    game = arrange(first_turn(), deck="ferry6", display="red5", hands={0: ""})
    game.play("draw deck")
    assert (game.seat, game.phase) == (0, "second_card")
    game.play("draw deck")
    assert game.seat == 1
    assert game.position.hand_of(0) == {"ferry": 2}


@rule("3.7")
def test_three_ferries_on_display_are_reset_at_once() -> None:
    game = arrange(first_turn(), deck="ferry1", display="red3 ferry2", discard="blue6", hands={0: ""})
    events = game.play("draw red")
    assert kinds(events) == ["draw", "flip", "recycle", "reset", *["flip"] * 5]
    assert sorted(events[3]["cards"]) == ["ferry", "ferry", "ferry", "red", "red"]
    assert game.position.cards_of("display") == {"blue": 5}
    assert game.position.cards_of("discard") == {"red": 2, "ferry": 3}
    assert game.phase == "second_card"


@rule("3.7")
def test_at_most_three_resets_follow_one_another() -> None:
    """The loop of the ruling: purple, red and three ferries on display, two reds and three ferries left to draw."""
    game = arrange(first_turn(), deck="ferry4 red2", display="purple1 red2 ferry2", discard="", hands={0: ""})
    events = game._play("draw red", ["ferry"])
    again = ["reset", *["flip"] * 5, "recycle"]
    assert kinds(events) == ["draw", "flip", *again, *again, *again]
    assert game.position.cards_of("display") == {"red": 2, "ferry": 3}
    assert game.phase == "second_card"


@rule("3.7")
def test_a_display_left_standing_stands_until_a_card_is_next_turned_up() -> None:
    game = arrange(first_turn(), deck="blue4", display="red2 ferry3", hands={0: "blue1"})
    game.play("draw deck")
    assert game.position.cards_of("display") == {"red": 2, "ferry": 3}
    events = game.play("draw red")
    assert kinds(events)[:3] == ["draw", "flip", "reset"]


@rule("3.7")
def test_a_claim_does_not_reset_a_full_display() -> None:
    game = arrange(first_turn(), deck="blue4", display="red2 ferry3", hands={0: "blue1"})
    assert kinds(game.play("claim lombard_street-pier_39 blue1")) == ["claim"]


@rule("3.7")
def test_nothing_is_reset_while_deck_and_discard_pile_are_empty() -> None:
    game = arrange(first_turn(), deck="ferry1", discard="", display="red3 ferry2", hands={0: ""})
    events = game.play("draw red")
    assert kinds(events) == ["draw", "flip"]
    assert game.position.cards_of("display") == {"red": 2, "ferry": 3}


@rule("3.8")
def test_the_discard_pile_becomes_the_deck_as_soon_as_the_deck_runs_out() -> None:
    game = arrange(first_turn(), deck="blue1", discard="green3 ferry2", display="red5", hands={0: ""})
    assert kinds(game.play("draw deck")) == ["draw", "recycle"]
    assert game.position.cards_of("deck") == {"green": 3, "ferry": 2}
    assert game.position.discard_count == sum(game.position.discard) == 0


@rule("3.8")
def test_the_last_card_of_the_deck_with_nothing_to_recycle() -> None:
    game = arrange(first_turn(), deck="blue1", discard="", display="red5", hands={0: ""})
    assert kinds(game.play("draw deck")) == ["draw"]
    assert game.position.deck_count == 0
    assert texts(game) == {"draw red"}


@rule("3.8")
def test_cards_discarded_onto_an_empty_deck_become_the_deck() -> None:
    game = arrange(first_turn(), deck="", discard="", display="red5", hands={0: "blue1"})
    assert kinds(game.play("claim lombard_street-pier_39 blue1")) == ["claim", "recycle"]
    assert game.position.cards_of("deck") == {"blue": 1}


@rule("3.8")
def test_a_deck_that_ends_while_the_display_is_filled_is_recycled_at_once() -> None:
    game = arrange(first_turn(), deck="blue1", discard="green3", display="red5", hands={0: ""})
    assert kinds(game.play("draw red")) == ["draw", "flip", "recycle"]
    assert game.position.cards_of("deck") == {"green": 3}


@rule("3.9")
def test_a_slot_that_cannot_be_filled_stays_empty_until_the_deck_has_a_card_again() -> None:
    game = arrange(first_turn(), deck="", discard="", display="red2 blue1", hands={0: "", 1: "green2"})
    assert kinds(game.play("draw red")) == ["draw"]
    assert game.position.cards_of("display") == {"blue": 1, "red": 1}
    game.play("draw blue")
    events = game.play("claim painted_ladies-union_square:1 green2")
    assert kinds(events)[:4] == ["claim", "recycle", "flip", "flip"]
    assert game.position.cards_of("display") == {"red": 1, "green": 2}


@rule("3.10")
@pytest.mark.parametrize("display", ["red1", "red1 ferry2"])
def test_the_turn_ends_with_one_card_when_no_second_can_be_taken(display: str) -> None:
    game = arrange(first_turn(), deck="", discard="", display=display, hands={0: ""})
    game.play("draw red")
    assert (game.seat, game.phase) == (1, "turn")


@rule("3.10")
def test_a_blind_first_card_may_be_the_only_one() -> None:
    game = arrange(first_turn(), deck="blue1", discard="", display="ferry2", hands={0: ""})
    game.play("draw deck")
    assert (game.seat, game.phase) == (1, "turn")
