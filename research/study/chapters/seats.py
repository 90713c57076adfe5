"""Chapter: does it help to be first?"""

from __future__ import annotations

from collections.abc import Sequence

from fogline.arena.bootstrap import Estimate
from research.study.change import UNCHANGED
from research.study.estimate import side
from research.study.note import Note
from research.study.study import SelfPlay, Study
from research.study.words import against, marked, number, percent, picture, table

EARLIER = 0.58
"""How often the first of two seats won with a trained player of an earlier experiment."""


def seats_chapter(study: Study, notes: Sequence[Note], stem: str) -> list[str]:
    rows = [
        [f"{play.players}", f"{100 * play.fair:.1f}", *_padded([marked(share, play.fair) for share in play.seats])]
        for play in study.self_play.values()
    ]
    points = [
        [f"{play.players}", *_padded([number(mean) for mean in play.points])] for play in study.self_play.values()
    ]
    seats = [f"seat {seat}" for seat in range(4)]
    return [
        "## Does it help to be first?",
        "",
        *picture(stem, "seats", "Win shares by seat"),
        *table(["players", "fair, %", *seats], rows),
        "",
        *[_seat_sentence(play) for play in study.self_play.values()],
        "",
        _earlier_sentence(f"`{study.player}` in both seats", study.self_play[2].seats[0]),
        "",
        *_seat_notes(notes),
        "Points, in the mean:",
        "",
        *table(["players", *seats], points),
        "",
    ]


def _padded(cells: list[str]) -> list[str]:
    return cells + [""] * (4 - len(cells))


def _seat_sentence(play: SelfPlay) -> str:
    first = play.seats[0]
    gap = 100 * (first.value - play.fair)
    text = against(
        first,
        play.fair,
        f"seat 0 wins more than its share, by {gap:.1f} points of a hundred.",
        f"seat 0 wins less than its share, by {-gap:.1f} points of a hundred.",
        "no advantage of seat 0 was seen.",
    )
    if play.players > 2:
        last = play.seats[-1]
        text += against(
            last, play.fair, " The last seat wins more than its share.", " The last seat wins less than its share.", ""
        )
    return f"- With {play.players} players {text}"


def _earlier_sentence(who: str, first: Estimate) -> str:
    start = (
        f"A trained player of an earlier experiment saw the first of two seats win {100 * EARLIER:.0f} %. With {who}"
    )
    if side(first, EARLIER) == 0:
        return f"{start} it wins {percent(first)} %, which agrees with that."
    if side(first, EARLIER) > 0:
        return f"{start} it wins more than that: {percent(first)} %."
    return f"{start} that is not confirmed: it wins {percent(first)} %."


def _seat_notes(notes: Sequence[Note]) -> list[str]:
    lines = []
    for note in (note for note in notes if note.change == UNCHANGED):
        first, players = note.shares[0], len(note.shares)
        seen = against(first, 1 / players, "more than its share", "less than its share", "no advantage was seen")
        if players == 2:
            seen += f"; {100 * EARLIER:.0f} % {'is not excluded' if side(first, EARLIER) == 0 else 'is excluded'}"
        lines += [
            f"A note of {note.date}: in {note.games:,} games of {players} with `{note.player}` in all seats, the first "
            f"won {percent(first)} % ({seen}). That was measured by",
            "",
            "```",
            note.command,
            "```",
            "",
        ]
    return lines
