"""What tickets, routes and souvenirs are worth: how often seats have them, and how often those seats win.

This is correlation: the owner of a route had the cards for it, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fogline.arena.bootstrap import Estimate
from research.study.estimate import estimate_mean, estimate_share
from research.study.played import Played


@dataclass(frozen=True, slots=True)
class TicketWorth:
    id: str
    value: int
    kept: Estimate | None  # in which share of games anyone keeps it
    completed: Estimate | None  # how often, when it is kept
    points: Estimate | None  # that it brings who keeps it: its value, or minus that
    won: Estimate | None  # the win share of the seat that keeps it


@dataclass(frozen=True, slots=True)
class RouteWorth:
    id: str
    length: int
    colour: str
    claimed: Estimate | None  # in which share of games
    won: Estimate | None  # the win share of its owner


@dataclass(frozen=True, slots=True)
class SouvenirWorth:
    count: int  # different ones
    points: int  # for them (9.2)
    owned: Estimate | None  # the share of seats with this many at the end
    score: Estimate | None  # in all, tokens included
    won: Estimate | None


def ticket_worths(played: Played) -> list[TicketWorth]:
    return [_ticket(played, number) for number in range(len(played.board.tickets))]


def _ticket(played: Played, number: int) -> TicketWorth:
    ticket = played.board.tickets[number]
    kept, completed = played.kept[:, :, number], played.completed[:, :, number]
    # There is one of each, so one holder at most.
    holder, success = np.asarray(kept.any(axis=1)), np.asarray(completed.any(axis=1))
    done = estimate_share(success, holder)
    return TicketWorth(
        id=ticket.id,
        value=ticket.value,
        kept=estimate_share(holder, np.ones(len(played))),
        completed=done,
        points=None if done is None else _points(ticket.value, done),
        won=played.win_share(kept),
    )


def _points(value: int, completed: Estimate) -> Estimate:
    """Completed, a ticket adds its value, and otherwise subtracts it (9.1)."""
    return Estimate(*(value * (2 * share - 1) for share in (completed.value, completed.low, completed.high)))


def route_worths(played: Played) -> list[RouteWorth]:
    found = []
    for number, route in enumerate(played.board.routes):
        owned = played.owned[:, :, number]
        claimed = estimate_share(np.asarray(owned.any(axis=1)), np.ones(len(played)))
        found.append(RouteWorth(route.id, route.length, route.colour, claimed, played.win_share(owned)))
    return found


def souvenir_worths(played: Played) -> list[SouvenirWorth]:
    """From none to all kinds."""
    points = played.board.map_file.token_points
    return [_souvenirs(played, count, int(points[count])) for count in range(len(played.board.souvenirs) + 1)]


def _souvenirs(played: Played, count: int, points: int) -> SouvenirWorth:
    has = played.souvenirs == count
    scores = played.records["score"][:, : played.players].astype(float)
    games = has.any(axis=1)
    a_game = (scores * has).sum(axis=1)[games] / has.sum(axis=1)[games]
    return SouvenirWorth(
        count=count,
        points=points,
        owned=estimate_share(has.sum(axis=1), np.full(len(played), played.players)),
        score=estimate_mean(a_game),
        won=played.win_share(has),
    )
