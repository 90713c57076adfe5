"""People who play whole games: over HTTP, or over a socket, each in a thread of their own as in life."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from fogline.fairness import Fairness, as_seen
from fogline.fairness.entry import read_fairness
from tests.server.nursery import Forked
from tests.server.serving import Person, Served, receive, send

State = dict[str, Any]
Play = Callable[[Person, str, int], list[State]]


def stream(person: Person, table: str, *, after: int = 0) -> Iterator[State]:
    """The states of a table, for as long as the server tells them."""
    with person.http.stream("GET", f"/api/tables/{table}/stream", params={"after": after}) as response:
        assert response.status_code == 200, response.read()
        for line in response.iter_lines():
            if line:
                yield json.loads(line)


def play_over_http(person: Person, table: str, seed: int) -> list[State]:
    """Plays at random to the end; all states that were told."""
    states = []
    decide = Decider(seed)
    for state in stream(person, table):
        states.append(state)
        if action := decide(state["view"]):
            person.play(table, state["view"]["step"], action)
        if state["table"]["status"] == "over":
            break
    return states


def play_over_socket(person: Person, table: str, seed: int) -> list[State]:
    """The same over a WebSocket."""
    states: list[State] = []
    decide = Decider(seed)
    with person.socket(table) as connection:
        while not states or states[-1]["table"]["status"] != "over":
            states.append(receive(connection))
            view = states[-1]["view"]
            if action := decide(view):
                send(connection, type="play", id=view["step"], step=view["step"], action=action)
    return states


def shown_events(record: dict[str, Any], seat: int | None) -> list[dict[str, Any]]:
    """The events of a game, as one who was there was shown them."""
    fairness = read_fairness(record["fairness"], record["players"])
    assert isinstance(fairness, Fairness)
    return [as_seen(event, seat, number, fairness) for number, event in enumerate(record["events"])]


class Decider:
    """Chooses at random, once for each step: a state may be older than what one has decided since."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._decided = -1

    def __call__(self, view: dict[str, Any] | None) -> str | None:
        if view is None or not view["legal"] or view["step"] == self._decided:
            return None
        self._decided = view["step"]
        return str(self._random.choice(view["legal"])["action"])


def play_together(people: Sequence[Person], table: str, how: Play = play_over_http) -> list[list[State]]:
    """A whole game; for each of the people the states that they were told."""
    with ThreadPoolExecutor(len(people)) as threads:
        games = [threads.submit(how, person, table, seed) for seed, person in enumerate(people)]
        return [game.result() for game in games]


def seat_together(people: Sequence[Person], *others: str, **settings: Any) -> str:
    """A table that the first of them opens and the others join; others are bots."""
    host, *guests = people
    table = host.open_table("me", *["open"] * len(guests), *others, name="Person 0", **settings)["table"]
    for number, guest in enumerate(guests, 1):
        guest.post(f"/invites/{table['invite']}", name=f"Person {number}")
    return str(table["id"])


def refusal(response: httpx.Response) -> tuple[int, str, str | None]:
    """What is wrong, from an answer that must have the form of an error."""
    body = response.json()
    assert set(body) == {"error"}
    assert {"code", "reason", "rule"} <= set(body["error"])
    assert body["error"]["reason"]
    return response.status_code, body["error"]["code"], body["error"]["rule"]


@contextmanager
def serving(kind: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Served]:
    """A server that many tests share; whatever they do to it, it must not fail."""
    if kind == "sqlite":
        database = f"sqlite:///{folder}/tables.db"
    else:
        database = request.getfixturevalue("_postgresql").create_database()
    with Forked(database, folder) as served:
        yield served
        assert not (troubles := served.troubles()), troubles
