"""Figures in words: shares with their intervals, tables, and sentences that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fogline.arena.bootstrap import Estimate
from research.study.estimate import side

NOT_SEEN = "—"


def percent(share: Estimate | None) -> str:
    """A share with half the width of its interval, in percent."""
    if share is None:
        return NOT_SEEN
    return f"{100 * share.value:.1f} ± {100 * _reach(share):.1f}"


def number(value: Estimate | None) -> str:
    return NOT_SEEN if value is None else f"{value.value:.1f} ± {_reach(value):.1f}"


def marked(share: Estimate | None, fair: float) -> str:
    """A share in bold where its whole interval lies on one side of the fair one."""
    return percent(share) if side(share, fair) == 0 else f"**{percent(share)}**"


def _reach(value: Estimate) -> float:
    return max(value.high - value.value, value.value - value.low)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The first column is text, the others are figures."""
    lines = [f"| {' | '.join(headings)} |", "|---" + "|--:" * (len(headings) - 1) + "|"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows)]


def listed(words: Sequence[str]) -> str:
    """A list with commas, and `and` before the last."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def plain(name: str) -> str:
    """An id of the map as readers see it."""
    return name.replace("_", " ")


def against(share: Estimate, fair: float, more: str, less: str, neither: str) -> str:
    """One of three texts, by the side on which the interval lies."""
    return (neither, more, less)[side(share, fair)]


def picture(stem: str, name: str, words: str) -> list[str]:
    """A picture of the page with this stem."""
    return [f"![{words}]({stem}-{name}.svg)", ""]
