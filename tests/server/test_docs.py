"""What docs/server.md says is so, and its commands run."""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import shlex
import subprocess
import sys
import typing
from contextlib import ExitStack
from pathlib import Path

import pytest

from fogline.commands.serve import COMMANDS
from fogline.game.record import audit
from fogline.server.http import sockets
from fogline.server.http.limits import Limits
from fogline.server.metrics import METRICS
from fogline.server.refused import STATUS
from fogline.server.wire import wire
from tests.conformance import ROOT
from tests.postgresql import PostgreSQL
from tests.server.nursery import Forked
from tests.server.playing import play_together
from tests.server.serving import PATIENCE, Person, Served

DOCUMENT = (ROOT / "docs/server.md").read_text("utf-8")
SHELL = "\n".join(re.findall(r"^```sh\n(.*?)^```", DOCUMENT, re.M | re.S))
SERVERS = [line for line in SHELL.splitlines() if line.startswith("fogline serve")]


def column(heading: str, number: int = 0) -> list[str]:
    """A column of the table with this heading."""
    table = DOCUMENT.partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    return [line.split(" | ")[number].strip("|` ") for line in table.splitlines()[2:]]


@pytest.mark.thorough
def test_the_commands_of_the_document_run(tmp_path: Path) -> None:
    with Forked(f"sqlite:///{tmp_path}/tables.db", tmp_path) as served:
        run_commands(served.url, tmp_path)
        assert served.troubles() == []


def run_commands(url: str, folder: Path) -> None:
    (folder / "examples").symlink_to(ROOT / "examples")
    script = "\n".join(line for line in SHELL.splitlines() if line not in SERVERS)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-euc", script.replace("http://127.0.0.1:8000", url)],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    for said in ('"status":"ok"', "fogline_entries_total", "won by seats", "first keep one or both", "1 good, 0 bad"):
        assert said in ran.stdout
    assert (folder / "copy.db").stat().st_size > 0


def test_one_server_of_the_document_runs_and_the_others_share_a_database(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    database = postgresql.create_database()
    with ExitStack() as running:
        _, *people = [Person(running.enter_context(documented(line, database, tmp_path)).url) for line in SERVERS]
        host, guest = people
        host.http.headers["Origin"] = "https://play.example"
        table = host.open_table("me", "open", map="tiny")["table"]
        guest.post(f"/invites/{table['invite']}")
        play_together(people, table["id"])
        assert audit(guest.get(f"/tables/{table['id']}/record")).fair


def documented(line: str, database: str, folder: Path) -> Served:
    """A server as in the document, but on a port and a database of the test."""
    options = shlex.split(re.sub(r" --(port|database) \S+", "", line))[2:]
    return Forked(database if "postgresql:" in line else f"sqlite:///{folder}/tables.db", folder, *options)


def test_every_option_and_limit_is_documented() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    COMMANDS[0].arguments(parser)
    named = re.findall("--[a-z-]+", " ".join(column("option")))
    assert named == [action.option_strings[0] for action in parser._actions]
    limits = {field.name: str(field.default) for field in dataclasses.fields(Limits)}
    assert dict(zip(column("limit"), column("limit", 1), strict=True)) == limits


def test_every_metric_is_documented() -> None:
    metrics = METRICS.registry.collect()
    names = [metric.name + ("_total" if metric.type == "counter" else "") for metric in metrics]
    assert column("metric") == names


def test_every_message_and_error_is_documented() -> None:
    kinds = [typing.get_args(typing.get_type_hints(one)["type"])[0] for one in typing.get_args(wire.ServerMessage)]
    assert column("message") == kinds
    statuses = {code: str(status) for code, status in STATUS.items()} | {"failed": "500"}
    assert dict(zip(column("code"), column("code", 1), strict=True)) == statuses


def test_the_messages_of_the_document_are_good() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", DOCUMENT, re.S)
    messages = [wire.CLIENT_MESSAGE.validate_json(line) for line in block.splitlines()]
    assert {type(message) for message in messages} == set(typing.get_args(wire.ClientMessage))


def test_the_numbers_of_the_document_are_those_of_the_code() -> None:
    assert f"socket?protocol={wire.PROTOCOL}&" in DOCUMENT
    for code in (sockets.RESTARTING, sockets.REFUSED, sockets.OUTDATED, sockets.FLOOD):
        assert re.search(rf"\b{code}\b", DOCUMENT)
