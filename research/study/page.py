"""The page of a study: Markdown, in which every sentence that could become wrong is made from the figures."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from fogline import __version__
from research.study.chapters.contests import contests_chapter
from research.study.chapters.placement import placement_chapter
from research.study.chapters.proposals import proposals_chapter
from research.study.chapters.seats import seats_chapter
from research.study.chapters.souvenirs import souvenirs_chapter
from research.study.chapters.worth import routes_chapter, tickets_chapter
from research.study.note import Note, pool_notes
from research.study.study import Study

FORMAT = "fogline-study/1"


def study_page(study: Study, notes: Sequence[Note], command: Sequence[str], stem: str) -> str:
    """The pictures are named by a stem, seen from the page: `stem`-seats.svg and so on."""
    notes = pool_notes(note for note in notes if note.map == study.board.id)
    chapters = [
        _opening(study, command),
        seats_chapter(study, notes, stem),
        [] if study.placement is None else placement_chapter(study.placement, study, stem),
        tickets_chapter(study, stem),
        routes_chapter(study, stem),
        souvenirs_chapter(study, stem),
        contests_chapter(study.contests),
        proposals_chapter(study, notes, stem),
    ]
    return "\n".join(line for chapter in chapters for line in chapter)


def _opening(study: Study, command: Sequence[str]) -> list[str]:
    return [
        "# A study of the game",
        "",
        f"<!-- {FORMAT} -->",
        "",
        f"What {study.games:,} games each of two, three and four players on {study.board.name} say, with "
        f"`{study.player}` in all seats. The page is made, words and all, by",
        "",
        "```",
        shlex.join(command),
        "```",
        "",
        f"with fogline {__version__}; the same command makes the same page. Figures are followed by half the width of "
        "their 95 % interval; win shares whose whole interval lies above or below the fair share are **bold**. One in "
        "twenty intervals misses, so in a long table a bold figure or two are chance. A shared victory counts its "
        "share. All this holds for the players that played: better ones may see another game.",
        "",
    ]
