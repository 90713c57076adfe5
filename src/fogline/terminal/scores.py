"""The score table at the end of the game."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from fogline.game.score import Score
from fogline.terminal.look import Look
from fogline.terminal.standing import player_text
from fogline.terminal.words import Words, listing


def score_table(scores: Sequence[Score], winners: Sequence[int], look: Look, words: Words) -> Table:
    """Points by source; the winners are marked."""
    table = Table(box=None, header_style=look.faint, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    table.add_column("player")
    for name in ("routes", "tickets", "tokens", "total"):
        table.add_column(name, justify="right")
    for seat in sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat].total)):
        score = scores[seat]
        mark = Text(look.glyphs.stack if seat in winners else " ", look.accent)
        sources = (score.routes, score.tickets, score.tokens)
        numbers = [Text(str(number)) for number in sources] + [Text(str(score.total), look.strong)]
        table.add_row(mark, player_text(seat, look, words), *numbers)
    return table


def kept_table(scores: Sequence[Score], look: Look, words: Words) -> Table:
    """Everyone's tickets, completed and failed (10.4)."""
    table = Table(box=None, header_style=look.faint, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("player", "value", "ticket", ""):
        table.add_column(name, justify="right" if name == "value" else "left")
    for seat, score in enumerate(scores):
        done = [(ticket, True) for ticket in score.completed] + [(ticket, False) for ticket in score.failed]
        for number, (ticket, completed) in enumerate(done):
            player = Text() if number else player_text(seat, look, words)
            table.add_row(player, *_ticket(ticket, completed, look, words))
    return table


def _ticket(ticket: str, completed: bool, look: Look, words: Words) -> list[Text]:
    value = words.board.ticket(ticket).value
    mark = f"{look.glyphs.done} completed" if completed else f"{look.glyphs.failed} failed"
    style = look.style("green" if completed else "red")
    return [Text(f"{value if completed else -value:+d}"), Text(words.ticket(ticket)), Text(mark, style)]


def verdict(winners: Sequence[int], scores: Sequence[Score], me: int, words: Words) -> str:
    """Who has won, and how a tie was broken (9.3)."""
    names = listing([words.players[seat] for seat in winners])
    if len(winners) > 1:
        return f"{names} share the victory: equal points and equally many completed tickets (9.3)."
    best = scores[winners[0]].total
    tied = sum(score.total == best for score in scores) > 1
    because = " with more completed tickets (9.3)" if tied else ""
    return f"You win{because}!" if winners[0] == me else f"{names} wins{because}."
