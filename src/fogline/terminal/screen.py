"""The screen: everything that is printed passes here."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from io import TextIOWrapper

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from fogline.game.view import View
from fogline.terminal.cards import display_text, hand_text, piles_text
from fogline.terminal.choices import Choice, show_choices
from fogline.terminal.look import Look
from fogline.terminal.picture import draw_board, legend
from fogline.terminal.scores import kept_table, score_table, verdict
from fogline.terminal.standing import players_table, souvenirs_table, tokens_text
from fogline.terminal.tickets import tickets_table
from fogline.terminal.words import Words

WIDE = 118
"""From this width on, the board has a panel beside it."""

ROWS, WIDE_ROWS = 58, 46
"""Lines that a turn needs with the board, without and with the panel beside it."""

PANEL = 42
LABELS = 10
"""Columns of the headings in front of the facts."""

MOST_CLAIMS = 8


@dataclass(frozen=True, slots=True)
class Screen:
    console: Console
    look: Look
    words: Words

    @staticmethod
    def of(console: Console, look: Look, words: Words) -> Screen:
        if isinstance(console.file, TextIOWrapper):
            # Names in a map file may hold letters that the console cannot show.
            console.file.reconfigure(errors="replace")
        return Screen(console, look, words)

    @property
    def width(self) -> int:
        return self.console.width

    def show(self, *parts: RenderableType) -> None:
        self.console.print(Group(*parts), highlight=False, markup=False, emoji=False)

    def say(self, text: str) -> None:
        self.show(Text(text))

    def refuse(self, text: str) -> None:
        """Says why something cannot be done."""
        self.show(Text(f"{self.look.glyphs.failed} {text[:1].upper()}{text[1:]}", self.look.style("red")))

    def title(self, text: str) -> None:
        line = Text(self.look.glyphs.line * 2, self.look.faint).append(f" {text} ", self.look.accent)
        self.show(line.append(self.look.glyphs.line * (self.width - line.cell_len), self.look.faint))

    def board(self, view: View) -> None:
        """The board alone, as large as it fits, and a legend."""
        self.show(draw_board(view, self.look, self.width - 2), Text(), legend(self.look))

    def overview(self, view: View, *, explained: bool) -> None:
        """The board and everything that the seat may know; with a legend if `explained`."""
        signs = [legend(self.look), Text()] if explained else []
        if not (explained or self._has_room()):
            self.show(
                *self._facts(view), Text("The screen is too low for the board: type board to see it.", self.look.faint)
            )
            return
        if self.width < WIDE:
            self.show(draw_board(view, self.look, self.width - 2), Text(), *signs, *self._facts(view), Text())
            return
        board = draw_board(view, self.look, self.width - PANEL - 2)
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(min_width=max(line.cell_len for line in board.split()))
        grid.add_column(width=PANEL)
        grid.add_row(board, Group(*self._facts(view), Text(), souvenirs_table(view, self.look, self.words)))
        self.show(grid, Text(), *signs)

    def _has_room(self) -> bool:
        """Whether the board fits on the screen with everything that a turn needs."""
        return not self.console.is_terminal or self.console.height >= (ROWS if self.width < WIDE else WIDE_ROWS)

    def hand(self, view: View) -> None:
        label = Text().append("Your hand ", self.look.faint)
        self.show(label.append_text(hand_text(self.look, view.hand, self.width - LABELS)))

    def news(self, heading: str, sentences: Sequence[str]) -> None:
        """What has happened."""
        if sentences and heading:
            self.show(Text(heading, self.look.faint))
        lines = Table.grid(padding=(0, 1, 0, 0))
        for sentence in sentences:
            lines.add_row(self.look.glyphs.bullet, Text(sentence))
        if sentences:
            self.show(lines, Text())

    def choices(self, choices: Sequence[Choice], prompt: str, most: int = MOST_CLAIMS) -> None:
        self.show(Text(prompt, self.look.strong), show_choices(choices, self.look, most))

    def result(self, view: View) -> None:
        """The end of a game, when the view tells everyone's score."""
        scores = [seat.score for seat in view.seats if seat.score is not None]
        winners, me = view.winners, view.seat or 0
        self.title("The end")
        self.show(draw_board(view, self.look, self.width - 2), Text())
        self.show(score_table(scores, winners, self.look, self.words), Text())
        self.show(kept_table(scores, self.look, self.words), Text())
        self.show(Text(verdict(winners, scores, me, self.words), self.look.accent))

    def thinking(self, name: str) -> AbstractContextManager[object]:
        """A sign of life while a program decides; it disappears afterwards."""
        if not self.console.is_terminal or self.console.is_dumb_terminal:
            return nullcontext()
        return self.console.status(Text(f"{name} is thinking"), spinner="line")

    def _facts(self, view: View) -> list[RenderableType]:
        """Players, cards and tickets; also the tokens where the panel has no place for them."""
        look, words, narrow = self.look, self.words, self.width < WIDE
        room = (self.width if narrow else PANEL) - LABELS
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(style=look.faint, no_wrap=True)
        table.add_row("Display", display_text(look, view.display, room))
        table.add_row("Left", piles_text(view))
        if narrow:
            table.add_row("Tokens", tokens_text(view, words))
        table.add_row("Your hand", hand_text(look, view.hand, room))
        table.add_row("Tickets", tickets_table(view, look, words))
        return [players_table(view, look, words, named=narrow), Text(), table]
