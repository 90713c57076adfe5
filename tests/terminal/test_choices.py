"""Choices: everything legal can be reached by numbers."""

from __future__ import annotations

import random

import pytest
from rich.text import Text

from fogline.game.actions import Action, Claim
from fogline.game.game import Game
from fogline.terminal.choices import _grid, list_choices, payment_choices
from tests.arrange import arrange, first_turn
from tests.policies import action_weights, choose

from .driver import paper, printed, screen_of


def _reachable(game: Game) -> set[Action]:
    screen = screen_of(game, paper())
    choices = list_choices(game.view(game.seat), screen.look, screen.words)
    for choice in choices:
        claims = [action for action in choice.actions if isinstance(action, Claim)]
        if claims:
            assert {action for paid in payment_choices(claims) for action in paid.actions} == set(claims)
    return {action for choice in choices for action in choice.actions}


@pytest.mark.parametrize("board", ["tiny", "san_francisco"])
def test_all_legal_actions_are_offered_but_those_on_an_equal_twin(board: str) -> None:
    for players in (2, 3, 4):
        game, chance = Game(board, players=players, seed=players), random.Random(players)
        weights = action_weights(game.board, chance)
        while not game.over:
            missing = set(game.legal_actions()) - _reachable(game)
            for action in missing:
                assert isinstance(action, Claim)
                route = game.board.route(action.route)
                assert route.twin is not None
                assert game.board.route(route.twin).colour == route.colour
            game.play(choose(game.legal_numbers(), weights, chance))


def test_routes_that_help_a_ticket_come_first() -> None:
    game = arrange(first_turn(), hands={0: "green2 red2 blue2 black2 purple2 orange2"})
    screen = screen_of(game, paper())
    rows = [
        choice.cells[-1].plain
        for choice in list_choices(game.view(0), screen.look, screen.words)
        if len(choice.cells) > 1
    ]
    helpful = ["ticket" in row for row in rows]
    assert any(helpful)
    assert helpful == sorted(helpful, reverse=True)


def test_names_of_choices_stay_on_one_line_and_what_follows_them_is_broken() -> None:
    console, name = paper(width=40), "claim Golden Gate–Fort Mason"
    console.print(_grid([(Text("1"), Text(name), Text("1 black and 1 ferry, or 2 black"))]))
    first, *others = printed(console).splitlines()
    assert name in first
    assert others
