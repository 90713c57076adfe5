"""Chapter 6: drawing tickets."""

import pytest

from fogline import Game, IllegalAction
from tests.arrange import arrange, claim, first_turn, kinds, texts

rule = pytest.mark.rule


def ticket_deck(game: Game) -> list[str]:
    """From top to bottom."""
    position = game.position
    places = [(position.ticket_top + n) % len(position.ticket_deck) for n in range(position.ticket_count)]
    return [game.board.tickets[position.ticket_deck[place]].id for place in places]


@rule("6.1")
def test_the_top_two_are_offered_and_one_or_both_are_kept() -> None:
    for which, kept in (("first", [0]), ("second", [1]), ("both", [0, 1])):
        game = first_turn()
        before = ticket_deck(game)
        assert game.play("draw tickets") == [{"e": "offer", "seat": 0, "tickets": before[:2]}]
        assert texts(game) == {"keep first", "keep second", "keep both"}
        had = set(game.position.tickets_of(0))
        game.play(f"keep {which}")
        assert set(game.position.tickets_of(0)) - had == {before[place] for place in kept}
        put_back = [before[place] for place in (0, 1) if place not in kept]
        assert ticket_deck(game) == before[2:] + put_back
        assert game.seat == 1


@rule("6.1")
def test_tickets_put_at_the_bottom_come_back_after_all_others() -> None:
    game = first_turn()
    seen: list[str] = []
    while game.position.ticket_count > 1:
        seen += game.play("draw tickets")[0]["tickets"]
        game.play("keep first")
    first_time = seen[:20]
    assert len(set(first_time)) == 20
    assert seen[20:30] == first_time[1::2]


@rule("6.1")
def test_an_only_ticket_may_be_drawn_and_must_be_kept() -> None:
    game = arrange(first_turn(), ticket_count=1)
    last = ticket_deck(game)
    assert game.play("draw tickets") == [{"e": "offer", "seat": 0, "tickets": last}]
    assert texts(game) == {"keep first"}
    for action in ("keep second", "keep both"):
        with pytest.raises(IllegalAction, match=r"6\.1"):
            game.play(action)
    assert game.play("keep first") == [{"e": "keep", "seat": 0, "tickets": last}]
    assert last[0] in game.position.tickets_of(0)


@rule("6.1")
def test_with_no_ticket_left_none_can_be_drawn() -> None:
    game = arrange(first_turn(), ticket_count=0)
    assert "draw tickets" not in texts(game)
    with pytest.raises(IllegalAction, match=r"6\.1"):
        game.play("draw tickets")


@rule("6.2")
def test_kept_tickets_stay_and_there_is_no_limit() -> None:
    game = first_turn()
    held: set[str] = set()
    while game.position.ticket_count:
        arrange(game, turn=0)
        game.play("draw tickets")
        game.play("keep both" if game.position.offer_count == 2 else "keep first")
        assert held <= set(game.position.tickets_of(0))
        held = set(game.position.tickets_of(0))
    assert len(held) == 22


def completed(game: Game, seat: int) -> bool:
    """Whether the seat has completed pier_39-south_beach, which it is given."""
    number = game.board.ticket_number["pier_39-south_beach"]
    arrange(game, tickets={seat: 1 << number})
    return "pier_39-south_beach" in game.view(seat).completed


@rule("6.3")
def test_a_ticket_is_completed_by_an_unbroken_line_of_ones_own_routes() -> None:
    game = first_turn(players=3)
    assert not completed(game, 0)
    claim(game, 0, "pier_39-the_embarcadero")
    assert not completed(game, 0)
    claim(game, 0, "the_embarcadero-south_beach:2")
    assert completed(game, 0)


@rule("6.3")
def test_others_routes_and_gaps_do_not_count() -> None:
    game = first_turn(players=3)
    claim(game, 0, "pier_39-the_embarcadero")
    claim(game, 1, "the_embarcadero-south_beach:1")
    claim(game, 0, "south_beach-potrero_hill")
    assert not completed(game, 0)
    assert not completed(game, 1)


@rule("6.3")
def test_a_line_may_be_built_in_any_order_and_join_longer_lines() -> None:
    game = first_turn(players=3)
    for route in ("union_square-south_beach", "lombard_street-pier_39", "chinatown-union_square:2"):
        claim(game, 0, route)
        assert not completed(game, 0)
    claim(game, 0, "lombard_street-chinatown:1")
    assert completed(game, 0)


@rule("6.4")
def test_tickets_and_their_completion_are_secret_until_the_end() -> None:
    game = first_turn(players=3)
    game.play("draw tickets")
    offer = game.position.offered()
    assert game.view(0).offer == offer
    game.play("keep both")
    for seat in (1, 2, None):
        view = game.view(seat)
        assert view.offer == ()
        assert (view.seats[0].tickets, view.seats[0].kept, view.seats[0].score) == (4, None, None)
        assert kinds(list(view.events))[-2:] == ["offer", "keep"]
        assert all("tickets" not in event for event in view.events if event.get("seat") != seat)
