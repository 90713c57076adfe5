"""What compiled players see: the same as a view, and nothing that the view does not say."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from fogline.game import Game
from fogline.rules.state import game_dtype
from fogline.sight import new_sights, see_all, sight_dtype, sight_of
from tests.boards import BOARDS, load_board
from tests.policies import action_weights, choose
from tests.seeds import seeds
from tests.test_view import with_other_secrets

HIDDEN = {"chance", "deck", "ticket_deck", "ticket_top", "score", "steps", "recycled", "end"}


def seen(game: Game) -> np.ndarray:
    """What the compiled rules let the deciding seat see."""
    sights = new_sights(game.board, 1)
    see_all(game.position.array, sights)
    return sights


def with_plain_labels(sights: np.ndarray) -> dict[str, Any]:
    """All fields, with lines told apart by their first location: only whether two labels are equal matters."""
    fields = {name: sights[name][0].tolist() for name in sights.dtype.names or ()}
    return fields | {"line": [[labels.index(label) for label in labels] for labels in fields["line"]]}


@pytest.mark.rule("10.1", "10.2", "10.3")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", BOARDS)
def test_a_sight_says_what_the_view_says_and_stays_the_same_whatever_the_seat_may_not_know(
    board: str, players: int
) -> None:
    for seed in seeds(6):
        generator = random.Random(seed)
        game = Game(load_board(board), players=players, seed=seed)
        weights = action_weights(game.board, generator)
        while not game.over:
            sight = with_plain_labels(seen(game))
            assert with_plain_labels(sight_of(game.view(game.seat))) == sight
            assert with_plain_labels(seen(with_other_secrets(game, game.seat, generator))) == sight
            game.play(choose(game.legal_numbers(), weights, generator))


def test_what_is_hidden_has_no_field() -> None:
    board = load_board("san_francisco")
    sight, game = set(sight_dtype(board).names or ()), set(game_dtype(board).names or ())
    assert game - sight == HIDDEN
    assert sight - game == {"card_counts", "ticket_counts"}


def test_only_the_deciding_seat_has_a_sight() -> None:
    game = Game(seed=1)
    with pytest.raises(ValueError, match="must decide"):
        sight_of(game.view(1))
    with pytest.raises(ValueError, match="must decide"):
        sight_of(game.view(None))
