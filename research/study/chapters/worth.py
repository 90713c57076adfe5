"""Chapters: which tickets pay, and which routes."""

from __future__ import annotations

from collections.abc import Sequence

from fogline.arena.bootstrap import Estimate
from research.study.estimate import side
from research.study.study import Study
from research.study.words import listed, marked, number, percent, picture, plain, table
from research.study.worth import RouteWorth, TicketWorth

MOST_NAMED = 5
"""Tickets and routes that a sentence names."""


def tickets_chapter(study: Study, stem: str) -> list[str]:
    two = study.self_play[2]
    order = _best_first([ticket.won for ticket in two.tickets])
    rows = [
        [
            plain(two.tickets[i].id),
            str(two.tickets[i].value),
            *_ticket_cells(two.tickets[i]),
            *_won(study, "tickets", i),
        ]
        for i in order
    ]
    headings = ["ticket", "value", "kept, %", "completed, %", "points", "won of 2, %", "won of 3, %", "won of 4, %"]
    return [
        "## Which tickets pay",
        "",
        "Kept: in how many games of two anyone keeps the ticket. Completed: how often, then. Points: what it brings, "
        "its value or minus that. Won: how often who keeps it wins. It goes with winning, and need not be its cause.",
        "",
        _pays("ticket", "tickets", [(plain(one.id), one.won) for one in two.tickets], 0.5),
        _ticket_sentence(two.tickets),
        "",
        *picture(stem, "tickets", "Win share by ticket"),
        *table(headings, rows),
        "",
    ]


def _best_first(won: Sequence[Estimate | None]) -> list[int]:
    """Their numbers; those that nobody had come last."""
    return sorted(range(len(won)), key=lambda i: -(-1.0 if (share := won[i]) is None else share.value))


def _ticket_cells(ticket: TicketWorth) -> list[str]:
    return [percent(ticket.kept), percent(ticket.completed), number(ticket.points)]


def _won(study: Study, kind: str, i: int) -> list[str]:
    return [marked(getattr(play, kind)[i].won, play.fair) for play in study.self_play.values()]


def _pays(one: str, many: str, worths: Sequence[tuple[str, Estimate | None]], fair: float) -> str:
    """How many win more than the fair share, how many less, and the names of the foremost."""
    known = sorted(((name, won) for name, won in worths if won is not None), key=lambda item: -item[1].value)
    good = [name for name, won in known if side(won, fair) > 0]
    bad = [name for name, won in reversed(known) if side(won, fair) < 0]
    rest = len(known) - len(good) - len(bad)
    return " ".join(
        [
            f"With two players, {_of(good, one, many)} had by winners more often than not{_first(good)};",
            f"{_of(bad, one, many)} had by losers{_first(bad)}; with {rest} of {len(known)} no difference was seen.",
        ]
    )


def _of(names: list[str], one: str, many: str) -> str:
    return f"1 {one} is" if len(names) == 1 else f"{len(names) or 'no'} {many} are"


def _first(names: list[str]) -> str:
    if not names:
        return ""
    named = listed([f"*{name}*" for name in names[:MOST_NAMED]])
    return f" ({named}{' foremost' if len(names) > MOST_NAMED else ''})"


def _ticket_sentence(tickets: Sequence[TicketWorth]) -> str:
    losing = [plain(one.id) for one in tickets if one.points is not None and one.points.high < 0]
    paying = sum(one.points is not None and one.points.low > 0 for one in tickets)
    text = f"By its own points, the mean of {paying} of {len(tickets)} tickets is above nought"
    return f"{text}, and that of {listed([f'*{name}*' for name in losing])} below." if losing else f"{text}."


def routes_chapter(study: Study, stem: str) -> list[str]:
    two = study.self_play[2]
    order = _best_first([route.won for route in two.routes])
    rows = [[*_route_cells(two.routes[i]), *_won(study, "routes", i)] for i in order]
    headings = ["route", "spaces", "colour", "claimed, %", "won of 2, %", "won of 3, %", "won of 4, %"]
    return [
        "## Which routes pay",
        "",
        "Claimed: in how many games of two. Won: how often its owner wins; who owns a route had the cards for it, too.",
        "",
        _pays("route", "routes", [(plain(one.id), one.won) for one in two.routes], 0.5),
        "",
        *picture(stem, "routes", "Win share by route"),
        *table(headings, rows),
        "",
    ]


def _route_cells(route: RouteWorth) -> list[str]:
    return [plain(route.id), str(route.length), route.colour, percent(route.claimed)]
