"""What every seat of one game sees, may do and gets."""

from __future__ import annotations

import random

import numpy as np
import pytest

from fogline.batch import Batch
from fogline.envs.seats import legal_mask, observe, rewards
from fogline.game import Game
from fogline.observation import features, observation_of, split
from tests.boards import BOARDS, load_board
from tests.policies import action_weights, choose
from tests.test_view import with_other_secrets


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", BOARDS)
def test_an_observation_of_any_seat_stays_the_same_whatever_that_seat_may_not_know(board: str, players: int) -> None:
    generator = random.Random(players)
    game = Game(load_board(board), players=players, seed=players)
    weights = action_weights(game.board, generator)
    while True:
        for seat in range(players):
            seen = observe(game.view(seat)).tolist()
            assert observe(with_other_secrets(game, seat, generator).view(seat)).tolist() == seen
        if game.over:
            break
        assert observe(game.view(game.seat)).tolist() == observation_of(game.view(game.seat)).tolist()
        game.play(choose(game.legal_numbers(), weights, generator))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seat_that_waits_sees_its_own_hand_and_the_table_as_it_is_now(players: int) -> None:
    generator = random.Random(1)
    game = Game("tiny", players=players, seed=1)
    while True:
        for seat in range(players):
            view = game.view(seat)
            parts = split(game.board, players, observe(view))
            assert parts["seat"].tolist() == [int(other == seat) for other in range(players)]
            assert parts["hand"].sum() == sum(view.hand.values())
            assert parts["display"].sum() == sum(view.display.values())
            assert parts["deck"].tolist() == [view.deck_count]
            assert (parts["wanted"] + parts["completed"]).sum() == len(view.tickets)
            assert parts["owned"].sum() == len(view.owners)
            assert parts["phase"].sum() == int(not game.over)
            assert all((parts[feature.name] <= feature.most).all() for feature in features(game.board, players))
        if game.over:
            break
        game.play(generator.choice(game.legal_numbers()))


@pytest.mark.parametrize("players", [2, 3])
def test_observations_masks_and_rewards_are_those_of_a_batch(players: int) -> None:
    board = load_board("tiny")
    generator = random.Random(2)
    for seed in range(20):
        game, batch = Game(board, players=players, seed=seed), Batch(board, players, 1, seed=seed, cores=1)
        while not game.over:
            assert np.array_equal(observe(game.view(game.seat)), batch.observations[0])
            assert np.array_equal(legal_mask(game, game.seat), batch.masks[0])
            number = generator.choice(game.legal_numbers())
            game.play(number)
            batch.step(np.array([number]))
            assert rewards(game) == pytest.approx(batch.rewards[0].tolist())
        assert sum(rewards(game)) == pytest.approx(0)


def test_only_the_deciding_seat_may_do_anything() -> None:
    game = Game("tiny", players=3, seed=1)
    assert legal_mask(game, 0).tolist() == game.legal_mask().astype(int).tolist()
    assert not legal_mask(game, 1).any()
    assert legal_mask(game, 1).shape == legal_mask(game, 0).shape
