"""The board: routes, twins and claims by name, and the tables that say the same in numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fogline.maps.board import Board, Payment, Route
from fogline.maps.mapfile import CARDS, COLOURS, FERRY, GREY, MapError

MAPS = ("san_francisco", "tiny")


@pytest.fixture(params=MAPS)
def board(request: pytest.FixtureRequest) -> Board:
    return Board.load(request.param)


def payments(board: Board, route: str) -> list[str]:
    """Every payment for a route, such as `orange1 ferry1`."""
    number = board.route_number[route]
    return [_text(claim) for claim in board.claims if claim.route == number]


def _text(claim: Payment) -> str:
    cards = f"{CARDS[claim.colour]}{claim.cards}" if claim.cards else ""
    return f"{cards} {FERRY}{claim.ferries}".strip() if claim.ferries else cards


# Routes.


def test_a_route_is_named_after_its_ends_and_the_two_of_a_double_route_are_numbered() -> None:
    assert [route.id for route in Board.load("tiny").routes] == [
        "harbour-market:1",
        "harbour-market:2",
        "harbour-island",
        "market-hill",
        "hill-park",
        "harbour-park",
        "market-park",
    ]


def test_the_routes_of_a_double_route_have_the_order_of_their_colours() -> None:
    board = Board.load("san_francisco")
    first, second = board.route("mission-potrero_hill:1"), board.route("mission-potrero_hill:2")
    assert first == Route("mission-potrero_hill:1", "mission", "potrero_hill", 2, "orange", 0, 0, second.id)
    assert second == Route("mission-potrero_hill:2", "mission", "potrero_hill", 2, "purple", 0, 0, first.id)


@pytest.mark.rule("1.2")
def test_a_twin_is_its_twins_twin_of_the_same_length_between_the_same_locations(board: Board) -> None:
    twins = [(route, board.route(route.twin)) for route in board.routes if route.twin]
    assert twins
    for route, twin in twins:
        assert twin.twin == route.id != twin.id
        assert (twin.first, twin.second, twin.length) == (route.first, route.second, route.length)


def test_ids_are_unique(board: Board) -> None:
    for things, numbers in (
        (board.locations, board.location_number),
        (board.routes, board.route_number),
        (board.tickets, board.ticket_number),
    ):
        assert [numbers[thing.id] for thing in things] == list(range(len(things))) == sorted(numbers.values())


def test_things_are_found_by_their_ids() -> None:
    board = Board.load("tiny")
    assert board.location("hill").name == "Hill"
    assert board.route("hill-park").length == 2
    assert board.ticket("island-park").value == 3
    for find in (board.location, board.route, board.ticket):
        with pytest.raises(KeyError):
            find("nowhere")


@pytest.mark.rule("2.2")
def test_landmarks_and_souvenirs_fit_together_with_two_kinds_set_aside(board: Board) -> None:
    assert len(board.landmarks) + len(board.set_aside) == len(board.souvenirs)
    assert board.set_aside == board.souvenirs[-2:]


# Claims.


@pytest.mark.rule("4.2", "4.3")
def test_a_coloured_route_is_paid_with_its_colour_and_any_number_of_ferries() -> None:
    board = Board.load("san_francisco")
    assert payments(board, "south_beach-potrero_hill") == ["black3", "black2 ferry1", "black1 ferry2", "ferry3"]


@pytest.mark.rule("4.2", "4.3")
def test_a_grey_route_is_paid_with_any_one_colour() -> None:
    board = Board.load("tiny")
    mixed = [text for colour in COLOURS for text in (f"{colour}2", f"{colour}1 ferry1")]
    assert payments(board, "harbour-park") == [*mixed, "ferry2"]


@pytest.mark.rule("4.4")
def test_a_ferry_route_is_paid_with_at_least_one_ferry_a_symbol() -> None:
    board = Board.load("san_francisco")
    assert payments(board, "pier_39-alcatraz") == [*(f"{colour}1 ferry1" for colour in COLOURS), "ferry2"]
    assert payments(Board.load("tiny"), "harbour-island") == ["ferry1"]


@pytest.mark.rule("4.1")
def test_every_payment_is_as_long_as_its_route_and_there_is_no_other(board: Board) -> None:
    for route in board.routes:
        found = payments(board, route.id)
        colours = len(COLOURS) if route.colour == GREY else 1
        assert len(set(found)) == len(found) == colours * (route.length - route.ferries) + 1
    assert all(claim.cards + claim.ferries == board.routes[claim.route].length for claim in board.claims)


def test_san_francisco_has_287_claims() -> None:
    assert len(Board.load("san_francisco").claims) == 287


def test_san_francisco_is_as_large_as_its_file_says() -> None:
    board = Board.load("san_francisco")
    assert sum(route.length for route in board.routes) == 110
    assert sum(route.twin is not None for route in board.routes) == 2 * 13
    assert [route.id for route in board.routes if route.ferries] == [
        "golden_gate_bridge-fort_mason",
        "pier_39-alcatraz",
        "the_embarcadero-alcatraz",
    ]


# Tables.


def test_the_tables_name_the_same_routes_and_tickets(board: Board) -> None:
    table, places, lengths = board.tables[0], board.location_number, board.map_file.route_points
    assert table.route_first.tolist() == [places[route.first] for route in board.routes]
    assert table.route_second.tolist() == [places[route.second] for route in board.routes]
    assert table.route_length.tolist() == [route.length for route in board.routes]
    assert [table.route_points[route.length] for route in board.routes] == [lengths[r.length] for r in board.routes]
    assert [board.routes[twin].id if twin >= 0 else None for twin in table.route_twin] == [r.twin for r in board.routes]
    assert table.ticket_first.tolist() == [places[ticket.first] for ticket in board.tickets]
    assert table.ticket_second.tolist() == [places[ticket.second] for ticket in board.tickets]
    assert table.ticket_value.tolist() == [ticket.value for ticket in board.tickets]
    assert table.landmarks.tolist() == [places[landmark.id] for landmark in board.landmarks]
    assert tuple(table.token_points) == board.map_file.token_points
    assert tuple(table.cards) == board.map_file.cards
    assert table.cars == board.cars


def test_the_tables_name_the_same_claims(board: Board) -> None:
    table = board.tables[0]
    columns = (table.claim_route, table.claim_colour, table.claim_cards, table.claim_ferries)
    assert [Payment(*row) for row in zip(*(column.tolist() for column in columns), strict=True)] == list(board.claims)


def test_the_sets_of_claims_hold_what_their_names_say(board: Board) -> None:
    table = board.tables[0]
    for number in range(len(board.routes)):
        assert claims_in(table.claims_of_route[number]) == [
            i for i, claim in enumerate(board.claims) if claim.route == number
        ]
    for cars, words in enumerate(table.claims_within):
        assert claims_in(words) == [
            i for i, claim in enumerate(board.claims) if board.routes[claim.route].length <= cars
        ]


def test_a_hand_pays_for_the_claims_that_it_has_the_cards_for(board: Board) -> None:
    payable = board.tables[0].payable
    longest = max(route.length for route in board.routes)
    assert payable.shape[:3] == (len(CARDS), longest + 1, longest + 1)
    for card, cards, ferries in np.ndindex(payable.shape[:3]):
        assert claims_in(payable[card, cards, ferries]) == [
            number
            for number, claim in enumerate(board.claims)
            if claim.colour == card and claim.cards <= cards and claim.ferries <= ferries
        ]


def claims_in(words: np.ndarray) -> list[int]:
    return [64 * i + bit for i, word in enumerate(words.tolist()) for bit in range(64) if word >> bit & 1]


def test_nobody_can_change_the_tables(board: Board) -> None:
    with pytest.raises(ValueError, match="read-only"):
        board.tables["cars"] = 1


# Loading.


def test_a_built_in_board_is_made_once_and_one_from_a_file_each_time(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "src/fogline/maps/tiny.toml").read_text("utf-8")
    path = tmp_path / "tiny.toml"
    path.write_text(text, encoding="utf-8")
    assert Board.load("tiny") is Board.load("tiny")
    assert Board.load() is Board.load("san_francisco")
    assert Board.load(path) is not Board.load(path)
    assert Board.load(path).map_file == Board.load(str(path)).map_file == Board.parse(text).map_file


def test_the_tables_are_made_once(board: Board) -> None:
    assert board.tables is board.tables


def test_a_file_that_has_faults_makes_no_board() -> None:
    with pytest.raises(MapError, match="cannot be read"):
        Board.load("atlantis")
    with pytest.raises(MapError, match="schema is missing"):
        Board.parse("")


def test_a_board_says_what_it_is() -> None:
    assert repr(Board.load("tiny")) == "<Board tiny: 5 locations, 7 routes, 8 tickets>"
    assert repr(Board.load()) == "<Board san_francisco: 20 locations, 55 routes, 24 tickets>"


def test_a_board_is_made_from_a_map_file_alone() -> None:
    with pytest.raises(TypeError, match=r"Board\.load takes a name or a path"):
        Board("tiny")  # type: ignore[arg-type]
