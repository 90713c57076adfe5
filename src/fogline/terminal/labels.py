"""Where the names of the locations stand on the character grid."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from rich.cells import cell_len

from fogline.maps.board import Board
from fogline.terminal.grid import Cell, Grid

SMALL_WORDS = ("the", "a", "of")


@dataclass(frozen=True, slots=True)
class Label:
    column: int
    row: int
    lines: tuple[str, ...]

    def cells(self) -> Iterator[Cell]:
        for down, line in enumerate(self.lines):
            for across in range(cell_len(line)):
                yield self.column + across, self.row + down

    def sides(self) -> Iterator[Cell]:
        for down, line in enumerate(self.lines):
            yield self.column - 1, self.row + down
            yield self.column + cell_len(line), self.row + down

    def surroundings(self) -> Iterator[Cell]:
        yield from self.cells()
        yield from self.sides()


@dataclass(frozen=True, slots=True)
class Ground:
    """What labels must keep clear of."""

    grid: Grid
    dots: dict[str, Cell]
    solid: frozenset[Cell]  # dots and spaces
    tracks: frozenset[Cell]


def place_labels(board: Board, ground: Ground) -> dict[str, Label]:
    """Each name takes the best of its places; then each looks again, now that the others have theirs."""
    names = {location.id: location.name for location in board.locations}
    places = {key: list(_places(key, names, ground)) for key in names}
    labels: dict[str, Label] = {}
    for _ in range(4):
        # The name with the fewest good places chooses first.
        for key in sorted(places, key=lambda key: -min(price for _, price in places[key])):
            others = {cell for other, label in labels.items() if other != key for cell in label.surroundings()}
            labels[key] = min(places[key], key=lambda place: place[1] + 30 * _count(place[0].cells(), others))[0]
    return labels


def _places(key: str, names: dict[str, str], ground: Ground) -> Iterator[tuple[Label, float]]:
    """Around the dot: right, left, below, above; the whole name before a broken or a short one."""
    x, y = ground.dots[key]
    for lines, price in _wordings(key, names):
        width, height = max(map(cell_len, lines)), len(lines)
        for row in range(y - height - 1, y + 3):
            beside = row <= y < row + height
            columns = (x + 2, x - 1 - width, x + 3, x - 2 - width) if beside else range(x - width, x + 2)
            for column in columns:
                label = _aligned(column, row, lines, x)
                yield label, price + _stray(label, (x, y)) + _price(label, key, ground)


def _stray(label: Label, dot: Cell) -> float:
    """The cost of standing far from the dot, above it or below, or off its middle."""
    width, height = max(map(cell_len, label.lines)), len(label.lines)
    up = max(label.row - dot[1], dot[1] - (label.row + height - 1), 0)
    beside = max(label.column - dot[0], dot[0] - (label.column + width - 1), 0)
    off = abs(label.row + (height - 1) / 2 - dot[1])
    return 6.0 * max(up - 1, 0) + 2.0 * max(beside - 2, 0) + (1.0 if up else 0.0) + 0.3 * off


def _aligned(column: int, row: int, lines: tuple[str, ...], x: int) -> Label:
    """Broken names lean towards their dot."""
    width = max(map(cell_len, lines))
    if column > x:
        return Label(column, row, lines)
    if column + width <= x:
        return Label(column, row, tuple(line.rjust(width) for line in lines))
    return Label(column, row, tuple(line.center(width) for line in lines))


def _wordings(key: str, names: dict[str, str]) -> Iterator[tuple[tuple[str, ...], float]]:
    """The name in one line, in two, and shortened to words that begin no other name."""
    words = names[key].split()
    yield (" ".join(words),), 0.0
    for i in range(1, len(words)):
        yield (" ".join(words[:i]), " ".join(words[i:])), 2.0
    plain = words[1:] if words[0].lower() in SMALL_WORDS and len(words) > 1 else words
    for count in range(len(plain) - (plain == words), 0, -1):
        short = " ".join(plain[:count])
        if not any(short.lower() in name.lower() for other, name in names.items() if other != key):
            yield (short,), 4.0 + 2.0 * (len(plain) - count)


def _price(label: Label, key: str, ground: Ground) -> float:
    """The cost of a label here: things under it, the edge, tracks through it, another dot too near."""
    cells = list(label.cells())
    price = 25.0 * _count(cells, ground.solid) + 1.5 * _count(cells, ground.tracks)
    price += 8.0 * _count(label.sides(), ground.solid - {ground.dots[key]})
    price += 100.0 * sum(not ground.grid.holds(cell) for cell in cells)
    own = _gap(label, ground.dots[key])
    return price + sum(
        max(0.0, 3.0 + own - _gap(label, dot)) * 1.5 for other, dot in ground.dots.items() if other != key
    )


def _count(cells: Iterable[Cell], among: Collection[Cell]) -> int:
    return sum(cell in among for cell in cells)


def _gap(label: Label, dot: Cell) -> float:
    """How far a dot is from a label, in columns."""
    width = max(map(cell_len, label.lines))
    across = max(label.column - dot[0], dot[0] - (label.column + width - 1), 0)
    return across + 2.0 * max(label.row - dot[1], dot[1] - (label.row + len(label.lines) - 1), 0)
