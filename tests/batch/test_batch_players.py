"""Compiled players in the lanes of a batch: the same choices as anywhere else."""

from __future__ import annotations

import numpy as np
import pytest

from fogline.batch import Batch
from fogline.game.game import Game
from fogline.knowledge.seat_state import seat_state_of
from fogline.players.batch_players import BatchPlayers
from fogline.players.player import PLAYERS
from fogline.players.scripted.compiled_player import POLICIES
from fogline.players.scripted.plan import new_plans
from fogline.players.scripted.policies import decide_one
from tests.boards import load_board

UNTOUCHED = -7


def choice_by_view(game: Game, player: str, state: np.uint64) -> tuple[int, int]:
    """What a player chooses by the view of the deciding seat, and its generator's next state."""
    seat_state, plan = seat_state_of(game.view(game.seat)), new_plans(game.board, 1)
    number, after = decide_one(game.board.tables, seat_state, plan, POLICIES[player], state)
    return int(number), int(after)


def test_every_player_that_is_compiled_has_its_policy() -> None:
    assert {name: getattr(player, "policy", None) for name, player in PLAYERS.items()} == {
        name: POLICIES.get(name) for name in PLAYERS
    }


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
def test_it_chooses_as_the_player_does_and_leaves_other_lanes_alone(board: str, players: int) -> None:
    batch, generator = Batch(load_board(board), players, 3, seed=players), np.random.default_rng(players)
    games = [Game(batch.board, players=players, seed=players + lane) for lane in range(3)]
    seated = {name: BatchPlayers(batch, name) for name in POLICIES}
    for step in range(160):
        name, mask = list(POLICIES)[step % len(POLICIES)], generator.random(3) < 0.6
        actions, lanes = np.full(3, UNTOUCHED), batch.kept.lanes.copy()
        told = [choice_by_view(game, name, lanes["chooser"][lane]) for lane, game in enumerate(games)]
        seated[name].choose(actions, mask)
        assert actions.tolist() == [told[lane][0] if mask[lane] else UNTOUCHED for lane in range(3)]
        lanes["chooser"][mask] = [state for lane, (_, state) in enumerate(told) if mask[lane]]
        assert np.array_equal(batch.kept.lanes, lanes)
        actions = np.where(mask, actions, batch.sample())
        batch.step(actions)  # strict, and so all of them are legal
        for lane, game in enumerate(games):
            game.play(int(actions[lane]))
            if game.over:
                games[lane] = Game(batch.board, players=players, seed=game.seed + 3)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_planners_in_all_seats_play_whole_games(players: int) -> None:
    batch = Batch(load_board("san_francisco"), players, 40, seed=1, observe=False)
    planners, actions, everywhere = BatchPlayers(batch, "planner"), np.zeros(40, np.int64), np.ones(40, np.bool_)
    scores: list[list[int]] = []
    while len(scores) < 60:
        planners.choose(actions, everywhere)
        batch.step(actions)
        scores += batch.scores[batch.dones].tolist()
    assert np.mean(scores) > 20  # who plays at random has less than nothing


def test_a_planner_beats_a_racer_from_either_seat() -> None:
    batch = Batch(load_board("san_francisco"), 2, 60, seed=3, observe=False)
    planner, racer = BatchPlayers(batch, "planner"), BatchPlayers(batch, "racer")
    actions, lanes = np.zeros(60, np.int64), np.arange(60)
    won: list[float] = []
    while len(won) < 60:
        planner.choose(actions, batch.seats == lanes % 2)
        racer.choose(actions, batch.seats != lanes % 2)
        batch.step(actions)
        won += batch.rewards[lanes, lanes % 2][batch.dones].tolist()
    assert np.mean(won) > 0.5


def test_any_number_of_cores_makes_the_same_choices() -> None:
    batches = [Batch(load_board("tiny"), 3, 2100, seed=9, observe=False, cores=cores) for cores in (1, 2)]
    chosen = [np.zeros(2100, np.int64) for _ in batches]
    for _ in range(20):
        for batch, actions in zip(batches, chosen, strict=True):
            BatchPlayers(batch, "dreamer").choose(actions, np.ones(2100, np.bool_))
            batch.step(actions)
        assert np.array_equal(chosen[0], chosen[1])


# Faults.


@pytest.mark.parametrize("name", ["search", "nobody", ""])
def test_only_players_that_are_compiled_can_choose_so(name: str) -> None:
    with pytest.raises(ValueError, match=f"player: one of random, racer, dreamer, planner, .* not '{name}'"):
        BatchPlayers(Batch(load_board("tiny"), 2, 2), name)


@pytest.mark.parametrize(
    ("actions", "mask", "told"),
    [
        ([0, 0, 0], np.ones(3, np.bool_), "actions: an array on the batch's device is needed, not list"),
        (np.zeros(3, np.int64), [True] * 3, "mask: an array on the batch's device is needed, not list"),
        (np.zeros(2, np.int64), np.ones(3, np.bool_), r"actions: 3 whole numbers are needed, not int64 .* \(2,\)"),
        (np.zeros(3), np.ones(3, np.bool_), "actions: 3 whole numbers are needed, not float64"),
        (np.zeros(3, np.int64), np.ones(3, np.int64), "mask: 3 truth values are needed, not int64"),
        (np.zeros(3, np.int64), np.ones((3, 1), np.bool_), r"mask: 3 truth values are needed, not bool .* \(3, 1\)"),
    ],
)
def test_arrays_of_another_kind_are_refused(actions: object, mask: object, told: str) -> None:
    batch = Batch(load_board("tiny"), 2, 3)
    with pytest.raises(ValueError, match=told):
        BatchPlayers(batch, "racer").choose(actions, mask)
