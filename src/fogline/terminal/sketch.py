"""A board laid out on a character grid: where every part of its picture stands, whatever the state of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from statistics import mean

from fogline.maps.board import Board
from fogline.terminal.grid import Cell, Grid, Point, cell_of, cells_between
from fogline.terminal.labels import Ground, Label, place_labels
from fogline.terminal.spaces import Row, body, connections, place_spaces


@dataclass(frozen=True, slots=True)
class Sketch:
    grid: Grid
    dots: dict[str, Cell]  # by location
    spaces: dict[str, Row]  # by route
    tracks: frozenset[Cell]
    labels: dict[str, Label]  # by location
    water: frozenset[Cell]  # where waves are drawn


@lru_cache(maxsize=16)
def sketch(board: Board, width: int) -> Sketch:
    """Finds a place for everything, once for each board and width."""
    grid = Grid.of(board, width)
    dots = {location.id: cell_of(grid.at(location.x, location.y)) for location in board.locations}
    spaces = place_spaces(board, grid, dots)
    solid = frozenset(dots.values()) | {cell for row in spaces.values() for middle in row for cell in body(middle)}
    tracks = frozenset(_tracks(board, dots, spaces)) - solid
    labels = place_labels(board, Ground(grid, dots, solid, tracks))
    written = frozenset(cell for label in labels.values() for cell in label.surroundings())
    water = frozenset(_water(board, grid, solid | tracks | written))
    return Sketch(grid, dots, spaces, tracks - written, labels, water)


def _tracks(board: Board, dots: dict[str, Cell], spaces: dict[str, Row]) -> Iterator[Cell]:
    """The track of a route, from dot to dot along the spaces; for a double route, between them."""
    for routes in connections(board):
        sides = [spaces[route.id] for route in routes]
        middles = [
            cell_of((mean(x for x, _ in cells), mean(y for _, y in cells))) for cells in zip(*sides, strict=True)
        ]
        for here, there in pairwise([dots[routes[0].first], *middles, dots[routes[0].second]]):
            yield from cells_between(here, there)


def _middle(cells: Sequence[Cell]) -> Cell:
    return cell_of((mean(x for x, _ in cells), mean(y for _, y in cells)))


def _water(board: Board, grid: Grid, taken: frozenset[Cell]) -> Iterator[Cell]:
    """A few waves where the map has no land and nothing else is drawn."""
    land = board.map_file.land
    for column, row in product(range(grid.width), range(grid.height)) if land else ():
        wave = row % 2 == 0 and (column + 5 * (row % 4 // 2)) % 11 in (0, 1)
        free = not any((column + side, row) in taken for side in range(-2, 3))
        if wave and free and not any(_inside(polygon, grid.back((column, row))) for polygon in land):
            yield column, row


def _inside(polygon: tuple[tuple[int, int], ...], point: Point) -> bool:
    """Whether a line from the point to the right crosses the polygon's edge an odd number of times."""
    x, y = point
    crossings = 0
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            crossings += 1
    return crossings % 2 == 1
