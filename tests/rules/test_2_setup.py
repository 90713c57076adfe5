"""Chapter 2: setting up."""

import pytest

from fogline import Board, Game, IllegalAction
from tests.arrange import all_texts, dealt, first_turn, kinds, texts

rule = pytest.mark.rule
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])
LANDMARKS = {"alcatraz", "golden_gate_bridge", "the_embarcadero", "sunset", "potrero_hill"}


def at_placing(players: int) -> Game:
    game = Game(players=players, seed=5)
    for _ in range(players):
        game.play("keep first")
    return game


@rule("2.1")
@PLAYERS
def test_every_score_starts_at_zero(players: int) -> None:
    game = Game(players=players, seed=1)
    assert [score.routes for score in game.scores()] == [0] * players
    assert game.position.points.tolist() == [0] * 4


@rule("2.2")
def test_five_kinds_lie_on_the_five_landmarks_and_two_are_set_aside() -> None:
    game = Game(players=3, seed=1)
    stacks = game.position.stacks()
    assert set(stacks) == LANDMARKS
    lying = [souvenir for souvenir, _ in stacks.values()]
    assert len(set(lying)) == 5
    assert set(game.board.set_aside) == set(game.board.souvenirs) - set(lying)
    assert len(game.board.set_aside) == 2


@rule("2.3")
@pytest.mark.parametrize(("players", "size"), [(2, 2), (3, 2), (4, 3)])
def test_a_stack_has_three_tokens_with_four_players_and_two_with_fewer(players: int, size: int) -> None:
    assert {count for _, count in Game(players=players, seed=1).position.stacks().values()} == {size}


@rule("2.4")
@PLAYERS
def test_everyone_is_dealt_two_cards_and_five_are_turned_up(players: int) -> None:
    game = dealt(["blue", "green", "black", "purple", "red", "orange"] * 3, players=players)
    assert game.position.hand.sum(axis=1).tolist() == [2] * players + [0] * (4 - players)
    assert game.position.display_count == sum(game.position.cards_of("display").values()) == 5
    assert game.position.deck_count == 44 - 5 - 2 * players
    assert kinds(game.events) == ["deal"] * players + ["display", "offer"]


@rule("2.4", "3.7")
def test_three_ferries_in_the_first_display_are_reset_at_once() -> None:
    first_cards = ["blue", "blue", "red", "red", "ferry", "green", "ferry", "ferry", "green", *["black"] * 5]
    game = dealt(first_cards)
    assert kinds(game.events) == ["deal", "deal", "display", "reset", *["flip"] * 5, "offer"]
    assert sorted(game.events[3]["cards"]) == ["ferry", "ferry", "ferry", "green", "green"]
    assert game.position.cards_of("display") == {"black": 5}
    assert game.position.cards_of("discard") == {"green": 2, "ferry": 3}


@rule("2.4", "3.7")
def test_two_ferries_in_the_first_display_stay() -> None:
    game = dealt(["blue", "blue", "red", "red", "ferry", "green", "ferry", "red", "green"])
    assert game.position.cards_of("display") == {"green": 2, "red": 1, "ferry": 2}


@rule("2.5")
@PLAYERS
def test_each_seat_in_turn_is_offered_two_tickets_and_keeps_one_or_both(players: int) -> None:
    game = Game(players=players, seed=1)
    order = [game.board.tickets[number].id for number in game.position.ticket_deck]
    for seat in range(players):
        assert (game.seat, game.phase) == (seat, "keep_first_tickets")
        assert list(game.position.offered()) == order[2 * seat : 2 * seat + 2]
        assert texts(game) == {"keep first", "keep second", "keep both"}
        game.play("keep both")
    assert game.phase == "place"
    assert [len(game.position.tickets_of(seat)) for seat in range(players)] == [2] * players


@rule("2.5")
@pytest.mark.parametrize(("which", "kept"), [("first", 0), ("second", 1)])
def test_a_ticket_not_kept_goes_to_the_bottom(which: str, kept: int) -> None:
    game = Game(seed=1)
    offer = game.position.offered()
    game.play(f"keep {which}")
    assert game.position.tickets_of(0) == (offer[kept],)
    bottom = (game.position.ticket_top + game.position.ticket_count - 1) % 24
    assert game.board.tickets[game.position.ticket_deck[bottom]].id == offer[1 - kept]
    assert game.position.ticket_count == 21


@rule("2.5")
def test_nobody_sees_what_another_is_offered_or_keeps() -> None:
    game = Game(players=3, seed=1)
    assert game.view(1).offer == game.view(None).offer == ()
    games = [game.copy() for _ in range(3)]
    for other, which in zip(games, ("first", "second", "both"), strict=True):
        other.play(f"keep {which}")
    for seat in (1, 2, None):
        assert games[0].view(seat) == games[1].view(seat) == games[2].view(seat)


@rule("2.5")
def test_once_all_have_chosen_everyone_sees_how_many_tickets_each_has() -> None:
    game = Game(players=2, seed=1)
    game.play("keep both")
    game.play("keep first")
    assert [seat.tickets for seat in game.view(None).seats] == [2, 1]
    assert game.view(None).ticket_count == game.position.ticket_count == 21
    assert {"e": "keep", "seat": 0, "count": 2} in game.view(1).events


@rule("2.6")
@PLAYERS
def test_seat_0_plays_first(players: int) -> None:
    assert first_turn(players=players).seat == 0


@rule("2.7")
@pytest.mark.parametrize(("players", "size"), [(3, 2), (4, 3)])
def test_the_last_seat_and_the_last_but_one_place_a_stack_each(players: int, size: int) -> None:
    game = at_placing(players)
    first, second = game.board.set_aside
    assert game.seat == players - 1
    assert game.play("place castro") == [
        {"e": "place", "seat": players - 1, "location": "castro", "souvenir": first, "count": size}
    ]
    assert game.seat == players - 2
    assert game.play("place mission") == [
        {"e": "place", "seat": players - 2, "location": "mission", "souvenir": second, "count": size}
    ]
    assert (game.phase, game.seat) == ("turn", 0)
    assert len(game.position.stacks()) == 7


@rule("2.7")
@PLAYERS
def test_stacks_are_placed_only_where_there_is_none(players: int) -> None:
    game = at_placing(players)
    free = [text for text in all_texts(game) if text.startswith("place ") and text[6:] not in LANDMARKS]
    assert texts(game) == set(free)
    assert len(free) == 15
    game.play("place castro")
    assert texts(game) == set(free) - {"place castro"}
    with pytest.raises(IllegalAction, match=r"2\.[78]"):
        game.play("place castro")


@rule("2.8")
def test_with_two_players_seat_1_places_two_single_tokens() -> None:
    game = at_placing(2)
    first, second = game.board.set_aside
    assert game.seat == 1
    assert game.play("place castro") == [{"e": "place", "seat": 1, "location": "castro", "souvenir": first, "count": 1}]
    assert (game.phase, game.seat) == ("place", 1)
    assert game.play("place mission") == [
        {"e": "place", "seat": 1, "location": "mission", "souvenir": second, "count": 1}
    ]
    assert (game.phase, game.seat) == ("turn", 0)
    assert sorted(count for _, count in game.position.stacks().values()) == [1, 1, 2, 2, 2, 2, 2]


@rule("2.7", "2.8")
def test_a_map_says_which_souvenirs_are_set_aside() -> None:
    assert Board.load("tiny").set_aside == ("heart", "crab")
