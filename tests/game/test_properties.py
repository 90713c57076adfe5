"""What must hold after every step of every game."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogline import Game
from fogline.envs.bounds import most_actions
from fogline.game.actions import board_actions
from fogline.rules import calls
from tests.boards import BOARDS, load_board
from tests.policies import action_weights, choose
from tests.tier import pick

games = st.builds(
    Game,
    st.sampled_from(BOARDS).map(load_board),
    players=st.sampled_from([2, 3, 4]),
    seed=st.integers(0, 2**64 - 1),
)


generators = st.builds(random.Random, st.integers(0, 2**32))


def check_position(game: Game) -> None:
    position, board = game.position, game.board
    cards_are_conserved(game)
    assert position.deck_count > 0 or position.discard_count == 0  # 3.8
    assert position.display_count == 5 or position.deck_count == 0  # 3.9
    tokens_are_conserved(game)
    tickets_are_conserved(game)
    for seat in range(game.players):
        spaces = sum(board.route(route).length for route, owner in position.owners().items() if owner == seat)
        assert position.cars[seat] + spaces == board.cars


def cards_are_conserved(game: Game) -> None:
    position = game.position
    everywhere = position.deck + position.display + position.discard + position.hand.sum(axis=0)
    assert everywhere.tolist() == list(game.board.map_file.cards)
    for pile in ("deck", "display", "discard"):
        assert getattr(position, pile).sum() == getattr(position, f"{pile}_count")


def tokens_are_conserved(game: Game) -> None:
    position, board = game.position, game.board
    size = 3 if game.players == 4 else 2
    for kind, souvenir in enumerate(board.souvenirs):
        lying = sum(count for name, count in position.stacks().values() if name == souvenir)
        owned = sum(souvenir in position.tokens_of(seat) for seat in range(game.players))
        single = game.players == 2 and souvenir in board.set_aside
        assert lying + owned == (0 if kind >= position.placed else 1 if single else size)


def tickets_are_conserved(game: Game) -> None:
    position, size = game.position, len(game.board.tickets)
    deck = [int(position.ticket_deck[(position.ticket_top + n) % size]) for n in range(position.ticket_count)]
    held = [n for seat in range(game.players) for n in range(size) if int(position.tickets[seat]) >> n & 1]
    assert sorted([*deck, *held, *position.offer[: position.offer_count].tolist()]) == list(range(size))


def recount(game: Game) -> list[int]:
    """Every seat's final score, from the owners of routes, the tickets and the tokens alone."""
    board, position = game.board, game.position
    totals = []
    for seat in range(game.players):
        owned = [board.route(route) for route, owner in position.owners().items() if owner == seat]
        reached = {location.id: {location.id} for location in board.locations}
        for route in owned:
            joined = reached[route.first] | reached[route.second]
            for location in joined:
                reached[location] = joined
        tickets = [board.ticket(kept) for kept in position.tickets_of(seat)]
        total = sum(board.map_file.route_points[route.length] for route in owned)
        total += sum(t.value if t.second in reached[t.first] else -t.value for t in tickets)
        totals.append(total + board.map_file.token_points[len(position.tokens_of(seat))])
    return totals


def check_refusals(game: Game) -> None:
    """Every action that is not legal is refused, and not a byte of the record changes."""
    before, tape = game.position.snapshot(), np.zeros(1, game._tape.dtype)
    mask = game.legal_mask()
    assert np.flatnonzero(mask).tolist() == game.legal_numbers()
    for number in (*np.flatnonzero(~mask).tolist(), -1, len(mask), 2**31):
        assert not calls.play(game.board.tables, game.position.array, number, tape)
    assert game.position.snapshot() == before


@settings(max_examples=pick(40, 150))
@given(games, generators)
def test_games_stay_whole_from_the_deal_to_the_end(game: Game, generator: random.Random) -> None:
    weights = [action_weights(game.board, generator) for _ in range(game.players)]
    check_position(game)
    while not game.over:
        check_refusals(game)
        numbers = game.legal_numbers()
        assert numbers  # there is always something to do
        steps = len(game.actions)
        game.play(choose(numbers, weights[game.seat], generator))
        assert len(game.actions) == steps + 1
        check_position(game)
        assert [score.total for score in game.scores()] == recount(game)
    check_refusals(game)
    assert len(game.actions) <= most_actions(game.board, game.players)
    assert game.position.score[: game.players].tolist() == recount(game)
    assert max(recount(game)) == game.scores()[game.winners[0]].total


@settings(max_examples=pick(30, 60))
@given(games, generators)
def test_every_legal_action_is_accepted(game: Game, generator: random.Random) -> None:
    while not game.over:
        numbers = game.legal_numbers()
        for number in numbers:
            game.copy().play(number)
        game.play(generator.choice(numbers))


@settings(max_examples=40)
@given(games, generators)
def test_a_reason_is_given_for_exactly_the_actions_that_are_not_legal(game: Game, generator: random.Random) -> None:
    actions = board_actions(game.board)
    while not game.over:
        legal = game.legal_numbers()
        for number in generator.sample(range(len(actions)), 30):
            assert (game.why_not(number) is None) == (number in legal)
        game.play(generator.choice(legal))


@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
def test_the_sample_of_legal_actions_is_uniform_over_them(board: str) -> None:
    game = Game(board, players=3, seed=5)
    while game.phase != "turn":
        game.play(game.legal_numbers()[0])
    legal = game.legal_numbers()
    generator = np.random.default_rng(1)
    draws = [
        calls.sample_legal(game.board.tables, game.position.array, np.uint64(state))
        for state in generator.integers(0, 2**64, 400 * len(legal), dtype=np.uint64)
    ]
    counts = np.bincount(draws, minlength=len(board_actions(game.board)))
    assert np.flatnonzero(counts).tolist() == legal
    assert (abs(counts[legal] - 400) < 6 * 20).all()  # six standard deviations
