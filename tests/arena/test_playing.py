"""The games of a match: the same compiled and by views, and every fault of a player is told."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from fogline.arena.faults import ArenaError
from fogline.arena.match import Match, player_seed
from fogline.arena.playing import is_compiled, piece_size, play, play_by_views, play_compiled, prepare
from fogline.game.game import Game
from tests.arena.arrange import FIRST, match_of, same_games, write_player


@pytest.mark.parametrize("board", ["tiny", "dead_end", "san_francisco"])
@pytest.mark.parametrize("names", [("planner", "random"), ("racer", "planner", "random")], ids=",".join)
def test_compiled_games_are_those_that_are_played_by_views(names: tuple[str, ...], board: str) -> None:
    match = match_of(*names, games=12, board=board)
    compiled, by_views = play_compiled(match, 0, match.games), play_by_views(match, 0, match.games)
    assert same_games(compiled, by_views)
    assert len(np.unique(compiled["routes"], axis=0)) > 1


def test_one_among_three_plays_the_same_games_compiled_and_by_views() -> None:
    match = match_of("racer", "random", players=4, games=8, board="san_francisco")
    assert same_games(play_compiled(match, 3, 8), play_by_views(match, 3, 8))


def test_any_stretch_of_a_match_has_the_same_games() -> None:
    for match in (match_of("racer", "random", games=20), match_of("search@2", "random", games=8)):
        whole = play(match, 0, match.games)
        parts = np.concatenate([play(match, 0, 3), play(match, 3, 4), play(match, 4, match.games)])
        assert same_games(whole, parts)


def test_another_seed_plays_other_games() -> None:
    first, second = (play(match_of("racer", "random", games=20, seed=seed), 0, 20) for seed in (1, 1000))
    assert not same_games(first, second)


def test_a_game_depends_on_its_seed_and_its_seating_alone() -> None:
    """Block 3 of a match is block 0 of the one that begins there."""
    first, later = match_of("racer", "random", games=10, seed=5), match_of("racer", "random", games=2, seed=8)
    assert same_games(play(first, 6, 8), play(later, 0, 2))


def test_turns_are_those_of_the_events() -> None:
    """Turns alternate, so one ends where the seat changes."""
    match = match_of("search@2", "random", games=6)
    for number in range(match.games):
        events = [event for event in replayed(match, number).events if event["e"] in ("draw", "claim", "offer", "pass")]
        turns = len(list(groupby(event["seat"] for event in events[match.players :])))  # after the first offers
        assert play(match, number, number + 1)["turns"].tolist() == [turns]


def replayed(match: Match, number: int) -> Game:
    entrants = [match.entrants[entrant] for entrant in match.seating(number)]
    seed = match.game_seed(number)
    players = [entrant.make(player_seed(entrant, seed, seat)) for seat, entrant in enumerate(entrants)]
    game = Game(match.board, players=match.players, seed=seed)
    while not game.over:
        game.play(players[game.seat].choose(game.view(game.seat)))
    return game


def test_decisions_are_counted_and_timed_by_seat() -> None:
    outcomes = play(match_of("search@2", "random", games=4), 0, 4)
    assert outcomes["decisions"].sum(axis=1).tolist() == outcomes["actions"].tolist()
    assert (outcomes["seconds"] > 0).all()


def test_only_matches_of_compiled_players_are_played_compiled(tmp_path: Path) -> None:
    assert is_compiled(match_of("planner", "racer"))
    assert not is_compiled(match_of("planner", "search@2"))
    assert not is_compiled(match_of("planner", f"{write_player(tmp_path)}:First"))
    assert piece_size(match_of("planner", "search@2")) == 1 < piece_size(match_of("planner", "racer"))


def test_a_match_is_prepared_without_playing_any_of_it(tmp_path: Path) -> None:
    text = FIRST.replace("return view.legal_actions[0]", "raise AssertionError('not yet')")
    prepare(match_of("racer", f"{write_player(tmp_path, text)}:First"))
    prepare(match_of("racer", "random"))


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("return None", "first failed in seat {seat} of the game of 2 with seed 5, action {seat}: ActionError"),
        ("return 'pass'", "IllegalAction: 2.5 first keep one or both of the tickets offered"),
        ("return 1 / 0", "ZeroDivisionError: division by zero (mine.py:9)"),
        ("return view.no_such_field", "AttributeError"),
    ],
)
def test_a_player_that_fails_is_told_of_with_its_game(tmp_path: Path, choice: str, words: str) -> None:
    file = write_player(tmp_path, FIRST.replace("return view.legal_actions[0]", choice))
    for seat, names in enumerate(((f"{file}:First", "random"), ("random", f"{file}:First"))):
        with pytest.raises(ArenaError) as failed:
            play(match_of(*names), 0, 1)
        assert words.format(seat=seat) in str(failed.value)
