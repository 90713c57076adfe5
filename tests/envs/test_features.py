"""The document says what an observation holds."""

from __future__ import annotations

import numpy as np
import pytest

from fogline.envs.features import BEGIN, END, table, write
from fogline.game.game import Game
from fogline.knowledge.observation import features, observation_of, split
from fogline.maps.board import Board
from tests.boards import load_board
from tests.conformance import ROOT
from tests.seeds import seeds

DOCUMENT = ROOT / "docs/environments.md"


def test_the_table_of_the_observation_is_up_to_date() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert write(text, Board.load()) == text, "make docs"


def test_the_table_has_a_row_for_every_feature_and_says_where_it_begins() -> None:
    board = load_board("tiny")
    rows = [line.split(" | ") for line in table(board).splitlines()[2:-1]]
    observation = np.arange(sum(feature.length for feature in features(board, 3)))
    for row, (name, numbers) in zip(rows, split(board, 3, observation).items(), strict=True):
        assert row[0] == f"| `{name}`"
        assert row[3] == f"{numbers.flat[0]}: {' × '.join(map(str, numbers.shape))}"


def test_a_document_without_a_place_for_the_table_is_refused() -> None:
    for text in ("", BEGIN, f"{BEGIN}{END}{BEGIN}{END}"):
        with pytest.raises(ValueError, match="once each"):
            write(text, load_board("tiny"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_number_of_an_observation_is_larger_than_the_table_says(players: int) -> None:
    for seed in seeds(2):
        generator, game = np.random.default_rng(seed), Game(load_board("tiny"), players=players, seed=seed)
        while not game.over:
            told = split(game.board, players, observation_of(game.view(game.seat)))
            for feature in features(game.board, players):
                assert told[feature.name].max(initial=0) <= feature.most, feature.name
            game.play(generator.choice(game.legal_numbers()))
