"""What the seats of one game observe."""

from __future__ import annotations

import random

import pytest

from fogline.envs.seats import Observer, observe
from fogline.game.game import Game
from tests.boards import load_board
from tests.seeds import seeds


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_observer_says_of_every_seat_what_its_view_says(players: int) -> None:
    for seed in seeds(3):
        game, generator = Game(load_board("tiny"), players=players, seed=seed), random.Random(seed)
        observer = Observer(game)
        while True:
            for seat in range(players):
                assert (observer.observe(seat) == observe(game.view(seat))).all()
            if game.over:
                break
            number = generator.choice(game.legal_numbers())
            game.play(number)
            observer.play(number)
