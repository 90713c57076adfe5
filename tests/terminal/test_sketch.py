"""The board on a character grid: nothing overlaps where there is room."""

from __future__ import annotations

import pytest

from fogline.maps.board import Board
from fogline.terminal.sketch import Sketch, sketch
from fogline.terminal.spaces import body

from .driver import odd_board


@pytest.mark.parametrize("board", ["tiny", "san_francisco"])
@pytest.mark.parametrize("width", [76, 78, 98, 118])
def test_spaces_names_and_dots_keep_apart(board: str, width: int) -> None:
    plan = sketch(Board.load(board), width)
    cells = _cells(plan)
    assert len(cells) == len(set(cells))
    assert all(plan.grid.holds(cell) for cell in cells)
    assert not plan.tracks & set(cells)
    assert not plan.water & (set(cells) | plan.tracks)


@pytest.mark.parametrize("board", ["tiny", "san_francisco"])
def test_every_route_has_its_spaces_and_every_location_its_name(board: str) -> None:
    loaded = Board.load(board)
    plan = sketch(loaded, 78)
    assert {route.id: route.length for route in loaded.routes} == {key: len(row) for key, row in plan.spaces.items()}
    for location in loaded.locations:
        shown = " ".join(" ".join(plan.labels[location.id].lines).split())
        assert shown in location.name


def test_twins_lie_side_by_side() -> None:
    board = Board.load("san_francisco")
    plan = sketch(board, 78)
    for route in board.routes:
        if route.twin:
            for (x, y), (u, v) in zip(plan.spaces[route.id], plan.spaces[route.twin], strict=True):
                assert (abs(x - u), abs(y - v)) in ((3, 0), (0, 1))


def test_a_picture_of_one_line_of_locations_still_has_rows() -> None:
    assert sketch(odd_board(), 60).grid.height >= 10


def _cells(plan: Sketch) -> list[tuple[int, int]]:
    spaces = [cell for row in plan.spaces.values() for middle in row for cell in body(middle)]
    words = [cell for label in plan.labels.values() for cell in label.cells()]
    return [*plan.dots.values(), *spaces, *words]
