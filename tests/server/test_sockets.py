"""Tables over WebSockets: against a real server, on both databases."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from fogline.game.record import audit
from fogline.server.http.sockets import OUTDATED, REFUSED, RESTARTING
from fogline.server.wire.wire import PROTOCOL
from tests.server.nursery import Forked
from tests.server.playing import Decider, play_over_socket, play_together, seat_together, serving, shown_events, stream
from tests.server.serving import PATIENCE, Person, Served, receive, send


def last_words(connection: ClientConnection) -> tuple[list[dict[str, Any]], int]:
    """All that the server still says before it closes the socket, and with which code: 0 where it just breaks off."""
    said = []
    try:
        while True:
            said.append(json.loads(connection.recv(PATIENCE)))
    except ConnectionClosed as closed:
        return said, closed.rcvd.code if closed.rcvd else 0


def ask(connection: ClientConnection, message: str | bytes, kind: str) -> dict[str, Any]:
    connection.send(message)
    return receive(connection, kind)


# Playing.


@pytest.mark.parametrize(("people", "bots", "map"), [(2, 0, "san_francisco"), (2, 1, "tiny"), (4, 0, "san_francisco")])
def test_a_whole_game_over_sockets(served: Served, people: int, bots: int, map: str) -> None:
    playing = [Person(served.url) for _ in range(people)]
    table = seat_together(playing, *["racer"] * bots, map=map)
    told = play_together(playing, table, play_over_socket)
    record = playing[0].get(f"/tables/{table}/record")
    assert audit(record).fair
    for states in told:
        seat = states[-1]["view"]["seat"]
        assert [event for state in states for event in state["events"]] == shown_events(record, seat)
        assert [state["after"] for state in states] == [0, *(state["n"] for state in states[:-1])]


def test_a_socket_tells_the_same_as_http(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob])
    with ann.socket(table) as connection:
        assert receive(connection) == ann.get(f"/tables/{table}") == next(stream(ann, table))


def test_a_decision_is_accepted_with_its_number(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob])
    with ann.socket(table) as connection:
        before = receive(connection)
        send(connection, type="play", id=7, step=0, action="keep both")
        accepted = receive(connection, "accepted")
        assert accepted == {"id": 7, "n": before["n"] + 1, "type": "accepted"}
    assert ann.get(f"/tables/{table}")["view"]["chosen"] == "keep both"


def test_a_refusal_names_the_rule_and_changes_nothing(ann: Person, bob: Person, eve: Person) -> None:
    table = seat_together([ann, bob])
    before = ann.get(f"/tables/{table}")
    with ann.socket(table) as mine, eve.socket(table) as watching:
        illegal = ask(mine, '{"type": "play", "id": 1, "step": 0, "action": "pass"}', "rejected")
        assert (illegal["id"], illegal["code"], illegal["rule"]) == (1, "illegal", "2.5")
        late = ask(mine, '{"type": "play", "id": 2, "step": 9, "action": "pass"}', "rejected")
        assert (late["id"], late["code"], late["rule"]) == (2, "late", None)
        foreign = ask(watching, '{"type": "play", "id": 3, "step": 0, "action": "keep both"}', "rejected")
        assert (foreign["id"], foreign["code"]) == (3, "forbidden")
    assert ann.get(f"/tables/{table}") == before


def test_why_not_is_answered(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob])
    with ann.socket(table) as connection:
        legal = ask(connection, '{"type": "why_not", "id": 1, "action": "keep both"}', "answer")
        assert (legal["id"], legal["legal"], legal["reason"], legal["rule"]) == (1, True, None, None)
        illegal = ask(connection, '{"type": "why_not", "id": 2, "action": "draw deck"}', "answer")
        assert (illegal["id"], illegal["legal"], illegal["rule"]) == (2, False, "2.5")


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "null",
        "[]",
        b"\x00\xff",
        '{"type": "steal", "id": 1}',
        '{"type": "play", "id": 1, "step": 0}',
        '{"type": "play", "id": "1", "step": 0, "action": "pass"}',
        '{"type": "play", "id": 1, "step": 0, "action": "pass", "seat": 1}',
        '{"type": "why_not", "id": -1, "action": "pass"}',
        "[" * 1000,
    ],
    ids=lambda message: str(message[:24]),
)
def test_what_is_not_understood_is_rejected_and_the_talk_goes_on(ann: Person, message: str | bytes) -> None:
    table = ann.open_table("me", "open")["table"]["id"]
    with ann.socket(table) as connection:
        rejected = ask(connection, message, "rejected")
        assert (rejected["code"], rejected["rule"]) == ("invalid", None)
        assert rejected["reason"]
        asked = ask(connection, '{"type": "why_not", "id": 1, "action": "pass"}', "rejected")
        assert (asked["id"], asked["code"]) == (1, "conflict")  # the game has not begun


# Coming, going, and coming back.


def test_whoever_comes_back_is_told_exactly_what_they_missed(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob], map="tiny")
    events, after = [], 0
    decide = Decider(seed=3)
    others = Decider(seed=4)
    while True:
        with ann.socket(table, after=after) as connection:  # a new socket for every look
            state = receive(connection)
        assert state["after"] == after
        events += state["events"]
        after = state["n"]
        if state["table"]["status"] == "over":
            break
        if action := decide(state["view"]):
            ann.play(table, state["view"]["step"], action)
        view = bob.get(f"/tables/{table}")["view"]
        if action := others(view):
            bob.play(table, view["step"], action)
    record = ann.get(f"/tables/{table}/record")
    assert events == shown_events(record, state["view"]["seat"])


def test_who_claims_to_know_more_than_there_is_is_told_everything(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob])
    with ann.socket(table, after=1000) as connection, ann.socket(table, after=-5) as other:
        state = receive(connection)
        assert (state["after"], state["events"]) == (0, ann.get(f"/tables/{table}")["events"])
        assert receive(other) == state


def test_two_tabs_of_a_person_see_and_do_the_same(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob])
    with ann.socket(table) as one, ann.socket(table) as two:
        assert receive(one) == receive(two)
        for number, tab in enumerate((one, two)):
            send(tab, type="play", id=number, step=0, action="keep both")
        first, second = receive(one, "accepted"), receive(two, "accepted")
        assert (first["id"], second["id"], first["n"]) == (0, 1, second["n"])  # carried out once
    with ann.socket(table) as one, ann.socket(table) as two:
        receive(one), receive(two)
        bob.play(table, 0, "keep both")
        assert receive(one) == receive(two)


def test_a_table_changes_for_everyone_who_looks_on(ann: Person, bob: Person, eve: Person) -> None:
    table = ann.open_table("me", "open", autostart=False)["table"]
    with ExitStack() as sockets:
        connections = [sockets.enter_context(person.socket(table["id"])) for person in (ann, bob, eve)]
        for connection in connections:
            assert receive(connection)["table"]["chairs"][1]["kind"] == "open"
        bob.post(f"/invites/{table['invite']}", name="Bob")
        seen = [receive(connection)["table"] for connection in connections]
        assert [info["chairs"][1]["name"] for info in seen] == ["Bob"] * 3
        assert [info["you"]["chair"] for info in seen] == [0, 1, None]
        assert [info["invite"] for info in seen] == [table["invite"]] * 2 + [None]


def test_a_browser_needs_no_more_than_its_cookie(served: Served, ann: Person) -> None:
    table = ann.open_table("me", "open")["table"]["id"]
    address = f"{served.url.replace('http', 'ws')}/api/tables/{table}/socket?protocol={PROTOCOL}"
    headers = {"Cookie": f"fogline={ann.token}", "Origin": served.url}
    with connect(address, additional_headers=headers, open_timeout=PATIENCE) as connection:
        assert receive(connection)["table"]["you"] == {"chair": 0, "seat": None, "host": True}
    with pytest.raises(InvalidStatus) as refused:
        connect(address, additional_headers=headers | {"Origin": "https://elsewhere.example"}, open_timeout=PATIENCE)
    assert refused.value.response.status_code == 403


# Being sent away.


@pytest.mark.parametrize("protocol", [0, PROTOCOL - 1, PROTOCOL + 1])
def test_a_client_of_another_version_is_told_to_reload(ann: Person, protocol: int) -> None:
    table = ann.open_table("me", "open")["table"]["id"]
    with ann.socket(table, protocol=protocol) as connection:
        (reload,), code = last_words(connection)
    assert (reload["type"], reload["protocol"], code) == ("reload", PROTOCOL, OUTDATED)
    assert reload["reason"]


def test_spectators_are_sent_away_in_the_middle_of_the_game(ann: Person, bob: Person, eve: Person) -> None:
    table = seat_together([ann, bob])
    with eve.socket(table) as watching, bob.socket(table) as playing:
        receive(watching), receive(playing)
        ann.put(f"/tables/{table}/spectators", allowed=False)
        (gone,), code = last_words(watching)
        assert (gone["type"], code) == ("gone", REFUSED)
        assert receive(playing)["table"]["spectators"] is False
    with eve.socket(table) as again:
        assert last_words(again)[1] == REFUSED


@pytest.mark.parametrize("table", ["AAAAAAAAAAAAAAAA", "short", "%00"])
def test_there_is_nothing_to_see_at_a_table_that_does_not_exist(ann: Person, table: str) -> None:
    with ann.socket(table) as connection:
        (gone,), code = last_words(connection)
    assert (gone["type"], code) == ("gone", REFUSED)


def test_a_message_that_is_too_long_ends_the_socket(ann: Person) -> None:
    table = ann.open_table("me", "open")["table"]["id"]
    with ann.socket(table) as connection:
        receive(connection)
        connection.send("x" * 5000)
        assert last_words(connection)[1] == 1009


# Stopping.


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_server_that_is_stopped_loses_nothing(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """SIGTERM in the middle of a game: sockets and streams end in order, and the game goes on after the next start."""
    with serving(kind, request, tmp_path) as served:
        ann, bob = Person(served.url), Person(served.url)
        table = seat_together([ann, bob])
        ann.play(table, 0, "keep first")
        before = [person.get(f"/tables/{table}") for person in (ann, bob)]
        watching = stream(bob, table)
        assert next(watching) == before[1]
        with ann.socket(table) as connection:
            assert receive(connection) == before[0]
            status = served.stop()
            assert last_words(connection) == ([], RESTARTING)
        assert list(watching) == []
        assert status == 0
        served.start()
        assert [person.get(f"/tables/{table}") for person in (ann, bob)] == before
        play_together([ann, bob], table, play_over_socket)
        assert audit(ann.get(f"/tables/{table}/record")).fair


def test_a_stopped_server_takes_nothing_more(tmp_path: Path) -> None:
    with Forked(f"sqlite:///{tmp_path}/tables.db", tmp_path) as served:
        ann = Person(served.url)
        served.stop()
        with pytest.raises(httpx.TransportError):
            ann.get("/me/tables")
