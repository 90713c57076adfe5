"""Series of games: the same by every way of playing them, and each style as it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fogline.arena.pool import open_pool
from fogline.game.actions import Keep
from fogline.game.game import Game
from fogline.knowledge.seat_state import seat_state_of
from fogline.maps.mapfile import SET_ASIDE
from fogline.players.player import PLAYERS, player_seed
from research.study import workers
from research.study.series import RANDOM_PLACES, Series, _play_by_seat_state, _play_by_view, free_locations, play
from research.study.style import ENOUGH_TICKETS, STYLES, Mind, keep_one
from research.study.workers import Workers, gather_workers, piece_size
from tests.research.study.arrange import BOARD
from tests.seeds import seeds
from tests.tier import pick

PLANNERS = Series(BOARD, ("planner", "planner"), 4, 3)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_is_the_same_compiled_by_seat_states_and_by_views(players: int) -> None:
    series = replace(PLANNERS, seats=("planner", "racer", "dreamer", "random")[:players])
    compiled = play(series, 0, 4)
    for number in range(4):
        expected = compiled[number : number + 1].tobytes()
        assert _play_by_seat_state(series, number).tobytes() == expected
        assert _play_by_view(series, number).tobytes() == expected


def test_a_game_has_the_series_seed_and_its_own_number() -> None:
    later = replace(PLANNERS, seed=PLANNERS.seed + 2)
    assert (play(PLANNERS, 2, 4) == play(later, 0, 2)).all()
    assert replace(PLANNERS, seed=2**64 - 1).game_seed(1) == 0


def test_only_players_without_habits_who_place_as_they_wish_are_played_without_python() -> None:
    assert PLANNERS.compiled
    assert not replace(PLANNERS, places=RANDOM_PLACES).compiled
    assert not replace(PLANNERS, seats=("keeps one", "planner")).compiled
    assert replace(PLANNERS, seats=("keeps one", "planner")).styled
    assert not replace(PLANNERS, seats=("search@10", "planner")).styled


def test_every_compiled_player_is_a_style() -> None:
    compiled = {name for name, player in PLAYERS.items() if hasattr(player, "policy")}
    assert {name for name, style in STYLES.items() if style.habit is None} == compiled


def test_seat_1_places_where_the_series_says() -> None:
    pair = (free_locations(BOARD)[3], free_locations(BOARD)[7])
    records = play(replace(PLANNERS, places=pair), 0, 4)
    assert [np.flatnonzero(one).tolist() for one in placed(records)] == [sorted(pair)] * 4


def test_random_places_are_two_differ_by_game_and_are_no_landmarks() -> None:
    found = placed(play(replace(PLANNERS, places=RANDOM_PLACES, games=12), 0, 12))
    assert (found.sum(axis=1) == 2).all()
    assert len({one.tobytes() for one in found}) > 6
    assert not found[:, [location.landmark for location in BOARD.locations]].any()


def placed(records: np.ndarray) -> np.ndarray:
    return np.asarray(records["souvenir"] >= len(BOARD.souvenirs) - SET_ASIDE)


@pytest.mark.parametrize(("style", "least", "most"), [("keeps one", 1, 2), ("keeps both", 2, 6), ("draws more", 3, 6)])
def test_a_habit_shows_in_the_tickets_of_its_seat(style: str, least: int, most: int) -> None:
    records = play(replace(PLANNERS, seats=(style, "planner")), 0, 4)
    held = np.bitwise_count(records["tickets"][:, 0])
    assert (held >= least).all()
    assert (held <= most).all()
    assert ENOUGH_TICKETS == 3


def test_the_ticket_that_is_kept_alone_is_the_one_that_promises_more() -> None:
    """Where the planner itself keeps one, it is the same one."""
    agreed = 0
    for seed in seeds(20):
        game = Game(BOARD, seed=seed)
        view = game.view(0)
        own = PLAYERS["planner"](seed).choose(view)
        alone = keep_one(Mind(BOARD, STYLES["planner"].policy, seed), seat_state(game))
        if own != Keep("both"):
            assert alone == view.legal_actions.index(own) + min(game.legal_numbers())
            agreed += 1
    assert agreed > 10


def seat_state(game: Game) -> np.ndarray:
    return seat_state_of(game.view(game.seat))


def test_players_that_search_play_by_views_and_the_same_again() -> None:
    series = Series(BOARD, ("search@10", "search@10"), 1, 8)
    assert (play(series, 0, 1) == play(series, 0, 1)).all()
    assert series.player_seeds(0) == [player_seed(8, 0), player_seed(8, 1)]


def test_workers_play_all_games_in_order_whoever_is_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_COMPILED_PIECE", 3)
    series = replace(PLANNERS, games=10)
    heard: list[int] = []
    with gather_workers(1, heard.append) as alone:
        expected = alone.play(series)
    assert heard == [3, 3, 3, 1]
    assert (expected == play(series, 0, 10)).all()
    with open_pool(pick(1, 2)) as pool:  # processes take seconds to start
        assert (Workers(pool, heard.append).play(series) == expected).all()


def test_slow_games_come_back_one_by_one() -> None:
    assert piece_size(PLANNERS) > piece_size(replace(PLANNERS, places=RANDOM_PLACES)) > 1
    assert piece_size(replace(PLANNERS, seats=("search@10", "planner"))) == 1
