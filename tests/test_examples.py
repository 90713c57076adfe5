"""The examples do what they say, against a real server."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fogline.game.record import audit, prove
from tests.conformance import ROOT
from tests.server.nursery import Forked
from tests.server.playing import stream
from tests.server.serving import PATIENCE, Person, Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Forked(f"sqlite:///{tmp_path}/tables.db", tmp_path) as server:
        yield server


def run_bot(*arguments: str) -> subprocess.Popen[str]:
    """The bot, on Python alone: `-I` keeps the libraries of the tests from it, `-W error` any warning."""
    command = [sys.executable, "-I", "-S", "-W", "error", str(ROOT / "examples/bot.py"), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def said(bot: subprocess.Popen[str]) -> tuple[list[int], int]:
    """Who won, and which seat the bot had; it must have come to that."""
    out, _ = bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 0, out
    found = re.fullmatch(r"won by seats \[([\d, ]+)\] - I am seat (\d)\n", out)
    assert found, out
    return [int(seat) for seat in found[1].split(", ")], int(found[2])


def test_the_bot_plays_against_a_bot_of_the_server(served: Served) -> None:
    winners, seat = said(run_bot(served.url))
    assert {seat, *winners} <= {0, 1}
    assert served.troubles() == []


def test_bots_play_against_each_other_by_invitation(served: Served) -> None:
    host = Person(served.url)
    table = host.open_table("open", "open", "open")["table"]
    bots = [run_bot(served.url, table["invite"]) for _ in range(3)]
    told = [said(bot) for bot in bots]
    found = audit(host.get(f"/tables/{table['id']}/record"))
    assert found.fair
    assert sorted(seat for _, seat in told) == [0, 1, 2]
    assert [winners for winners, _ in told] == [found.game.winners] * 3


def test_the_bot_outlives_a_server_that_is_stopped_or_killed(served: Served) -> None:
    host = Person(served.url)
    table = host.open_table("open", "me")["table"]
    bot = run_bot(served.url, table["invite"])
    next(state for state in stream(host, table["id"]) if state["table"]["status"] == "playing")
    served.stop()
    served.start()
    host.play(table["id"], 0, "keep both")
    next(state for state in stream(host, table["id"]) if state["view"]["phase"] != "keep_first_tickets")
    served.kill()
    served.start()
    host.post(f"/tables/{table['id']}/leave")
    winners, _ = said(bot)
    assert winners == host.get(f"/tables/{table['id']}/record")["winners"]


def sit_down(served: Served, invite: str, folder: Path, *options: str, answers: str = "") -> str:
    """What the client says that seals a salt and keeps a receipt, on Python alone."""
    command = [sys.executable, "-E", "-s", "-S", "-W", "error", str(ROOT / "examples/play.py"), served.url, invite]
    ran = subprocess.run(
        [*command, *options], input=answers, capture_output=True, text=True, cwd=folder, timeout=PATIENCE, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def check_kept(folder: Path) -> None:
    (receipt,), (record,) = (
        [json.loads(path.read_text("utf-8")) for path in folder.glob(f"{what}-*.json")] for what in ("receipt", "game")
    )
    assert receipt["revealed"]
    assert prove(record, receipt=receipt).fair
    assert audit(record).fair


@pytest.mark.parametrize("options", [["--bot"], []])
def test_a_client_of_ones_own_seals_a_salt_and_keeps_a_receipt(
    served: Served, tmp_path: Path, options: list[str]
) -> None:
    table = Person(served.url).open_table("open", "racer", map="tiny")["table"]
    folder = tmp_path / "kept"
    folder.mkdir()
    said = sit_down(served, table["invite"], folder, *options, answers="0\nx\n" + 500 * "1\n")
    assert "It is the game that was shown here." in said
    check_kept(folder)
    assert served.troubles() == []


OURS, THEIRS = "ours", "b" * 64

LISTS: dict[str, tuple[list[str | None], list[str]]] = {
    "none at all": ([], []),
    "none of the friend": ([OURS], ["person", "person", "bot"]),
    "a chair more": ([OURS, THEIRS, None, None], ["person", "person", "bot", "bot"]),
    "one of the bot": ([OURS, THEIRS, "c" * 64], ["person", "person", "bot"]),
    "ours twice": ([OURS, OURS, None], ["person", "person", "bot"]),
    "another in our chair": ([THEIRS, OURS, None], ["person", "person", "bot"]),
    "one that is none": ([OURS, "x", None], ["person", "person", "bot"]),
}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.chdir(tmp_path)
    return importlib.import_module("play")


def told(seals: list[str | None], kinds: list[str], status: str, **more: Any) -> dict[str, Any]:
    """A state of a table at which the client has chair 0."""
    chairs = [{"kind": kind} for kind in kinds]
    table = {"id": "t", "commitment": "c", "scheme": 2, "status": status, "chairs": chairs, "seals": seals}
    return {"table": table | {"you": {"chair": 0}} | more, "after": 0, "events": []}


@pytest.mark.parametrize("name", [None, *LISTS])
def test_the_client_gives_no_salt_for_seals_in_disorder(name: str | None, client: ModuleType) -> None:
    good = ([OURS, THEIRS, None], ["person", "person", "bot"])
    receipt = client.Receipt(told(*good, "open")["table"])
    seals, kinds = LISTS[name] if name else good
    own = client.sha256(receipt.kept["salt"])
    receipt.hear(told([own if seal == OURS else seal for seal in seals], kinds, "revealing"))
    assert receipt.kept["given"] is (name is None)
    receipt.hear(told([own, THEIRS, None], good[1], "revealing"))  # later is too late
    assert receipt.kept["given"] is (name is None)


def test_the_client_writes_down_what_a_table_contradicts(client: ModuleType) -> None:
    receipt = client.Receipt(told([None, None], ["person", "bot"], "open")["table"])
    own = client.sha256(receipt.kept["salt"])
    receipt.hear(told([own, None], ["person", "bot"], "revealing"))
    with pytest.raises(client.Stopped, match="another table"):
        receipt.hear(told([own, None], ["person", "bot"], "revealing", id="u"))
    for status, kind in (("playing", "bot"), ("open", "person"), ("playing", "person")):  # one came late
        receipt.hear(told([own, None], ["person", kind], status))
        assert receipt.kept["differed"] is ((status, kind) == ("playing", "person"))
    with pytest.raises(client.Stopped, match="no new table"):
        client.Receipt(told([None, None], ["person", "bot"], "open")["table"])


@pytest.mark.thorough
def test_the_bot_waits_where_it_is_too_fast(tmp_path: Path) -> None:
    database, limit = f"sqlite:///{tmp_path}/tables.db", "--limit=requests_per_second=1"
    with Forked(database, tmp_path, limit, generous=False) as served:
        table = Person(served.url).open_table("open", "racer", map="tiny")["table"]
        said(run_bot(served.url, table["invite"]))
        assert any(entry.get("status") == 429 for entry in served.entries())
