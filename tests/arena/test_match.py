"""Matches: one seed a block, every distinct seating once, whole blocks alone."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from fogline.arena.entrant import parse_entrant
from fogline.arena.faults import ArenaError
from fogline.arena.match import player_seed
from tests.arena.arrange import FIRST, match_of, write_player


def seatings(*names: str, players: int) -> set[tuple[str, ...]]:
    match = match_of(*names, players=players)
    found = [tuple(match.labels[entrant] for entrant in seating) for seating in match.seatings]
    assert len(set(found)) == len(found)
    return set(found)


def test_as_many_players_as_seats_sit_in_every_order() -> None:
    for names in (["racer", "random"], ["racer", "random", "planner"], ["racer", "random", "planner", "search"]):
        assert seatings(*names, players=len(names)) == set(permutations(names))


@pytest.mark.parametrize("players", [3, 4])
def test_of_two_players_the_first_has_one_seat_and_the_second_all_others(players: int) -> None:
    expected = {("random",) * seat + ("racer",) + ("random",) * (players - 1 - seat) for seat in range(players)}
    assert seatings("racer", "random", players=players) == expected


def test_a_player_may_be_named_twice_among_others() -> None:
    assert seatings("racer", "racer", "random", players=3) == set(permutations(["racer", "racer", "random"]))
    assert len(seatings("racer", "racer", "random", "random", players=4)) == 6


@pytest.mark.parametrize(("games", "blocks"), [(1, 1), (6, 1), (7, 2), (12, 2), (13, 3)])
def test_games_are_rounded_up_to_whole_blocks(games: int, blocks: int) -> None:
    match = match_of("racer", "random", "planner", games=games)
    assert (match.blocks, match.games) == (blocks, 6 * blocks)


def test_the_games_of_a_block_share_a_seed_and_the_next_block_has_the_next() -> None:
    match = match_of("racer", "random", games=6, seed=2**64 - 2)
    assert [match.game_seed(game) for game in range(6)] == [2**64 - 2, 2**64 - 2, 2**64 - 1, 2**64 - 1, 0, 0]
    assert [match.seating(game) for game in range(4)] == [[0, 1], [1, 0], [0, 1], [1, 0]]


def test_a_players_seed_depends_on_the_game_the_seat_and_the_name_alone() -> None:
    racer, random = parse_entrant("racer"), parse_entrant("random")
    seeds = {player_seed(who, game, seat) for who in (racer, random) for game in (1, 2) for seat in (0, 1)}
    assert len(seeds) == 8
    assert player_seed(parse_entrant("search@10"), 3, 1) == player_seed(parse_entrant("search@20"), 3, 1)
    assert player_seed(racer, 3, 1) == 16676936597536334109  # for ever: stored results depend on it


def test_a_match_needs_two_different_players(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="racer cannot play a match against itself"):
        match_of("racer", "racer")
    with pytest.raises(ArenaError, match="4 players: name two, or 4, not 3"):
        match_of("racer", "random", "planner", players=4)
    namesake = FIRST.replace('"first"', '"racer"')
    with pytest.raises(ArenaError, match="two different players are both called 'racer'"):
        match_of("racer", f"{write_player(tmp_path, namesake)}:First")
