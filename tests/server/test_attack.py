"""A server under attack: every attack is refused in clear words, changes nothing, and keeps nobody from playing."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance
from sqlalchemy import create_engine, select

from fogline.server.http.gate import HEADERS
from fogline.server.refused import STATUS
from fogline.server.storage.schema import METADATA
from fogline.server.wire.wire import PROTOCOL
from tests.server import raw
from tests.server.attacks import BREAKS, FOREIGN, HANDSHAKES, PROTOCOL_ERRORS, Insider, Messages, Requests, Stage
from tests.server.nursery import Forked
from tests.server.playing import Decider, play_over_socket, play_together, refusal, seat_together, stream
from tests.server.processes import wait_until
from tests.server.raw import Answer, CutOff, Line, Socket
from tests.server.serving import PATIENCE, Person, Served
from tests.tier import pick

MESSAGES, REQUESTS = 94_500, 5_500
"""Of the whole attack: a hundred thousand."""

MESSAGES_AT_ONCE, REQUESTS_AT_ONCE = 100, 8
"""What is sent before the first answer to it is read."""

INTERNAL = re.compile(
    r"Traceback|\b[A-Z]\w*(?:Error|Exception)\b|\.py\b|site-packages|object at 0x|sqlalchemy|pydantic"
)
"""What tells of the inside of the program."""


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def socket_path(table: str) -> str:
    return f"/api/tables/{table}/socket?protocol={PROTOCOL}"


def memory(served: Served) -> int:
    """What the server's process has in memory, in megabytes."""
    status = Path(f"/proc/{served.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def check_answer(answer: Answer) -> None:
    """Whatever was asked: no failure, every header, and an error in our words."""
    assert answer.status < 500, answer
    for name, value in HEADERS.items():
        assert answer.headers.get(name.lower()) == value, (name, answer)
    if answer.status >= 400 and answer.body:
        assert answer.headers["content-type"] == "application/json", answer
        check_error(answer.error())


def check_error(error: dict[str, Any]) -> None:
    assert error["code"] in STATUS, error
    assert 0 < len(error["reason"]) <= 600, error
    assert not INTERNAL.search(error["reason"]), error


# The attack.


@pytest.mark.parametrize(("database", "share"), [("sqlite", pick(0.05, 1.0)), ("postgresql", pick(0.02, 0.08))])
def test_a_hundred_thousand_attacks_change_nothing(
    database: str, share: float, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """While others play; and on PostgreSQL, which is stricter about what it takes, some thousands once more."""
    url = (
        request.getfixturevalue("postgresql").create_database()
        if database == "postgresql"
        else f"sqlite:///{tmp_path}/t.db"
    )
    with Forked(url, tmp_path, "--limit=sockets_per_person=1000") as served, ThreadPoolExecutor(1) as threads:
        stage = set_up(served.url)
        player, done = Person(served.url), threading.Event()
        before, size = stored(url, stage), memory(served)
        played = threads.submit(play_until, done, player)
        try:
            answers = attack_sockets(served, stage, round(share * MESSAGES))
            answers += attack_requests(served, stage, round(share * REQUESTS))
        finally:
            done.set()
        games = played.result()

        assert answers.total() >= round(share * 100_000)
        assert {"illegal", "late", "forbidden", "conflict", "invalid", "not_an_action", "not_found"} <= {*answers}
        assert stored(url, stage) == before
        assert tables_in(url) == {*stage.tables.values(), *games}
        assert all(player.get(f"/tables/{game}")["table"]["status"] == "over" for game in games)
        assert memory(served) < size + 100
        assert served.troubles() == []
        log = served.log.read_text()
        assert [secret for secret in [*stage.secrets, player.token, *games] if secret in log] == []


def set_up(url: str) -> Stage:
    """Tables in all states. Nothing happens at any of them by itself: it is always a person who must decide."""
    ann, bob, _ = people = [Person(url) for _ in range(3)]
    begun = ann.open_table("me", "open", "racer", name="Xenia-in-the-log", autostart=False)["table"]
    ended = ann.open_table("me", "open")["table"]
    ann.http.delete(f"/api/tables/{ended['id']}/invite").raise_for_status()
    closed = ann.open_table("me", "open")["table"]
    ann.post(f"/tables/{closed['id']}/leave")
    tables = {"open": begun["id"], "not joinable": ended["id"], "closed": closed["id"]}
    tables["private"] = seat_together([ann, bob], spectators=False)
    tables["choosing"] = seat_together([ann, bob])
    ann.play(tables["choosing"], 0, "keep both")
    tables["playing"] = seat_together(people, "racer")
    decided = play_some(people, tables["playing"], 25)
    tables["over"] = seat_together([ann, bob], map="tiny")
    play_together([ann, bob], tables["over"])
    record = ann.get(f"/tables/{tables['over']}/record")
    tables["imported"] = bob.post("/records", record=record, names=["Ann"])["id"]
    stranger = Person(url).token
    description = httpx.get(f"{url}/api/openapi.json").json()
    return Stage(
        tables=tables,
        insiders=[
            *(insider(person, tables["playing"], decided[person.token]) for person in people),
            *(insider(ann, tables["choosing"], [(0, "keep both")]), insider(bob, tables["choosing"], [])),
            *(insider(ann, tables[name], []) for name in ("open", "closed", "private", "over")),
        ],
        stranger=stranger,
        revoked=ended["invite"],
        record=record,
        operations=[
            (method.upper(), path)
            for path, methods in description["paths"].items()
            for method in methods
            if "stream" not in path  # which has no end
        ],
        secrets={*tables.values(), begun["invite"], ended["invite"], stranger, *(one.token for one in people), "Xenia"},
    )


def play_some(people: Sequence[Person], table: str, count: int) -> dict[str, list[tuple[int, str]]]:
    """So many decisions, until a person must decide the next one; what each has decided, by token."""
    seats = {person.get(f"/tables/{table}")["view"]["seat"]: person for person in people}
    deciders = {seat: Decider(seat) for seat in seats}
    decided: dict[str, list[tuple[int, str]]] = {person.token: [] for person in people}
    for state in stream(people[0], table):
        waiting = [seat for seat in state["view"]["deciding"] if seat in seats]
        enough = sum(map(len, decided.values())) >= count
        if waiting and enough and people[0].get(f"/tables/{table}")["n"] == state["n"]:
            break
        for seat in waiting:
            view = seats[seat].get(f"/tables/{table}")["view"]
            if action := deciders[seat](view):
                seats[seat].play(table, view["step"], action)
                decided[seats[seat].token].append((view["step"], action))
    return decided


def insider(person: Person, table: str, decided: Sequence[tuple[int, str]]) -> Insider:
    view = person.get(f"/tables/{table}")["view"]
    deciding = view is not None and view["seat"] in view["deciding"]
    return Insider(person.token, table, view["step"] if view else 0, deciding, decided)


def play_until(done: threading.Event, player: Person) -> list[str]:
    """Plays whole games, one after the other."""
    games: list[str] = []
    while not games or not done.is_set():
        games.append(player.open_table("me", "racer")["table"]["id"])
        play_over_socket(player, games[-1], seed=len(games))
    return games


def stored(url: str, stage: Stage) -> dict[str, Any]:
    """All that the database knows of these tables, and of people."""
    with database_at(url) as connection:
        rows = {
            table.name: [row._asdict() for row in connection.execute(select(table))] for table in METADATA.sorted_tables
        }
    ours = {*stage.tables.values()}
    return {
        name: sorted(
            repr(row) for row in found if row.get("game", row["id"] if name == "games" else None) in (*ours, None)
        )
        for name, found in rows.items()
    }


def tables_in(url: str) -> set[str]:
    with database_at(url) as connection:
        return set(connection.scalars(select(METADATA.tables["games"].c.id)))


@contextmanager
def database_at(url: str) -> Iterator[Any]:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def attack_sockets(served: Served, stage: Stage, count: int) -> Counter[str]:
    """Sends so many messages, from everybody to everywhere; what was answered."""
    answers: Counter[str] = Counter()
    with ExitStack() as stack:
        talks: list[tuple[Socket, Messages, Insider | None]] = []
        everywhere: list[tuple[str, str, Insider | None]] = [(one.table, one.token, one) for one in stage.insiders]
        everywhere += [(table, stage.stranger, None) for name, table in stage.tables.items() if name != "private"]
        for seed, (table, token, one) in enumerate(everywhere):
            socket = stack.enter_context(Socket(served.port, socket_path(table), bearer(token)))
            assert socket.answer.status == 101
            talks.append((socket, Messages(seed, one), one))
        while answers.total() < count:
            for socket, messages, _ in talks:
                socket.send_all(messages.batch(MESSAGES_AT_ONCE))
            for socket, _, one in talks:
                answers.update(check_reply(next_reply(socket), one) for _ in range(MESSAGES_AT_ONCE))
    return answers


def next_reply(socket: Socket) -> dict[str, Any]:
    while True:
        reply = socket.receive()
        assert isinstance(reply, dict), reply
        if reply["type"] != "state":
            return reply


def check_reply(reply: dict[str, Any], one: Insider | None) -> str:
    """What came back for a message; it must have changed nothing."""
    if reply["type"] == "rejected":
        check_error(reply)
        return str(reply["code"])
    assert one is not None, reply
    if reply["type"] == "accepted":
        assert one.decided  # once more
    else:
        assert reply["type"] == "answer"
        assert reply["legal"] or not INTERNAL.search(reply["reason"]), reply
    return str(reply["type"])


def attack_requests(served: Served, stage: Stage, count: int) -> Counter[str]:
    answers: Counter[str] = Counter()
    requests = Requests(1, stage)
    with Line(served.port) as line:
        while answers.total() < count:
            batch = [requests.any() for _ in range(REQUESTS_AT_ONCE)]
            line.send_all(b"".join(data for _, data in batch))
            for method, data in batch:
                answer = line.read_answer(head=method == "HEAD")
                outcome = check_outcome(method, data, answer)
                answers[outcome] += 1
    return answers


def check_outcome(method: str, data: bytes, answer: Answer) -> str:
    """Who may do nothing may read, and is told why all else is refused."""
    path = data.split(b" ")[1]
    if answer.status < 400:
        assert method in ("GET", "HEAD"), (data, answer)
        check_answer(answer)
        return "read"
    if not path.startswith(b"/api/") and answer.headers["content-type"].startswith("text/html"):
        return "lost"  # with the page for people
    check_answer(answer)
    code = answer.error()["code"] if answer.body else "no body"
    assert method == "HEAD" or answer.status in (STATUS[code], 405), (data, answer)
    return str(code)


# Attacks one by one, on a server that only has to withstand.


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("attacked")
    with Forked(f"sqlite:///{folder}/t.db", folder) as server:
        yield server
        assert server.troubles() == []


@pytest.fixture
def table(ann: Person) -> str:
    return str(ann.open_table("me", "racer")["table"]["id"])


def is_well(served: Served, person: Person) -> bool:
    """Whether somebody else can play."""
    table = person.open_table("me", "racer", map="tiny")["table"]["id"]
    person.play(table, 0, "keep both")
    return httpx.get(f"{served.url}/health", timeout=PATIENCE, verify=False).status_code == 200


@pytest.mark.parametrize("kind", BREAKS)
def test_whoever_breaks_the_protocol_of_sockets_is_told_so_and_cut_off(
    served: Served, ann: Person, table: str, kind: str
) -> None:
    data, codes = BREAKS[kind]
    with Socket(served.port, socket_path(table), ann.headers) as socket:
        socket.send(data)
        assert socket.closed() in codes
        assert socket.read_to_the_end() == b""
    assert is_well(served, ann)


@pytest.mark.parametrize("number", range(len(PROTOCOL_ERRORS)))
def test_what_is_no_http_is_told_so_and_cut_off(served: Served, number: int) -> None:
    with Line(served.port) as line:
        line.send(PROTOCOL_ERRORS[number])
        line.finish()
        try:
            answer = line.read_answer()
        except CutOff:
            return  # it hung up before it had said anything
        check_answer(answer)
        assert (answer.status in (400, 422), answer.error()["code"]) == (True, "invalid")
        assert line.read_to_the_end() == b""


def test_what_is_no_http_in_the_middle_of_an_answer_ends_it(served: Served, table: str) -> None:
    with Line(served.port) as line:
        line.send(raw.request("GET", f"/api/tables/{table}/stream", {"Transfer-Encoding": "chunked"}))
        line.read_until(b'"type":"state"')
        line.send(b"zz\r\n")
        assert b"HTTP/1.1" not in line.read_to_the_end()


@pytest.mark.parametrize("kind", HANDSHAKES)
def test_what_is_no_handshake_opens_no_socket(served: Served, ann: Person, table: str, kind: str) -> None:
    method, rest, headers, status = HANDSHAKES[kind]
    with Line(served.port) as line:
        line.send(raw.request(method, f"/api/tables/{table}/socket{rest}", raw.HANDSHAKE | ann.headers | headers))
        if "body" in kind:
            line.send(b"0\r\n\r\n" if "pieces" in kind else b"xx")
        answer = line.read_answer()
    check_answer(answer)
    assert answer.status == status


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_pages_of_others_can_do_nothing_for_whoever_looks_at_them(
    served: Served, ann: Person, table: str, origin: str, method: str
) -> None:
    headers = {"Cookie": f"fogline={ann.token}", "Origin": origin}
    path = {"POST": "leave", "PUT": "spectators", "DELETE": "invite"}[method]
    answer = httpx.request(method, f"{served.url}/api/tables/{table}/{path}", headers=headers, timeout=PATIENCE)
    assert refusal(answer) == (403, "forbidden", None)


def test_a_large_body_is_not_read_whether_or_not_it_says_how_large_it_is(served: Served, ann: Person) -> None:
    json_headers = ann.headers | {"Content-Type": "application/json"}
    for path, most in (("/api/tables", 16_384), ("/api/records", 250_000)):
        fits = b'{"x": "' + b"x" * (most - 9) + b'"}'
        for body, code in ((fits, "invalid"), (fits + b" ", "too_large")):
            with Line(served.port) as line:
                line.send(raw.request("POST", path, json_headers, body))
                assert line.read_answer().error()["code"] == code
                pieces = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
                line.send(raw.request("POST", path, json_headers | {"Transfer-Encoding": "chunked"}, pieces))
                answer = line.read_answer()
                assert answer.error()["code"] == code
                check_answer(answer)


def test_whoever_hangs_up_in_the_middle_of_a_record_leaves_no_error_in_the_log(served: Served, ann: Person) -> None:
    headers = ann.headers | {"Content-Type": "application/json", "Content-Length": "1000"}
    with Line(served.port) as line:
        line.send(raw.request("POST", "/api/records", headers, b"{"))
    wait_until(lambda: "/api/records" in {entry.get("route") for entry in served.entries()})
    assert served.troubles() == []


def test_a_body_that_nobody_asked_for_disturbs_nobody(served: Served, ann: Person, table: str) -> None:
    with Line(served.port) as line:
        headers = ann.headers | {"Transfer-Encoding": "chunked"}
        line.send(raw.request("GET", f"/api/tables/{table}/stream", headers))
        assert b'"e":"keep"' not in line.read_until(b'"type":"state"')
        line.send(b"%x\r\n%s\r\n" % (50_000, b"x" * 50_000))
        ann.play(table, 0, "keep both")
        while b'"e":"keep"' not in line.read_until(b'"type":"state"'):
            pass  # the bot has chosen before


# What fills the memory.


def test_pings_of_somebody_who_never_reads_do_not_pile_up(served: Served, ann: Person, table: str) -> None:
    pings = raw.frame(raw.PING, b"x" * 125) * 4000
    with Socket(served.port, socket_path(table), ann.headers) as socket:
        before = memory(served)
        for _ in range(100):  # 52 MB
            socket.send(pings)
        assert memory(served) < before + 25
    assert is_well(served, ann)


def test_answers_to_somebody_who_never_reads_do_not_pile_up(served: Served, ann: Person) -> None:
    asked, before = 3000, memory(served)
    with Line(served.port) as line:
        line.send_all(raw.request("GET", "/api") * asked)
        answered = [-1]
        while len(answered) < 20 or answered[-20] != answered[-1]:  # until nothing more happens
            answered.append(times_answered(served, "/api"))
        assert answered[-1] < asked
        assert memory(served) < before + 25
    assert is_well(served, ann)


def times_answered(served: Served, route: str) -> int:
    metrics = httpx.get(f"{served.url}/metrics", timeout=PATIENCE, verify=False).text
    found = re.search(rf'fogline_requests_total{{route="{route}",status="200"}} (\d+)', metrics)
    return int(found[1]) if found else 0


def test_many_silent_connections_keep_nobody_from_playing(served: Served, ann: Person) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(Line(served.port)) for _ in range(400)]
        for number, line in enumerate(lines):
            line.send(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"[: number % 80])
        assert is_well(served, ann)
        for line in lines[::2]:
            line.finish()
        assert is_well(served, ann)


# Limits.


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose limits are soon reached: each test comes from addresses of its own."""
    limits = ["messages_per_second=1", "sockets_per_person=3", "people_per_address=2"]
    limits += ["tables_per_person=3", "people_per_minute=3", "body_seconds=1"]
    folder = tmp_path_factory.mktemp("strict")
    options = [f"--limit={limit}" for limit in limits]
    with Forked(f"sqlite:///{folder}/t.db", folder, *options, generous=False) as server:
        yield server
        assert server.troubles() == []


class Newcomer:
    """Somebody new, from an address, as a proxy in front of the server tells it."""

    def __init__(self, served: Served, address: str) -> None:
        self.served = served
        self.headers = {"X-Forwarded-For": address}
        self.headers |= bearer(self.ask("POST", "/people").json()["token"])

    def ask(self, method: str, path: str, *, address: str | None = None, **body: Any) -> httpx.Response:
        headers = self.headers | ({"X-Forwarded-For": address} if address else {})
        return httpx.request(
            method, f"{self.served.url}/api{path}", headers=headers, json=body or None, timeout=PATIENCE
        )

    def open_table(self, address: str | None = None) -> httpx.Response:
        return self.ask("POST", "/tables", address=address, chairs=[{"kind": "me"}, {"kind": "open"}])

    def new_table(self) -> str:
        return str(self.open_table().json()["table"]["id"])


def test_a_socket_that_floods_is_warned_and_closed(strict: Served) -> None:
    ann = Newcomer(strict, "192.0.2.1")
    path = socket_path(ann.new_table())
    with Socket(strict.port, path, ann.headers) as socket:
        socket.send(raw.text('{"type": "why_not", "id": 1, "action": "pass"}') * 200)
        replies: list[Any] = [socket.receive()]
        while isinstance(replies[-1], dict):
            replies.append(socket.receive())
    assert replies[-2]["type"] == "gone"
    assert replies[-1] == 4429
    codes = [reply["code"] for reply in replies[:-2] if reply["type"] == "rejected"]
    assert codes[:3] == ["conflict"] * 3  # before the start, there is nothing to ask
    assert codes[3:].count("too_many") >= 3
    with Socket(strict.port, path, ann.headers) as socket:
        assert isinstance(socket.receive(), dict)


def test_sockets_are_counted_for_each_person_and_each_address(strict: Served) -> None:
    ann, bob, cid = (Newcomer(strict, "192.0.2.2") for _ in range(3))
    table = ann.new_table()
    with ExitStack() as stack:

        def first_word(headers: dict[str, str]) -> str:
            socket = stack.enter_context(Socket(strict.port, socket_path(table), headers))
            reply = socket.receive()
            assert isinstance(reply, dict)
            if reply["type"] == "gone":
                assert socket.closed() == 4403
            return str(reply["type"])

        assert [first_word(ann.headers) for _ in range(5)] == ["state"] * 3 + ["gone"] * 2
        assert [first_word(bob.headers) for _ in range(4)] == ["state"] * 3 + ["gone"]
        assert first_word(cid.headers) == "gone"  # the address has as many as two people
        elsewhere = {"X-Forwarded-For": "192.0.2.3"}
        assert first_word(cid.headers | elsewhere) == "state"
        assert [first_word(elsewhere) for _ in range(4)] == ["state"] * 3 + ["gone"]  # strangers are one person
    for number in range(200):  # a place is free again, once the server has noticed that they have gone
        with Socket(strict.port, socket_path(table), ann.headers | {"X-Forwarded-For": f"192.0.2.{number}"}) as socket:
            reply = socket.receive()
            if isinstance(reply, dict) and reply["type"] == "state":
                return
    pytest.fail("the sockets that were closed still count")


def test_streams_are_refused_before_they_begin(strict: Served) -> None:
    table = Newcomer(strict, "192.0.2.4").new_table()
    with ExitStack() as stack:

        def status(address: str) -> int:
            line = stack.enter_context(Line(strict.port))
            line.send(raw.request("GET", f"/api/tables/{table}/stream", {"X-Forwarded-For": address}))
            answer = line.read_answer()
            check_answer(answer)
            return answer.status

        assert [status("192.0.2.5") for _ in range(5)] == [200, 200, 200, 429, 429]
        assert status("192.0.2.6") == 200  # strangers elsewhere are others


def test_who_opens_many_tables_at_once_gets_no_more_than_one_by_one(strict: Served) -> None:
    ann = Newcomer(strict, "192.0.2.7")
    addresses = [f"198.51.100.{number}" for number in range(12)]
    with ThreadPoolExecutor(len(addresses)) as threads:
        answers = [*threads.map(ann.open_table, addresses)]
    assert Counter(answer.status_code for answer in answers) == {201: 3, 409: 9}
    opened = next(answer.json()["table"]["id"] for answer in answers if answer.is_success)
    assert ann.ask("POST", f"/tables/{opened}/leave").is_success
    assert ann.open_table("198.51.100.99").status_code == 201


def test_one_address_cannot_open_tables_for_ever_newer_people(strict: Served) -> None:
    people = [Newcomer(strict, f"203.0.113.{number}") for number in range(4)]
    assert [one.open_table("192.0.2.8").status_code for one in people] == [201] * 3 + [429]
    assert people[-1].open_table("192.0.2.9").status_code == 201


def test_people_are_made_so_many_a_minute_at_one_address(strict: Served) -> None:
    def status(address: str) -> int:
        headers = {"X-Forwarded-For": address}
        return httpx.post(f"{strict.url}/api/people", headers=headers, timeout=PATIENCE, verify=False).status_code

    assert [status("192.0.2.10") for _ in range(4)] == [201, 201, 201, 429]
    assert status("192.0.2.11") == 201
    network = ("2001:db8::1", "2001:db8::2", "2001:db8::ffff:1", "2001:db8:0:0:9::", "2001:db8:0:1::1")
    assert [status(address) for address in network] == [201, 201, 201, 429, 201]  # who has one address has many


def test_a_request_that_does_not_arrive_is_given_up(strict: Served) -> None:
    ann = Newcomer(strict, "192.0.2.12")
    with Line(strict.port) as line:
        headers = ann.headers | {"Content-Length": "10", "Content-Type": "application/json"}
        line.send(raw.request("POST", "/api/tables", headers) + b"{")
        answer = line.read_answer()
        check_answer(answer)
        assert (answer.status, answer.error()["code"]) == (408, "too_slow")


def test_a_rematch_is_a_table_like_any_other(tmp_path: Path) -> None:
    limits = ("--limit=tables_per_person=1", "--limit=requests_per_second=1000000")
    with Forked(f"sqlite:///{tmp_path}/t.db", tmp_path, *limits, generous=False) as served:
        ann, bob = Person(served.url), Person(served.url)
        table = seat_together([ann, bob], map="tiny")
        play_together([ann, bob], table)
        chairs = {"chairs": [{"kind": "me"}, {"kind": "open"}]}
        assert ann.http.post("/api/tables", json=chairs, headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 201
        elsewhere = {"X-Forwarded-For": "192.0.2.2"}
        full = refusal(ann.http.post(f"/api/tables/{table}/again", headers=elsewhere))
        assert full == (409, "too_many_tables", None)
        opened = bob.http.post(f"/api/tables/{table}/again", headers=elsewhere).json()["table"]["id"]
        assert ann.post(f"/tables/{table}/again")["table"]["id"] == opened  # which opens none


# What everyone may know.


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        *[
            ("GET", path, 200)
            for path in ("/health", "/metrics", "/api", "/reference.css", "/api/openapi.json", "/api/maps")
        ],
        *[("GET", "/api/nothing", 404), ("GET", "/api/tables/AAAAAAAAAAAAAAAA", 404), ("GET", "/api/tables/x", 422)],
        *[
            ("POST", "/api/maps", 405),
            ("GET", "/api/me/tables", 401),
            ("POST", "/api/tables", 422),
            ("GET", "/api/maps/", 404),
        ],
        *[("HEAD", "/api/maps", 200), ("TRACE", "/api/maps", 405), ("POST", "/api/people", 201)],
    ],
)
def test_every_answer_tells_browsers_to_be_careful(served: Served, method: str, path: str, status: int) -> None:
    answer = httpx.request(method, served.url + path, timeout=PATIENCE)
    assert answer.status_code == status
    check_answer(Answer(answer.status_code, dict(answer.headers), answer.content))
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert {"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"} <= set(policy.split("; "))
    assert "server" not in answer.headers


def test_a_cookie_is_for_this_server_alone(served: Served) -> None:
    plain = httpx.post(f"{served.url}/api/people", timeout=PATIENCE, verify=False).headers.get_list("set-cookie")
    assert [cookie.split("; ")[1:] for cookie in plain] == [["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=lax"]]
    https = {"X-Forwarded-Proto": "https"}
    answer = httpx.post(f"{served.url}/api/people", headers=https, timeout=PATIENCE, verify=False)
    (secure,) = answer.headers.get_list("set-cookie")
    assert secure.startswith("__Host-fogline=")
    assert {"HttpOnly", "Secure", "Path=/", "SameSite=lax"} <= set(secure.split("; "))
    assert "Domain" not in secure

    def status(name: str) -> int:
        headers = https | {"Cookie": f"{name}={answer.json()['token']}"}
        return httpx.get(f"{served.url}/api/me/tables", headers=headers, timeout=PATIENCE, verify=False).status_code

    assert (status("__Host-fogline"), status("fogline")) == (200, 401)  # others could have set the second one


def test_the_host_that_a_request_names_is_sent_to_nobody(served: Served) -> None:
    for path in ("/", "/api/maps/", "/api", "//api/maps", "/api/tables//", "/api/tables/x/socket/"):
        answer = httpx.get(served.url + path, headers={"Host": "elsewhere.example"}, timeout=PATIENCE, verify=False)
        assert "elsewhere.example" not in f"{answer.headers} {answer.text}"
        assert not answer.is_redirect


@pytest.mark.parametrize(
    "name", ["\u202eAnn", "Ann\x1b[31m", "Ann\0", "<b>Ann</b>\n", "\u2066Ann\u2069", "A\u200bnn", "Ann\ufeff"]
)
def test_no_name_brings_along_what_cannot_be_seen(ann: Person, name: str) -> None:
    chair = ann.open_table("me", "open", name=name)["table"]["chairs"][0]
    assert chair["name"].isprintable()
    assert "nn" in chair["name"]


def test_a_record_that_lies_about_its_chance_is_not_taken(served: Served, ann: Person) -> None:
    bob = Person(served.url)
    table = seat_together([ann, bob], map="tiny")
    play_together([ann, bob], table)
    record = ann.get(f"/tables/{table}/record")
    assert ann.http.post("/api/records", json={"record": record}).status_code == 201
    for lie in ({"secret": "0" * 64}, {"game": "x" * 16}, {"salts": ["00", "00"]}, {"seals": ["0" * 64, None]}):
        answer = ann.http.post("/api/records", json={"record": record | {"fairness": record["fairness"] | lie}})
        assert refusal(answer)[:2] == (422, "invalid")


# What the description of the API promises.


def test_every_answer_is_as_the_description_of_the_api_says(served: Served, ann: Person, table: str) -> None:
    """Its status, its content and its form, for requests that keep to the description and for those that do not."""
    schema = schemathesis.openapi.from_url(f"{served.url}/api/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    asked = {
        operation.label: sum(ask(operation, mode, ann, table) for mode in schemathesis.GenerationMode)
        for operation in operations
        if not operation.path.endswith("/stream")  # which has no end
    }
    assert len(asked) > 20
    assert min(asked.values()) > 0, asked
    assert sum(asked.values()) > pick(150, 300), asked


def ask(operation: Any, mode: Any, person: Person, table: str) -> int:
    """Asks it in many ways, every second time of a real table; says how often."""
    times = 0

    @settings(max_examples=pick(5, 12), suppress_health_check=[*HealthCheck], database=None)
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask_once(case: schemathesis.Case[Any]) -> None:
        nonlocal times
        times += 1
        assert case.meta is not None
        wrong = case.meta.is_negative_at(ParameterLocation.PATH)  # and is to stay so
        if times % 2 and "table" in (case.path_parameters or {}) and not wrong:
            case.path_parameters["table"] = table
        # What a description cannot say, such as which texts are actions, makes valid data unacceptable.
        case.call_and_validate(headers=person.headers, excluded_checks=[positive_data_acceptance])

    with suppress(Unsatisfiable):  # where everything keeps to the description, because there is nothing to be given
        ask_once()
    return times
