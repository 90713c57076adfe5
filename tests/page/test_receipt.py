"""A browser keeps a receipt of the game that is played in it, and holds the record against it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from fogline.fairness import Fairness
from fogline.fairness.entry import read_fairness
from fogline.game.record import prove
from fogline.maps.board import Board
from tests.dishonest import CHEATS, HONEST_CHAIR, SEEN_IN_THE_RECORD, Sitting
from tests.page.hands import Mouse
from tests.page.screens import Visit
from tests.page.visitor import Visitor
from tests.page.words import said
from tests.seeds import seeded
from tests.tier import pick


@pytest.fixture
def played(visit: Visit) -> Visitor:
    """Somebody who has played a whole game against a bot."""
    visitor = visit()
    begin(visitor)
    Mouse(visitor).play()
    return visitor


def begin(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.page.get_by_text(said("home.more"), exact=True).click()
    visitor.page.get_by_label(said("choices.map")).select_option("Tiny")
    visitor.button("home.play").first.click()


Lie = Callable[[dict[str, Any]], dict[str, Any]]


def lie_at_the_start(visitor: Visitor, lie: Lie) -> list[str]:
    """The server says something else of the table when the game is started. The salts that it gets for that."""
    salts: list[str] = []

    def answer(route: Route) -> None:
        fetched = route.fetch()
        state = fetched.json()
        route.fulfill(response=fetched, json=state | {"table": lie(state["table"])})

    visitor.page.route("**/api/tables/*/start", answer)
    visitor.page.on("request", lambda request: salts.append(request.url) if request.url.endswith("/reveal") else None)
    return salts


def test_a_server_that_answers_with_another_table_gets_no_salt(visit: Visit) -> None:
    visitor = visit()
    salts = lie_at_the_start(visitor, lambda table: table | {"id": "another-table-00"})
    begin(visitor)
    expect(visitor.page.get_by_text(said("error.other_table"))).to_be_visible()
    assert salts == []
    assert visitor.page.evaluate("Object.keys(JSON.parse(localStorage.getItem('fogline.receipts'))).length") == 1


@pytest.mark.thorough  # the deal waits ten seconds for the salt
def test_a_server_that_shows_no_seals_gets_no_salt(visit: Visit) -> None:
    visitor = visit()
    salts = lie_at_the_start(visitor, lambda table: table | {"seals": [], "chairs": []})
    begin(visitor)
    Mouse(visitor).play()
    assert salts == []
    assert not receipt_of(visitor)["given"]
    visitor.go(f"/verify?table={table_of(visitor)}")
    expect(visitor.page.locator(".verdict.bad")).to_contain_text(said("verify.unfair"))


def table_of(visitor: Visitor) -> str:
    return visitor.page.url.partition("/game/")[2].partition("?")[0]


def receipt_of(visitor: Visitor) -> dict[str, Any]:
    kept = visitor.page.evaluate("JSON.parse(localStorage.getItem('fogline.receipts'))")
    found: dict[str, Any] = kept[table_of(visitor)]
    return found


def record_of(visitor: Visitor) -> dict[str, Any]:
    address = f"/api/tables/{table_of(visitor)}/record"
    found: dict[str, Any] = visitor.page.evaluate("address => fetch(address).then((answer) => answer.json())", address)
    return found


def test_a_game_played_here_is_the_one_of_its_receipt(played: Visitor) -> None:
    record, receipt = record_of(played), receipt_of(played)
    assert (receipt["revealed"], receipt["seals"][1]) == (True, None)
    assert prove(record, receipt=receipt).fair
    played.go(f"/verify?table={table_of(played)}")
    expect(played.page.locator(".verdict.good")).to_contain_text(said("verify.fair"))
    expect(played.page.get_by_text(said("verify.good"), exact=True)).to_have_count(5)


@pytest.mark.parametrize(
    "cheat", pick(["another game", "the secret chosen after the salts"], sorted(CHEATS.keys() - SEEN_IN_THE_RECORD))
)
def test_a_server_that_cheats_is_found(cheat: str, played: Visitor) -> None:
    """Its records agree with themselves: only the receipt tells."""
    table, record = table_of(played), record_of(played)
    promised = read_fairness(record["fairness"], 2)
    assert isinstance(promised, Fairness)
    board, salt = Board.load("tiny"), promised.salts[HONEST_CHAIR] or ""
    lie = CHEATS[cheat](Sitting(board, promised, salt, random.Random(seeded(cheat).random()))).record
    prove(lie)

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps(lie), content_type="application/json")

    played.page.route("**/api/tables/*/record", answer)
    played.go(f"/verify?table={table}")
    expect(played.page.locator(".verdict.bad")).to_contain_text(said("verify.unfair"))
    expect(played.page.get_by_text(said("verify.bad"), exact=True)).to_have_count(1)
