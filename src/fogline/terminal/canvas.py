"""A canvas: characters with styles, cell by cell, which becomes lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from fogline.terminal.grid import Cell


class Canvas:
    """Later characters cover earlier ones."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._cells: dict[Cell, tuple[str, Style]] = {}

    def put(self, column: int, row: int, text: str, style: Style) -> None:
        for character in text:
            if 0 <= column < self.width and 0 <= row < self.height:
                self._cells[column, row] = (character, style)
            column += cell_len(character)

    def lines(self) -> Text:
        return Text("\n").join(self._line(row) for row in range(self.height))

    def _line(self, row: int) -> Text:
        text = Text(no_wrap=True)
        for character, style in self._row(row):
            text.append(character, style)
        return text

    def _row(self, row: int) -> Iterator[tuple[str, Style]]:
        last = max((column for column, other in self._cells if other == row), default=-1)
        column = 0
        while column <= last:
            character, style = self._cells.get((column, row), (" ", Style.null()))
            # A wide character at the edge would make the line too long.
            fits = column + cell_len(character) <= self.width
            yield (character if fits else " "), style
            column += max(cell_len(character), 1)
