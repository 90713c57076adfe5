"""Chapter 7: the end."""

import pytest

from fogline import Game, IllegalAction
from tests.arrange import arrange, claim, first_turn, kinds

rule = pytest.mark.rule
PLAYERS = pytest.mark.parametrize("players", [2, 3, 4])


def draw_turn(game: Game) -> None:
    """A turn of drawing, with nothing special on the table."""
    arrange(game, deck="blue6", display="red5", discard="")
    game.play("draw red")
    game.play("draw red")


@rule("7.1")
@PLAYERS
@pytest.mark.parametrize(("cars", "begins"), [(5, False), (4, True), (3, True), (2, True)])
def test_a_turn_that_ends_with_two_cars_or_fewer_begins_the_last_round(players: int, cars: int, begins: bool) -> None:
    game = arrange(first_turn(players=players), cars={0: cars})
    events = claim(game, 0, "haight_ashbury-twin_peaks")  # 2 spaces
    assert (events[-1] == {"e": "last_round", "seat": 0}) is begins
    assert game.view(None).turns_left == (players if begins else None)


@rule("7.1")
@PLAYERS
@pytest.mark.parametrize("who", [0, 1])
def test_everyone_has_one_more_turn_and_the_one_who_began_it_is_last(players: int, who: int) -> None:
    game = arrange(first_turn(players=players), cars={who: 4})
    claim(game, who, "haight_ashbury-twin_peaks")
    seats = []
    while not game.over:
        seats.append(game.seat)
        draw_turn(game)
    assert seats == [(who + 1 + n) % players for n in range(players)]
    assert game.events[-1] == {"e": "end", "reason": "last_round"}


@rule("7.1")
def test_the_last_round_begins_after_the_token() -> None:
    game = arrange(first_turn(), cars={0: 4})
    events = claim(game, 0, "mission-potrero_hill:1")
    assert kinds(events) == ["claim", "token", "last_round"]


@rule("7.1")
def test_nothing_follows_the_end() -> None:
    game = arrange(first_turn(), cars={0: 4})
    claim(game, 0, "haight_ashbury-twin_peaks")
    draw_turn(game)
    draw_turn(game)
    assert game.over
    assert game.legal_actions == ()
    before = game.position.snapshot()
    for action in ("draw deck", "pass", "draw tickets", "keep first"):
        with pytest.raises(IllegalAction, match=r"7\.1 the game is over"):
            game.play(action)
    assert game.position.snapshot() == before


@rule("7.2")
def test_nothing_starts_the_last_round_again() -> None:
    game = arrange(first_turn(players=3), cars={0: 4, 1: 4, 2: 4})
    claim(game, 0, "haight_ashbury-twin_peaks")
    for seat, route in ((1, "castro-painted_ladies"), (2, "painted_ladies-mission"), (0, "twin_peaks-castro")):
        assert game.seat == seat
        assert "last_round" not in kinds(claim(game, seat, route))
    assert game.over
