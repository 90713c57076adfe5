"""Chapter 10: what each player may know. `tests/game/test_view.py` proves that nothing else is known."""

import pytest

from fogline import Game
from tests.arrange import arrange, claim, first_turn
from tests.policies import play_out

rule = pytest.mark.rule


@rule("10.1")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_everyone_knows_what_lies_open(viewer: int | None) -> None:
    game = first_turn(players=3)
    claim(game, 1, "mission-potrero_hill:1")
    position, view = game.position, game.view(viewer)
    assert view.owners == {"mission-potrero_hill:1": 1}
    assert view.display == position.cards_of("display")
    assert view.discard == position.cards_of("discard") == {"ferry": 2}
    assert view.deck_count == position.deck_count
    assert view.ticket_count == position.ticket_count == 18
    assert view.stacks == position.stacks()
    for seat, public in enumerate(view.seats):
        assert public.points == position.points[seat]
        assert public.cars == position.cars[seat]
        assert public.cards == position.hand[seat].sum()
        assert public.tickets == 2
        assert public.tokens == position.tokens_of(seat)


@rule("10.1")
def test_cards_taken_from_the_display_and_payments_are_seen_by_all() -> None:
    game = arrange(first_turn(players=3), display="red5", deck="blue6", hands={0: ""})
    game.play("draw red")
    game.play("draw deck")
    claim(game, 1, "mission-potrero_hill:1")
    seen = [event for event in game.view(2).events if event["e"] in ("draw", "claim")]
    assert seen == [
        {"e": "draw", "seat": 0, "from": "display", "card": "red"},
        {"e": "draw", "seat": 0, "from": "deck"},
        {"e": "claim", "seat": 1, "route": "mission-potrero_hill:1", "cards": {"ferry": 2}},
    ]


@rule("10.2")
def test_a_seat_knows_its_own_cards_tickets_offers_and_what_it_put_at_the_bottom() -> None:
    game = Game(players=2, seed=3)
    offer = game.position.offered()
    assert game.view(0).offer == offer
    game.play("keep second")
    view = game.view(0)
    assert view.hand == game.position.hand_of(0)
    assert view.tickets == offer[1:]
    assert view.put_back == offer[:1]
    assert game.view(1).put_back == game.view(None).put_back == ()
    assert game.view(None).hand == {}


@rule("10.2")
@pytest.mark.parametrize("viewer", [1, 2, None])
def test_nobody_else_knows_them(viewer: int | None) -> None:
    game = arrange(first_turn(players=3), deck="blue6", display="red5")
    game.play("draw deck")
    view = game.view(viewer)
    assert {"e": "draw", "seat": 0, "from": "deck"} in view.events
    assert [event for event in view.events if event["e"] == "deal" and event["seat"] == 0] == [
        {"e": "deal", "seat": 0, "count": 2}
    ]
    assert (view.seats[0].hand, view.seats[0].kept) == (None, None)


@rule("10.3")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_order_of_the_decks_stands_in_no_view(viewer: int | None) -> None:
    game = first_turn()
    other = game.copy()
    other.position.ticket_deck[:] = other.position.ticket_deck[::-1].copy()
    other.reseed(99)  # the order of the deck is what chance will bring
    assert other.position.snapshot() != game.position.snapshot()
    assert other.view(viewer) == game.view(viewer)


@rule("10.4")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_at_the_end_all_hands_and_tickets_are_public(viewer: int | None) -> None:
    game = Game(players=3, seed=4)
    assert [seat.hand for seat in game.view(viewer).seats] == [None] * 3
    play_out(game, 4)
    for seat, public in enumerate(game.view(viewer).seats):
        assert public.hand == game.position.hand_of(seat)
        assert public.kept == game.position.tickets_of(seat)
        assert public.score == game.scores()[seat]
    assert game.view(viewer).winners == tuple(game.winners)
