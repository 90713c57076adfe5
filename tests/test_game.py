"""One game at the prompt."""

import numpy as np
import pytest

from fogline import ActionError, Draw, Game, IllegalAction
from tests.arrange import first_turn
from tests.policies import play_out


def test_actions_are_values_texts_or_numbers() -> None:
    games = [first_turn() for _ in range(4)]
    for game, action in zip(games, [Draw("deck"), "draw deck", 0, np.int16(0)], strict=True):
        game.play(action)  # type: ignore[arg-type]
    assert len({game.position.snapshot() for game in games}) == 1
    assert {str(game.actions[-1]) for game in games} == {"draw deck"}


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    first, again, other = (play_out(Game(players=3, seed=seed), 1).record() for seed in (5, 5, 6))
    assert first == again
    assert first["events"] != other["events"]


def test_without_a_seed_games_differ() -> None:
    assert len({Game().seed for _ in range(20)}) == 20


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_has_64_bits(seed: int) -> None:
    with pytest.raises(ValueError, match="seed"):
        Game(seed=seed)


def test_play_returns_what_happened_and_the_game_remembers_it() -> None:
    game = first_turn()
    before = len(game.events)
    events = game.play("draw deck")
    assert events == game.events[before:]
    assert events[0]["e"] == "draw"


def test_an_illegal_action_names_its_rule_and_changes_nothing() -> None:
    game = first_turn()
    before = (game.position.snapshot(), list(game.events), list(game.actions))
    with pytest.raises(IllegalAction, match=r"^8\.3 passing is legal only when") as caught:
        game.play("pass")
    assert caught.value.rule == "8.3"
    assert (game.position.snapshot(), game.events, game.actions) == before


@pytest.mark.parametrize("action", ["", "jump", "draw", "draw pink", 340, -1])
def test_what_is_no_action_is_refused(action: str | int) -> None:
    game = first_turn()
    before = game.position.snapshot()
    with pytest.raises(ActionError):
        game.play(action)
    assert game.position.snapshot() == before


def test_why_not_is_none_for_a_legal_action() -> None:
    game = first_turn()
    assert game.why_not("draw deck") is None
    assert str(game.why_not("claim nowhere-castro blue1")).startswith("1.1 there is no route 'nowhere-castro'")
    assert "did you mean castro-mission:1" in str(game.why_not("claim castro-missoin:1 blue1"))


def test_a_copy_goes_its_own_way() -> None:
    game = first_turn()
    other = game.copy()
    other.play("draw deck")
    assert len(game.actions) == len(other.actions) - 1
    assert game.position.snapshot() != other.position.snapshot()
    game.play("draw deck")
    assert game.position.snapshot() == other.position.snapshot()


def test_a_new_seed_changes_what_is_still_to_come() -> None:
    futures = set()
    for seed in range(20):
        game = first_turn()
        game.reseed(seed)
        futures.add(tuple(game.play("draw deck")[0]["card"] for _ in range(2)))
    assert len(futures) > 5
    again = first_turn()
    again.reseed(3)
    same = first_turn()
    same.reseed(3)
    assert again.play("draw deck") == same.play("draw deck")


def test_printing_a_game_shows_the_table() -> None:
    game = first_turn(players=3)
    text = str(game)
    assert "San Francisco, 3 players, seat 0 to decide: turn" in text
    assert all(ticket in text for ticket in game.position.tickets_of(2))
    assert repr(game) == "<Game san_francisco: 3 players, seed 0x1, 5 actions, turn>"
    play_out(game, 1)
    assert "won by seat" in str(game)


def test_there_are_no_winners_before_the_end() -> None:
    game = first_turn()
    assert game.winners == []
    assert "winners" not in game.record()
    assert play_out(game, 1).winners
    assert game.legal_actions() == []
    assert not game.legal_mask().any()
