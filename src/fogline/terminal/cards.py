"""Transport cards: coloured chips in a row, and counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text

from fogline.game.view import View
from fogline.maps.mapfile import CARDS
from fogline.terminal.look import Look


def chip(look: Look, card: str, count: int | None = None) -> Text:
    """A card or a colour, with its number where there is one."""
    return Text(f" {card} " if count is None else f" {count} {card} ", look.card(card))


def hand_text(look: Look, hand: Mapping[str, int], width: int) -> Text:
    return _row([chip(look, card, count) for card, count in hand.items()], look, width)


def display_text(look: Look, display: Mapping[str, int], width: int) -> Text:
    return _row([chip(look, card) for card, count in display.items() for _ in range(count)], look, width)


def _row(chips: Sequence[Text], look: Look, width: int) -> Text:
    """Chips side by side; no chip is broken at a line's end."""
    if not chips:
        return Text("none", look.faint)
    lines = [Text()]
    for piece in chips:
        if len(lines[-1]) + len(piece) > width:
            lines.append(Text())
        lines[-1].append_text(piece).append(" ")
    return Text("\n").join(lines)


def piles_text(view: View) -> Text:
    discard = sum(view.discard.values())
    return Text(f"deck {view.deck_count}, discard pile {discard}, tickets {view.ticket_count}")


def counts_table(view: View, look: Look) -> Table:
    """Every card by where it is, as far as the seat may know; the rest is in the deck or in other hands."""
    table = Table(box=None, header_style=look.faint, pad_edge=False)
    table.add_column("card")
    for place in ("your hand", "display", "discard pile", "unseen"):
        table.add_column(place, justify="right")
    for card, total in zip(CARDS, view.board.map_file.cards, strict=True):
        known = [pile.get(card, 0) for pile in (view.hand, view.display, view.discard)]
        table.add_row(chip(look, card), *(Text(str(count)) for count in (*known, total - sum(known))))
    return table
