"""Tickets that suit what others have built: in the games that the master imagines."""

from __future__ import annotations

import numpy as np
import pytest

from fogline import Game
from fogline.game.view import View
from fogline.knowledge.belief import Belief
from fogline.players.neural import ticket_prior
from fogline.players.neural.neural import Neural
from fogline.players.neural.ticket_prior import FACTS, redeal_tickets, suits, ticket_facts
from fogline.rules.state import tickets_held

GAMES = 4000


def middle_of_a_game(players: int, actions: int) -> Game:
    game, neural = Game(seed=3, players=players), Neural(0)
    while len(game.actions) < actions:
        game.play(neural.choose(game.view(game.seat)))
    return game


def imagine(view: View, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Games of the belief, and the same with other tickets."""
    before = Belief(view).sample(count, 1)
    after = before.copy()
    redeal_tickets(view, after, np.random.default_rng(1))
    return before, after


@pytest.mark.parametrize(("players", "actions"), [(2, 0), (2, 45), (3, 60), (4, 90)])
def test_every_ticket_is_somewhere_and_everybody_has_as_many(players: int, actions: int) -> None:
    game = middle_of_a_game(players, actions)
    before, after = imagine(game.view(game.seat), 50)
    assert not np.array_equal(before["tickets"], after["tickets"]) or not actions
    for seat in range(players):
        assert tickets_held(before)[:, seat].sum(1).tolist() == tickets_held(after)[:, seat].sum(1).tolist()
    for record in after:
        ring = (int(record["ticket_top"]) + np.arange(record["ticket_count"])) % len(game.board.tickets)
        held = [number for seat in range(players) for number in tickets_held(record[None])[0, seat].nonzero()[0]]
        offered = record["offer"][: record["offer_count"]]
        assert sorted([*record["ticket_deck"][ring], *held, *offered]) == list(range(len(game.board.tickets)))


def test_what_the_seat_has_seen_stays_where_it_is() -> None:
    game = middle_of_a_game(2, 45)
    view = game.view(game.seat)
    before, after = imagine(view, 200)
    seen = [game.board.ticket_number[ticket] for ticket in (*view.tickets, *view.put_back)]
    assert seen
    for seat in range(2):
        assert np.array_equal(tickets_held(before)[:, seat][:, seen], tickets_held(after)[:, seat][:, seen])
    for name in before.dtype.names or ():
        if name not in ("tickets", "ticket_deck"):
            assert np.array_equal(before[name], after[name]), name


def test_a_ticket_is_held_as_often_as_it_suits() -> None:
    game = next(g for n in range(40, 56) if (g := middle_of_a_game(2, n)).view(g.seat).seats[1 - g.seat].tickets == 1)
    view, other = game.view(game.seat), 1 - game.seat
    before, after = imagine(view, GAMES)
    hidden = tickets_held(before)[:, other].any(0)
    expected = np.exp(suits(game.board, before[:1], other)[0]) * hidden
    expected /= expected.sum()
    assert tickets_held(after)[:, other].mean(0) == pytest.approx(expected, abs=0.03)
    assert expected.max() > 2 / hidden.sum(), "or nothing would be seen of it here"


def test_who_chooses_first_is_left_to_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two others are after the same ticket, it is as often with the one as with the other."""
    game = middle_of_a_game(3, 30)
    view, others = game.view(game.seat), [seat for seat in range(3) if seat != game.seat]
    wanted = next(
        number for number, ticket in enumerate(game.board.tickets) if ticket.id not in (*view.tickets, *view.put_back)
    )
    logits = np.zeros((1, len(game.board.tickets)))
    logits[0, wanted] = 9.0
    monkeypatch.setattr(ticket_prior, "suits", lambda board, games, seat: logits)
    _, after = imagine(view, GAMES)
    one, two = (tickets_held(after)[:, seat, wanted].mean() for seat in others)
    assert one + two > 0.95
    assert one == pytest.approx(two, abs=0.1)


def test_what_is_known_of_a_ticket() -> None:
    game = middle_of_a_game(2, 45)
    record = Belief(game.view(game.seat)).sample(1, 1)
    for seat in range(2):
        built, completed, blocked, missing = ticket_facts(game.board, record, seat)[0].T
        values = [ticket.value for ticket in game.board.tickets]  # which here are the spaces of the shortest way
        assert ((built + missing == values) | (blocked == 1)).all()
        assert ((missing == 0) & (blocked == 0)).tolist() == (completed == 1).tolist()
        ends = [(game.board.ticket_number[t.id], t) for t in game.board.tickets]
        line = record["line"][0, seat]
        for number, ticket in ends:
            first, second = (game.board.location_number[place] for place in (ticket.first, ticket.second))
            assert completed[number] == (line[first] == line[second])
    assert len(FACTS) == 4
