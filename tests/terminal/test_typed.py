"""Typed actions: full texts, and all the shorter ways to say them."""

from __future__ import annotations

import pytest

from fogline.game.actions import ActionError, board_actions
from fogline.game.game import Game
from fogline.terminal.typed import understand
from tests.arrange import arrange, first_turn


@pytest.mark.parametrize("board", ["tiny", "san_francisco"])
def test_every_action_is_understood_by_its_own_text(board: str) -> None:
    view = first_turn(board).view(0)
    for action in board_actions(view.board):
        assert understand(str(action), view).actions == (action,)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("d", "draw deck"),
        ("deck", "draw deck"),
        ("dr deck", "draw deck"),
        ("DRAW DECK", "draw deck"),
        ("draw b", "draw blue"),
        ("draw k", "draw black"),
        ("d r", "draw red"),
        ("take orange", "draw orange"),
        ("gr", "draw green"),
        ("draw t", "draw tickets"),
        ("both", "keep both"),
        ("k 2", "keep second"),
        ("place cas", "place castro"),
        ("place golden gate", "place golden_gate_bridge"),
        ("token pot", "token potrero_hill"),
        ("token embarcadero", "token the_embarcadero"),
        ("claim castro-mission:1 g1", "claim castro-mission:1 green1"),
        ("claim castro–mission:1 1 green", "claim castro-mission:1 green1"),
        ("c mis cas:2 red", "claim castro-mission:2 red1"),
        ("claim pier 39 alcatraz ferry2", "claim pier_39-alcatraz ferry2"),
        ("claim japan haight:2 green1 ferry1", "claim japanese_tea_garden-haight_ashbury:2 green1 ferry1"),
        ("claim union square mission 3 black", "claim union_square-mission black3"),
    ],
)
def test_shorter_words_mean_the_same(typed: str, meant: str) -> None:
    assert [str(action) for action in understand(typed, first_turn().view(0)).actions] == [meant]


def test_a_claim_without_payment_means_all_its_payments_the_likeliest_first() -> None:
    game = arrange(first_turn(), hands={0: "black1 ferry1"})
    wanted = understand("claim union mission", game.view(0))
    assert wanted.sure
    assert [str(action) for action in wanted.actions][:2] == [
        "claim union_square-mission black2 ferry1",
        "claim union_square-mission black1 ferry2",
    ]


def test_a_location_alone_is_not_sure() -> None:
    assert not understand("claim castro", first_turn().view(0)).sure


def test_where_a_stack_is_placed_a_name_is_enough() -> None:
    game = Game(players=3, seed=1)
    while game.phase != "place":
        game.play("keep both")
    assert str(understand("castro", game.view(game.seat)).actions[0]) == "place castro"
    assert str(understand("pier", game.view(game.seat)).actions[0]) == "place pier_39"


@pytest.mark.parametrize(
    ("typed", "reason"), [("draw bl", "blue or black"), ("place p", "presidio"), ("", "write"), ("x", "no action")]
)
def test_what_could_mean_several_things_is_asked_back(typed: str, reason: str) -> None:
    with pytest.raises(ActionError, match=reason):
        understand(typed, first_turn().view(0))
