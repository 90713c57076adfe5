"""The standing: what everyone knows of every player, and of the tokens."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from fogline.game.view import View
from fogline.terminal.look import Look
from fogline.terminal.words import Words, souvenir_text


def players_table(view: View, look: Look, words: Words, *, named: bool) -> Table:
    """In turn order; `named` tokens, or only their number."""
    table = Table(box=None, header_style=look.faint, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("player", no_wrap=True)
    for name in ("points", "cars", "cards", "tickets"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("tokens", justify="left" if named else "right")
    for seat in view.seats:
        numbers = (seat.points, seat.cars, seat.cards, seat.tickets)
        tokens = ", ".join(map(souvenir_text, seat.tokens)) if named else str(len(seat.tokens))
        cells = (Text(str(number)) for number in numbers)
        table.add_row(player_text(seat.seat, look, words), *cells, Text(tokens))
    return table


def player_text(seat: int, look: Look, words: Words) -> Text:
    return Text().append(look.glyphs.seats[seat], look.seat(seat)).append(f" {words.players[seat]}", look.strong)


def tokens_text(view: View, words: Words) -> Text:
    """The tokens that lie on the board."""
    return Text(", ".join(f"{count} {souvenir} {place}" for souvenir, place, count in _tokens(view, words) if count))


def souvenirs_table(view: View, look: Look, words: Words) -> Table:
    """Each kind: how many tokens lie where, and who has one."""
    table = Table(box=None, header_style=look.faint, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("", "tokens", "on", "taken"):
        table.add_column(name)
    for (souvenir, place, count), kind in zip(_tokens(view, words), view.board.souvenirs, strict=True):
        style = look.style("") if count else look.faint
        cells = (str(count or ""), souvenir, place)
        table.add_row(*(Text(cell, style) for cell in cells), _owners(view, look, kind))
    return table


def _tokens(view: View, words: Words) -> Iterator[tuple[str, str, int]]:
    """Every souvenir: its name, where it lies, and how many tokens are left."""
    where = {souvenir: (location, count) for location, (souvenir, count) in view.stacks.items()}
    for souvenir in view.board.souvenirs:
        location, count = where.get(souvenir, ("", 0))
        yield souvenir_text(souvenir), words.location(location) if location else "set aside", count


def _owners(view: View, look: Look, souvenir: str) -> Text:
    text = Text()
    for seat in view.seats:
        if souvenir in seat.tokens:
            text.append(look.glyphs.seats[seat.seat], look.seat(seat.seat))
    return text
