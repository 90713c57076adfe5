"""The search player: what is known to go wrong with such players, and does not here."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fogline.game.actions import Claim, board_actions
from fogline.game.game import Game
from fogline.knowledge.belief import Belief
from fogline.players.player import PLAYERS
from fogline.players.search.search import CHUNK, Search, Tree
from fogline.rules import calls
from fogline.rules.state import OVER
from tests.boards import load_board


def play_to_turn(seed: int, steps: int, board: str = "san_francisco", players: int = 2) -> Game:
    """A game between planners after so many actions, and then until a turn begins."""
    game = Game(load_board(board), players=players, seed=seed)
    planner = PLAYERS["planner"](seed)
    while not game.over and (len(game.actions) < steps or game.position.phase_name != "turn"):
        game.play(planner.choose(game.view(game.seat)))
    return game


def search_game(seed: int, iterations: int = 100) -> Game:
    game = Game(seed=seed)
    players = [Search(seed + seat, iterations=iterations) for seat in range(2)]
    while not game.over:
        game.play(players[game.seat].choose(game.view(game.seat)))
    return game


def test_one_tree_serves_all_games_that_may_be_the_real_one() -> None:
    """So one action is chosen for all of them, and none as if the cards of one were known (strategy fusion)."""
    game = play_to_turn(3, 20)
    tree = Tree(game.board, Belief(game.view(game.seat)), 1)
    tree.grow(500)
    children = tree.children()
    assert sum(visits for visits, _ in children.values()) == tree.iterations == 500
    assert set(children) <= set(game.legal_numbers())


@pytest.mark.thorough
def test_in_the_last_turn_of_all_it_does_what_wins_most_often_over_all_that_may_be_hidden() -> None:
    """Then an action's worth can be counted out: the game ends with it, whatever the others hold."""
    tried = 0
    for seed in range(30):
        game = Game(seed=seed)
        planner = PLAYERS["planner"](seed)
        while not game.over and (game.position.turns_left != 1 or game.position.phase_name != "turn"):
            game.play(planner.choose(game.view(game.seat)))
        claims = [action for action in game.legal_actions() if isinstance(action, Claim)]
        if game.over or len(claims) < 2:
            continue
        view = game.view(game.seat)
        games = Belief(view).sample(100, seed)
        shares = {claim: share_won(game, games, claim) for claim in claims}
        chosen = Search(seed, iterations=1500).choose(view)
        best = max(shares.values())
        assert (shares[chosen] if isinstance(chosen, Claim) else 0.0) >= best - 0.08
        tried += 1
    assert tried >= 5


def share_won(game: Game, games: np.ndarray, claim: Claim) -> float:
    """How many of these games a claim wins that ends them; tokens are taken as they come."""
    won = 0
    for number in range(len(games)):
        copy = game.copy()
        copy.position.restore(games[number : number + 1].tobytes())
        seat = copy.seat
        copy.play(claim)
        if copy.position.phase != OVER:
            copy.play(copy.legal_actions()[0])
        won += bool(calls.seat_result(copy.board.tables, copy.position.array, seat)[2])
    return won / len(games)


def test_it_does_not_draw_cards_without_end() -> None:
    for seed in range(4):
        game = search_game(seed)
        assert game.view(None).events[-1] == {"e": "end", "reason": "last_round"}
        assert len(game.actions) < 120
        left = [sum(game.position.hand_of(seat).values()) for seat in range(2)]
        assert max(left) <= 15


@pytest.mark.thorough
def test_it_works_on_its_tickets() -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(8):
        for seat in search_game(seed).view(None).seats:
            assert seat.score is not None
            outcomes["completed"] += len(seat.score.completed)
            outcomes["failed"] += len(seat.score.failed)
    assert outcomes["completed"] > outcomes["failed"]


def test_iterations_are_a_budget_on_any_number_of_cores() -> None:
    game = play_to_turn(5, 16)
    for cores in (1, 2):
        search = Search(1, iterations=300, cores=cores)
        trees = search._grow(game.view(game.seat))
        assert len(trees) == cores
        assert 300 <= sum(tree.iterations for tree in trees) < 300 + cores * CHUNK


def test_the_same_seed_and_iterations_choose_the_same_on_several_cores() -> None:
    game = play_to_turn(5, 16)
    chosen = {Search(1, iterations=300, cores=2).choose(game.view(game.seat)) for _ in range(3)}
    assert len(chosen) == 1


def test_seconds_are_a_budget_too() -> None:
    """However few, something is tried."""
    game = play_to_turn(5, 16)
    search = Search(1, seconds=0.0)
    assert search.choose(game.view(game.seat)) in game.legal_actions()


def test_a_choice_that_will_hardly_change_is_made_early() -> None:
    """Seeds of a game in which one action leads by far, and of one in which two are nearly alike."""
    iterations, leads = [], []
    for seed, steps in ((2, 56), (5, 40)):
        game = play_to_turn(seed, steps)
        (tree,) = Search(1, iterations=1600)._grow(game.view(game.seat))
        iterations.append(tree.iterations)
        leads.append(tree.lead())
    assert iterations[0] < 1600 <= iterations[1]
    assert leads[0] > (1600 - iterations[0]) / 2 > leads[1]


def test_who_has_chosen_nothing_explains_nothing() -> None:
    assert Search(1).explain() is None


def test_its_hope_is_the_share_of_games_won() -> None:
    """Far ahead and at the end it is nearly sure; far behind it has nearly lost."""
    hopes = []
    for seed in range(30):
        game = play_to_turn(seed, 52)
        if game.over:
            continue
        search = Search(1, iterations=200)
        search.choose(game.view(game.seat))
        reason = search.explain()
        if reason is not None and reason.hope is not None:
            hopes.append(reason.hope)
    assert all(0 <= hope <= 1 for hope in hopes)
    assert max(hopes) > 0.9
    assert min(hopes) < 0.1


@pytest.mark.parametrize("players", [3, 4])
def test_it_searches_with_more_players(players: int) -> None:
    game = play_to_turn(2, 30, players=players)
    assert Search(1, iterations=200).choose(game.view(game.seat)) in game.legal_actions()


def test_every_route_that_can_be_paid_for_is_thought_of() -> None:
    game = play_to_turn(4, 40)
    tree = Tree(game.board, Belief(game.view(game.seat)), 1)
    tree.grow(3000)
    actions = board_actions(game.board)
    thought = {action.route for number in tree.children() if isinstance(action := actions[number], Claim)}
    assert thought == {action.route for action in game.legal_actions() if isinstance(action, Claim)}
