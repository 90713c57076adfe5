"""Pictures of a running game for people who watch an environment: only what a spectator may see."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import lru_cache
from io import StringIO

import numpy as np
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from fogline.drawing.board import draw
from fogline.game.game import Game
from fogline.game.view import View
from fogline.maps.board import Board
from fogline.terminal.cards import display_text, piles_text
from fogline.terminal.look import Look
from fogline.terminal.picture import draw_board, legend
from fogline.terminal.standing import players_table, tokens_text
from fogline.terminal.words import Words

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
"""The modes: to the terminal, as text with its colours, as SVG, or as pixels."""

PIXELS = 800
"""The width of a picture in pixels; the height follows."""

_COLUMNS = 100


def check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode: one of {', '.join(RENDER_MODES)}, or None, not {mode!r}")


def render(game: Game, mode: str) -> str | np.ndarray | None:
    """The game as a picture; "human" prints it and returns None."""
    check_render_mode(mode)
    if mode == "human":
        print_text(game, Console(file=sys.stdout))
        return None
    if mode == "ansi":
        return render_text(game)
    return render_svg(game) if mode == "svg" else render_pixels(game)


def render_text(game: Game, *, coloured: bool = True) -> str:
    """The board and everything public, in characters."""
    text = StringIO()
    print_text(game, Console(file=text, width=_COLUMNS, color_system="truecolor" if coloured else None))
    return text.getvalue()


def render_svg(game: Game) -> str:
    view = game.view(None, since=len(game.events))
    return _drawn(view.board, tuple(view.owners.items()), tuple(view.stacks.items()))


def render_pixels(game: Game) -> np.ndarray:
    """Height x width x 3 bytes."""
    from fogline.envs.pixels import pixels  # noqa: PLC0415  (needs more than text does)

    names = (game.board.name, *(location.name for location in game.board.locations))
    return pixels(render_svg(game), PIXELS, own_face=all(name.isascii() for name in names)).copy()


@lru_cache(maxsize=8)
def _drawn(board: Board, owners: tuple[tuple[str, int], ...], stacks: tuple[tuple[str, tuple[str, int]], ...]) -> str:
    """Most steps change nothing on the board, so its pictures are kept."""
    return draw(board, owners=dict(owners), stacks=dict(stacks))


def print_text(game: Game, console: Console) -> None:
    view, look = _watching(game), Look.of(console)
    words = Words(game.board, tuple(f"seat {seat}" for seat in range(game.players)))
    facts = Table.grid(padding=(0, 1, 0, 0))
    facts.add_column(style=look.faint, no_wrap=True)
    facts.add_row("Display", display_text(look, view.display, console.width))
    facts.add_row("Left", piles_text(view))
    facts.add_row("Tokens", tokens_text(view, words))
    facts.add_row("Now", _now(view))
    board = draw_board(view, look, console.width - 2)
    parts = (board, Text(), legend(look), Text(), players_table(view, look, words, named=True), Text(), facts)
    console.print(Group(*parts), highlight=False, markup=False, emoji=False)


def _watching(game: Game) -> View:
    """A spectator's view, in which a route is open while any seat may claim it."""
    told = len(game.events)
    seats = (game.view(seat, since=told) for seat in range(game.players))
    return replace(game.view(None, since=told), open_routes=frozenset().union(*(view.open_routes for view in seats)))


def _now(view: View) -> str:
    if view.acting is None:
        return f"over, won by {' and '.join(f'seat {seat}' for seat in view.winners)}"
    return f"seat {view.acting} decides: {view.phase.replace('_', ' ')}"
