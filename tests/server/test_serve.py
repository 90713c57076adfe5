"""The command `fogline serve`: what its options do, and what it says when they cannot be done."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from fogline.game.record import audit
from fogline.maps.board import Board
from tests.boards import DATA, load_board
from tests.program import Program
from tests.server.nursery import Forked
from tests.server.playing import play_together, refusal, seat_together
from tests.server.serving import PATIENCE, Person


class Server:
    """The program in this process: for what ends before anybody is served."""

    def __init__(self, fogline: Program) -> None:
        self._fogline = fogline

    def complaint(self, *options: str) -> str:
        """What it says to options that it cannot do; never a traceback, and nothing that sounds as if it ran."""
        ran = self._fogline("serve", *options)
        assert (ran.code, ran.out) == (2, "")
        assert "Traceback" not in ran.err
        return ran.err


@pytest.fixture
def server(fogline: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Server:
    monkeypatch.setattr("fogline.commands.serve.set_up", lambda form: None)  # the log here is that of the tests
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return Server(fogline)


@contextmanager
def run_bare(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`fogline serve` on a free port with nothing but these options, and the address that it tells."""
    command = [sys.executable, "-m", "fogline", "serve", "--port=0", *options]
    environment = os.environ | {"XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
    with process:
        try:
            assert process.stdout is not None
            (url,) = re.findall(r"http://\S+", process.stdout.readline())
            yield process, url
        finally:
            process.kill()


@pytest.mark.thorough
def test_nothing_from_outside_makes_its_secrets_those_of_another_server(tmp_path: Path) -> None:
    """Tests choose what a server draws from within its process; a server that somebody runs has no way to be told."""
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()
    with ExitStack() as running:
        urls = [running.enter_context(run_bare(folder))[1] for folder in folders]
        one, other = (Person(url).open_table("me", "racer")["table"]["commitment"] for url in urls)
    assert one != other


@pytest.mark.thorough
def test_who_keeps_a_connection_as_long_as_proxies_do_may_use_it_again(tmp_path: Path) -> None:
    """Otherwise a request that a proxy sends over an idle connection could meet the server's end of it."""
    with run_bare(tmp_path) as (_, url), closing(HTTPConnection(url.removeprefix("http://"))) as asking:
        for _ in range(2):
            asking.request("GET", "/health")
            assert asking.getresponse().read()
            line = asking.sock
            time.sleep(7)  # uvicorn's own limit is five
        asking.request("GET", "/health")
        assert asking.getresponse().status == 200
        assert asking.sock is line  # and no second one, which http.client would open without a word


# What it says when something is wrong.


def test_a_port_that_is_taken(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        complaint = server.complaint("--port", str(port))
    assert complaint == f"fogline: cannot listen on 127.0.0.1, port {port}: Address already in use\n"


def test_a_host_that_is_not_here(server: Server) -> None:
    assert "cannot listen on 192.0.2.1, port 8000" in server.complaint("--host", "192.0.2.1")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "a database is given as sqlite:///path/to/tables.db or as postgresql://"),
        ("mysql://user@host/name", "a database is given as sqlite:///path/to/tables.db or as postgresql://"),
        ("sqlite://", "in memory would lose every game"),
        ("sqlite:///:memory:", "in memory would lose every game"),
        ("sqlite:////no/such/folder/tables.db", "/no/such/folder/tables.db"),
        ("postgresql://user:secret@127.0.0.1:1/name", "127.0.0.1:1/name cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_used(server: Server, url: str, reason: str) -> None:
    complaint = server.complaint("--port", "0", "--database", url)
    assert complaint.startswith("fogline: --database: ")
    assert reason in complaint
    assert "secret" not in complaint


def test_a_file_that_is_no_database(server: Server, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann, " * 1000)
    complaint = server.complaint("--port", "0", "--database", f"sqlite:///{tmp_path}/letter.txt")
    assert "file is not a database" in complaint


def test_a_file_that_another_server_uses(server: Server, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/tables.db"
    with Forked(database, tmp_path):
        complaint = server.complaint("--port", "0", "--database", database)
    assert "another server is using" in complaint
    assert "PostgreSQL" in complaint


@pytest.mark.parametrize("limit", ["patience=3", "sockets", "sockets=", "sockets=0", "sockets=-1", "sockets=many"])
def test_a_limit_that_is_none(server: Server, limit: str) -> None:
    complaint = server.complaint("--limit", limit)
    assert complaint.startswith("fogline: --limit takes NAME=NUMBER with one of body_bytes, ")
    assert complaint.endswith(f"; not {limit!r}\n")


@pytest.mark.parametrize(
    "option",
    [
        *("--port=http", "--port=65536", "--port=-1", "--bot-delay=long", "--bot-delay=61", "--bot-delay=nan"),
        *("--thinkers=0", "--thinkers=many", "--thinkers=1000", "--log=xml", "--keep-imports=-1"),
        *("--thinkers-at=big-box", "--thinkers-at=-oProxyCommand=4"),
    ],
)
def test_a_value_that_makes_no_sense(server: Server, option: str) -> None:
    name, _, value = option.partition("=")
    complaint = server.complaint(option)
    assert f"argument {name}: " in complaint
    assert repr(value) in complaint


@pytest.mark.parametrize("number", ["", "0", "1000"])
def test_a_number_of_processes_elsewhere_that_makes_no_sense(server: Server, number: str) -> None:
    complaint = server.complaint(f"--thinkers-at=ann@big-box={number}:python3")
    assert f"argument --thinkers-at: must be a number of processes from 1 to 256, not {number!r}" in complaint


def test_without_openssh_no_other_machine_can_help(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert server.complaint("--thinkers-at=big-box=1") == "fogline: --thinkers-at needs OpenSSH's `ssh`\n"


def test_a_map_with_faults_names_them_all(server: Server, tmp_path: Path) -> None:
    (tmp_path / "city.toml").write_text('schema = 1\nid = "City!"\n')
    complaint = server.complaint("--map", str(tmp_path / "city.toml"))
    assert len(re.findall("^  - ", complaint, re.M)) > 1
    assert "no_such.toml" in server.complaint("--map", str(tmp_path / "no_such.toml"))


# What its options do.


@pytest.mark.thorough
def test_without_options_the_maps_of_the_package_are_there_and_tables_are_kept_in_the_data_folder(
    tmp_path: Path,
) -> None:
    with run_bare(tmp_path) as (_, url):
        ann = Person(url)
        assert {info["id"] for info in ann.get("/maps")} == {Board.load("san_francisco").id, "tiny"}
        table = ann.open_table("me", "open", name="Ann")["table"]["id"]
    assert (tmp_path / "fogline/tables.db").is_file()
    with run_bare(tmp_path) as (_, url):
        ann.http.base_url = httpx.URL(url)
        assert ann.get(f"/tables/{table}")["table"]["chairs"][0]["name"] == "Ann"


def test_ctrl_c_stops_it_without_a_traceback(tmp_path: Path) -> None:
    with run_bare(tmp_path) as (process, url):
        assert httpx.get(f"{url}/health", timeout=PATIENCE, verify=False).status_code == 200
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
    assert process.returncode in (0, 130)
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_log_has_a_line_for_every_request(tmp_path: Path, form: str) -> None:
    with run_bare(tmp_path, f"--log={form}") as (process, url):
        httpx.get(f"{url}/api/maps", timeout=PATIENCE, verify=False)
        process.terminate()
        process.wait(PATIENCE)
    lines = (tmp_path / "log").read_text().splitlines()
    if form == "text":
        assert any(re.match(r"\d\d:\d\d:\d\d info    request method=GET route=/api/maps status=200", s) for s in lines)
    else:
        logged = [json.loads(line) for line in lines]
        (request,) = (line for line in logged if line.get("route") == "/api/maps")
        assert (request["event"], request["method"], request["status"]) == ("request", "GET", 200)
        assert all({"time", "level", "logger", "event"} <= set(line) for line in logged)


def test_a_map_of_ones_own_is_offered_and_played(tmp_path: Path) -> None:
    own = str(DATA / "dead_end.toml")
    with Forked(f"sqlite:///{tmp_path}/tables.db", tmp_path, "--map", own) as served:
        people = [Person(served.url) for _ in range(2)]
        board = load_board("dead_end")
        assert {"id": board.id, "name": board.name} in people[0].get("/maps")
        table = seat_together(people, map=board.id)
        play_together(people, table)
        found = audit(people[0].get(f"/tables/{table}/record"), board)
        assert (found.finished, found.fair) == (True, True)
        assert served.troubles() == []


def test_a_map_that_has_gone_leaves_the_rest_in_order(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/tables.db"
    with Forked(database, tmp_path, "--map", str(DATA / "dead_end.toml")) as served:
        ann = Person(served.url)
        lost = ann.open_table("me", "open", map=load_board("dead_end").id)["table"]["id"]
        kept = ann.open_table("me", "open")["table"]["id"]
        served.stop()
    with Forked(database, tmp_path) as served:
        ann.http.base_url = httpx.URL(served.url)
        assert refusal(ann.http.get(f"/api/tables/{lost}")) == (409, "conflict", None)
        assert ann.get(f"/tables/{kept}")["table"]["status"] == "open"
        assert [info["id"] for info in ann.get("/me/tables")] == [kept]
        assert served.troubles() == []


def test_a_limit_can_be_changed(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/tables.db"
    with Forked(database, tmp_path, "--limit=body_bytes=100", "--limit=tables_per_person=1", generous=False) as served:
        ann = Person(served.url)
        ann.open_table("me", "open")
        chairs = {"chairs": [{"kind": "me"}, {"kind": "open"}]}
        assert refusal(ann.http.post("/api/tables", json=chairs)) == (409, "too_many_tables", None)
        assert refusal(ann.http.post("/api/tables", json=chairs | {"name": "x" * 100})) == (413, "too_large", None)


def test_a_proxy_in_front_may_have_another_address(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/tables.db"
    with Forked(database, tmp_path, "--origin", "https://play.example/") as served:
        ann = Person(served.url)
        chairs = {"chairs": [{"kind": "me"}, {"kind": "open"}]}
        for origin, status in (("https://play.example", 201), ("https://elsewhere.example", 403)):
            assert ann.http.post("/api/tables", json=chairs, headers={"Origin": origin}).status_code == status


@pytest.mark.parametrize(("believed", "secure"), [("127.0.0.1", True), ("192.0.2.7", False)])
def test_a_proxy_is_believed_where_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, believed: str, secure: bool
) -> None:
    """Behind a proxy with HTTPS, the cookie must never travel without it."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", believed)
    with Forked(f"sqlite:///{tmp_path}/tables.db", tmp_path) as served:
        forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.9"}
        cookie = httpx.post(f"{served.url}/api/people", headers=forwarded, timeout=PATIENCE).headers["set-cookie"]
    assert ("secure" in cookie.lower().split("; ")) is secure
