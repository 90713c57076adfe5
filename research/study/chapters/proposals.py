"""Chapter: could the map be fairer?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from fogline.maps.board import Board
from research.study.change import UNCHANGED, find_change
from research.study.estimate import differ
from research.study.note import Note
from research.study.proposal import CONFIRMED_BY, Proposal, is_even, unevenness
from research.study.study import Study
from research.study.words import listed, marked, percent, picture, table


def proposals_chapter(study: Study, notes: Sequence[Note], stem: str) -> list[str]:
    if not study.proposals:
        return []
    names = list(study.proposals[0].tried)
    rows = [
        [name, *(marked(share, proposal.fair) for proposal in study.proposals for share in proposal.tried[name])]
        for name in names
    ]
    seats = [f"{seat} of {proposal.players}" for proposal in study.proposals for seat in range(proposal.players)]
    games = [f"{proposal.games:,} of {proposal.players}" for proposal in study.proposals]
    return [
        "## Could the map be fairer?",
        "",
        f"Changes of the map file, not of the rules, with {listed(games)} players each, all on the same deals: the win "
        "share of each seat, in percent.",
        "",
        *picture(stem, "changes", "Win share of seat 0 by change"),
        *table(["change", *seats], rows),
        "",
        "For each number of players, the change that brings the seats nearest to fair, by the root of the mean square "
        "over the seats, was played again on fresh deals: of many that are tried, one looks good by chance alone.",
        "",
        *[line for proposal in study.proposals for line in _proposal(proposal, study.board)],
        *_change_notes(notes),
    ]


def _proposal(proposal: Proposal, board: Board) -> list[str]:
    rows = [["before", *(marked(share, proposal.fair) for share in proposal.before)]]
    if proposal.chosen.name != UNCHANGED:
        rows.append([f"*{proposal.chosen.name}*", *(marked(share, proposal.fair) for share in proposal.after)])
    return [
        f"### {proposal.players} players",
        "",
        f"On fresh deals, {CONFIRMED_BY * proposal.games:,} games each:",
        "",
        *table(["", *(f"seat {seat}, %" for seat in range(proposal.players))], rows),
        "",
        *(["The seats are already even, within the interval."] if is_even(proposal.before) else []),
        *_result(proposal, board),
        "",
    ]


def _result(proposal: Proposal, board: Board) -> list[str]:
    if proposal.chosen.name == UNCHANGED:
        return ["No change that was tried came nearer to fair than the map as it is: there is no proposal."]
    if not proposal.holds:
        return [f"No effect of *{proposal.chosen.name}* that helps was seen: there is no proposal."]
    before, after = 100 * unevenness(proposal.before), 100 * unevenness(proposal.after)
    even = " No seat was then seen to win more or less than its share." if is_even(proposal.after) else ""
    patch = f'id = "{board.id}_{proposal.players}"\n{proposal.chosen.patch}'
    return [
        f"The distance from fair falls from {before:.1f} to {after:.1f} points of a hundred.{even} The lines of the "
        "map file that change:",
        "",
        "```toml",
        *patch.splitlines(),
        "```",
    ]


def _change_notes(notes: Sequence[Note]) -> list[str]:
    """What a stronger player made of the changes, beside the original map."""
    lines = []
    for before in (note for note in notes if note.change == UNCHANGED):
        changed = [note for note in notes if note.change != UNCHANGED and _by_the_same(before, note)]
        if changed:
            lines += _changes_beside(before, changed)
    return ["### With a stronger player", "", *lines] if lines else []


def _changes_beside(before: Note, changed: Sequence[Note]) -> list[str]:
    seats = (f"seat {seat}, %" for seat in range(len(before.shares)))
    lines = [*table(["", "games", *seats], [_note_row(note) for note in (before, *changed)]), ""]
    lines += [f"- {_change_sentence(before, after)}" for after in changed]
    lines += ["", "Measured by", "", "```", *(note.command for note in (before, *changed)), "```", ""]
    for after in changed:
        lines += [f"*{after.change}*:", "", "```toml", *find_change(after.change).patch.splitlines(), "```", ""]
    return lines


def _by_the_same(before: Note, after: Note) -> bool:
    return (before.player, len(before.shares)) == (after.player, len(after.shares))


def _note_row(note: Note) -> list[str]:
    shares = (marked(share, 1 / len(note.shares)) for share in note.shares)
    return [f"{note.date}, `{note.player}`, {note.change}", f"{note.games:,}", *shares]


def _change_sentence(before: Note, after: Note) -> str:
    first, second = before.shares[0], after.shares[0]
    gap, reach = 100 * (second.value - first.value), 50 * math.hypot(first.high - first.low, second.high - second.low)
    effect = f"{gap:+.1f} ± {reach:.1f} points of a hundred for seat 0"
    if not differ(first, second):
        return f"*{after.change}*: no effect was seen, {effect}."
    return f"*{after.change}*: {effect}, from {percent(first)} % to {percent(second)} %."
