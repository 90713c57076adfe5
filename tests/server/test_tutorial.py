"""The tutorial: a game by the rules in which there is everything to learn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from fogline.game.record import audit
from fogline.server.tables.tutorial import LEARNER, TARGET, Tutorial, make_tutorial, play_script
from tests.rules_text import packaged_rules
from tests.server.playing import serving
from tests.server.serving import Served

CONTENT: dict[str, Any] = json.loads(TARGET.read_text("utf-8"))


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving("sqlite", request, tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture(scope="module")
def tutorial() -> Tutorial:
    return make_tutorial()


def test_the_file_is_what_the_script_gives() -> None:
    written = json.loads(json.dumps(play_script()))
    assert written == CONTENT, "run: python -m fogline.server.tables.tutorial"


def test_the_game_breaks_no_rule_and_the_learner_wins_it() -> None:
    found = audit(CONTENT["record"])
    assert found.finished
    assert found.game.winners == [LEARNER]


def test_everything_happens_that_there_is_to_learn(tutorial: Tutorial) -> None:
    events = [event for frame in tutorial.replay.frames for event in frame.events]
    assert {"reset", "recycle", "last_round", "end", "place", "offer", "keep", "token"} <= {one["e"] for one in events}
    assert CONTENT["record"]["scores"][LEARNER]["failed"] == []
    assert CONTENT["record"]["scores"][1 - LEARNER]["failed"] != []  # what a ticket costs, one learns from the friend


def test_a_lesson_by_doing_is_the_learners_turn(tutorial: Tutorial) -> None:
    for lesson in tutorial.lessons:
        view = tutorial.replay.frames[lesson.step].view
        if lesson.does:
            assert view.deciding == (LEARNER,)
            assert tutorial.actions[lesson.step] in [choice.action for choice in view.legal]


def test_lessons_come_in_order_and_name_rules_that_there_are(tutorial: Tutorial) -> None:
    steps = [lesson.step for lesson in tutorial.lessons]
    assert steps == sorted(steps)
    assert len({lesson.name for lesson in tutorial.lessons}) == len(tutorial.lessons)
    assert 12 <= sum(lesson.does for lesson in tutorial.lessons) <= 18
    doing = [lesson.step for lesson in tutorial.lessons if lesson.does]
    assert len(set(doing)) == len(doing)
    rules = packaged_rules()["rules"]
    assert all(lesson.rules and set(lesson.rules) <= set(rules) for lesson in tutorial.lessons)
    assert {rule.split(".")[0] for lesson in tutorial.lessons for rule in lesson.rules} >= set("1234567") | {"9"}


def test_every_lesson_has_its_words(tutorial: Tutorial) -> None:
    words = json.loads((TARGET.parents[2] / "locales/en.json").read_text("utf-8"))
    assert {f"tutorial.lesson.{lesson.name}" for lesson in tutorial.lessons} <= set(words)


def test_the_learner_sees_what_a_player_sees(tutorial: Tutorial) -> None:
    for frame in tutorial.replay.frames[:-1]:
        assert frame.view.seat == LEARNER
        assert frame.view.seats[1 - LEARNER].hand is None
        friends = [one for one in frame.events if one.get("seat") == 1 - LEARNER]
        assert all("tickets" not in event and ("card" not in event or event["from"] == "display") for event in friends)
    assert len(tutorial.replay.frames) == tutorial.replay.steps == len(tutorial.actions) + 1


# Over HTTP.


def test_anybody_may_fetch_it(served: Served, tutorial: Tutorial) -> None:
    answer = httpx.get(f"{served.url}/api/tutorial")
    assert answer.status_code == 200
    assert answer.json()["actions"] == list(tutorial.actions)
    again = httpx.get(f"{served.url}/api/tutorial", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


def why_not(served: Served, step: int, action: str) -> httpx.Response:
    return httpx.get(f"{served.url}/api/tutorial/why-not", params={"step": step, "action": action})


def test_the_rules_say_why_something_else_is_not_possible(served: Served, tutorial: Tutorial) -> None:
    steps = {lesson.name: lesson.step for lesson in tutorial.lessons}
    assert why_not(served, steps["secondCard"], "draw ferry").json()["rule"] == "3.5"
    assert why_not(served, steps["twin"], "claim sunset-twin_peaks:1 orange3").json()["key"] == "twin_closed"
    assert why_not(served, steps["ferryRoute"], "claim pier_39-alcatraz black2").json()["rule"] == "4.4"
    assert why_not(served, steps["claim"], "draw black").json()["legal"] is False
    for lesson in tutorial.lessons:
        if lesson.does:
            assert why_not(served, lesson.step, tutorial.actions[lesson.step]).json()["legal"] is True


def test_what_is_no_step_and_no_action_is_refused(served: Served) -> None:
    assert why_not(served, 1, "sing").json()["error"]["code"] == "not_an_action"
    assert why_not(served, 1000, "pass").json()["error"]["code"] == "invalid"
    assert why_not(served, -1, "pass").status_code == 422
    assert why_not(served, 0, "pass").json()["key"] == "not_your_turn"
