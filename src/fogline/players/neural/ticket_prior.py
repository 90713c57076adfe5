"""Which tickets others may hold, judged by what they have built. To the belief alone, all unseen tickets are alike.

The weights were learnt from games of the network against itself: research/tickets.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import as_int, entry_point, kernel
from fogline.game.view import View
from fogline.maps.board import Board
from fogline.players.neural.encoder import new_ways
from fogline.players.neural.inputs import FAR
from fogline.players.neural.ways import find_distances, price, ticket_distance
from fogline.rules.routes import is_open
from fogline.rules.state import tickets_held

FACTS = ("built", "completed", "blocked", "missing")
"""The facts about a ticket and a seat: how many spaces shorter its way has become, whether it is complete, whether no
way is open, and the spaces that are missing.
"""

TELLS = np.array([[0.50, -0.49, -0.53, 0.10], [-0.23, 3.25, -0.46, -0.87]])
"""How much each fact says about whether the seat holds the ticket, in e-folds: at first, and in addition by the end,
when it has built with all its cars.
"""


def redeal_tickets(view: View, games: np.ndarray, generator: np.random.Generator) -> None:
    """In imagined games, gives others tickets that suit what they have built; each keeps its number of tickets.

    All tickets that this seat has never seen change names: those that others hold, and those in the deck. The others
    choose one after the other, in random order, because two of them may want the same ticket.
    """
    others = np.array([seat for seat in range(view.players) if seat != view.seat])
    hidden, nobody = _hidden(view), len(others)
    before = _holders(games, others)[:, hidden]
    keys = np.stack([suits(view.board, games[:1], seat)[:, hidden] for seat in others], 1)
    keys = keys + generator.gumbel(size=(len(games), len(others), len(hidden)))
    after = np.full_like(before, nobody)
    for chooser in generator.permuted(np.tile(np.arange(nobody), (len(games), 1)), axis=1).T:
        free = np.where(after == nobody, keys[np.arange(len(games)), chooser], -np.inf)
        wanted = (before == chooser[:, None]).sum(1)
        chosen = (-free).argsort(1).argsort(1) < wanted[:, None]
        after = np.where(chosen, chooser[:, None], after)
    _rename(games, hidden, before, after, generator)


def suits(board: Board, games: np.ndarray, seat: int) -> np.ndarray:
    """[game, ticket]: how likely the seat is to hold it, judged by what it has built, in e-folds."""
    used = 1 - games["cars"][:, seat, None] / board.cars
    return (ticket_facts(board, games, seat) * (TELLS[0] + used[..., None] * TELLS[1])).sum(2)  # type: ignore[no-any-return]


def ticket_facts(board: Board, games: np.ndarray, seat: int) -> np.ndarray:
    """[game, ticket, fact]"""
    facts = np.zeros((len(games), len(board.tickets), len(FACTS)))
    find_facts(board.tables, games, seat, new_ways(board), facts)
    return facts


@entry_point
def find_facts(board: Any, games: Any, seat: int, ways: Any, facts: Any) -> None:
    for number in range(games.shape[0]):
        game = games[number]
        for route in range(game.owner.shape[0]):
            length = as_int(board[0].route_length[route])
            ways[0].cost[route] = price(length, is_open(board[0], game, seat, route), game.owner[route] == seat)
        find_distances(board[0], ways[0])
        for ticket in range(facts.shape[1]):
            write_facts(
                as_int(ways[0].whole[ticket]), ticket_distance(board[0], ways[0], ticket), facts[number, ticket]
            )


@kernel
def write_facts(whole: int, missing: int, facts: Any) -> None:
    """The facts, in the order of `FACTS`."""
    blocked = missing >= FAR
    facts[0] = 0 if blocked else whole - missing
    facts[1] = missing == 0
    facts[2] = blocked
    facts[3] = 0 if blocked else missing


def _hidden(view: View) -> np.ndarray:
    """The numbers of the tickets that this seat has never seen."""
    seen = {view.board.ticket_number[ticket] for ticket in (*view.tickets, *view.put_back, *view.offer)}
    return np.array([number for number in range(len(view.board.tickets)) if number not in seen], np.int64)


def _holders(games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """[game, ticket]: the seat that holds it, by its place among them; one more where none does."""
    held = tickets_held(games)[:, seats]
    return np.where(held.any(1), held.argmax(1), len(seats))


def _rename(
    games: np.ndarray, hidden: np.ndarray, before: np.ndarray, after: np.ndarray, generator: np.random.Generator
) -> None:
    """Renames hidden tickets so that each holder has its new ones; the rest are shuffled among themselves."""
    old = hidden[before.argsort(1, kind="stable")]
    new = hidden[(after + generator.random(after.shape)).argsort(1)]
    held = tickets_held(games)
    names = np.tile(np.arange(held.shape[2]), (len(games), 1))
    np.put_along_axis(names, old, new, 1)
    games["ticket_deck"] = np.take_along_axis(names, games["ticket_deck"].astype(np.int64), 1)
    games["tickets"] = (held.astype(np.uint64) << names.astype(np.uint64)[:, None]).sum(2)
