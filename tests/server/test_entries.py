"""Entries: what was written into a log can be read from it for ever."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fogline.game.actions import board_actions
from fogline.maps.board import Board
from fogline.server.tables import entries as log
from fogline.server.tables.entries import Entry, read_entry, write_entry
from fogline.server.tables.table import _APPLY

times = st.floats(0, 1e11, allow_nan=False)
texts = st.text(max_size=40)
actions = st.sampled_from(board_actions(Board.load("tiny")))
chairs = st.builds(log.Chair, kind=st.sampled_from(["open", "person", "bot"]), person=texts, name=texts)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)
clocks = st.sampled_from(["none", "30s", "60s", "1d", "3d"])
seats = st.integers(0, 3)

FORMS: dict[type[Entry], st.SearchStrategy[Entry]] = {
    log.Opened: st.builds(log.Opened, at=times, clock=clocks, chairs=st.lists(chairs, max_size=4).map(tuple)),
    log.Sat: st.builds(log.Sat, at=times, chair=seats, person=texts, name=texts, seal=texts),
    log.Locked: st.builds(log.Locked, at=times),
    log.Revealed: st.builds(log.Revealed, at=times, chair=seats, salt=texts),
    log.Stood: st.builds(log.Stood, at=times, chair=seats),
    log.Filled: st.builds(log.Filled, at=times, chair=seats, player=texts),
    log.Invited: st.builds(log.Invited, at=times, invite=texts),
    log.Watched: st.builds(log.Watched, at=times, spectators=st.booleans()),
    log.Closed: st.builds(log.Closed, at=times),
    log.Started: st.builds(log.Started, at=times),
    log.Moved: st.builds(log.Moved, at=times, seat=seats, action=actions, bot=st.booleans()),
    log.Away: st.builds(log.Away, at=times, seat=seats, why=st.sampled_from(["clock", "left"])),
    log.Back: st.builds(log.Back, at=times, seat=seats),
    log.Again: st.builds(log.Again, at=times, table=texts, person=texts),
    log.Imported: st.builds(log.Imported, at=times, record=st.dictionaries(texts, values, max_size=4)),
}

FIRST_WRITTEN = {
    '{"at":1.5,"kind":"opened","map":"tiny","digest":"d1","clock":"3d","spectators":true,"autostart":false,'
    '"chairs":[{"kind":"person","person":"p1","name":"Ann","player":"","salt":"c0ffee"},'
    '{"kind":"bot","person":"","name":"","player":"racer","salt":""}],"host":"p1","invite":"i1"}': log.Opened(
        at=1.5,
        map="tiny",
        digest="d1",
        clock="3d",
        spectators=True,
        autostart=False,
        chairs=(
            log.Chair(kind="person", person="p1", name="Ann", salt="c0ffee"),
            log.Chair(kind="bot", player="racer"),
        ),
        host="p1",
        invite="i1",
        scheme=1,
    ),
    '{"at":2.5,"kind":"sat","chair":2,"person":"p2","name":"Bob","salt":"0a"}': log.Sat(
        at=2.5, chair=2, person="p2", name="Bob", salt="0a"
    ),
}
"""Those that have changed since, as they lie in databases of before."""

WRITTEN = [
    '{"at":1.5,"kind":"opened","map":"tiny","digest":"d1","clock":"3d","spectators":true,"autostart":false,'
    '"chairs":[{"kind":"person","person":"p1","name":"Ann","player":"","seal":"5ea1","salt":""},'
    '{"kind":"bot","person":"","name":"","player":"racer","seal":"","salt":""},'
    '{"kind":"open","person":"","name":"","player":"","seal":"","salt":""}],"host":"p1","invite":"i1","scheme":2}',
    '{"at":1700000000.123456,"kind":"sat","chair":2,"person":"p2","name":"Bob 🚋","seal":"5ea1","salt":""}',
    '{"at":3.0,"kind":"stood","chair":2}',
    '{"at":3.0,"kind":"filled","chair":2,"player":"random"}',
    '{"at":3.0,"kind":"invited","invite":""}',
    '{"at":3.0,"kind":"watched","spectators":false}',
    '{"at":3.0,"kind":"closed"}',
    '{"at":3.0,"kind":"locked"}',
    '{"at":3.0,"kind":"revealed","chair":2,"salt":"c0ffee"}',
    '{"at":3.0,"kind":"started"}',
    '{"at":3.0,"kind":"moved","seat":1,"action":"claim castro-mission:1 green1","bot":false}',
    '{"at":3.0,"kind":"away","seat":1,"why":"clock"}',
    '{"at":3.0,"kind":"away","seat":1,"why":"gone"}',
    '{"at":3.0,"kind":"back","seat":1}',
    '{"at":3.0,"kind":"again","table":"t2","person":"p2"}',
    '{"at":3.0,"kind":"imported","record":{"map":"tiny","events":[{"e":"recycle"}]},"digest":"d1",'
    '"names":["Ann",""],"host":"p1"}',
]
"""One of each kind, as they lie in databases now. A change that cannot read them loses games."""


@given(st.one_of(*FORMS.values()))
def test_what_is_written_is_read_again_exactly(entry: Entry) -> None:
    again = read_entry(write_entry(entry))
    assert again == entry
    assert type(again) is type(entry)


@pytest.mark.parametrize("text", WRITTEN, ids=lambda text: str(json.loads(text)["kind"]))
def test_logs_of_today_can_be_read_for_ever(text: str) -> None:
    assert write_entry(read_entry(text)) == text


@pytest.mark.parametrize(("text", "entry"), FIRST_WRITTEN.items(), ids=["opened", "sat"])
def test_logs_of_before_can_be_read_for_ever(text: str, entry: Entry) -> None:
    assert read_entry(text) == entry


def test_no_kind_of_entry_is_left_out() -> None:
    kinds = set(get_args(Entry))
    assert set(FORMS) == kinds
    assert {type(read_entry(text)) for text in WRITTEN} == kinds
    assert set(_APPLY) == kinds  # a table can follow them all


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "nonsense",
        '{"at":3.0}',
        '{"at":3.0,"kind":"exploded"}',
        '{"kind":"started"}',
        '{"at":3.0,"kind":"moved","seat":1}',
        '{"at":3.0,"kind":"away","seat":1,"why":"bored"}',
    ],
)
def test_what_is_no_entry_is_not_read(text: str) -> None:
    with pytest.raises(ValidationError):
        read_entry(text)


def test_an_entry_cannot_be_changed() -> None:
    entry = log.Stood(at=3.0, chair=1)
    with pytest.raises(ValidationError):
        entry.chair = 2
