"""Golden records: whole games, stored as data."""

import json
from typing import Any

import pytest

from fogline import Game, audit, read_records
from fogline.game.record import replay
from tests.boards import load_board
from tests.golden import FILE, GAMES
from tests.policies import play_out

RECORDS = list(read_records(FILE))
NAMES = [f"{record['map']}-{record['players']}-{record['seed']}" for record in RECORDS]


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_a_golden_record_breaks_no_rule(record: dict[str, Any]) -> None:
    found = audit(record, load_board(record["map"]))
    assert found.finished
    assert found.from_seed


@pytest.mark.parametrize("record", RECORDS, ids=NAMES)
def test_seed_and_decisions_give_the_golden_record_again(record: dict[str, Any]) -> None:
    board = load_board(record["map"])
    again = Game(board, players=record["players"], seed=int(record["seed"], 16))
    for action in replay(record, board).actions:
        again.play(str(action))
    assert json.dumps(again.record()) == json.dumps(record)


@pytest.mark.parametrize(("game", "record"), list(zip(GAMES, RECORDS, strict=True)), ids=NAMES)
def test_the_policies_of_the_golden_games_choose_as_before(game: tuple[str, int, int], record: dict[str, Any]) -> None:
    name, players, seed = game
    assert play_out(Game(load_board(name), players=players, seed=seed), seed).record() == record


def test_golden_games_end_in_both_ways_and_meet_every_kind_of_event() -> None:
    events = [event for record in RECORDS for event in record["events"]]
    assert {event["reason"] for event in events if event["e"] == "end"} == {"last_round", "stuck"}
    assert len({event["e"] for event in events}) == 14
