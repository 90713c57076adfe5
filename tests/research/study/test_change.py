"""Changes of the map file, and which is proposed."""

from __future__ import annotations

import pytest

from fogline.arena.bootstrap import Estimate
from fogline.maps.board import Board
from fogline.maps.reader import parse_map
from research.study.change import CHANGES, UNCHANGED, Change, change_board, change_map, find_change, fitting_changes
from research.study.faults import StudyError
from research.study.placement import TRIED_PAIRS, location_shares, promising_pairs
from research.study.proposal import Proposal, choose_change, is_even, unevenness
from research.study.series import free_locations
from tests.research.study.arrange import BOARD, ended


def shares(*values: float) -> list[Estimate]:
    return [Estimate(value, value - 0.02, value + 0.02) for value in values]


@pytest.mark.parametrize("name", ["san_francisco", "tiny"])
def test_a_map_without_a_change_is_the_same_map(name: str) -> None:
    map_file = Board.load(name).map_file
    assert parse_map(change_map(map_file, "")) == map_file


def test_every_change_fits_the_default_map_and_changes_it() -> None:
    assert fitting_changes(BOARD) == list(CHANGES)
    assert CHANGES[0].name == UNCHANGED
    assert change_board(BOARD, CHANGES[0]) is BOARD
    changed = [change_board(BOARD, change).map_file for change in CHANGES[1:]]
    assert BOARD.map_file not in changed
    assert len(set(changed)) == len(changed)


def test_a_change_changes_what_it_names_and_nothing_else() -> None:
    patch = """
    cards = { ferry = 4 }
    tickets = [{ between = ["alcatraz", "sunset"], value = 12 }]
    locations = { alcatraz = { landmark = false }, castro = { landmark = true } }
    """
    before, after = BOARD.map_file, change_board(BOARD, Change("some", patch)).map_file
    assert after.cards == (*before.cards[:-1], 4)
    assert [ticket.value for ticket in after.tickets] == [12, *(ticket.value for ticket in before.tickets[1:])]
    landmarks = {location.id for location in before.locations if location.landmark}
    assert {location.id for location in after.locations if location.landmark} == landmarks ^ {"alcatraz", "castro"}
    assert (after.connections, after.cars, after.land) == (before.connections, before.cars, before.land)


def test_a_change_that_makes_no_map_is_told_with_every_fault() -> None:
    with pytest.raises(StudyError, match=r"many: san_francisco cannot be changed so\n(.*\n)*.*cars"):
        change_board(BOARD, Change("many", "cars = 1000"))
    with pytest.raises(StudyError, match="there is no change 'nothing'; there are: unchanged, 18 cars"):
        find_change("nothing")


def test_on_another_map_only_what_fits_it_is_tried() -> None:
    tiny = [change.name for change in fitting_changes(Board.load("tiny"))]
    assert UNCHANGED in tiny
    assert "Alcatraz no landmark, Painted Ladies one" not in tiny


def test_the_change_with_the_least_unevenness_is_chosen() -> None:
    tried = {
        UNCHANGED: shares(0.4, 0.35, 0.25),
        "18 cars": shares(0.37, 0.33, 0.3),
        "22 cars": shares(0.34, 0.38, 0.28),
    }
    assert choose_change(tried).name == "18 cars"
    assert choose_change(tried | {UNCHANGED: shares(0.34, 0.34, 0.32)}).name == UNCHANGED
    assert unevenness(shares(0.6, 0.4)) == pytest.approx(0.1)


def test_seats_are_even_when_no_interval_leaves_the_fair_share_out() -> None:
    assert is_even(shares(0.51, 0.49))
    assert not is_even(shares(0.33, 0.36, 0.31))


@pytest.mark.parametrize(
    ("change", "before", "after", "holds"),
    [
        ("22 cars", shares(0.6, 0.4), shares(0.5, 0.5), True),
        ("22 cars", shares(0.51, 0.49), shares(0.5, 0.5), False),  # within the error
        ("22 cars", shares(0.5, 0.5), shares(0.6, 0.4), False),  # it harms
        (UNCHANGED, shares(0.6, 0.4), shares(0.5, 0.5), False),
    ],
)
def test_a_proposal_holds_when_its_effect_was_seen_and_helps(
    change: str, before: list[Estimate], after: list[Estimate], holds: bool
) -> None:
    assert Proposal(2, 10, {}, find_change(change), before, after).holds == holds


def test_the_pairs_tried_first_are_those_where_seat_0_won_least() -> None:
    """Seat 0 loses whenever a token lies on one of two locations, and wins otherwise."""
    free = free_locations(BOARD)
    pairs = [(free[i], free[j]) for i in range(len(free)) for j in range(i)]
    played = ended(2, *({"score": [0 if {free[2], free[5]} & {*pair} else 2, 1]} for pair in pairs))
    for record, pair in zip(played.records, pairs, strict=True):
        record["souvenir"][list(pair)] = [5, 6]
    found = promising_pairs(BOARD, played)
    assert len(found) == TRIED_PAIRS
    assert found[0] == (free[2], free[5])
    by_location = location_shares(BOARD, played)
    assert len(by_location) == len(free)
    assert by_location[BOARD.locations[free[2]].id].value == 0
    assert by_location[BOARD.locations[free[0]].id].value == pytest.approx(12 / 14)
