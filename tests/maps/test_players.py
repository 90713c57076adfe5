"""Maps that are for fewer players than there are chairs."""

from collections.abc import Callable

import pytest

from fogline import Board, Game, RecordError, audit
from fogline.arena.entrant import parse_entrant
from fogline.arena.match import make_match
from fogline.batch import Batch
from fogline.batch.simulate import simulate
from fogline.envs.pettingzoo import env
from fogline.rules.state import BY_LAST_ROUND
from fogline.server.run import make_offer
from tests.program import Program


def test_two_can_play_on_it_to_the_last_round() -> None:
    assert simulate(Board.load("micro"), 2, games=300).ends[BY_LAST_ROUND] == 300


def test_three_cannot_play_on_a_map_for_two() -> None:
    words = "the map micro is for at most 2 players, not 3"
    board = Board.load("micro")
    makers: list[Callable[[], object]] = [
        lambda: Game("micro", players=3),
        lambda: Batch("micro", 3, 1),
        lambda: simulate(board, 3, 1),
        lambda: env("micro", players=3),
        lambda: make_match([parse_entrant("racer"), parse_entrant("random")], board, players=3, games=1, seed=0),
        lambda: make_offer([board]),
    ]
    for make in makers[:-1]:
        with pytest.raises(ValueError, match=words):
            make()
    with pytest.raises(ValueError, match="at most 2 players"):
        makers[-1]()
    record = Game("micro").record() | {"players": 3}
    with pytest.raises(RecordError, match="at most 2 players"):
        audit(record)


@pytest.mark.parametrize(
    "line", ["simulate -n 1 -p 3", "record - --seats racer,random,random", "arena racer random -p 3 -n 1"]
)
def test_a_command_for_three_refuses_a_map_for_two(fogline: Program, line: str) -> None:
    ran = fogline(f"{line} --map micro")
    assert (ran.code, ran.out) == (2, "")
    assert "micro is for at most 2 players" in ran.err
