"""The HTTP API, as a person or a program uses it: against a real server, on both databases."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from fogline import Board, Game
from fogline.fairness import check_fairness, seal_of
from fogline.game.record import audit, steps
from fogline.game.view import redact
from fogline.players.player import PLAYERS
from tests.server.nursery import Forked
from tests.server.playing import (
    Decider,
    play_over_http,
    play_together,
    refusal,
    seat_together,
    shown_events,
    stream,
)
from tests.server.serving import PATIENCE, Person, Served

NOBODY = "AAAAAAAAAAAAAAAA"
"""What no table and no invitation is called."""


def finished(*people: Person, map: str = "tiny") -> tuple[str, dict[str, Any]]:
    """A table at which a whole game was played, and its record."""
    table = seat_together(people, map=map)
    play_together(people, table)
    return table, people[0].get(f"/tables/{table}/record")


# People.


def test_a_browser_is_known_by_a_cookie_that_no_script_can_read(served: Served) -> None:
    with httpx.Client(base_url=served.url, timeout=PATIENCE) as browser:
        attributes = browser.post("/api/people").headers["set-cookie"].lower().split("; ")
        assert {"httponly", "samesite=lax", "path=/"} <= set(attributes)
        assert browser.get("/api/me/tables").json() == []


def test_who_is_somebody_stays_the_same_person(served: Served, ann: Person) -> None:
    assert ann.post("/people") == {"token": ann.token}
    with httpx.Client(base_url=served.url, timeout=PATIENCE) as browser:
        cookies = dict(browser.post("/api/people").cookies)
        again = browser.post("/api/people")
        assert again.json() == {"token": None}  # which no script can read
        assert "set-cookie" not in again.headers
        assert dict(browser.cookies) == cookies
        assert browser.get("/api/me/tables").json() == []


def test_whoever_comes_with_a_token_that_nobody_has_becomes_somebody(served: Served) -> None:
    with httpx.Client(base_url=served.url, timeout=PATIENCE) as nobody:
        forged = {"Authorization": f"Bearer {'x' * 43}"}
        token = nobody.post("/api/people", headers=forged).json()["token"]
        assert nobody.get("/api/me/tables", headers={"Authorization": f"Bearer {token}"}).json() == []


def test_whoever_has_no_token_can_look_and_do_nothing(served: Served, ann: Person) -> None:
    table = ann.open_table("me", "open")["table"]["id"]
    with httpx.Client(base_url=served.url, timeout=PATIENCE) as nobody:
        assert nobody.get(f"/api/tables/{table}").json()["table"]["you"] == {"chair": None, "seat": None, "host": False}
        assert refusal(nobody.get("/api/me/tables")) == (401, "unknown_person", None)
        assert refusal(nobody.post("/api/tables", json={"chairs": [{"kind": "me"}] * 2})) == (
            401,
            "unknown_person",
            None,
        )
        forged = {"Authorization": f"Bearer {'x' * 43}"}
        assert refusal(nobody.get("/api/me/tables", headers=forged)) == (401, "unknown_person", None)


def test_pages_of_others_cannot_act_for_a_person(served: Served, ann: Person) -> None:
    chairs = {"chairs": [{"kind": "me"}, {"kind": "open"}]}
    foreign = ann.http.post("/api/tables", json=chairs, headers={"Origin": "https://elsewhere.example"})
    assert refusal(foreign) == (403, "forbidden", None)
    assert ann.http.post("/api/tables", json=chairs, headers={"Origin": served.url}).status_code == 201


# Before the start.


def test_a_new_table_has_the_chairs_that_its_host_wants(ann: Person, eve: Person) -> None:
    state = ann.open_table("me", "racer", "open", name=" Ann\n", map="tiny", clock="1d", autostart=False)
    assert (state["n"], state["view"], state["events"]) == (1, None, [])
    table = state["table"]
    assert [(chair["kind"], chair["name"], chair["player"]) for chair in table["chairs"]] == [
        ("person", "Ann", ""),
        ("bot", "", "racer"),
        ("open", "", ""),
    ]
    assert (table["status"], table["map"], table["clock"]) == ("open", "tiny", "1d")
    assert table["you"] == {"chair": 0, "seat": None, "host": True}
    assert re.fullmatch("[0-9a-f]{64}", table["commitment"])
    assert (table["secret"], table["salts"], table["seating"]) == (None, [], [])
    seen = eve.get(f"/tables/{table['id']}")["table"]
    assert table["invite"]
    assert seen == table | {"invite": None, "you": {"chair": None, "seat": None, "host": False}}


def test_the_game_starts_by_itself_once_every_chair_is_taken(ann: Person, bob: Person) -> None:
    assert ann.open_table("me", "racer", map="tiny")["table"]["status"] == "playing"
    table = ann.open_table("me", "open", map="tiny")["table"]
    state = bob.post(f"/invites/{table['invite']}", name="Bob")
    assert state["table"]["status"] == "playing"
    assert sorted(state["table"]["seating"]) == [0, 1]
    assert state["table"]["invite"] is None
    assert state["view"]["seat"] == state["table"]["you"]["seat"] == state["table"]["seating"].index(1)


def test_the_host_alone_starts_a_table_that_waits_for_it(ann: Person, bob: Person) -> None:
    table = ann.open_table("me", "open", autostart=False)["table"]
    start = f"/tables/{table['id']}/start"
    assert refusal(ann.http.post(f"/api{start}")) == (409, "conflict", None)  # a chair is open
    assert bob.post(f"/invites/{table['invite']}")["table"]["status"] == "open"
    assert refusal(bob.http.post(f"/api{start}")) == (403, "forbidden", None)
    state = ann.post(start)
    assert (state["table"]["status"], state["view"]["phase"]) == ("playing", "keep_first_tickets")
    assert ann.post(start)["n"] == state["n"]  # once more changes nothing


def test_a_table_may_be_without_its_host(ann: Person) -> None:
    table = ann.open_table("racer", "random", map="tiny")["table"]
    assert table["you"] == {"chair": None, "seat": None, "host": True}
    for state in stream(ann, table["id"]):
        if state["table"]["status"] == "over":
            break
    assert audit(ann.get(f"/tables/{table['id']}/record")).fair


def test_an_invitation_shows_its_table_and_seats_a_person_once(ann: Person, bob: Person) -> None:
    table = ann.open_table("me", "open", "open", name="Ann")["table"]
    shown = bob.get(f"/invites/{table['invite']}")
    assert (shown["id"], shown["chairs"][0]["name"], shown["you"]["chair"]) == (table["id"], "Ann", None)
    first = bob.post(f"/invites/{table['invite']}", name="Bob")
    again = bob.post(f"/invites/{table['invite']}", name="Bob")
    assert (first["table"]["you"]["chair"], again["n"]) == (1, first["n"])
    assert [chair["kind"] for chair in again["table"]["chairs"]] == ["person", "person", "open"]


def test_who_sat_down_last_and_did_not_hear_of_it_may_ask_again(ann: Person, bob: Person, eve: Person) -> None:
    """The game has begun meanwhile: to all others the invitation is over."""
    table = ann.open_table("me", "open")["table"]
    path = f"/invites/{table['invite']}"
    first = bob.post(path, name="Bob")
    again = bob.post(path, name="Bob")
    assert first["table"]["status"] == "playing"
    assert (again["n"], again["table"]) == (first["n"], first["table"])
    assert bob.get(path)["you"] == first["table"]["you"]
    assert refusal(eve.http.post(f"/api{path}", json={})) == (404, "not_found", None)
    assert refusal(eve.http.get(f"/api{path}")) == (404, "not_found", None)


def test_a_renewed_invitation_ends_the_old_one(ann: Person, bob: Person) -> None:
    table = ann.open_table("me", "open", "open")["table"]
    old, path = table["invite"], f"/tables/{table['id']}/invite"
    assert refusal(bob.http.post(f"/api{path}")) == (403, "forbidden", None)
    new = ann.post(path)["table"]["invite"]
    assert new not in (None, old)
    assert refusal(bob.http.post(f"/api/invites/{old}", json={})) == (404, "not_found", None)
    assert refusal(bob.http.get(f"/api/invites/{old}")) == (404, "not_found", None)
    assert bob.post(f"/invites/{new}")["table"]["you"]["chair"] == 1


def test_a_revoked_invitation_lets_nobody_in_until_there_is_a_new_one(ann: Person, bob: Person, eve: Person) -> None:
    table = ann.open_table("me", "open", "open")["table"]
    path = f"/api/tables/{table['id']}/invite"
    bob.post(f"/invites/{table['invite']}")
    assert refusal(bob.http.delete(path)) == (403, "forbidden", None)
    assert ann.http.delete(path).json()["table"]["invite"] is None
    assert refusal(eve.http.post(f"/api/invites/{table['invite']}", json={})) == (404, "not_found", None)
    assert bob.get(f"/tables/{table['id']}")["table"]["you"]["chair"] == 1  # who sits, sits
    assert eve.post(f"/invites/{ann.http.post(path).json()['table']['invite']}")["table"]["status"] == "playing"


def test_the_host_gives_chairs_to_bots_and_takes_them_back(ann: Person, bob: Person, eve: Person) -> None:
    table = ann.open_table("me", "open", "open")["table"]
    chair = f"/tables/{table['id']}/chairs"
    bob.post(f"/invites/{table['invite']}", name="Bob")
    assert ann.put(f"{chair}/2", player="racer")["table"]["chairs"][2]["level"] == 2
    assert ann.put(f"{chair}/2")["table"]["chairs"][2]["kind"] == "open"
    assert refusal(bob.http.put(f"/api{chair}/2", json={"player": "racer"})) == (403, "forbidden", None)
    assert refusal(ann.http.put(f"/api{chair}/0", json={"player": "racer"})) == (409, "conflict", None)
    assert [info["id"] for info in bob.get("/me/tables")] == [table["id"]]
    assert ann.put(f"{chair}/1")["table"]["chairs"][1] == {
        "kind": "open",
        "name": "",
        "player": "",
        "level": None,
        "away": False,
    }
    assert bob.get("/me/tables") == []  # sent away
    assert eve.post(f"/invites/{table['invite']}")["table"]["you"]["chair"] == 1


def test_names_and_seals_can_change_until_the_game_begins(ann: Person, bob: Person) -> None:
    table = ann.open_table("me", "open", autostart=False)["table"]
    me = f"/tables/{table['id']}/me"
    assert refusal(bob.http.put(f"/api{me}", json={"name": "Bob"})) == (403, "forbidden", None)
    ann.put(me, name="Ann", seal=seal_of("aa"))
    bob.post(f"/invites/{table['invite']}", name="Bob", seal=seal_of("bb"))
    state = bob.put(me, name="Robert", seal=seal_of("c0ffee"))
    assert (state["table"]["chairs"][1]["name"], state["table"]["salts"]) == ("Robert", [])
    assert state["table"]["seals"] == [seal_of("aa"), seal_of("c0ffee")]
    assert ann.post(f"/tables/{table['id']}/start")["table"]["status"] == "revealing"
    assert bob.put(me, name="Late", seal=seal_of("dd"))["table"]["chairs"][1]["name"] == "Robert"


def test_the_cards_are_dealt_with_the_last_salt(ann: Person, bob: Person) -> None:
    table = ann.open_table("me", "open", autostart=False)["table"]
    ann.put(f"/tables/{table['id']}/me", name="Ann", seal=seal_of("aa"))
    bob.post(f"/invites/{table['invite']}", name="Bob", seal=seal_of("bb"))
    ann.post(f"/tables/{table['id']}/start")
    waiting = ann.post(f"/tables/{table['id']}/reveal", salt="aa")
    assert (waiting["table"]["status"], waiting["view"], waiting["table"]["salts"]) == ("revealing", None, [])
    wrong = bob.http.post(f"/api/tables/{table['id']}/reveal", json={"salt": "cc"})
    assert refusal(wrong) == (422, "invalid", None)
    dealt = bob.post(f"/tables/{table['id']}/reveal", salt="bb")
    assert (dealt["table"]["status"], dealt["table"]["salts"]) == ("playing", ["aa", "bb"])
    assert dealt["table"]["commitment"] == table["commitment"]


def test_who_leaves_before_the_start_frees_the_chair(ann: Person, bob: Person) -> None:
    table = ann.open_table("me", "open", "open")["table"]
    leave = f"/tables/{table['id']}/leave"
    assert refusal(bob.http.post(f"/api{leave}")) == (403, "forbidden", None)
    bob.post(f"/invites/{table['invite']}")
    bob.post(leave)
    assert ann.get(f"/tables/{table['id']}")["table"]["chairs"][1]["kind"] == "open"
    assert bob.get("/me/tables") == []


def test_the_host_leaving_before_the_start_closes_the_table(ann: Person, bob: Person) -> None:
    table = ann.open_table("me", "open", "open")["table"]
    bob.post(f"/invites/{table['invite']}")
    ann.post(f"/tables/{table['id']}/leave")
    assert bob.get(f"/tables/{table['id']}")["table"]["status"] == "closed"
    assert refusal(ann.http.post(f"/api/invites/{table['invite']}", json={})) == (404, "not_found", None)
    assert refusal(ann.http.post(f"/api/tables/{table['id']}/start")) == (409, "conflict", None)


# While the game goes on.


@pytest.mark.parametrize(("people", "bots", "map"), [(2, 0, "san_francisco"), (1, 2, "san_francisco"), (4, 0, "tiny")])
def test_a_whole_game_over_http(served: Served, people: int, bots: int, map: str) -> None:
    playing = [Person(served.url) for _ in range(people)]
    table = seat_together(playing, *["racer"] * bots, map=map)
    commitment = playing[0].get(f"/tables/{table}")["table"]["commitment"]
    told = play_together(playing, table)
    record = playing[0].get(f"/tables/{table}/record")
    found = audit(record)
    assert (found.finished, found.fair, found.game.players) == (True, True, people + bots)
    assert check_fairness(record).commitment == commitment
    for states in told:
        seat = states[-1]["view"]["seat"]
        assert [event for state in states for event in state["events"]] == shown_events(record, seat)
        assert states[-1]["view"]["winners"] == record["winners"]
        assert [score["score"] for score in states[-1]["view"]["seats"]] == record["scores"]
        assert states[-1]["table"]["secret"] == record["fairness"]["secret"]
        assert all(state["table"]["secret"] is None for state in states[:-1])


@pytest.mark.rule("2.5")
def test_first_tickets_are_chosen_at_the_same_time_and_in_secret(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob])
    assert ann.get(f"/tables/{table}")["view"]["deciding"] == [0, 1]
    ann.play(table, 0, "keep first")
    mine, theirs = ann.get(f"/tables/{table}")["view"], bob.get(f"/tables/{table}")["view"]
    assert (mine["chosen"], mine["legal"]) == ("keep first", [])
    assert (theirs["chosen"], theirs["deciding"]) == (None, [theirs["seat"]])
    assert theirs["seats"][mine["seat"]]["tickets"] == 0
    bob.play(table, 0, "keep both")
    state = bob.get(f"/tables/{table}")
    assert (state["view"]["step"], state["view"]["seats"][mine["seat"]]["tickets"]) == (2, 1)


def test_the_same_decision_twice_is_carried_out_once(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob])
    first = ann.play(table, 0, "keep first")
    bob.play(table, 0, "keep both")
    n = ann.get(f"/tables/{table}")["n"]
    ann.play(table, 0, "keep first")
    assert ann.get(f"/tables/{table}")["n"] == n > first["n"]
    late = ann.http.post(f"/api/tables/{table}/actions", json={"step": 0, "action": "keep second"})
    assert refusal(late) == (409, "late", None)
    assert ann.get(f"/tables/{table}")["n"] == n


def test_a_decision_must_be_legal_and_for_now(ann: Person, bob: Person, eve: Person) -> None:
    table = seat_together([ann, bob])

    def refused(person: Person, step: int, action: str) -> tuple[int, str, str | None]:
        return refusal(person.http.post(f"/api/tables/{table}/actions", json={"step": step, "action": action}))

    before = eve.get(f"/tables/{table}")
    assert refused(ann, 0, "pass") == (409, "illegal", "2.5")
    assert refused(ann, 0, "steal everything") == (422, "not_an_action", None)
    assert refused(ann, 1, "keep first") == (409, "late", None)
    assert refused(eve, 0, "keep first") == (403, "forbidden", None)
    assert refused(ann, -1, "keep first") == (422, "invalid", None)
    assert refused(ann, 0, "x" * 201) == (422, "invalid", None)
    waiting = ann.open_table("me", "open")["table"]["id"]
    early = ann.http.post(f"/api/tables/{waiting}/actions", json={"step": 0, "action": "keep first"})
    assert refusal(early) == (409, "conflict", None)
    assert eve.get(f"/tables/{table}") == before


def test_why_not_names_the_rule(ann: Person, bob: Person, eve: Person) -> None:
    table = seat_together([ann, bob])

    def why_not(person: Person, action: str) -> Any:
        return person.post(f"/tables/{table}/why-not", action=action)

    legal = why_not(ann, "keep both")
    assert (legal["legal"], legal["reason"], legal["rule"]) == (True, None, None)
    refused = why_not(ann, "draw deck")
    assert (refused["legal"], refused["rule"]) == (False, "2.5")
    assert refused["reason"] == "first keep one or both of the tickets offered"
    assert why_not(ann, "nonsense")["legal"] is False
    asked = eve.http.post(f"/api/tables/{table}/why-not", json={"action": "pass"})
    assert refusal(asked) == (403, "forbidden", None)


def test_a_stream_tells_every_change_as_a_line_of_json(served: Served, ann: Person, eve: Person) -> None:
    table = ann.open_table("me", "racer", map="tiny")["table"]["id"]
    path = f"/api/tables/{table}/stream"
    with eve.http.stream("GET", path) as response:
        assert response.headers["content-type"] == "application/x-ndjson"
    told = play_over_http(ann, table, seed=1)
    seen = list(until_over(stream(eve, table)))
    assert [state["n"] for state in told] == sorted({state["n"] for state in told})
    assert [earlier["n"] for earlier in told[:-1]] == [later["after"] for later in told[1:]]
    assert len(seen) == 1  # who comes late is told everything at once
    assert seen[0]["events"] == shown_events(ann.get(f"/tables/{table}/record"), None)


def until_over(states: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for state in states:
        yield state
        if state["table"]["status"] == "over":
            return


def test_after_a_number_come_exactly_the_events_that_are_missing(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob], map="tiny")
    told, _ = play_together([ann, bob], table)
    events: list[Any] = []
    for state in told:
        events += state["events"]
        rest = ann.get(f"/tables/{table}", after=state["n"])
        assert rest["after"] == state["n"]
        assert events + rest["events"] == ann.get(f"/tables/{table}")["events"]
    assert ann.get(f"/tables/{table}", after=told[-1]["n"])["events"] == []


def test_spectators_see_no_secrets_and_can_be_sent_away(ann: Person, bob: Person, eve: Person) -> None:
    table = seat_together([ann, bob])
    watching = stream(eve, table)
    view = next(watching)["view"]
    assert (view["seat"], view["hand"], view["tickets"], view["offer"], view["legal"]) == (None, {}, [], [], [])
    allow = f"/tables/{table}/spectators"
    assert refusal(bob.http.put(f"/api{allow}", json={"allowed": False})) == (403, "forbidden", None)
    ann.put(allow, allowed=False)
    assert list(watching) == []  # the stream ends
    for path in ("", "/stream", "/replay", "/record"):
        assert refusal(eve.http.get(f"/api/tables/{table}{path}")) == (403, "forbidden", None)
    assert bob.get(f"/tables/{table}")["table"]["spectators"] is False
    ann.put(allow, allowed=True)
    assert eve.get(f"/tables/{table}")["table"]["spectators"] is True


def test_a_bot_plays_on_for_who_left_until_they_come_back(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob])
    ann.post(f"/tables/{table}/leave")
    decide, turns = Decider(seed=5), 0
    for state in stream(bob, table):
        view = state["view"]
        if turns < 6 and (action := decide(view)):
            turns += view["phase"] == "turn"
            bob.play(table, view["step"], action)
        elif view["legal"] and turns == 6:
            break
    left = state["table"]
    assert [chair["away"] for chair in left["chairs"]] == [True, False]
    refused = ann.http.post(f"/api/tables/{table}/actions", json={"step": view["step"], "action": "draw deck"})
    assert refusal(refused) == (409, "conflict", None)
    ann.post(f"/tables/{table}/back")
    assert not any(chair["away"] for chair in ann.get(f"/tables/{table}")["table"]["chairs"])
    play_together([ann, bob], table)
    assert audit(ann.get(f"/tables/{table}/record")).fair


def test_when_all_people_leave_bots_finish_the_game(ann: Person, bob: Person, eve: Person) -> None:
    table = seat_together([ann, bob], map="tiny")
    ann.post(f"/tables/{table}/leave")
    bob.post(f"/tables/{table}/leave")
    assert list(until_over(stream(eve, table)))[-1]["view"]["winners"]
    assert audit(eve.get(f"/tables/{table}/record")).fair
    assert ann.post(f"/tables/{table}/leave") == ann.post(f"/tables/{table}/back")  # too late to change anything


# After it.


def test_a_rematch_brings_the_same_people_to_one_new_table(ann: Person, bob: Person, eve: Person) -> None:
    early = seat_together([ann, bob])
    assert refusal(ann.http.post(f"/api/tables/{early}/again")) == (409, "conflict", None)
    table, _ = finished(ann, bob)
    again = f"/tables/{table}/again"
    assert refusal(eve.http.post(f"/api{again}")) == (403, "forbidden", None)
    new = bob.post(again)["table"]
    assert ann.post(again)["table"]["id"] == new["id"] == ann.get(f"/tables/{table}")["table"]["again"]
    assert (new["status"], new["map"], new["you"]) == ("open", "tiny", {"chair": 1, "seat": None, "host": True})
    assert [chair["name"] for chair in new["chairs"]] == ["Person 0", "Person 1"]
    assert new["commitment"] != ann.get(f"/tables/{table}")["table"]["commitment"]
    assert {new["id"], table} <= {info["id"] for info in ann.get("/me/tables")}
    bob.post(f"/tables/{new['id']}/start")
    play_together([ann, bob], new["id"])
    assert audit(bob.get(f"/tables/{new['id']}/record")).fair


def test_my_tables_are_those_at_which_i_sit_the_last_changed_first(ann: Person, bob: Person) -> None:
    one, two = (ann.open_table("me", "open", "open")["table"] for _ in range(2))
    ann.open_table("racer", "open")  # hosted, and not sat at
    bob.open_table("me", "open")
    assert [info["id"] for info in ann.get("/me/tables")] == [two["id"], one["id"]]
    bob.post(f"/invites/{one['invite']}")
    assert [info["id"] for info in ann.get("/me/tables")] == [one["id"], two["id"]]
    assert ann.get("/me/tables")[0]["you"]["chair"] == 0


def test_the_record_is_there_once_the_game_is_over(ann: Person, bob: Person) -> None:
    table = seat_together([ann, bob])
    assert refusal(ann.http.get(f"/api/tables/{table}/record")) == (409, "conflict", None)


def test_a_replay_shows_every_step_as_each_seat_saw_it(ann: Person, bob: Person) -> None:
    table, record = finished(ann, bob)
    for eyes in ("public", "0", "1"):
        seat = None if eyes == "public" else int(eyes)
        replay = bob.get(f"/tables/{table}/replay", eyes=eyes)
        assert (replay["eyes"], len(replay["frames"])) == (eyes, replay["steps"])
        shown = 0
        for frame, game in zip(replay["frames"], steps(record), strict=True):
            assert_frame(frame, game, seat, shown)
            shown = len(game.events)
        at = replay["steps"] // 2
        assert bob.get(f"/tables/{table}/replay", eyes=eyes, at=at)["frames"] == [replay["frames"][at]]


def assert_frame(frame: dict[str, Any], game: Game, seat: int | None, shown: int) -> None:
    """A frame is what the game itself shows to a seat."""
    view, expected = frame["view"], game.view(seat, since=shown)
    assert (view["seat"], view["step"], frame["step"]) == (seat, len(game.actions), len(game.actions))
    assert frame["events"] == [redact(event, seat) for event in game.events[shown:]]
    assert (view["phase"], view["hand"], view["display"]) == (expected.phase, expected.hand, expected.display)
    assert (view["tickets"], view["offer"]) == (list(expected.tickets), list(expected.offer))
    assert [choice["action"] for choice in view["legal"]] == [str(action) for action in expected.legal_actions]
    assert [(other["cards"], other["points"]) for other in view["seats"]] == [
        (other.cards, other.points) for other in expected.seats
    ]


def test_a_replay_with_all_eyes_hides_nothing(ann: Person, bob: Person) -> None:
    table, record = finished(ann, bob)
    frames = ann.get(f"/tables/{table}/replay")["frames"]
    assert [event for frame in frames for event in frame["events"]] == record["events"]
    for frame, game in zip(frames, steps(record), strict=True):
        hands = [game.position.hand_of(seat) for seat in (0, 1)]
        assert [seat["hand"] for seat in frame["view"]["seats"]] == hands


def test_while_the_game_goes_on_a_replay_has_ones_own_eyes_alone(ann: Person, bob: Person, eve: Person) -> None:
    table = seat_together([ann, bob])
    path = f"/api/tables/{table}/replay"
    assert refusal(ann.http.get(path)) == (409, "conflict", None)  # nothing to see yet
    ann.play(table, 0, "keep first")
    bob.play(table, 0, "keep both")
    seat = ann.get(f"/tables/{table}")["view"]["seat"]
    assert ann.get(f"/tables/{table}/replay")["eyes"] == str(seat)
    assert eve.get(f"/tables/{table}/replay")["eyes"] == "public"
    for person, eyes in ((ann, str(1 - seat)), (ann, "all"), (eve, "0"), (eve, "all")):
        assert refusal(person.http.get(path, params={"eyes": eyes})) == (403, "forbidden", None)
    for wrong in ({"eyes": "nobody"}, {"eyes": "2"}, {"at": 99}, {"at": -1}):
        assert refusal(ann.http.get(path, params=wrong)) == (422, "invalid", None)


def test_a_record_can_be_taken_elsewhere_and_brought_back(ann: Person, bob: Person, eve: Person) -> None:
    table, record = finished(ann, bob)
    info = eve.post("/records", record=record, names=["Ann", " Bob\u202e "])
    assert (info["status"], info["map"], info["seating"]) == ("imported", "tiny", [0, 1])
    assert [chair["name"] for chair in info["chairs"]] == ["Ann", "Bob"]
    assert ann.get(f"/tables/{info['id']}/record") == record
    for eyes in ("all", "public", "0", "1"):
        frames = [bob.get(f"/tables/{id}/replay", eyes=eyes)["frames"] for id in (table, info["id"])]
        assert frames[0] == frames[1]


def test_a_record_from_another_program_can_be_brought_along(ann: Person) -> None:
    game = Game(Board.load("tiny"), players=3, seed=1)
    while not game.over:
        game.play(game.legal_actions()[0])
    info = ann.post("/records", record=game.record())
    assert [chair["name"] for chair in info["chairs"]] == ["", "", ""]
    assert ann.get(f"/tables/{info['id']}/record") == json.loads(json.dumps(game.record()))


def test_a_record_that_breaks_a_rule_is_not_taken(ann: Person) -> None:
    game = Game(Board.load("tiny"), players=2, seed=1)
    unfinished = game.record()
    while not game.over:
        game.play(game.legal_actions()[0])
    good = game.record()

    def refused(record: Any) -> tuple[int, str, str | None]:
        return refusal(ann.http.post("/api/records", json={"record": record}))

    assert refused(unfinished) == (422, "invalid", None)
    assert refused({}) == (422, "invalid", None)
    assert refused(good | {"map": "atlantis"}) == (422, "invalid", None)
    assert refused(good | {"winners": [0, 1]})[:2] == (422, "invalid")
    assert refused(good | {"players": 5}) == (422, "invalid", "1.7")
    wrong = [*good["events"][:-1], {"e": "end", "reason": "stuck"}]
    assert refused(good | {"events": wrong}) == (422, "invalid", "7.1")


def test_a_person_and_an_address_bring_along_so_many_games_an_hour(tmp_path: Path) -> None:
    game = Game(Board.load("tiny"), players=2, seed=1)
    while not game.over:
        game.play(game.legal_actions()[0])

    def bring(person: Person, times: int) -> list[int]:
        record = {"record": game.record()}
        return [person.http.post("/api/records", json=record).status_code for _ in range(times)]

    limits = ["--limit=imports_per_hour=2", "--limit=people_per_address=2"]
    with Forked(f"sqlite:///{tmp_path}/tables.db", tmp_path, *limits) as served:
        ann, bob, eve = (Person(served.url) for _ in range(3))
        assert bring(ann, 3) == [201, 201, 429]
        assert bring(bob, 2) == [201, 201]
        assert bring(eve, 1) == [429]


# What is not understood.


@pytest.mark.parametrize(
    ("method", "path", "body", "expected"),
    [
        ("GET", "/api/nothing", None, (404, "not_found")),
        ("GET", f"/api/tables/{NOBODY}", None, (404, "not_found")),
        ("GET", f"/api/tables/{NOBODY}/stream", None, (404, "not_found")),
        ("GET", f"/api/tables/{NOBODY}/record", None, (404, "not_found")),
        ("GET", "/api/tables/short", None, (422, "invalid")),
        ("GET", f"/api/invites/{NOBODY}", None, (404, "not_found")),
        ("POST", f"/api/invites/{NOBODY}", {}, (404, "not_found")),
        ("PATCH", "/api/tables", None, (405, "invalid")),
        ("POST", "/api/tables", None, (422, "invalid")),
        ("POST", "/api/tables", [], (422, "invalid")),
        ("POST", "/api/tables", {"chairs": []}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "me"}]}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "open"}] * 5}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "me"}] * 2}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "me"}, {"kind": "bot"}]}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "me"}, {"kind": "bot", "player": "x"}]}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "open"}] * 2, "map": "atlantis"}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "open"}] * 2, "clock": "5s"}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "open"}] * 2, "salt": "ab"}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "open"}] * 2, "spectators": "yes"}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "open"}] * 2, "colour": "red"}, (422, "invalid")),
        ("POST", "/api/tables", {"chairs": [{"kind": "open"}] * 2, "name": "x" * 20_000}, (413, "too_large")),
    ],
)
def test_every_error_has_the_same_form(ann: Person, method: str, path: str, body: Any, expected: Any) -> None:
    assert refusal(ann.http.request(method, path, json=body)) == (*expected, None)


def test_what_is_no_json_is_refused(ann: Person) -> None:
    for content in (b"{", b"\xff", b"[" * 5000):
        answer = ann.http.post("/api/tables", content=content, headers={"Content-Type": "application/json"})
        assert refusal(answer) == (422, "invalid", None)


# What there is.


def test_players_and_maps_are_listed(ann: Person) -> None:
    players = ann.get("/players")
    assert [(player["name"], player["level"]) for player in players] == [
        (name, level) for level, name in enumerate(PLAYERS, 1)
    ]
    assert players[0]["elo"] == 0 < players[1]["elo"]
    assert {"id": "san_francisco", "name": "San Francisco"} in ann.get("/maps")


def test_the_server_says_how_it_is(served: Served, ann: Person) -> None:
    def count(metric: str) -> float:
        (line,) = re.findall(rf"^{re.escape(metric)} (\S+)$", httpx.get(f"{served.url}/metrics").text, re.M)
        return float(line)

    assert httpx.get(f"{served.url}/health").json()["status"] == "ok"
    table = ann.open_table("me", "open", "open")["table"]["id"]
    entries = count("fogline_entries_total")
    ann.put(f"/tables/{table}/spectators", allowed=False)
    ann.http.post(f"/api/tables/{table}/start")
    assert count("fogline_entries_total") > entries
    assert count('fogline_refusals_total{code="conflict"}') >= 1
    assert count('fogline_requests_total{route="/api/tables",status="201"}') >= 1
    assert count("fogline_tables_loaded") >= 1
    assert table not in httpx.get(f"{served.url}/metrics").text


@pytest.mark.parametrize("path", ["/", "/rules", "/lost"])
def test_no_address_chooses_the_status_of_the_page(served: Served, path: str) -> None:
    plain, other = (httpx.get(f"{served.url}{path}{query}") for query in ("", "?status=1000"))
    assert (other.status_code, other.text) == (plain.status_code, plain.text)


def test_no_log_holds_a_key(served: Served, ann: Person) -> None:
    """Who reads the log of a server can neither look at a table nor act for anyone."""
    table = ann.open_table("me", "open")["table"]
    ann.get(f"/invites/{table['invite']}")
    with ann.socket(table["id"]):
        next(stream(ann, table["id"]))
    deadline = time.monotonic() + PATIENCE
    while "/api/tables/{table}/stream" not in (log := served.log.read_text()):
        assert time.monotonic() < deadline, log
        time.sleep(0.01)  # the server has yet to notice that nobody listens any more
    assert [key for key in (table["id"], table["invite"], ann.token) if key in log] == []


def test_the_description_names_every_request(served: Served) -> None:
    described = httpx.get(f"{served.url}/api/openapi.json").json()["paths"]
    reference = httpx.get(f"{served.url}/api")
    assert reference.headers["content-type"].startswith("text/html")
    for path, methods in described.items():
        for method, operation in methods.items():
            assert f"{method.upper()} {path}" in reference.text
            assert operation["description"]
