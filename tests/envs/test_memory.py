"""What a seat remembers: all that it saw, and nothing that it did not."""

from __future__ import annotations

import random

import pytest

from fogline.envs.bounds import most_words
from fogline.envs.memory import END_OF_LINE, memory, memory_text, vocabulary
from fogline.game.game import Game
from tests.boards import BOARDS, load_board
from tests.game.test_view import with_other_secrets
from tests.policies import action_weights, choose
from tests.seeds import seeds


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", BOARDS)
def test_a_memory_stays_the_same_whatever_the_seat_may_not_know(board: str, players: int) -> None:
    generator = random.Random(players)
    game = Game(load_board(board), players=players, seed=players)
    weights = action_weights(game.board, generator)
    while True:
        for seat in range(players):
            told = list(memory(game.view(seat)))
            assert list(memory(with_other_secrets(game, seat, generator).view(seat))) == told
        if game.over:
            break
        game.play(choose(game.legal_numbers(), weights, generator))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", BOARDS)
def test_every_word_has_a_number_and_a_memory_has_room_for_the_longest_game(board: str, players: int) -> None:
    numbers, most = vocabulary(load_board(board)), most_words(load_board(board), players)
    for seed in seeds(5):
        generator = random.Random(seed)
        game = Game(load_board(board), players=players, seed=seed)
        weights = action_weights(game.board, generator)
        while not game.over:
            game.play(choose(game.legal_numbers(), weights, generator))
        words = list(memory(game.view(seed % players)))
        assert set(words) <= set(numbers)
        assert len(words) <= most
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))


def test_nothing_is_ever_forgotten() -> None:
    """What a seat saw happen stays as it was; only how many first tickets others kept is told later (2.5)."""
    game = Game(load_board("tiny"), players=3, seed=4)
    before: dict[int, list[str]] = {}
    while not game.over:
        for seat in range(3):
            lines = memory_text(memory(game.view(seat))).split("\n")[4:]
            if game.phase != "keep_first_tickets":
                assert lines[: len(before.get(seat, []))] == before.get(seat, [])
                before[seat] = lines
        game.play(game.legal_numbers()[-1])


def test_the_text_is_the_words_line_by_line() -> None:
    view = Game(load_board("tiny"), players=2, seed=1).view(0)
    words = list(memory(view))
    text = memory_text(iter(words))
    assert [word for line in text.split("\n") for word in (*line.split(), END_OF_LINE)] == words
    assert text.startswith("seat 0\nhand ")
