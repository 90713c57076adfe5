"""Chapter 8: being stuck."""

import pytest

from fogline import Game, IllegalAction
from fogline.envs.bounds import most_actions
from tests.arrange import arrange, first_turn, kinds, texts
from tests.boards import BOARDS, load_board
from tests.policies import play_out
from tests.seeds import seeds

rule = pytest.mark.rule
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def bare(players: int = 2, **fields: object) -> Game:
    """A first turn with nothing left: no cards anywhere, no tickets, empty hands."""
    hands = dict.fromkeys(range(players), "")
    nothing = {"deck": "", "discard": "", "display": "", "ticket_count": 0, "hands": hands}
    return arrange(first_turn(players=players), **{**nothing, **fields})  # type: ignore[arg-type]


@rule("8.1")
def test_with_deck_and_discard_pile_empty_cards_come_from_the_display_alone() -> None:
    game = bare(display="red2 ferry1")
    assert texts(game) == {"draw red", "draw ferry"}
    with pytest.raises(IllegalAction, match=r"8\.1"):
        game.play("draw deck")


@rule("8.2")
def test_a_player_who_can_only_draw_tickets_must_do_so() -> None:
    game = bare(ticket_count=2)
    assert texts(game) == {"draw tickets"}
    with pytest.raises(IllegalAction, match=r"8\.3"):
        game.play("pass")


@rule("8.2")
def test_a_player_who_can_only_claim_must_do_so() -> None:
    game = bare(hands={0: "black1", 1: ""})
    assert texts(game) > set()
    assert all(text.startswith("claim ") for text in texts(game))
    with pytest.raises(IllegalAction, match=r"8\.3"):
        game.play("pass")


@rule("8.3")
def test_a_player_with_no_possible_action_passes() -> None:
    game = bare(players=3)
    assert texts(game) == {"pass"}
    assert game.play("pass") == [{"e": "pass", "seat": 0}]
    assert game.seat == 1


@rule("8.4")
@PLAYERS
def test_the_game_ends_when_every_player_in_succession_has_passed(players: int) -> None:
    game = bare(players=players)
    for seat in range(players - 1):
        assert kinds(game.play("pass")) == ["pass"]
        assert game.seat == seat + 1
    assert game.play("pass") == [{"e": "pass", "seat": players - 1}, {"e": "end", "reason": "stuck"}]
    assert game.over
    assert [score.total for score in game.scores()] == [int(score) for score in game.position.score[:players]]


@rule("8.4")
@pytest.mark.parametrize("action", ["draw red", "draw tickets", "claim lombard_street-pier_39 red1"])
def test_any_other_action_breaks_the_succession(action: str) -> None:
    game = bare()
    game.play("pass")
    if action == "draw red":
        arrange(game, display="red1")
    elif action == "draw tickets":
        arrange(game, ticket_count=1)
    else:
        arrange(game, hands={1: "red1"})
    game.play(action)
    if game.phase == "keep_tickets":
        game.play("keep first")
    arrange(game, turn=0, deck="", display="", discard="", ticket_count=0)
    assert kinds(game.play("pass")) == ["pass"]


@rule("8.4", "7.1")
def test_a_last_round_of_passes_is_a_last_round() -> None:
    game = bare(turns_left=2)
    game.play("pass")
    assert game.play("pass")[-1] == {"e": "end", "reason": "last_round"}


@rule("8.5")
@PLAYERS
@pytest.mark.parametrize("board", BOARDS)
def test_every_game_ends_within_the_bound(board: str, players: int) -> None:
    for seed in seeds(60):
        game = play_out(Game(load_board(board), players=players, seed=seed), seed)
        assert game.over
        assert len(game.actions) <= most_actions(game.board, players)


@rule("8.5")
@PLAYERS
def test_a_game_in_which_nobody_ever_claims_unless_forced_ends(players: int) -> None:
    for seed in seeds(5):
        game = Game(players=players, seed=seed)
        while not game.over:
            game.play(game.legal_actions()[0])  # claims come last in the order of the numbers
        assert len(game.actions) <= most_actions(game.board, players)


@rule("8.3", "8.4")
@PLAYERS
def test_games_really_get_stuck_on_a_board_that_nobody_can_pay_for(players: int) -> None:
    games = [play_out(Game(load_board("dead_end"), players=players, seed=seed), seed) for seed in seeds(40)]
    stuck = [game for game in games if game.events[-1]["reason"] == "stuck"]
    assert stuck
    for game in stuck:
        assert kinds(game.events)[-players - 1 :] == ["pass"] * players + ["end"]
