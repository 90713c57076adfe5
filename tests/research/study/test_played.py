"""What final records tell, on records made by hand."""

from __future__ import annotations

import pytest

from research.study.worth import route_worths, souvenir_worths, ticket_worths
from tests.research.study.arrange import BOARD, ended, value

LONG, SHORT = "alcatraz-sunset", "fort_mason-union_square"


def test_the_most_points_win_and_completed_tickets_break_a_tie() -> None:
    played = ended(
        2,
        {"score": [30, 20]},
        {"score": [20, 30]},
        {"score": [25, 25]},
        {"score": [25, 25], "tickets": {1: [SHORT]}, "completed": {1: [SHORT]}},
    )
    assert played.victory.tolist() == [[1, 0], [0, 1], [0.5, 0.5], [0, 1]]
    assert [share.value for share in played.seat_shares()] == [0.375, 0.625]
    assert [mean.value for mean in played.seat_points()] == [25, 25]


def test_the_seats_of_a_game_of_three_share_its_victory() -> None:
    played = ended(3, {"score": [9, 9, 1]}, {"score": [1, 2, 3]}, {"score": [4, 4, 4]})
    assert sum(share.value for share in played.seat_shares()) == pytest.approx(1)
    assert played.seat_shares()[0].value == pytest.approx((1 / 2 + 0 + 1 / 3) / 3)


def test_a_ticket_is_worth_what_its_holders_got_from_it() -> None:
    played = ended(
        2,
        {"score": [30, 20], "tickets": {0: [LONG]}, "completed": {0: [LONG]}},
        {"score": [10, 20], "tickets": {0: [LONG]}},
        {"score": [30, 20], "tickets": {0: [LONG], 1: [SHORT]}, "completed": {0: [LONG]}},
        {"score": [30, 20]},
    )
    worths = {worth.id: worth for worth in ticket_worths(played)}
    long, short = worths[LONG], worths[SHORT]
    assert (long.value, value(long.kept)) == (11, 0.75)
    assert value(long.completed) == pytest.approx(2 / 3)
    assert value(long.points) == pytest.approx((11 - 11 + 11) / 3)
    assert value(long.won) == pytest.approx(2 / 3)
    assert value(short.points) == -3
    assert worths["presidio-alcatraz"].won is None


def test_a_line_without_the_ticket_completes_nothing() -> None:
    played = ended(2, {"completed": {0: [LONG]}, "tickets": {1: [LONG]}})
    assert played.completed.sum() == 0
    assert played.kept.sum() == 1


def test_a_route_is_worth_how_often_its_owner_wins() -> None:
    ferry = "golden_gate_bridge-fort_mason"
    played = ended(
        2,
        {"score": [30, 20], "routes": {ferry: 0}},
        {"score": [20, 30], "routes": {ferry: 1}},
        {"score": [20, 30], "routes": {ferry: 0, "castro-mission:1": 1}},
    )
    worths = {worth.id: worth for worth in route_worths(played)}
    assert len(worths) == len(BOARD.routes)
    assert (worths[ferry].length, worths[ferry].colour, value(worths[ferry].claimed)) == (5, "grey", 1)
    assert value(worths[ferry].won) == pytest.approx(2 / 3)
    assert value(worths["castro-mission:1"].claimed) == pytest.approx(1 / 3)
    assert worths["castro-mission:2"].won is None


def test_souvenirs_are_counted_by_seat() -> None:
    played = ended(2, {"score": [30, 20], "souvenirs": {0: 5, 1: 5}}, {"score": [30, 20], "souvenirs": {0: 7}})
    worths = souvenir_worths(played)
    assert [worth.points for worth in worths] == [0, 0, 1, 2, 4, 6, 9, 12]
    five, seven, none = worths[5], worths[7], worths[0]
    assert (value(five.owned), value(five.won), value(seven.won), value(none.won)) == (0.5, 0.5, 1, 0)
    assert worths[3].won is None
