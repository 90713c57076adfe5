"""The ladder as a page of Markdown."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from fogline import __version__
from fogline.arena.bootstrap import Estimate
from fogline.arena.entrant import player_class
from fogline.arena.ladder import Ladder, Rung


def ladder_page(ladder: Ladder, command: list[str], date: str, picture: str | None) -> str:
    """The page. `picture` is the file name of the plot, where there is one. Only the date differs from run to run."""
    lines = [
        "# The ladder",
        "",
        f"How strong the players are on {ladder.board.name}: everyone against everyone, in matches of {ladder.games:,} "
        "games on paired seeds and all seatings.",
        f"`{ladder.labels[ladder.anchor]}` has Elo 0; intervals are 95 %. [The arena](arena.md) explains the method.",
        "",
    ]
    if picture is not None:
        lines += [f"![Ratings with their intervals]({picture})", ""]
    if ladder.slow:
        lines += [f"Matches of {_names(ladder.slow)}, which think for long, have {ladder.slow_games:,} games.", ""]
    if ladder.clocked:
        lines += [f"By the clock, and so not quite the same at another time: {_names(ladder.clocked)}.", ""]
    for rung in ladder.rungs:
        lines += [
            f"## {rung.players} players",
            "",
            *_ratings(ladder, rung),
            "",
            *_guests(ladder, rung),
            *_shares(ladder, rung),
            "",
        ]
    lines += [f"Made with fogline {__version__} on {date} by:", "", "```", shlex.join(command), "```", ""]
    return "\n".join(lines)


def _names(labels: list[str]) -> str:
    return ", ".join(f"`{label}`" for label in labels)


def _ratings(ladder: Ladder, rung: Rung) -> Iterator[str]:
    yield "| place | player | Elo | 95 % interval | |"
    yield "|---|---|---|---|---|"
    for place, number in enumerate(rung.order, 1):
        rating, entrant = rung.ratings[number], ladder.entrants[number]
        interval = "fixed" if number == ladder.anchor else f"{rating.low:.0f} to {rating.high:.0f}"
        what = getattr(player_class(entrant.source), "description", "")
        yield f"| {place} | `{entrant.label}` | {rating.value:.0f} | {interval} | {what} |"


def _guests(ladder: Ladder, rung: Rung) -> Iterator[str]:
    """The table of the guests: players known from matches of their own."""
    guests = sorted(ladder.guests_of(rung), key=lambda guest: -ladder.guest_rating(rung, guest).value)
    if not guests:
        return
    yield "Too slow to meet everyone here; each is rated by matches of its own, one seat against all others:"
    yield ""
    yield "| player | Elo | 95 % interval | against | games | won |"
    yield "|---|---|---|---|---|---|"
    for guest in guests:
        rating = ladder.guest_rating(rung, guest)
        hosts = f"`{guest.host}`" if rung.players == 2 else f"{rung.players - 1} × `{guest.host}`"
        elo = f"{rating.value:.0f} | {rating.low:.0f} to {rating.high:.0f}"
        yield f"| `{guest.name}` | {elo} | {hosts} | {guest.games:,} | {_cell(guest.share)} |"
    yield ""


def _shares(ladder: Ladder, rung: Rung) -> Iterator[str]:
    order = rung.order
    alone = "against one" if rung.players == 2 else f"alone against {rung.players - 1}"
    yield f"Games won by the player of the row, {alone} of the column; equals win {1 / rung.players:.0%}:"
    yield ""
    yield f"| | {' | '.join(f'`{ladder.labels[number]}`' for number in order)} |"
    yield "|---" * (len(order) + 1) + "|"
    for row in order:
        cells = [_cell(rung.shares.get((row, column))) for column in order]
        yield f"| `{ladder.labels[row]}` | {' | '.join(cells)} |"


def _cell(share: Estimate | None) -> str:
    return "" if share is None else f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"
