"""Players that are programs: legal, the same for the same seed, honest, and of some strength."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from fogline.game.actions import Action, Claim, Keep
from fogline.game.game import Game
from fogline.knowledge.seat_state import new_seat_states
from fogline.players.player import PLAYERS, Player
from fogline.players.ratings import ratings
from fogline.players.scripted.match import play_games
from fogline.players.scripted.plan import new_plans
from fogline.rules.state import new_games
from tests.boards import BOARDS, load_board
from tests.game.test_view import with_other_secrets
from tests.seeds import seeds
from tests.tier import pick

each_player = pytest.mark.parametrize("name", PLAYERS)
COMPILED = [name for name, player in PLAYERS.items() if hasattr(player, "policy")]


A_GLANCE, A_MOMENT, A_WHILE = 30, 60, 200
"""Iterations of a search: for games that have to be played somehow, and where it must be seen what a search does."""

CHECKED = {"search": pick(8, 1), "master": pick(24, 1)}
"""Of how many decisions of a game one is checked for honesty, where it is not each."""

THINKS = {"search": 1, "master": 0.034}
"""Who takes a budget, and how many of the search's iterations are one of its own."""


GAMES = {"search": pick(1, 2), "master": 1, "neural": pick(1, 3), "local": pick(1, 2), "newcomer": pick(1, 2)}
"""How many games it takes part in where it decides for all seats; compiled players are quick."""


def make(name: str, seed: int, iterations: int = A_MOMENT) -> Player:
    """A player; one that thinks for long does so only so long."""
    budget = {"iterations": round(iterations * THINKS[name])} if name in THINKS else {}
    return PLAYERS[name](seed, **budget)


def play(names: Sequence[str], seed: int, board: str = "san_francisco", iterations: int = A_MOMENT) -> Game:
    """A game between players by name; every choice must be one of the view's."""
    game = Game(load_board(board), players=len(names), seed=seed)
    players = [make(name, seed + seat, iterations) for seat, name in enumerate(names)]
    while not game.over:
        view = game.view(game.seat)
        action = players[game.seat].choose(view)
        assert action in view.legal_actions
        game.play(action)
    return game


def test_the_table_names_every_player_as_it_names_itself() -> None:
    assert {name: PLAYERS[name](0).name for name in PLAYERS} == {name: name for name in PLAYERS}
    names = ["random", "racer", "newcomer", "dreamer", "local", "planner", "search", "neural", "master"]
    assert list(PLAYERS) == names


def test_levels_go_up_from_one() -> None:
    assert [player.level for player in PLAYERS.values()] == list(range(1, len(PLAYERS) + 1))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_has_a_higher_level_has_a_higher_rating(players: int) -> None:
    """As the ladder measured it; whoever is too slow for it with so many players has none."""
    found = ratings(players)
    by_level = [found[name] for name in PLAYERS if name in found]
    assert len(by_level) == len(found) >= len(PLAYERS) - 1
    assert by_level == sorted(by_level)


@each_player
def test_a_player_describes_itself(name: str) -> None:
    """In words that complete `who …`."""
    description = PLAYERS[name](0).description
    assert description == description.strip().rstrip(".")
    assert description[0].islower()


def whole_games(name: str, board: str, players: int) -> Any:
    """The master's take long, with the exception of the shortest."""
    slow = name == "master" and (board, players) != ("tiny", 2)
    return pytest.param(name, board, players, marks=[pytest.mark.thorough] if slow else [])


@pytest.mark.parametrize(
    ("name", "board", "players"), [whole_games(*case) for case in product(PLAYERS, BOARDS, (2, 3, 4))]
)
def test_a_player_finishes_every_game_with_legal_actions_alone(name: str, board: str, players: int) -> None:
    for seed in seeds(min(pick(1, 3), GAMES.get(name, 3))):
        game = play([name] * players, seed, board, pick(A_GLANCE // 2, A_MOMENT))
        assert game.winners


@pytest.mark.parametrize("names", list(product(PLAYERS, repeat=2)), ids=",".join)
def test_players_play_with_one_another(names: tuple[str, ...]) -> None:
    assert play([*names, "random"], 1, "tiny").over


@each_player
def test_the_same_seed_chooses_the_same_and_another_does_not(name: str) -> None:
    first = choices(name, 1)
    assert choices(name, 1) == first
    leaves_nothing_to_chance = name == "neural"
    assert any(choices(name, seed) != first for seed in range(2, 8)) != leaves_nothing_to_chance


def choices(name: str, seed: int) -> list[Action]:
    """What a player with this seed chooses against itself, with the same chance for every seed."""
    game = Game(load_board("tiny" if name in THINKS else "san_francisco"), seed=9)
    players = [make(name, seed) for _ in range(2)]
    while not game.over:
        game.play(players[game.seat].choose(game.view(game.seat)))
    return game.actions


@pytest.mark.rule("10.2", "10.3")
@each_player
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_choice_stays_the_same_whatever_the_seat_may_not_know(name: str, players: int) -> None:
    """At every step, with the same state of its generator: the others' cards and tickets and both decks are others."""
    for seed in seeds(GAMES.get(name, pick(2, 8))):
        generator = random.Random(seed)
        game = Game(players=players, seed=seed)
        while not game.over:
            changed = with_other_secrets(game, game.seat, generator)
            step = seed * 1000 + len(game.actions)
            if step % CHECKED.get(name, 1):
                game.play(generator.choice(game.legal_actions()))
                continue
            chosen = make(name, step).choose(game.view(game.seat))
            assert make(name, step).choose(changed.view(game.seat)) == chosen
            game.play(chosen)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_compiled_match_is_the_game_that_the_players_play_by_their_views(players: int) -> None:
    board = load_board("san_francisco")
    policies = np.array([[(seat + shift) % len(COMPILED) for seat in range(players)] for shift in range(6)], np.int64)
    seeds = np.arange(6, dtype=np.uint64)
    player_seeds = seeds[:, None] + np.arange(players, dtype=np.uint64)
    games, decisions, turns = new_games(board, 6), np.zeros((6, players), np.int64), np.zeros(6, np.int64)
    scratch = new_seat_states(board, 1), new_plans(board, 1)
    play_games(board.tables, games, *scratch, seeds, policies, player_seeds, decisions, turns)
    for i, row in enumerate(policies):
        game = play([COMPILED[policy] for policy in row], i)
        assert game.position.array.tobytes() == games[i : i + 1].tobytes()
        assert decisions[i].sum() == len(game.actions)


def test_random_chooses_every_legal_action_about_equally_often() -> None:
    view = Game(seed=1).view(0)
    counts = dict.fromkeys(view.legal_actions, 0)
    for seed in range(600):
        counts[PLAYERS["random"](seed).choose(view)] += 1
    assert len(counts) == 3
    assert all(150 < count < 250 for count in counts.values())


def test_the_racer_claims_the_longest_route_that_it_can_with_as_few_ferries_as_it_can() -> None:
    for seed in seeds(3):
        game = Game(seed=seed)
        racers = [PLAYERS["racer"](seed), PLAYERS["racer"](seed)]
        while not game.over:
            view = game.view(game.seat)
            claims = [action for action in view.legal_actions if isinstance(action, Claim)]
            chosen = racers[game.seat].choose(view)
            if claims:
                assert isinstance(chosen, Claim)
                assert (length(chosen), -chosen.ferries) == max((length(c), -c.ferries) for c in claims)
            game.play(chosen)


def length(claim: Claim) -> int:
    return claim.cards + claim.ferries


def test_the_racer_keeps_the_cheaper_ticket() -> None:
    for seed in seeds(10):
        view = Game(seed=seed).view(0)
        first, second = (view.board.ticket(ticket).value for ticket in view.offer)
        chosen = PLAYERS["racer"](0).choose(view)
        assert chosen in [Keep("first")] * (first <= second) + [Keep("second")] * (second <= first)


@pytest.mark.parametrize(
    ("stronger", "weaker", "games", "least"),
    [
        pytest.param("racer", "random", 200, 170, marks=pytest.mark.thorough),
        pytest.param("dreamer", "racer", 200, 150, marks=pytest.mark.thorough),
        pytest.param("planner", "dreamer", 200, 140, marks=pytest.mark.thorough),
        pytest.param("planner", "random", 200, 197, marks=pytest.mark.thorough),
        pytest.param("planner", "racer", 200, 195, marks=pytest.mark.thorough),
        pytest.param("newcomer", "racer", 40, 28, marks=pytest.mark.thorough),
        pytest.param("local", "newcomer", 40, 26, marks=pytest.mark.thorough),
        pytest.param("neural", "planner", 40, 30, marks=pytest.mark.thorough),
        ("neural", "planner", 10, 6),
    ],
)
def test_one_player_is_clearly_stronger(stronger: str, weaker: str, games: int, least: int) -> None:
    """On both seats, with the same deals for both."""
    won = 0
    for seed in range(games // 2):
        won += 0 in play([stronger, weaker], seed).winners
        won += 1 in play([weaker, stronger], seed).winners
    assert won >= least


@pytest.mark.thorough
def test_search_is_stronger_than_the_planner_that_it_imagines() -> None:
    """With a hundredth of the budget that it has in a game with people."""
    won = 0
    for seed in range(8):
        won += 0 in play(["search", "planner"], seed, iterations=A_WHILE).winners
        won += 1 in play(["planner", "search"], seed, iterations=A_WHILE).winners
    assert won >= 9


@each_player
def test_a_player_says_why_or_says_nothing(name: str) -> None:
    game = Game(seed=4)
    player = make(name, 4)
    reasons = []
    while not game.over:
        action = player.choose(game.view(game.seat))
        reason = player.explain()
        reasons.append(reason)
        if reason and reason.ticket:
            assert reason.ticket in {ticket.id for ticket in game.board.tickets}
        if reason and reason.route:
            assert reason.route not in game.position.owners()
        if reason and reason.hope is not None:
            assert 0 <= reason.hope <= 1
        game.play(action)
    assert any(reasons) == (name not in ("random", "racer", "dreamer"))
