"""Chapter 9: scoring."""

import pytest

from fogline import Game
from tests.arrange import arrange, claim, first_turn

rule = pytest.mark.rule


def tickets(game: Game, *names: str) -> int:
    """These tickets as a set."""
    return sum(1 << game.board.ticket_number[name] for name in names)


def finished(players: int = 2, *, points: list[int], kept: list[list[str]], tokens: list[int] | None = None) -> Game:
    """A game that has just ended with these points for routes; seat 0 has joined Pacific Heights and Pier 39."""
    game = first_turn(players=players)
    claim(game, 0, "lombard_street-pier_39")
    claim(game, 0, "pacific_heights-lombard_street")
    arrange(
        game,
        turn=players - 1,
        points=dict(enumerate(points)),
        tickets={seat: tickets(game, *names) for seat, names in enumerate(kept)},
        tokens={seat: (1 << count) - 1 for seat, count in enumerate(tokens or [0] * players)},
        turns_left=1,
        deck="blue6",
        display="red5",
    )
    game.play("draw red")
    game.play("draw red")
    assert game.over
    return game


@rule("9.1")
def test_completed_tickets_add_their_value_and_all_others_subtract_it() -> None:
    both = ["pacific_heights-pier_39", "alcatraz-sunset"]  # worth 3 and 11; seat 0 has completed the first
    game = finished(points=[3, 10], kept=[both, both])
    mine, others = game.scores()
    assert (mine.tickets, mine.completed, mine.failed) == (3 - 11, (both[0],), (both[1],))
    assert (others.tickets, set(others.completed), set(others.failed)) == (-3 - 11, set(), set(both))
    assert game.position.score.tolist()[:2] == [mine.total, others.total] == [3 + 3 - 11, 10 - 3 - 11]


@rule("9.2")
@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 6), (6, 9), (7, 12)])
def test_souvenirs_score_by_how_many_kinds_are_owned(count: int, points: int) -> None:
    game = finished(points=[0, 0], kept=[[], []], tokens=[count, 0])
    assert game.scores()[0].tokens == points
    assert game.position.score.tolist()[:2] == [points, 0]


@rule("9.3")
def test_most_points_win() -> None:
    assert finished(3, points=[10, 12, 11], kept=[[], [], []]).winners == [1]
    assert finished(3, points=[5, 5, 4], kept=[[], ["alcatraz-castro"], []]).winners == [0]


@rule("9.3")
def test_a_tie_goes_to_the_most_completed_tickets() -> None:
    completed, failed = "pacific_heights-pier_39", "haight_ashbury-pacific_heights"  # worth 3 each
    game = finished(points=[4, 7], kept=[[completed], []])
    assert [score.total for score in game.scores()] == [7, 7]
    assert game.winners == [0]
    game = finished(points=[4, 10], kept=[[completed], [failed]])
    assert [score.total for score in game.scores()] == [7, 7]
    assert game.winners == [0]


@rule("9.3")
def test_those_still_tied_share_the_victory() -> None:
    assert finished(3, points=[9, 9, 2], kept=[[], [], []]).winners == [0, 1]
    assert finished(4, points=[0, 0, 0, 0], kept=[[], [], [], []]).winners == [0, 1, 2, 3]


@rule("9.3")
def test_there_is_no_bonus_for_the_longest_line() -> None:
    game = finished(points=[20, 20], kept=[[], []])  # seat 0 owns a line of two routes, seat 1 none
    assert [score.total for score in game.scores()] == [20, 20]
    assert game.winners == [0, 1]
