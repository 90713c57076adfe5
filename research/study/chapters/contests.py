"""Chapter: does racing beat tickets?"""

from __future__ import annotations

from collections.abc import Sequence

from research.study.contest import CONTENDERS, Standing
from research.study.estimate import side
from research.study.words import listed, marked, number, table


def contests_chapter(contests: Sequence[Standing]) -> list[str]:
    if not contests:
        return []
    counts = sorted({standing.players for standing in contests})
    found = {(standing.style, standing.players): standing for standing in contests}
    rows = [
        [
            words,
            *(marked(found[style, n].won, 1 / n) for n in counts),
            *(number(found[style, n].points) for n in counts),
        ]
        for style, words in CONTENDERS.items()
    ]
    headings = ["one among planners", *(f"won of {n}, %" for n in counts), *(f"lead of {n}" for n in counts)]
    return [
        "## Does racing beat tickets?",
        "",
        "One seat plays otherwise than the planners in the others, in every seat of every deal. Fair are "
        f"{listed([f'{100 / n:.1f} %' for n in counts])}. Lead: points more than the planners' mean.",
        "",
        *table(headings, rows),
        "",
        *[_contest_sentence(style, [found[style, n] for n in counts]) for style in CONTENDERS],
        "",
    ]


def _contest_sentence(style: str, standings: Sequence[Standing]) -> str:
    sides = {standing.players: side(standing.won, 1 / standing.players) for standing in standings}
    said = [
        f"{word} with {listed([str(n) for n in counts])} players"
        for word, counts in (
            ("wins more than its share", [n for n, where in sides.items() if where > 0]),
            ("wins less than its share", [n for n, where in sides.items() if where < 0]),
            ("no difference was seen", [n for n, where in sides.items() if where == 0]),
        )
        if counts
    ]
    return f"- {style[0].upper()}{style[1:]}: {'; '.join(said)}."
