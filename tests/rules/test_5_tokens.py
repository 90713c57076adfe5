"""Chapter 5: tourist tokens."""

import pytest

from fogline import Game, IllegalAction
from tests.arrange import arrange, claim, first_turn, kinds, texts

rule = pytest.mark.rule


def game_with(stacks: dict[str, str], tokens: int = 0) -> Game:
    """A first turn with these souvenirs alone on the board, two of each; `tokens` are the kinds that seat 0 owns."""
    game = first_turn(players=3)
    position = game.position
    position.souvenir[:], position.stack[:] = -1, 0
    for location, souvenir in stacks.items():
        position.souvenir[game.board.location_number[location]] = game.board.souvenirs.index(souvenir)
        position.stack[game.board.location_number[location]] = 2
    return arrange(game, tokens={0: tokens})


@rule("5.1")
@pytest.mark.parametrize("location", ["mission", "castro"])
def test_a_claim_brings_a_token_of_a_kind_not_owned_from_either_end(location: str) -> None:
    game = game_with({location: "crab"})
    events = claim(game, 0, "castro-mission:1")
    assert events[-1] == {"e": "token", "seat": 0, "location": location, "souvenir": "crab"}
    assert game.position.tokens_of(0) == ("crab",)
    assert game.position.stacks() == {location: ("crab", 1)}
    assert game.seat == 1


@rule("5.1")
def test_a_claim_far_from_any_token_brings_none() -> None:
    game = game_with({"sunset": "crab"})
    assert kinds(claim(game, 0, "castro-mission:1")) == ["claim"]


@rule("5.1")
def test_a_stack_that_is_used_up_brings_none() -> None:
    game = game_with({"castro": "crab"})
    claim(game, 0, "castro-mission:1")
    claim(game, 1, "castro-mission:2")
    assert game.position.stacks() == {"castro": ("crab", 0)}
    assert kinds(claim(game, 2, "castro-painted_ladies")) == ["claim"]
    assert game.position.tokens_of(2) == ()


@rule("5.2")
def test_between_two_tokens_the_player_chooses_one() -> None:
    for choice, souvenir in (("castro", "crab"), ("mission", "bell")):
        game = game_with({"castro": "crab", "mission": "bell"})
        assert kinds(claim(game, 0, "castro-mission:1")) == ["claim"]
        assert (game.seat, game.phase) == (0, "token")
        assert texts(game) == {"token castro", "token mission"}
        with pytest.raises(IllegalAction, match=r"5\.2"):
            game.play("token sunset")
        game.play(f"token {choice}")
        assert game.position.tokens_of(0) == (souvenir,)
        assert sum(count for _, count in game.position.stacks().values()) == 3
        assert game.seat == 1


@rule("5.2")
def test_one_owned_kind_leaves_no_choice() -> None:
    crab = 1 << first_turn().board.souvenirs.index("crab")
    game = game_with({"castro": "crab", "mission": "bell"}, tokens=crab)
    assert kinds(claim(game, 0, "castro-mission:1")) == ["claim", "token"]
    assert game.position.tokens_of(0) == ("bell", "crab")


@rule("5.3")
def test_taking_is_compulsory() -> None:
    game = game_with({"castro": "crab", "mission": "bell"})
    claim(game, 0, "castro-mission:1")
    for action in ("pass", "draw deck", "draw tickets"):
        with pytest.raises(IllegalAction, match=r"5\.2"):
            game.play(action)


@rule("5.4")
def test_nobody_owns_two_of_a_kind() -> None:
    game = game_with({"castro": "crab"})
    claim(game, 0, "castro-mission:1")
    assert kinds(claim(game, 0, "castro-painted_ladies")) == ["claim"]
    assert game.position.tokens_of(0) == ("crab",)
    assert game.position.stacks() == {"castro": ("crab", 1)}


@rule("5.4")
def test_tokens_are_public() -> None:
    game = game_with({"castro": "crab"})
    claim(game, 0, "castro-mission:1")
    for seat in (0, 1, 2, None):
        assert game.view(seat).seats[0].tokens == ("crab",)
        assert game.view(seat).stacks["castro"] == ("crab", 1)
