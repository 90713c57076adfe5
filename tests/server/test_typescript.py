"""The types for TypeScript are those of the server, and so are the forms of events."""

from __future__ import annotations

import json
import re
import typing
from typing import Any

import pytest

from fogline.game.game import Game
from fogline.game.recordfile import _EVENT_KEYS
from fogline.maps.mapfile import CARDS
from fogline.rules.state import END_REASONS
from fogline.server.refused import STATUS
from fogline.server.wire import eventforms, wire
from fogline.server.wire.eventforms import GAME_EVENT
from fogline.server.wire.typescript import TARGET, generate
from tests.boards import load_board
from tests.policies import play_out
from tests.seeds import seeds

WRITTEN = TARGET.read_text("utf-8")


def fields(name: str) -> dict[str, str]:
    """The fields of an interface, and their types; a field that may be missing ends in a question mark."""
    (body,) = re.findall(rf"^export interface {name} {{\n(.*?)\n}}", WRITTEN, re.M | re.S)
    return dict(re.findall(r"^  readonly (\w+\??): (.*);$", body, re.M))


def test_the_file_is_up_to_date() -> None:
    assert generate() == WRITTEN, "`make wire` writes it anew"


def test_every_message_has_its_type() -> None:
    for union, name in ((wire.ServerMessage, "ServerMessage"), (wire.ClientMessage, "ClientMessage")):
        members = [one.__name__ for one in typing.get_args(union)]
        assert f"export type {name} = {' | '.join(members)};" in WRITTEN
        assert all(fields(member) for member in members)


def test_a_message_is_told_from_others_by_its_type() -> None:
    for message in typing.get_args(wire.ServerMessage) + typing.get_args(wire.ClientMessage):
        (kind,) = typing.get_args(typing.get_type_hints(message)["type"])
        assert fields(message.__name__)["type"] == json.dumps(kind)


def test_what_the_server_says_is_complete_and_what_a_client_says_need_not_be() -> None:
    for name in ("State", "Rejected", "Answer", "GameView", "TableInfo", "Replay"):
        assert [field for field in fields(name) if field.endswith("?")] == []
    assert [field for field in fields("TableWanted") if not field.endswith("?")] == ["chairs"]
    assert fields("ChairWanted") == {"kind": '"me" | "bot" | "open"', "player?": "string"}
    assert list(fields("Play")) == ["type", "id", "step", "action"]


def test_null_is_not_missing() -> None:
    assert fields("State")["view"] == "GameView | null"
    assert fields("TableInfo")["invite"] == "string | null"
    assert fields("Choice")["cards"].endswith(" | null")
    assert fields("DealEvent")["cards?"] == "readonly Card[]"


def test_lists_are_read_only_and_choices_exact() -> None:
    assert fields("GameView")["seats"] == "readonly Seat[]"
    assert fields("State")["events"] == fields("Frame")["events"] == "readonly GameEvent[]"
    assert fields("TableInfo")["clock"] == '"none" | "30s" | "60s" | "1d" | "3d"'
    assert fields("Rejected")["code"] == "ErrorCode"
    assert all(f'  | "{code}"' in WRITTEN for code in (*STATUS, "failed"))


def test_comments_come_from_the_classes() -> None:
    assert f"/** {wire.GameView.__doc__} */\nexport interface GameView {{" in WRITTEN
    assert "  /** to be given with a decision */\n  readonly step: number;" in WRITTEN


# The forms of events.


def form_keys(name: str) -> tuple[set[str], set[str]]:
    """The keys that an event of a form must have, and those it may have."""
    form: Any = GAME_EVENT.json_schema()["$defs"][name]
    return set(form["required"]), set(form["properties"]) - set(form["required"])


def test_there_is_a_form_for_every_event_of_a_record() -> None:
    mapping: dict[str, str] = GAME_EVENT.json_schema()["discriminator"]["mapping"]
    assert set(mapping) == set(_EVENT_KEYS)
    for event, reference in mapping.items():
        needed, optional = form_keys(reference.rsplit("/", 1)[-1])
        assert needed | optional - {"count", "seal"} == {"e", *_EVENT_KEYS[event]}
    assert typing.get_args(eventforms.Card) == CARDS
    assert fields("EndEvent")["reason"] == " | ".join(json.dumps(reason) for reason in END_REASONS[1:])


@pytest.mark.parametrize("board", ["san_francisco", "tiny", "dead_end"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_event_that_is_told_has_its_form(board: str, players: int) -> None:
    for seed in seeds(10):
        choosing = Game(load_board(board), players=players, seed=seed)
        choosing.play("keep both")
        for game in (choosing, play_out(choosing.copy(), seed)):
            for eyes in (None, *range(players)):
                for event in game.view(eyes).events:
                    GAME_EVENT.validate_python(event, strict=True)


def test_what_is_no_event_has_no_form() -> None:
    for wrong in ({"e": "steal"}, {"e": "recycle", "seat": 0}, {"e": "flip", "card": "pink"}, {"e": "pass"}):
        with pytest.raises(ValueError, match="validation error"):
            GAME_EVENT.validate_python(wrong)
