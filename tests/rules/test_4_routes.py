"""Chapter 4: claiming a route."""

import pytest

from fogline import IllegalAction
from tests.arrange import arrange, claim, claims_of, first_turn, kinds, texts

rule = pytest.mark.rule

BLACK_3 = "union_square-mission"
GREY_2 = "haight_ashbury-twin_peaks"
FERRY_2 = "pier_39-alcatraz"
FERRY_5 = "golden_gate_bridge-fort_mason"
TWINS = ("mission-potrero_hill:1", "mission-potrero_hill:2")


@rule("4.1")
def test_a_claim_costs_a_card_and_a_car_for_every_space() -> None:
    game = arrange(first_turn(), hands={0: "black4 blue1"}, discard="red1", cars={0: 20})
    events = game.play(f"claim {BLACK_3} black3")
    assert events[0] == {"e": "claim", "seat": 0, "route": BLACK_3, "cards": {"black": 3}}
    assert game.position.hand_of(0) == {"blue": 1, "black": 1}
    assert game.position.cards_of("discard") == {"black": 3, "red": 1}
    assert game.position.cars[0] == 17
    assert game.position.owners() == {BLACK_3: 0}


@rule("4.1")
@pytest.mark.parametrize("payment", ["black2", "black4", "ferry2", "black2 ferry2"])
def test_a_payment_of_another_size_is_refused(payment: str) -> None:
    game = arrange(first_turn(), hands={0: "black4 ferry4"})
    with pytest.raises(IllegalAction, match=r"4\.1"):
        game.play(f"claim {BLACK_3} {payment}")


@rule("4.1")
def test_cards_that_are_not_in_hand_cannot_pay() -> None:
    game = arrange(first_turn(), hands={0: "black2"})
    assert claims_of(game, BLACK_3) == set()
    with pytest.raises(IllegalAction, match=r"4\.1 the payment takes 3 black and you hold 2"):
        game.play(f"claim {BLACK_3} black3")


@rule("4.1")
def test_a_route_need_not_touch_ones_other_routes_and_one_claim_is_a_turn() -> None:
    game = arrange(first_turn(), hands={0: "black9 green9"}, display="red5")
    game.play(f"claim {BLACK_3} black3")
    assert game.seat == 1
    arrange(game, turn=0)
    assert claims_of(game, "golden_gate_bridge-richmond") == {"green3"}


@rule("4.2")
def test_a_payment_is_of_the_routes_colour() -> None:
    game = arrange(first_turn(), hands={0: "blue6 green6 purple6 red6 orange6"})
    assert claims_of(game, BLACK_3) == set()
    with pytest.raises(IllegalAction, match=r"4\.2"):
        game.play(f"claim {BLACK_3} blue3")


@rule("4.2")
def test_a_grey_route_takes_any_one_colour() -> None:
    game = arrange(first_turn(), hands={0: "blue2 green1 red2"})
    assert claims_of(game, GREY_2) == {"blue2", "red2"}


@rule("4.3")
def test_ferry_cards_stand_in_for_any_number_of_cards() -> None:
    game = arrange(first_turn(), hands={0: "black3 ferry3"})
    assert claims_of(game, BLACK_3) == {"black3", "black2 ferry1", "black1 ferry2", "ferry3"}


@rule("4.3")
def test_the_player_chooses_which_cards_to_pay() -> None:
    game = arrange(first_turn(), hands={0: "black3 ferry3"})
    game.play(f"claim {BLACK_3} black1 ferry2")
    assert game.position.hand_of(0) == {"black": 2, "ferry": 1}


@rule("4.4")
def test_a_ferry_route_needs_a_ferry_card_for_its_symbol() -> None:
    game = arrange(first_turn(), hands={0: "blue5 red1 ferry2"})
    assert claims_of(game, FERRY_2) == {"blue1 ferry1", "red1 ferry1", "ferry2"}
    assert claims_of(game, FERRY_5) == {"blue4 ferry1", "blue3 ferry2"}
    with pytest.raises(IllegalAction, match=r"4\.4"):
        game.play(f"claim {FERRY_2} blue2")


@rule("4.4")
def test_no_hand_without_ferries_claims_a_ferry_route() -> None:
    game = arrange(first_turn(), hands={0: "blue6 green6 black6 purple6 red6 orange6"})
    for route in game.board.routes:
        assert bool(claims_of(game, route.id)) == (route.ferries == 0)


@rule("4.5")
def test_too_few_cars_cannot_claim() -> None:
    game = first_turn(players=3)
    for route in ("golden_gate_bridge-fort_mason", "presidio-fort_mason", "presidio-pacific_heights"):
        claim(game, 0, route)  # 11 cars
    for route in ("richmond-sunset", "sunset-haight_ashbury", "union_square-mission"):
        claim(game, 0, route)  # 20 cars, none left
    arrange(game, turn=0, hands={0: "blue6 green6 black6 purple6 red6 orange6 ferry8"})
    assert not any(text.startswith("claim") for text in texts(game))
    with pytest.raises(IllegalAction, match=r"4\.5"):
        game.play("claim lombard_street-pier_39 blue1")


@rule("4.5")
def test_as_many_cars_as_spaces_are_enough() -> None:
    game = arrange(first_turn(), cars={0: 6})
    claim(game, 0, "presidio-fort_mason")
    arrange(game, turn=0, hands={0: "blue6 green6 black6 purple6 red6 orange6 ferry8"}, turns_left=-1)
    claimable = {game.board.route(text.split()[1]).length for text in texts(game) if text.startswith("claim")}
    assert claimable == {1, 2, 3}


@rule("4.6")
def test_points_are_scored_at_once() -> None:
    game = first_turn()
    claim(game, 0, FERRY_5)
    assert game.position.points[0] == game.view(1).seats[0].points == 10
    claim(game, 0, BLACK_3)
    assert game.view(None).seats[0].points == 14


@rule("4.7")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_owns_both_routes_of_a_double_route(players: int) -> None:
    game = first_turn(players=players)
    claim(game, 0, TWINS[0])
    arrange(game, turn=0, hands={0: "purple2 ferry2"})
    assert claims_of(game, TWINS[1]) == set()
    with pytest.raises(IllegalAction, match=r"4\.7"):
        game.play(f"claim {TWINS[1]} purple2")


@rule("4.8")
def test_with_two_players_the_twin_is_closed_to_everyone() -> None:
    game = first_turn(players=2)
    claim(game, 0, TWINS[1])
    arrange(game, turn=1, hands={1: "orange2 ferry2"})
    assert claims_of(game, TWINS[0]) == set()
    with pytest.raises(IllegalAction, match=r"4\.8 with two players the twin of a claimed route is closed"):
        game.play(f"claim {TWINS[0]} orange2")


@rule("4.8")
@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_another_may_claim_the_twin(players: int) -> None:
    game = first_turn(players=players)
    claim(game, 0, TWINS[1])
    arrange(game, turn=2, hands={2: "orange2"})
    game.play(f"claim {TWINS[0]} orange2")
    assert game.position.owners() == {TWINS[0]: 2, TWINS[1]: 0}


@rule("4.9")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_claimed_route_is_never_claimed_again(players: int) -> None:
    game = first_turn(players=players)
    claim(game, 0, BLACK_3)
    for seat in range(players):
        arrange(game, turn=seat, hands={seat: "black6 ferry6"})
        assert claims_of(game, BLACK_3) == set()
        with pytest.raises(IllegalAction, match=r"4\.9"):
            game.play(f"claim {BLACK_3} black3")


@rule("4.1", "3.8", "3.9")
def test_what_a_payment_causes_comes_right_after_it() -> None:
    game = arrange(first_turn(), deck="", discard="", display="red4", hands={0: "orange2"})
    assert kinds(game.play(f"claim {TWINS[0]} orange2")) == ["claim", "recycle", "flip", "token"]
