"""Chapter: could the map be fairer?"""

from __future__ import annotations

from collections.abc import Sequence

from fogline.board import Board
from fogline.study.change import UNCHANGED, find_change
from fogline.study.note import Note
from fogline.study.proposal import CONFIRMED_BY, Proposal, is_even, unevenness
from fogline.study.study import Study
from fogline.study.words import listed, marked, percent, picture, table


def proposals_chapter(study: Study, notes: Sequence[Note], stem: str) -> list[str]:
    if not study.proposals:
        return []
    names = list(study.proposals[0].tried)
    rows = [
        [name, *(marked(share, proposal.fair) for proposal in study.proposals for share in proposal.tried[name])]
        for name in names
    ]
    seats = [f"{seat} of {proposal.players}" for proposal in study.proposals for seat in range(proposal.players)]
    games = study.proposals[0].games
    return [
        "## Could the map be fairer?",
        "",
        f"Changes of the map file, not of the rules, {games:,} games each, all on the same deals: the win share of "
        "each seat, in percent.",
        "",
        *picture(stem, "changes", "Win share of seat 0 by change"),
        *table(["change", *seats], rows),
        "",
        "Where the seats are not even as it is, the change that brings them nearest to it (by the root of the mean "
        f"square over the seats) was played again on fresh deals, {CONFIRMED_BY * games:,} games before and after: of "
        "many that are tried, one looks good by chance alone.",
        "",
        *[line for proposal in study.proposals for line in _proposal(proposal, study.board)],
        *_change_notes(notes),
    ]


def _proposal(proposal: Proposal, board: Board) -> list[str]:
    title = [f"### {proposal.players} players", ""]
    if proposal.changes_nothing:
        return [*title, *_nothing_to_mend(proposal), ""]
    patch = f'id = "{board.id}_{proposal.players}"\n{proposal.chosen.patch}'
    rows = [
        ["before", *(marked(share, proposal.fair) for share in proposal.before)],
        [f"*{proposal.chosen.name}*", *(marked(share, proposal.fair) for share in proposal.after)],
    ]
    before, after = unevenness(proposal.before), unevenness(proposal.after)
    better = (
        f"The distance from fair falls from {100 * before:.1f} to {100 * after:.1f} points of a hundred."
        if after < before
        else "On fresh deals it brought nothing: there is no proposal."
    )
    even = " No seat was then seen to win more or less than its share." if is_even(proposal.after) else ""
    return [
        *title,
        *table(["", *(f"seat {seat}, %" for seat in range(proposal.players))], rows),
        "",
        better + even,
        *(
            ["The lines of the map file that change:", "", "```toml", *patch.splitlines(), "```"]
            if after < before
            else []
        ),
        "",
    ]


def _nothing_to_mend(proposal: Proposal) -> list[str]:
    shares = listed([percent(share) for share in proposal.before])
    if is_even(proposal.before):
        return [
            f"The seats are already even, within the interval: {shares} % on fresh deals. So no change is proposed."
        ]
    return [f"No advantage was seen at first, so nothing was chosen; on fresh deals the seats won {shares} %."]


def _change_notes(notes: Sequence[Note]) -> list[str]:
    """What a stronger player made of a change, beside the map as it is."""
    changed = [note for note in notes if note.change != UNCHANGED]
    if not changed:
        return []
    pairs = [(before, after) for after in changed for before in notes if _same_but_for_change(before, after)]
    lines = ["### With a stronger player", ""]
    for before, after in pairs:
        rows = [_note_row(before), _note_row(after)]
        lines += [*table(["", "games", *(f"seat {seat}, %" for seat in range(len(after.shares)))], rows), ""]
        lines += [_change_sentence(before, after), "Measured once each, by", ""]
        lines += ["```", before.command, after.command, "```", ""]
        lines += ["```toml", *find_change(after.change).patch.splitlines(), "```", ""]
    return lines


def _same_but_for_change(before: Note, after: Note) -> bool:
    return (before.change, before.player, len(before.shares)) == (UNCHANGED, after.player, len(after.shares))


def _note_row(note: Note) -> list[str]:
    shares = (marked(share, 1 / len(note.shares)) for share in note.shares)
    return [f"{note.date}, `{note.player}`, {note.change}", f"{note.games:,}", *shares]


def _change_sentence(before: Note, after: Note) -> str:
    first, second = before.shares[0], after.shares[0]
    # The difference of two independent figures: the squares of their errors add up.
    reach = ((first.high - first.low) ** 2 + (second.high - second.low) ** 2) ** 0.5 / 2
    if abs(second.value - first.value) <= reach:
        return f"On seat 0 no effect of *{after.change}* was seen with `{after.player}`."
    return f"*{after.change}* moves seat 0 of `{after.player}` from {percent(first)} % to {percent(second)} %."
