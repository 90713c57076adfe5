"""Whole numbers, whoever's they are."""

import numpy as np
import pytest

from fogline import Game
from fogline.game.integers import as_integer
from fogline.game.record import replay


@pytest.mark.parametrize("number", [3, np.int8(3), np.uint64(3), np.array(3)])
def test_a_whole_number_is_one_whatever_its_type(number: object) -> None:
    assert as_integer(number) == 3
    assert type(as_integer(number)) is int


@pytest.mark.parametrize("other", [True, np.True_, 3.0, np.float32(3), "3", None, np.array([3, 4])])
def test_anything_else_is_none(other: object) -> None:
    assert as_integer(other) is None


def test_a_game_takes_whole_numbers_of_numpy() -> None:
    game = Game(players=np.int64(3), seed=np.uint64(2**64 - 1))
    assert game == Game(players=3, seed=2**64 - 1)
    game.play(np.uint8(11), np.int64(0))
    assert game.view(np.int32(1), since=np.int64(2)).seat == 1
    assert type(game.view(np.int32(1)).seat) is int
    assert game.why_not(np.int16(11), np.int64(1)) is None
    refusal = game.why_not("keep both", np.int64(2))
    assert refusal is not None
    assert refusal.rule == "3.1"
    game.reseed(np.uint32(5))
    assert game.record()["seed"] == "0xffffffffffffffff"
    assert len(replay(game.record(), at=np.int64(3)).actions) == 0  # type: ignore[arg-type]
