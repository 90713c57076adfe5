"""Actions: text, value and number round-trip; whatever else is typed is refused in words and changes nothing."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogline.game.actions import (
    Action,
    ActionError,
    Claim,
    Draw,
    DrawTickets,
    Keep,
    Pass,
    Place,
    Token,
    action_numbers,
    board_actions,
    parse_action,
)
from fogline.game.game import Game
from fogline.game.refusals import IllegalAction
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS, COLOURS, FERRY
from tests.arrange import first_turn

MAPS = ("san_francisco", "tiny")
FUZZ = settings(derandomize=True, deadline=None)


@pytest.fixture(params=MAPS)
def board(request: pytest.FixtureRequest) -> Board:
    return Board.load(request.param)


# Round trips.


def test_every_action_of_a_board_is_read_from_its_text(board: Board) -> None:
    for action in board_actions(board):
        assert parse_action(str(action)) == action


def test_every_action_of_a_board_has_its_number_and_its_text_alone(board: Board) -> None:
    actions = board_actions(board)
    assert [action_numbers(board)[action] for action in actions] == list(range(len(actions)))
    assert len({str(action) for action in actions}) == len(actions)


def test_a_board_has_an_action_for_every_draw_keep_location_and_claim(board: Board) -> None:
    kinds = [type(action) for action in board_actions(board)]
    locations = len(board.locations)
    assert kinds == [
        *[Draw] * (1 + len(CARDS)),
        DrawTickets,
        *[Keep] * 3,
        Pass,
        *[Place] * locations,
        *[Token] * locations,
        *[Claim] * len(board.claims),
    ]


TEXTS: dict[str, Action] = {
    "draw deck": Draw("deck"),
    "draw blue": Draw("blue"),
    "draw ferry": Draw("ferry"),
    "draw tickets": DrawTickets(),
    "keep first": Keep("first"),
    "keep second": Keep("second"),
    "keep both": Keep("both"),
    "token potrero_hill": Token("potrero_hill"),
    "place castro": Place("castro"),
    "pass": Pass(),
    "claim castro-mission:1 green1": Claim("castro-mission:1", "green", 1, 0),
    "claim mission-potrero_hill:1 orange1 ferry1": Claim("mission-potrero_hill:1", "orange", 1, 1),
    "claim mission-potrero_hill:1 ferry2": Claim("mission-potrero_hill:1", None, 0, 2),
    "claim a-b red12 ferry99": Claim("a-b", "red", 12, 99),
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_means_its_action(text: str) -> None:
    assert parse_action(text) == TEXTS[text]
    assert str(TEXTS[text]) == text


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("  Draw \t BLUE\n", "draw blue"),
        ("CLAIM Castro-Mission:1 Green1", "claim castro-mission:1 green1"),
        ("claim mission-potrero_hill:1 ferry1 orange1", "claim mission-potrero_hill:1 orange1 ferry1"),
        ("keep\u00a0both", "keep both"),
        ("PASS", "pass"),
    ],
)
def test_capitals_spaces_and_the_order_of_a_payment_make_no_difference(text: str, meant: str) -> None:
    assert parse_action(text) == TEXTS[meant]


def test_a_claim_tells_its_payment_by_card() -> None:
    assert Claim("a-b", "red", 2, 1).payment == {"red": 2, FERRY: 1}
    assert Claim("a-b", "red", 2, 0).payment == {"red": 2}
    assert Claim("a-b", None, 0, 3).payment == {FERRY: 3}


# Texts that are no actions.

MALFORMED = {
    "": "'' is no action; the actions are draw, claim, keep, token, place, pass",
    "   ": "'' is no action",
    "steal deck": "'steal' is no action",
    "drawdeck": "'drawdeck' is no action",
    "draw": "write draw deck, draw tickets, or draw and a card of the display, such as: draw blue",
    "draw blue red": "write draw deck",
    "draw pink": "'pink' cannot be drawn; draw deck, tickets, blue, green, black, purple, red, orange, ferry",
    "draw grey": "'grey' cannot be drawn",
    "draw " + "x" * 1000: f"'{'x' * 37}...' cannot be drawn",
    "claim": "a claim names a route and its payment, such as: claim castro-mission:1 green1",
    "claim castro-mission:1": "a claim names a route and its payment",
    "claim castro-mission:1 green1 ferry1 red1": "a claim names a route and its payment",
    "claim castro-mission:1 green": "'green' is no payment; write a card and how many, such as: orange1 ferry1",
    "claim castro-mission:1 green0": "'green0' is no payment",
    "claim castro-mission:1 green01": "'green01' is no payment",
    "claim castro-mission:1 green-1": "'green-1' is no payment",
    "claim castro-mission:1 green100": "'green100' is no payment",
    "claim castro-mission:1 green1.0": "'green1.0' is no payment",
    "claim castro-mission:1 green١": "'green١' is no payment",
    "claim castro-mission:1 grey1": "'grey1' is no payment",
    "claim castro-mission:1 1green": "'1green' is no payment",
    "claim castro-mission:1 green1 green1": "green stands twice in the payment",
    "claim castro-mission:1 ferry1 ferry1": "ferry stands twice in the payment",
    "claim castro-mission:1 green1 red1": "a payment has cards of one colour, and ferries",
    "keep": "write keep first, keep second, or keep both",
    "keep none": "'none' cannot be kept; keep first, second, or both",
    "keep first second": "write keep first",
    "token": "write token and a location, such as: token potrero_hill",
    "token potrero hill": "write token and a location",
    "place": "write place and a location, such as: place castro",
    "place castro mission": "write place and a location",
    "pass please": "write pass, and nothing after it",
}


@pytest.mark.parametrize("text", MALFORMED, ids=[text[:40] for text in MALFORMED])
def test_a_malformed_text_is_refused_in_useful_words(text: str) -> None:
    with pytest.raises(ActionError) as raised:
        parse_action(text)
    assert str(raised.value).startswith(MALFORMED[text])
    assert len(str(raised.value)) < 200


def test_what_is_no_text_is_no_action() -> None:
    with pytest.raises(ActionError, match="an action is read from a text, not from 3"):
        parse_action(3)  # type: ignore[arg-type]


# Nothing that is refused changes anything.

PHASES = ("keep_first_tickets", "turn", "second_card", "over")


@cache
def game_at(phase: str) -> Game:
    """A game that has come to this phase; tests must not play on with it, but with a copy."""
    game = Game("tiny", players=3, seed=1)
    if phase != "keep_first_tickets":
        game = first_turn("tiny" if phase == "over" else "san_francisco", players=2, seed=1)
    if phase == "second_card":
        game.play("draw deck")
    while phase == "over" and not game.over:
        game.play(game.legal_actions()[-1])
    return game


def everything(game: Game) -> tuple[bytes, str, str]:
    return game.position.snapshot(), repr(game.events), repr(game.actions)


def try_to_play(game: Game, action: Any) -> None:
    """Either it is carried out, or it is refused and nothing changes; `why_not` says the same beforehand."""
    before = everything(game)
    reason: object
    try:
        reason = game.why_not(action)
    except ActionError as error:
        reason = str(error)
    assert everything(game) == before
    trial = game.copy()
    try:
        trial.play(action)
    except IllegalAction as error:
        said, refused = str(error), error
        assert str(reason) == said
        assert refused.rule[0].isdigit()
    except ActionError as error:
        said = str(error)
        assert reason == said
    else:
        assert reason is None
        assert len(trial.actions) == len(game.actions) + 1
        return
    assert said
    assert everything(trial) == before


def test_the_games_are_at_the_phases_that_they_are_called_by() -> None:
    assert tuple(game_at(phase).phase for phase in PHASES) == PHASES


@pytest.mark.parametrize("phase", PHASES)
def test_every_action_is_carried_out_when_it_is_legal_and_refused_when_it_is_not(phase: str) -> None:
    game = game_at(phase)
    legal = set(game.legal_actions())
    for number, action in enumerate(board_actions(game.board)):
        assert (game.why_not(action) is None) == (action in legal)
        if number % 7 == 0 or action in legal:
            try_to_play(game, action)
            try_to_play(game, str(action))
            try_to_play(game, number)


@pytest.mark.parametrize("phase", PHASES)
@FUZZ
@given(text=st.text(max_size=30))
def test_any_text_is_carried_out_or_refused(phase: str, text: str) -> None:
    try_to_play(game_at(phase), text)


WORDS = sorted(
    {word for name in MAPS for action in board_actions(Board.load(name)) for word in str(action).split()}
    | {"ferry0", "blue99", "grey1", "deck1", "-1", "alcatraz-pier_39", "castro-mission", "Mission"}
)


@pytest.mark.parametrize("phase", PHASES)
@settings(FUZZ, max_examples=200)
@given(verb=st.sampled_from(["draw", "claim", "claim", "keep", "token", "place", "pass", "Claim"]), data=st.data())
def test_any_words_of_the_game_are_carried_out_or_refused(phase: str, verb: str, data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(WORDS), max_size=3))
    try_to_play(game_at(phase), " ".join([verb, *words]))


@pytest.mark.parametrize("phase", PHASES)
@FUZZ
@given(route=st.sampled_from(WORDS), colour=st.none() | st.sampled_from(CARDS), cards=st.integers(0, 4), data=st.data())
def test_any_claim_is_carried_out_or_refused(
    phase: str, route: str, colour: str | None, cards: int, data: st.DataObject
) -> None:
    ferries = data.draw(st.integers(0, 9))
    try:
        claim = Claim(route, colour, cards, ferries)
    except ActionError:
        assert cards + ferries == 0 or colour not in (COLOURS if cards else [None])
    else:
        try_to_play(game_at(phase), claim)


def test_a_number_that_no_action_has_is_no_action() -> None:
    game = game_at("turn")
    count = len(board_actions(game.board))
    for number in (-1, count, 2**63, -(2**70), np.int16(-1), np.uint64(2**64 - 1)):
        for refusing in (game.play, game.why_not):
            with pytest.raises(ActionError, match=f"actions are numbered from 0 to {count - 1}, not {number}"):
                refusing(number)
        try_to_play(game, number)


def test_a_number_of_numpy_is_as_good_as_one_of_python() -> None:
    game = game_at("turn").copy()
    game.play(np.int16(0))
    assert game.actions[-1] == Draw("deck")


@pytest.mark.parametrize(
    "action",
    [None, 1.0, b"draw deck", ["draw", "deck"], {"draw": "deck"}, ("draw", "deck"), Draw, np.bool_(True)],
    ids=repr,
)
def test_what_is_no_action_at_all_is_an_action_error(action: Any) -> None:
    game = game_at("turn").copy()
    before = everything(game)
    for refusing in (game.play, game.why_not):
        with pytest.raises(ActionError):
            refusing(action)
        assert everything(game) == before


WRONG: dict[str, Callable[[], Any]] = {
    "a list to draw": lambda: Draw(["blue"]),  # type: ignore[arg-type]
    "a colour that there is not": lambda: Draw("pink"),
    "nothing to keep": lambda: Keep(None),  # type: ignore[arg-type]
    "a number for a place": lambda: Token(7),  # type: ignore[arg-type]
    "a table for a place": lambda: Place({}),  # type: ignore[arg-type]
    "cards as a text": lambda: Claim("castro-mission:1", "green", "1", 0),  # type: ignore[arg-type]
    "no number of ferries": lambda: Claim("castro-mission:1", "green", 1, None),  # type: ignore[arg-type]
    "true for one": lambda: Claim("castro-mission:1", "green", True, 0),
    "a number for a route": lambda: Claim(7, "green", 1, 0),  # type: ignore[arg-type]
    "fewer cards than none": lambda: Claim("castro-mission:1", "green", 2, -1),
    "no cards": lambda: Claim("castro-mission:1", None, 0, 0),
    "cards without a colour": lambda: Claim("castro-mission:1", None, 1, 0),
    "a colour without cards": lambda: Claim("castro-mission:1", "green", 0, 1),
    "ferries as a colour": lambda: Claim("castro-mission:1", FERRY, 1, 0),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_action_cannot_be_made_of_what_makes_no_sense(wrong: str) -> None:
    with pytest.raises(ActionError) as raised:
        WRONG[wrong]()
    assert 10 < len(str(raised.value)) < 200


# Legal actions.


def test_legal_actions_are_found_by_value_text_and_number() -> None:
    game = Game(seed=7)
    actions: Any
    for actions in (game.legal_actions, game.legal_actions(), game.view(0).legal_actions):
        assert [action in actions for action in (Keep("both"), "keep both", "KEEP  both", np.int16(11), 11)] == [
            True
        ] * 5
        assert [action in actions for action in ("pass", "kep both", 0, -1, 10**9, None, True, 1.0)] == [False] * 8
        assert actions == tuple(map(parse_action, ("keep first", "keep second", "keep both")))
    actions = game.view(1).legal_actions
    assert "keep both" not in actions


def test_legal_actions_can_be_copied_and_pickled() -> None:
    view = Game("tiny", seed=7).view(0)
    for again in (pickle.loads(pickle.dumps(view.legal_actions)), copy.deepcopy(view.legal_actions)):
        assert again == view.legal_actions
        assert again.__contains__("keep both")


def test_a_claim_takes_whole_numbers_of_numpy() -> None:
    claim = Claim("a-b", "blue", np.int64(2), np.uint8(1))  # type: ignore[arg-type]
    assert claim == Claim("a-b", "blue", 2, 1)
    assert str(claim) == "claim a-b blue2 ferry1"
    assert type(claim.cards) is int
