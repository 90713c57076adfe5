"""One game at the prompt."""

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from fogline import ActionError, Draw, Game, IllegalAction, MapError, RecordError
from tests.arrange import first_turn
from tests.policies import play_out
from tests.seeds import seeds


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


@pytest.mark.parametrize("seed", [-1, 2**64, 7.0, True, "7"])
def test_a_seed_has_64_bits(seed: int) -> None:
    with pytest.raises(ValueError, match="seed"):
        Game(seed=seed)
    with pytest.raises(ValueError, match="seed"):
        first_turn().reseed(seed)


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


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_games_can_be_copied_and_sent_in_every_usual_way(again: Callable[[Game], Game]) -> None:
    game = play_out(first_turn(), 1) if again is copy.copy else first_turn()
    other = again(game)
    assert other.record() == game.record()
    if not other.over:
        before = game.position.snapshot()
        assert other.play("draw deck")
        assert game.position.snapshot() == before != other.position.snapshot()
        assert game.play("draw deck") == other.events[-1:]


def test_errors_can_be_sent_between_processes() -> None:
    game = first_turn()
    with pytest.raises(IllegalAction) as caught:
        game.play("pass")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    for error in (MapError("map", ["one", "two"]), RecordError("wrong", event=3, rule="3.7")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))


def test_what_is_done_to_returned_events_does_not_reach_the_game() -> None:
    game = first_turn()
    before = game.record()
    for events in (game.copy().events, game.record()["events"], game.copy().play("draw deck")):
        for event in events:
            event.clear()
    assert game.record() == before


def test_an_action_out_of_turn_is_refused_and_tells_nothing_of_the_acting_hand() -> None:
    game = first_turn()
    before = game.position.snapshot()
    assert str(game.why_not("claim union_square-mission black3", seat=1)) == "3.1 seat 0 must decide, not seat 1"
    with pytest.raises(IllegalAction, match=r"3\.1 seat 0 must decide, not seat 1"):
        game.play("draw deck", seat=1)
    assert game.position.snapshot() == before
    assert game.why_not("draw deck", seat=0) is None
    assert game.play("draw deck", seat=0)


def test_a_position_takes_only_bytes_of_its_size() -> None:
    with pytest.raises(ValueError, match="bytes"):
        first_turn().position.restore(b"\x01")


def test_a_new_seed_changes_what_is_still_to_come() -> None:
    futures = set()
    for seed in seeds(20):
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
    assert repr(game) == "<Game san_francisco: 3 players, 5 actions, turn>"
    play_out(game, 1)
    assert "won by seat" in str(game)


def test_there_are_no_winners_before_the_end() -> None:
    game = first_turn()
    assert game.winners == []
    assert "winners" not in game.record()
    assert play_out(game, 1).winners
    assert game.legal_actions == ()
    assert not game.legal_mask().any()
