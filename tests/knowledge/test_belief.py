"""Beliefs: what is sampled agrees with all that a seat has seen, and comes as often as it may be true."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from fogline.batch.simulate import random_game
from fogline.fairness.first_scheme import FirstFairness
from fogline.game.actions import board_actions
from fogline.game.game import Game
from fogline.game.position import Position
from fogline.game.view import View, make_view
from fogline.knowledge import belief
from fogline.knowledge.belief import Belief
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from fogline.players.player import PLAYERS
from fogline.rules import calls
from fogline.rules.random_play import first_choice_state, next_choice
from fogline.rules.state import OVER
from fogline.server.tables.match import FairChance, Match
from tests.belief_exact import Ring, exact_hands, exact_rings, unlooked
from tests.belief_play import (
    board_of,
    deviations,
    draw_many_tickets,
    hands_of,
    naive,
    play_blindly,
    play_oddly,
    surprise,
)
from tests.conformance import ROOT
from tests.game.test_view import with_other_secrets
from tests.tier import pick

each_number_of_players = pytest.mark.parametrize("players", [2, 3, 4])

FAR = 5.0
"""So many standard deviations come about by chance once in a million times."""


def positions_of(games: np.ndarray, board: Board) -> Iterator[Position]:
    for number in range(len(games)):
        position = Position(board)
        position.array[:] = games[number]
        yield position


def steps(game: Game) -> Iterator[Game]:
    """A game again, before each of its actions."""
    again = Game(game.board, players=game.players, seed=game.seed)
    for action in game.actions:
        yield again
        again.play(action)


def ring_of(position: Position) -> list[str]:
    """The ticket deck from top to bottom."""
    tickets, top = position.board.tickets, position.ticket_top
    numbers = np.roll(position.ticket_deck, -top)[: position.ticket_count]
    return [tickets[number].id for number in numbers]


# Against all hidden histories.


@each_number_of_players
@pytest.mark.parametrize("board", ["tiny", "rich", "dead_end"])
@pytest.mark.parametrize("play", [random_game, play_oddly])
def test_hands_are_as_likely_as_the_histories_that_lead_to_them(
    play: Callable[[Board, int, int], Game], board: str, players: int
) -> None:
    for seed in range(pick(1, 2) if players < 4 else 1):
        for game, exact in exact_hands(play(board_of(board), players, seed), seat=seed):
            if len(game.actions) % pick(8, 4) == 0 or game.events[-1]["e"] == "pass":
                assert surprise(exact, hands_of(Belief(game.view(seed)), 80)) < FAR


@pytest.mark.parametrize("players", [3, 4])
def test_who_ignores_payments_or_takes_all_hands_for_equally_likely_is_far_off(players: int) -> None:
    """So the test above can fail, by hands that cannot be and by the chances of those that can."""
    by_hands, by_chances, views = 0, 0, 0
    for game, exact in exact_hands(random_game(board_of("rich"), players, seed=0), seat=0):
        if len(game.actions) % 4 == 0 and len(exact) > 1:
            by_hands += surprise(exact, hands_of(naive(Belief(game.view(0))), 80)) > FAR
            by_chances += surprise(exact, random.Random(0).choices(list(exact), k=80 * 64)) > FAR
            views += 1
    assert by_hands > views / 2
    assert by_chances > views / 2


@each_number_of_players
@pytest.mark.parametrize("seed", pick([3], [0, 1, 3]))
def test_tickets_are_as_likely_as_the_histories_that_lead_to_them(seed: int, players: int) -> None:
    board = board_of("tiny")
    tickets = [ticket.id for ticket in board.tickets]
    for game in steps(draw_many_tickets(board, players, seed)):
        if len(game.actions) % 4 == 3 and not (players == 4 and game.phase == "keep_first_tickets"):
            view = game.view(game.seat)
            exact, rings, on_top = exact_rings(view), [], []
            for position in positions_of(Belief(view).sample(2000, seed=1), board):
                ring, deck = next(iter(exact)), ring_of(position)
                hidden = [None if ring.deck[n : n + 1] == (None,) else ticket for n, ticket in enumerate(deck)]
                kept = tuple(frozenset(position.tickets_of(seat)) for seat in range(players))
                rings.append(Ring(tuple(hidden), kept, position.offered()))
                on_top += [deck[0]] if hidden[:1] == [None] else []
            assert surprise(exact, rings) < FAR
            if on_top:
                assert surprise(top_chances(exact, tickets), on_top) < FAR


def top_chances(exact: dict[Ring, float], tickets: list[str]) -> dict[str, float]:
    """How likely each ticket is to lie on top, where nobody has looked at the one that does."""
    chances = dict.fromkeys(tickets, 0.0)
    for ring, chance in exact.items():
        left = unlooked(ring, tickets)
        for ticket in left:
            chances[ticket] += chance / len(left)
    return chances


@pytest.mark.rule("2.5")
def test_how_many_first_tickets_another_keeps_is_open_until_all_have_chosen() -> None:
    """Seat 0 has kept the first, the second or both; two of three times it has put one back."""
    game = Game(players=2, seed=1)
    game.play("keep first")
    games = Belief(game.view(1)).sample(6000, seed=1)
    one = (games["ticket_count"] == len(game.board.tickets) - 3).mean()
    assert abs(one - 2 / 3) < FAR * math.sqrt(2 / 9 / 6000)
    assert set(games["ticket_count"].tolist()) == {20, 21}


# Against the game itself.


def same_again(view: View, position: Position) -> View:
    """What the viewer sees of a sample."""
    numbers = np.empty(len(board_actions(position.board)), np.int16)
    count = calls.legal_actions(position.board.tables, position.array, numbers)
    legal = [board_actions(position.board)[number] for number in numbers[:count].tolist()]
    return make_view(position, view.events, legal, view.seat)


def all_tickets(position: Position) -> list[str]:
    kept = [ticket for seat in range(position.players) for ticket in position.tickets_of(seat)]
    return sorted([*kept, *ring_of(position), *position.offered()])


@each_number_of_players
@pytest.mark.parametrize("board", ["san_francisco", "dead_end"])
@pytest.mark.parametrize("seed", pick([1], [1, 2]))
def test_a_sample_looks_as_the_game_does_and_has_all_its_cards_and_tickets(board: str, seed: int, players: int) -> None:
    generator = random.Random(seed)
    tickets = sorted(ticket.id for ticket in board_of(board).tickets)
    for game in steps(play_oddly(board_of(board), players, seed)):
        for seat in (game.seat, generator.choice([None, *range(players)])):  # others wait, and some only watch
            view = game.view(seat)
            for position in positions_of(Belief(view).sample(2, seed), game.board):
                assert same_again(view, position) == view
                cards = position.hand.sum(axis=0, dtype=int) + position.deck + position.display + position.discard
                assert cards.tolist() == list(game.board.map_file.cards)
                assert position.deck.sum() == position.deck_count
                assert all_tickets(position) == tickets


PUBLIC = (
    *("phase", "seat", "players", "turns_left", "passes", "placed", "end", "display", "display_count", "deck_count"),
    *("discard", "discard_count", "offer_count", "points", "cars", "tokens", "owner", "souvenir", "stack", "open"),
)


@each_number_of_players
@pytest.mark.parametrize("board", ["san_francisco", "dead_end"])
def test_what_is_public_is_in_a_sample_as_in_the_game(board: str, players: int) -> None:
    for game in steps(play_oddly(board_of(board), players, seed=3)):
        (sample,) = positions_of(Belief(game.view(game.seat)).sample(1, seed=0), game.board)
        for field in PUBLIC:
            assert np.array_equal(getattr(sample, field), getattr(game.position, field)), field
        if game.phase == "token":
            assert sample.token_route == game.position.token_route
        for mine, real in zip(sample.line.tolist(), game.position.line.tolist(), strict=True):
            labels = set(zip(mine, real, strict=True))  # one and the same label in each, whatever it is
            assert len(labels) == len(set(mine)) == len(set(real))


@each_number_of_players
def test_a_sample_can_be_played_to_its_end(players: int) -> None:
    for game in steps(play_oddly(board_of("san_francisco"), players, seed=2)):
        if len(game.actions) % 5 == 0:
            for position in positions_of(Belief(game.view(game.seat)).sample(3, seed=1), game.board):
                state = first_choice_state(np.uint64(len(game.actions)))
                while position.phase != OVER:
                    action, state = next_choice(game.board.tables, position.array, np.uint64(state))
                    assert calls.play(game.board.tables, position.array, action, game._tape)


@pytest.mark.rule("3.8", "10.1")
def test_with_two_players_a_recycle_shows_the_other_hand() -> None:
    recycles = 0
    for seed in range(6):
        for game in steps(play_oddly(board_of("san_francisco"), 2, seed)):
            for seat in range(2):
                if nothing_hidden_since_recycle(game.view(seat)):
                    recycles += 1
                    belief, other = Belief(game.view(seat)), game.position.hand[1 - seat]
                    assert (belief.sample(20, seed)["hand"][:, 1 - seat] == other).all()
                    assert belief.certain(1 - seat) == game.position.hand_of(1 - seat)
                    assert belief.unseen == game.position.cards_of("deck")
    assert recycles > 20


def nothing_hidden_since_recycle(view: View) -> bool:
    kinds = [event["e"] for event in view.events]
    if "recycle" not in kinds:
        return False
    since = view.events[len(kinds) - kinds[::-1].index("recycle") :]
    return not any(event["e"] == "draw" and "card" not in event for event in since)


@pytest.mark.rule("2.5", "10.2")
def test_a_ticket_that_one_put_back_lies_above_those_that_others_put_back_later() -> None:
    game = Game(players=3, seed=5)
    for answer in ("keep first", "keep second", "keep both", "place castro", "place richmond"):
        game.play(answer)
    (mine,) = game.view(0).put_back
    for position in positions_of(Belief(game.view(0)).sample(50, seed=0), game.board):
        assert ring_of(position)[-2] == mine
        assert ring_of(position)[-1] not in (mine, *game.view(0).tickets)


@each_number_of_players
@pytest.mark.rule("10.2")
def test_tickets_that_one_put_back_lie_where_they_are_until_they_come_round(players: int) -> None:
    checked = 0
    for game in steps(draw_many_tickets(board_of("san_francisco"), players, seed=4)):
        for seat in range(players):
            view, real = game.view(seat), ring_of(game.position)
            mine = [ticket for ticket in own_in_ring(view) if ticket in real]
            for position in positions_of(Belief(view).sample(3, seed=0), game.board):
                if game.phase != "keep_first_tickets":
                    assert [ring_of(position).index(ticket) for ticket in mine] == [real.index(t) for t in mine]
                    checked += len(mine)
    assert checked > 100


def own_in_ring(view: View) -> list[str]:
    """The tickets that the viewer put back and that nobody can have been offered since."""
    found: list[tuple[str, int]] = []  # with how many tickets lay above it
    left = len(view.board.tickets)
    for event in view.events:
        if event["e"] == "offer":
            offered = event["count"] if "count" in event else len(event["tickets"])
            tickets = event.get("tickets", [])
            left -= offered
            found = [(ticket, above - offered) for ticket, above in found if above >= offered]
        elif event["e"] == "keep":
            kept = event["tickets"] if "tickets" in event else [None] * event.get("count", 0)
            found += [(ticket, left) for ticket in tickets if ticket not in kept]
            left += offered - len(kept)
    return [ticket for ticket, _ in found]


@each_number_of_players
def test_what_is_certain_is_true_and_the_rest_is_unseen(players: int) -> None:
    known = 0
    for game in steps(play_oddly(board_of("san_francisco"), players, seed=6)):
        belief = Belief(game.view(game.seat))
        least = belief.sample(30, seed=0)["hand"].min(axis=0)
        certain = np.array([counts(belief.certain(seat)) for seat in range(players)])
        assert (certain <= game.position.hand[:players]).all()
        assert (certain <= least[:players]).all()
        assert belief.certain(game.seat) == game.position.hand_of(game.seat)
        piles = game.position.display + game.position.discard
        assert (certain.sum(axis=0) + counts(belief.unseen) + piles).tolist() == list(game.board.map_file.cards)
        known += certain.sum()
    assert known > 100


def counts(cards: dict[str, int]) -> np.ndarray:
    return np.array([cards.get(card, 0) for card in CARDS])


def test_a_card_from_the_display_is_certain_until_it_is_paid() -> None:
    cards = ["blue", "red", "green", "blue", "ferry", "red", "blue", "blue", "red", "red", "green"]
    game = Game._dealt("san_francisco", players=3, seed=0, cards=cards)
    while game.phase != "turn":
        game.play("keep both" if game.phase == "keep_first_tickets" else game.legal_actions()[0])
    game.play("draw blue")
    game.play("draw deck")
    belief = Belief(game.view(1))
    assert [belief.certain(seat) for seat in range(3)] == [{"blue": 1}, {"green": 1, "blue": 1}, {}]
    assert sum(belief.unseen.values()) == game.position.deck_count + 2 + 1 + 2
    for _ in range(4):  # seats 1 and 2
        game.play("draw deck")
    game.play(next(action for action in game.legal_actions() if str(action).endswith(" blue1")))
    assert Belief(game.view(1)).certain(0) == {}


# Calibration.


@each_number_of_players
def test_the_cards_of_others_are_those_to_be_expected_where_choices_tell_nothing(players: int) -> None:
    """That a seat does not claim tells something of its hand, so its draws are weighed (see `play_blindly`)."""
    games = [play_blindly(players, seed, steps=30) for seed in range(200)]
    truth, believed, weights = [], [], []
    for seed, (game, seat_weights) in enumerate(games):
        seat = seed % players
        others = [other for other in range(players) if other != seat]
        truth.append(game.position.hand[others].sum(axis=0, dtype=int))
        believed.append(Belief(game.view(seat)).sample(256, seed)["hand"][:, others].sum(axis=1, dtype=int))
        weights.append(math.prod(seat_weights[other] for other in others))
    off = deviations(np.array(truth), np.array(believed), np.array(weights))
    assert np.abs(off).max() < FAR


def test_the_one_card_that_another_has_drawn_blind_is_any_of_those_unseen() -> None:
    """Players choose by their hands, so what they do tells more than honest counting knows.

    But right after its first blind draw since a recycle, a seat has not yet chosen by the only card in doubt.
    """
    truth, believed = [], []
    for seed, name in enumerate(["random", "racer", "planner"] * pick(18, 30)):
        game, hidden = Game(players=2, seed=seed), [0, 0]
        players = [PLAYERS[name](2 * seed + seat) for seat in range(2)]
        while not game.over:
            seat = game.seat
            events = game.play(players[seat].choose(game.view(seat)))
            blind = events[0].get("from") == "deck"
            hidden[seat] += blind
            if {"e": "recycle"} in events:
                hidden = [0, 0]
            elif {"e": "recycle"} in game.events and blind and hidden[seat] == 1 and not game.over:
                truth.append(game.position.hand[seat].astype(int))
                believed.append(Belief(game.view(1 - seat)).sample(256, seed)["hand"][:, seat].astype(int))
    assert len(truth) > pick(30, 50)
    assert np.abs(deviations(np.array(truth), np.array(believed), np.ones(len(truth)))).max() < FAR


# What a sample depends on.


@each_number_of_players
@pytest.mark.rule("10.2", "10.3")
def test_samples_depend_on_the_view_and_the_seed_alone(players: int) -> None:
    generator = random.Random(players)
    for game in steps(play_oddly(board_of("san_francisco"), players, seed=7)):
        if len(game.actions) % 4 == 0:
            other = with_other_secrets(game, game.seat, generator)
            beliefs = [Belief(each.view(game.seat)) for each in (game, other)]
            seeds = [11, 11, 12]
            first, again, another = (beliefs[n % 2].sample(40, seed).tobytes() for n, seed in enumerate(seeds))
            assert first == again
            assert first != another


def test_every_sample_has_a_chance_of_its_own() -> None:
    games = Belief(Game(seed=1).view(0)).sample(1000, seed=0)
    assert len(np.unique(games["chance"])) == 1000


def test_interpreted_and_compiled_samples_are_equal_byte_for_byte() -> None:
    command = [sys.executable, "-m", "tests.belief_interpreted"]
    environments = [os.environ, os.environ | {"NUMBA_DISABLE_JIT": "1"}]
    compiled, interpreted = (
        subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
        for environment in environments
    )
    assert compiled == interpreted != ""


# Views that need care.


@each_number_of_players
@pytest.mark.rule("2.5")
def test_where_all_choose_their_first_tickets_at_once_every_seat_has_a_belief(players: int) -> None:
    board = board_of("san_francisco")
    match = Match(board, players, FairChance(FirstFairness(bytes(32), "table", ("",) * players)))
    for seat in range(players):
        view = match.view(seat)
        for position in positions_of(Belief(view).sample(20, seed=0), board):
            assert position.seat == seat
            assert position.offered() == view.offer
            assert all_tickets(position) == sorted(ticket.id for ticket in board.tickets)
            assert [bool(position.tickets_of(other)) for other in range(players)] == [n < seat for n in range(players)]


def test_a_belief_needs_a_game_that_goes_on_and_all_its_events() -> None:
    game = play_oddly(board_of("tiny"), 2, seed=0)
    with pytest.raises(ValueError, match="over"):
        Belief(game.view(0))
    with pytest.raises(ValueError, match="all events"):
        Belief(Game(seed=1).view(0, since=1))


def test_where_few_particles_agree_with_the_events_more_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    generator, game = random.Random(2), Game(board_of("dead_end"), players=3, seed=2)  # one in two does not agree there
    while len(game.actions) < 40:
        game.play(generator.choice(game.legal_numbers()))
    view = game.view(game.seat)
    monkeypatch.setattr(belief, "FEWEST_PARTICLES", 1)
    for seed in range(5):
        (position,) = positions_of(Belief(view).sample(1, seed), game.board)
        assert [sum(position.hand_of(seat).values()) for seat in range(3)] == [seen.cards for seen in view.seats]
    monkeypatch.setattr(belief, "MOST_PARTICLES", 1)
    with pytest.raises(ValueError, match="no hidden cards and tickets were found that agree with the events"):
        [Belief(view).sample(1, seed) for seed in range(5)]
