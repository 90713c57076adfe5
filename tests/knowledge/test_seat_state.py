"""What compiled players see: the same as a view, and nothing that the view does not say."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from fogline.game.game import Game
from fogline.knowledge.seat_state import new_seat_states, seat_state_dtype, seat_state_of, see_all
from fogline.rules.state import game_dtype
from tests.boards import BOARDS, load_board
from tests.game.test_view import with_other_secrets
from tests.policies import action_weights, choose
from tests.seeds import seeds

HIDDEN = {"chance", "deck", "ticket_deck", "ticket_top", "score", "steps", "recycled", "end"}


def seen(game: Game) -> np.ndarray:
    """What the compiled rules let the deciding seat see."""
    seat_states = new_seat_states(game.board, 1)
    see_all(game.position.array, seat_states)
    return seat_states


def with_plain_labels(seat_states: np.ndarray) -> dict[str, Any]:
    """All fields, with lines told apart by their first location: only whether two labels are equal matters."""
    fields = {name: seat_states[name][0].tolist() for name in seat_states.dtype.names or ()}
    return fields | {"line": [[labels.index(label) for label in labels] for labels in fields["line"]]}


@pytest.mark.rule("10.1", "10.2", "10.3")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", BOARDS)
def test_a_seat_state_says_what_the_view_says_and_stays_the_same_whatever_the_seat_may_not_know(
    board: str, players: int
) -> None:
    for seed in seeds(6):
        generator = random.Random(seed)
        game = Game(load_board(board), players=players, seed=seed)
        weights = action_weights(game.board, generator)
        while not game.over:
            seat_state = with_plain_labels(seen(game))
            assert with_plain_labels(seat_state_of(game.view(game.seat))) == seat_state
            assert with_plain_labels(seen(with_other_secrets(game, game.seat, generator))) == seat_state
            game.play(choose(game.legal_numbers(), weights, generator))


def test_what_is_hidden_has_no_field() -> None:
    board = load_board("san_francisco")
    seat_state, game = set(seat_state_dtype(board).names or ()), set(game_dtype(board).names or ())
    assert game - seat_state == HIDDEN
    assert seat_state - game == {"card_counts", "ticket_counts"}


def test_only_the_deciding_seat_has_a_seat_state() -> None:
    game = Game(seed=1)
    with pytest.raises(ValueError, match="must decide"):
        seat_state_of(game.view(1))
    with pytest.raises(ValueError, match="must decide"):
        seat_state_of(game.view(None))
