"""Games that are compared, taken back, and written as a text."""

import copy
import random

import pytest

from fogline import Board, Game, IllegalAction
from fogline.fairness.deal import deal_fairly, play_fairly
from fogline.game.record import replay
from tests.arrange import arrange, dealt, first_turn
from tests.boards import BOARDS, load_board
from tests.fairness.test_fairness import fairness_of
from tests.policies import play_out
from tests.seeds import seeds


def wander(game: Game, seed: int, steps: int = 60) -> Game:
    """Random play, with a new seed for chance now and then."""
    generator = random.Random(seed)
    for _ in range(steps):
        if game.over:
            break
        if generator.random() < 0.1:
            game.reseed(generator.getrandbits(64))
        game.play(generator.choice(game.legal_actions))
    return game


# To compare.


def test_games_are_equal_while_nothing_tells_them_apart() -> None:
    first, second = Game(players=3, seed=7), Game(players=3, seed=7)
    assert first == second
    first.play("keep both")
    assert first != second
    second.play("keep both")
    assert first == second == copy.copy(first)


def test_what_nobody_sees_yet_makes_games_differ() -> None:
    game = first_turn()
    other = game.copy()
    other.reseed(1)
    assert game.events == other.events
    assert game != other


def test_a_game_equals_nothing_else_and_has_no_hash() -> None:
    assert Game(seed=1) != 1
    assert Game(seed=1).position != b""
    with pytest.raises(TypeError):
        hash(Game(seed=1))


def test_a_map_that_is_read_twice_is_the_same_map() -> None:
    source = load_board("tiny").map_file
    assert Game(Board(source), seed=1) == Game(Board(source), seed=1)
    assert Game("tiny", seed=1) != Game("san_francisco", seed=1)


# To take back.


@pytest.mark.parametrize("name", BOARDS)
def test_a_game_can_be_taken_back_to_its_deal(name: str) -> None:
    for seed in seeds(2):
        game = Game(load_board(name), players=2 + seed % 3, seed=seed)
        before = [game.copy()]
        generator = random.Random(seed)
        while not game.over and len(game.actions) < 25:
            game.play(generator.choice(game.legal_actions))
            before.append(game.copy())
        position = game.position
        while game.actions:
            last = before.pop().actions[-1]
            assert game.undo() == last
            assert game == before[-1]
        assert game.position is position


def test_chance_brings_the_same_again_after_undo() -> None:
    game = wander(Game(players=3, seed=5), 1)
    action = game.undo()
    again = game.copy()
    assert game.play(action) == again.play(action)
    game.undo()
    game.reseed(99)
    game.play(game.legal_actions[0])
    game.undo()
    assert len(game.actions) == len(again.actions) - 1


def test_the_end_of_a_game_can_be_taken_back() -> None:
    game = play_out(Game("tiny", seed=3), 1)
    game.undo()
    assert not game.over
    assert "winners" not in game.record()


def test_nothing_can_be_taken_back_at_the_deal() -> None:
    with pytest.raises(ValueError, match="no action"):
        Game(seed=1).undo()


def test_a_position_that_somebody_wrote_into_cannot_be_taken_back_and_stays() -> None:
    game = arrange(first_turn(), hands={0: "blue3"})
    game.play("draw deck")
    before = game.position.snapshot()
    with pytest.raises(ValueError, match="written into"):
        game.undo()
    with pytest.raises(ValueError, match="written into"):
        game.to_text()
    assert game.position.snapshot() == before


# As a text.


@pytest.mark.parametrize("name", BOARDS)
def test_a_text_gives_the_same_game_hidden_cards_and_all(name: str) -> None:
    board = load_board(name)
    for seed in seeds(6):
        game = wander(Game(board, players=2 + seed % 3, seed=seed), seed, steps=seed % 80)
        again = Game.from_text(game.to_text(), board)
        assert again == game
        assert again.actions == game.actions
        assert again.to_text() == game.to_text()
        assert wander(again, 1) == wander(game, 1)


def test_cards_that_somebody_else_dealt_are_in_the_text() -> None:
    source = fairness_of(2, 1, "san_francisco")
    game = deal_fairly(Board.load(), 2, source)
    generator = random.Random(1)
    for _ in range(40):
        play_fairly(game, generator.choice(game.legal_actions), source)
    assert Game.from_text(game.to_text()) == game
    told = replay(game.record())
    assert Game.from_text(told.to_text()) == told
    forced = dealt(["ferry", "ferry", "ferry", "blue"])
    assert Game.from_text(forced.to_text()) == forced


def test_a_text_is_one_line_and_short() -> None:
    text = play_out(Game(players=4, seed=1), 1).to_text()
    assert text.isprintable()
    assert len(text) < 1500


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "begins with"),
        ("fogline-position/2 tiny 2 0x1", "begins with"),
        ("fogline-position/1 nowhere:00000000 2 0x1", "give its board"),
        ("fogline-position/1 tiny:00000000 2 0x1", "another map"),
        ("{} 5 0x1", "2 to 4 players"),
        ("{} 2 -1", "where a number belongs"),
        ("{} 2 0x11111111111111111", "where a number belongs"),
        ("{} 2 0x1 nine", "where a number belongs"),
        ("{} 2 0x1 9:pink", "where cards belong"),
        ("{} 2 0x1 9:" + "+".join(["blue"] * 65), "where cards belong"),
        ("{} 2 0x1 tickets:1+2", "names each ticket once"),
        ("{} 2 0x1 500", "numbered from 0"),
    ],
)
def test_a_text_that_is_none_says_what_is_wrong(text: str, complaint: str) -> None:
    head = " ".join(Game("tiny", seed=1).to_text().split()[:2])
    with pytest.raises(ValueError, match=complaint):
        Game.from_text(text.format(head))


def test_a_text_with_an_illegal_action_names_the_rule() -> None:
    with pytest.raises(IllegalAction, match=r"2\.5"):
        Game.from_text(Game(seed=1).to_text() + " 0")
