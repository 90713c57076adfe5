"""The game for OpenSpiel passes OpenSpiel's own tests, and ours."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.observation import make_observation

from fogline.envs.memory import memory, vocabulary
from fogline.envs.openspiel import NAME, FoglineGame, FoglineState
from fogline.envs.seats import observe
from fogline.game.refusals import IllegalAction
from fogline.knowledge.observation import split
from fogline.maps.mapfile import MapError
from tests.boards import DATA
from tests.conformance import ROOT
from tests.envs.playthrough import replayed
from tests.game.test_view import with_other_secrets

RECALL = pyspiel.IIGObservationType(perfect_recall=True)


def load(board: str = "tiny", players: int = 2) -> FoglineGame:
    game: FoglineGame = pyspiel.load_game(NAME, {"map": board, "players": players})
    return game


def walk(game: FoglineGame, seed: int) -> Iterator[FoglineState]:
    """Every state of a random game, chance nodes and the end included: always the same object, which goes on."""
    generator = random.Random(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(generator.choices(outcomes, chances)[0])
        else:
            state.apply_action(generator.choice(state.legal_actions()))
        yield state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_passes_the_random_simulations_of_openspiel(players: int) -> None:
    pyspiel.random_sim_test(load(players=players), num_sims=5, serialize=True, verbose=False)


def test_it_passes_them_on_the_large_map_and_on_one_of_ones_own() -> None:
    pyspiel.random_sim_test(load("san_francisco"), num_sims=1, serialize=False, verbose=False)
    pyspiel.random_sim_test(load(str(DATA / "dead_end.toml"), 3), num_sims=2, serialize=True, verbose=False)


def test_it_passes_the_simulations_that_openspiel_has_for_games_in_python() -> None:
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    np.random.seed(1)
    for players in (2, 3, 4):
        GamesSimTest("test_pig").sim_game(load(players=players))


def test_the_playthrough_is_up_to_date() -> None:
    """When it is not, and that is meant so: `python -m tests.envs.playthrough`."""
    stored, now = replayed()
    assert now.splitlines() == stored.splitlines()


def test_it_is_registered_and_loads_from_a_text() -> None:
    game = pyspiel.load_game("python_fogline(players=3,map=tiny)")
    assert NAME in pyspiel.registered_names()
    assert (game.num_players(), game.max_utility(), game.min_utility(), game.utility_sum()) == (3, 1, -0.5, 0)
    assert pyspiel.load_game(NAME).num_players() == 2
    assert pyspiel.load_game(str(game)).get_parameters() == game.get_parameters()


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="2 to 4 players, not 5"):
        load(players=5)
    with pytest.raises(MapError, match="built-in maps are"):
        load("atlantis")
    with pytest.raises(pyspiel.SpielError, match="seats"):
        pyspiel.load_game(NAME, {"seats": 2})
    with pytest.raises(ValueError, match="an observer has none"):
        load().make_py_observer(params={"colour": 1})


def test_an_illegal_action_changes_nothing() -> None:
    state = load().new_initial_state()
    before = str(state)
    with pytest.raises(ValueError, match="chance cannot bring 1"):
        state._apply_action(1)
    assert str(state) == before
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    before = str(state)
    with pytest.raises(IllegalAction, match=r"2\.5"):
        state._apply_action(0)
    assert str(state) == before


@pytest.mark.parametrize("players", [2, 4])
def test_states_and_games_survive_every_kind_of_copy(players: int) -> None:
    game = load(players=players)
    for state in walk(game, seed=players):
        through_text = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
        for other in (state.clone(), pickle.loads(pickle.dumps(state)), through_text):
            assert type(other) is FoglineState
            assert (str(other), other.history()) == (str(state), state.history())
            assert other.legal_actions() == state.legal_actions()
            assert other.information_state_string(0) == state.information_state_string(0)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_a_clone_goes_its_own_way() -> None:
    for state in walk(load(), seed=1):
        if state.is_terminal():
            break
        before = (str(state), state.information_state_string(1))
        clone = state.clone()
        clone.apply_action(clone.legal_actions()[-1])
        assert (str(state), state.information_state_string(1)) == before


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_a_player_is_shown_stays_the_same_whatever_its_seat_may_not_know(players: int) -> None:
    generator = random.Random(players)
    for state in walk(load(players=players), seed=players):
        if state.dealer.game is None:
            continue
        for seat in range(players):
            changed = state.clone()
            changed.dealer.game = with_other_secrets(state.dealer.game, seat, generator)
            assert shown(changed, seat) == shown(state, seat)


def shown(state: FoglineState, player: int) -> tuple[Any, ...]:
    return (
        state.information_state_string(player),
        state.information_state_tensor(player),
        state.observation_string(player),
        state.observation_tensor(player),
    )


@pytest.mark.parametrize("players", [2, 3])
def test_tensors_are_our_observation_and_the_memory_word_by_word(players: int) -> None:
    game = load(players=players)
    observation, recall = make_observation(game), make_observation(game, RECALL)
    words = {number: word for word, number in vocabulary(game.board).items()}
    for state in walk(game, seed=players):
        for seat in range(players):
            observation.set_from(state, seat)
            recall.set_from(state, seat)
            if state.dealer.game is None:
                assert not observation.tensor.any()
                assert not recall.tensor.any()
                continue
            view = state.dealer.game.view(seat)
            assert observation.tensor.tolist() == observe(view).tolist() == state.observation_tensor(seat)
            assert observation.dict["hand"].tolist() == split(game.board, players, observe(view))["hand"].tolist()
            assert [words[int(number)] for number in recall.tensor if number] == list(memory(view))


@pytest.mark.parametrize("players", [2, 4])
def test_no_game_is_longer_than_openspiel_is_told(players: int) -> None:
    game = load("san_francisco", players)
    *_, state = walk(game, seed=1)
    decisions = len(state.dealer.dealt.actions)
    chances = len(state.history()) - decisions
    assert decisions <= game.max_game_length()
    assert chances <= game.max_chance_nodes_in_history()
    assert game.max_history_length() == game.max_game_length() + game.max_chance_nodes_in_history()


def test_no_two_decisions_of_a_game_look_the_same_to_a_player() -> None:
    """Perfect recall: a player knows all its decisions before this one, and what it saw in between."""
    seen = [
        (state.current_player(), state.information_state_string())
        for state in walk(load(players=3), seed=3)
        if state.is_player_node()
    ]
    assert len(set(seen)) == len(seen)


def test_what_looks_the_same_to_a_player_has_the_same_legal_actions() -> None:
    """The first states of the tree, a good many of which nobody can tell apart."""
    game = load()
    legal: dict[str, set[tuple[int, ...]]] = {}
    start = game.new_initial_state()
    for card in (0, 0, 4, 6, 0, 4, 4):
        start.apply_action(card)
    for first in start.legal_actions():
        state = start.child(first)
        for number in range(40):
            other = state.clone()
            generator = random.Random(number)
            for _ in range(7):
                other.apply_action(generator.choice(other.legal_actions()))
                if other.is_player_node():
                    legal.setdefault(other.information_state_string(), set()).add(tuple(other.legal_actions()))
    assert len(legal) > 20
    assert all(len(actions) == 1 for actions in legal.values())


def test_a_state_can_be_dealt_anew_from_what_a_player_has_seen() -> None:
    sampler = pyspiel.UniformProbabilitySampler(1, 0.0, 1.0)
    tickets = set()
    for state in walk(load(players=3), seed=5):
        if not state.is_player_node():
            continue
        player = state.current_player()
        for _ in range(3):
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.legal_actions() == state.legal_actions()
            tickets.add(other.dealer.dealt.position.tickets_of((player + 1) % 3))
            while not other.is_terminal():
                other.apply_action(other.legal_actions()[0])
    assert len(tickets) > 5


def test_a_learner_can_play_in_openspiels_own_environment() -> None:
    environment = rl_environment.Environment(load(), include_full_state=False)
    environment.seed(1)
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        assert len(step.observations["info_state"][player]) == load().information_state_tensor_size()
        step = environment.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == 0


def test_the_example_plays() -> None:
    command = [sys.executable, "-W", "error", str(ROOT / "examples/openspiel_mcts.py"), "--map", "tiny", "--talk"]
    for search in ("ismcts", "mcts"):
        arguments = ["--search", search, "--games", "2", "--simulations", "4"]
        told = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True).stdout
        assert told.count("seat 0: keep") >= 2
        assert told.count("game ") == 2
        assert "on average" in told.splitlines()[-1]


def test_without_openspiel_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "fogline.envs.openspiel")
    with pytest.raises(ImportError, match=r'pip install "fogline\[rl\]"'):
        import fogline.envs.openspiel  # noqa: F401
