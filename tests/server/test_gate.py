"""The gate: around an application that does what the test wants, on a clock that stands where the test puts it."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fogline.server.http import api, pages, sockets, web
from fogline.server.http.gate import HEADERS, Gate, Reception, address_of, check_origin, cookie_of, find_person
from fogline.server.http.limits import Bucket, Limits
from fogline.server.settings import Settings
from fogline.server.storage.database import connect
from fogline.server.storage.store import Store
from fogline.server.tables import tutorial
from fogline.server.tables.hub import Hub
from fogline.server.tables.people import new_token, person_of
from tests.server.arrange import OFFER, refuses

TOKEN = "A" * 43


@pytest.fixture
def reception(tmp_path: Path) -> Iterator[Callable[..., Reception]]:
    """Makes one with the limits that are given."""
    engine = connect(f"sqlite:///{tmp_path}/tables.db")
    made: list[Reception] = []

    def make(origins: frozenset[str] = frozenset(), **limits: int) -> Reception:
        settings = Settings(OFFER, limits=Limits(**limits), origins=origins)
        made.append(Reception(Hub(Store(engine, "test"), settings)))
        return made[-1]

    yield make
    for one in made:
        asyncio.run(one.close())
    engine.dispose()


async def fine(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("fine")(scope, receive, send)


async def broken(scope: Scope, receive: Receive, send: Send) -> None:
    raise ZeroDivisionError("at the heart of it")


def scope_of(
    path: str = "/api/maps",
    method: str = "GET",
    headers: dict[str, str] | None = None,
    *,
    query: str = "",
    client: str = "192.0.2.1",
    scheme: str = "http",
    kind: str = "http",
) -> Scope:
    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()]
    scope = {"type": kind, "path": path, "query_string": query.encode(), "headers": raw, "scheme": scheme}
    asgi = {"version": "3.0", "spec_version": "2.3"}
    return scope | {"client": (client, 1), "asgi": asgi, **({"method": method} if kind == "http" else {})}


def connection(**scope: Any) -> HTTPConnection:
    return HTTPConnection(scope_of(**scope))


class Answer:
    """What came out of the gate."""

    def __init__(self, messages: list[Message]) -> None:
        self.messages = messages
        starts = [message for message in messages if message["type"].endswith(".start")]
        self.status = starts[0]["status"] if starts else 0
        self.headers = {name.decode().lower(): value.decode() for name, value in starts[0]["headers"]} if starts else {}
        self.body = b"".join(message.get("body", b"") for message in messages)

    @property
    def code(self) -> str:
        return str(json.loads(self.body)["error"]["code"])


def ask(gate: ASGIApp, scope: Scope, *pieces: bytes) -> Answer:
    """Sends a request with its body in these pieces; after them there is only silence."""
    messages: list[Message] = []
    waiting = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces[:-1]]
    waiting.append({"type": "http.request", "body": pieces[-1] if pieces else b"", "more_body": False})

    async def receive() -> Message:
        await asyncio.sleep(0)  # as if it had to come from somewhere
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    async def send(message: Message) -> None:
        messages.append(message)

    asyncio.run(_call(gate, scope, receive, send))
    return Answer(messages)


async def _call(gate: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await gate(scope, receive, send)


async def read(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the length of the body."""
    body = await Request(scope, receive).body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)


Make = Callable[..., Reception]


# Every answer.


@pytest.mark.parametrize("app", [fine, broken, read])
def test_every_answer_has_all_headers(reception: Make, app: ASGIApp) -> None:
    answer = ask(Gate(app, reception()), scope_of())
    assert {name.lower(): value for name, value in HEADERS.items()}.items() <= answer.headers.items()
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_who_came_by_https_is_told_to_do_so_for_ever(reception: Make, scheme: str) -> None:
    answer = ask(Gate(fine, reception()), scope_of(scheme=scheme))
    assert answer.headers.get("strict-transport-security") == {"http": None, "https": "max-age=31536000"}[scheme]


def test_a_failure_is_written_down_and_says_nothing_about_itself(
    reception: Make, caplog: pytest.LogCaptureFixture
) -> None:
    answer = ask(Gate(broken, reception()), scope_of())
    assert (answer.status, answer.code) == (500, "failed")
    assert b"heart" not in answer.body
    assert b"ZeroDivision" not in answer.body
    assert [record.exc_info is not None for record in caplog.records if record.levelname == "ERROR"] == [True]


def test_the_policy_allows_no_script_but_ours() -> None:
    assert "unsafe" not in HEADERS["Content-Security-Policy"]
    assert "script-src 'self';" in HEADERS["Content-Security-Policy"]


def test_the_log_knows_no_path_and_no_word_of_others(reception: Make, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    ask(Gate(fine, reception()), scope_of("/api/tables/secret-of-a-table", "EVIL\x1b[31m" * 1000))
    assert caplog.records
    logged = [str(vars(record)) for record in caplog.records if record.name == "fogline.server.http.gate"]
    assert not [line for line in logged if "secret" in line or "EVIL" in line]


# Who comes.


def test_a_person_is_known_by_a_token_or_a_cookie() -> None:
    person = person_of(TOKEN)
    assert find_person(connection(headers={"Authorization": f"Bearer {TOKEN}"})) == person
    assert find_person(connection(headers={"Authorization": f"bearer  {TOKEN} "})) == person
    assert find_person(connection(headers={"Cookie": f"fogline={TOKEN}"})) == person
    assert find_person(connection()) is None


@pytest.mark.parametrize("before", ["", 'a={"b": 1}; ', "a=b,c; ", "=; ; ", "x y z; ", 'q="\\', "\x80\xff=1; "])
def test_the_cookies_of_others_do_not_hide_ours(before: str) -> None:
    separator = "" if before.endswith("; ") or not before else "; "
    assert find_person(connection(headers={"Cookie": f"{before}{separator}fogline={TOKEN}"})) == person_of(TOKEN)


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "A", TOKEN[:-1] + "\n", TOKEN[:-1] + "é", "\0" * 43])
def test_what_is_no_token_is_nobody(token: str) -> None:
    assert find_person(connection(headers={"Authorization": f"Bearer {token}"})) is None
    assert find_person(connection(headers={"Cookie": f"fogline={token}"})) is None


@pytest.mark.parametrize("scheme", ["https", "wss"])
def test_over_https_a_cookie_counts_only_by_the_name_that_no_other_site_can_set(scheme: str) -> None:
    assert cookie_of(scope_of(scheme=scheme)) == "__Host-fogline"
    assert find_person(connection(scheme=scheme, headers={"Cookie": f"fogline={TOKEN}"})) is None
    assert find_person(connection(scheme=scheme, headers={"Cookie": f"__Host-fogline={TOKEN}"})) == person_of(TOKEN)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        *[("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("", "unknown"), ("x" * 1000, "unknown")],
        *[("2001:db8:0:1:2:3:4:5", "20010db800000001::/64"), ("2001:db8:0:1::", "20010db800000001::/64")],
        *[("::1", "0::/64"), ("fe80::1%eth0", "fe80000000000000::/64")],
    ],
)
def test_an_address_is_the_network_that_somebody_has(host: str, address: str) -> None:
    assert address_of(scope_of(client=host)) == address


# Where from.


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "STEAL"])
@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://here.example.elsewhere.example", ""])
def test_pages_of_others_may_only_read(reception: Make, method: str, origin: str) -> None:
    headers = {"Host": "here.example", "Origin": origin}
    gate = Gate(fine, reception())
    assert ask(gate, scope_of(method=method, headers=headers)).code == "forbidden"
    assert ask(gate, scope_of(method="GET", headers=headers)).status == 200


def test_our_own_pages_and_programs_may_do_everything(reception: Make) -> None:
    gate = Gate(fine, reception(frozenset({"https://proxy.example"})))
    for origin in ("http://here.example", "https://here.example", "https://proxy.example"):
        assert ask(gate, scope_of(method="POST", headers={"Host": "here.example", "Origin": origin})).status == 200
    assert ask(gate, scope_of(method="POST", headers={"Host": "here.example"})).status == 200


def test_a_request_that_names_no_host_comes_from_no_page_of_ours() -> None:
    with refuses("forbidden"):
        check_origin(connection(headers={"Origin": "http://"}).headers, frozenset())


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
def test_pages_of_others_open_no_sockets(reception: Make, origin: str) -> None:
    headers = {"Host": "here.example", "Origin": origin}
    answer = ask(Gate(fine, reception()), scope_of(headers=headers, kind="websocket"))
    assert (answer.status, answer.code) == (403, "forbidden")
    assert "content-security-policy" in answer.headers
    assert [message["type"].rpartition(".")[0] for message in answer.messages] == ["websocket.http.response"] * 2


def test_where_there_is_no_socket_the_answer_says_so(reception: Make) -> None:
    async def close(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.close", "code": 1000})

    answer = ask(Gate(close, reception()), scope_of(kind="websocket"))
    assert (answer.status, answer.code) == (404, "not_found")


# How often.


def statuses(gate: Gate, count: int, **scope: Any) -> list[int]:
    return [ask(gate, scope_of(**scope)).status for _ in range(count)]


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """For those who are counted: however long it takes, no bucket fills up again."""
    _, seconds = Bucket.__init__.__defaults__ or ()
    monkeypatch.setattr(Bucket.__init__, "__defaults__", (lambda: 0.0, seconds))


ONCE = {"requests_per_second": 0}
"""A bucket holds one, and nothing comes after."""


def test_strangers_at_one_address_are_counted_together(reception: Make) -> None:
    gate = Gate(fine, reception(**ONCE))
    assert statuses(gate, 2) == [200, 429]
    assert statuses(gate, 2, client="192.0.2.2") == [200, 429]
    assert statuses(gate, 1, client="2001:db8::1") == [200]
    assert statuses(gate, 1, client="2001:db8::2") == [429]


def test_who_makes_up_a_new_person_for_each_request_is_still_one(reception: Make) -> None:
    gate = Gate(fine, reception(**ONCE))
    made_up = [{"Authorization": f"Bearer {new_token()}"} for _ in range(3)]
    assert [ask(gate, scope_of(headers=headers)).status for headers in made_up] == [200, 429, 429]
    cookies = [{"Cookie": f"fogline={new_token()}"} for _ in range(2)]
    assert [ask(gate, scope_of(headers=headers)).status for headers in cookies] == [429, 429]


@pytest.mark.usefixtures("no_time_passes")
def test_known_people_at_one_address_are_counted_one_by_one_and_together(reception: Make) -> None:
    ours = reception(requests_per_second=1, people_per_address=2)  # three at once, and six for the address
    gate = Gate(fine, ours)
    tokens = [new_token() for _ in range(3)]
    ours.known.update(str(person_of(token)) for token in tokens)
    found = [statuses(gate, 4, headers={"Authorization": f"Bearer {token}"}) for token in tokens]
    assert found == [[200, 200, 200, 429], [200, 200, 200, 429], [429] * 4]


@pytest.mark.usefixtures("no_time_passes")
def test_an_address_is_flooded_once_its_strangers_have_asked_for_all_that_they_may(reception: Make) -> None:
    ours = reception(requests_per_second=1)
    gate = Gate(fine, ours)
    assert not ours.flooded("2001:db8::1")
    assert statuses(gate, 3, client="2001:db8::1") == [200, 200, 200]
    assert ours.flooded("2001:db8::2")
    assert not ours.flooded("192.0.2.1")
    assert statuses(gate, 1, client="2001:db8::1") == [429]


def test_sockets_are_counted_like_requests(reception: Make) -> None:
    gate = Gate(fine, reception(**ONCE))
    assert statuses(gate, 1) == [200]
    assert ask(gate, scope_of(kind="websocket")).code == "too_many"


@pytest.mark.usefixtures("no_time_passes")
def test_what_takes_long_counts_for_many(reception: Make) -> None:
    def allowed(path: str, query: str = "") -> int:
        return statuses(Gate(fine, reception(requests_per_second=10)), 40, path=path, query=query).count(200)

    assert allowed("/api/maps") == 30
    assert allowed("/api/records") == 3
    assert allowed("/api/tables/x/replay") == allowed("/api/tables/x/replay", "hat=1&x=at") == 1
    assert allowed("/api/tables/x/replay", "eyes=all&at=3") == 6


# How much.


def test_a_body_may_have_as_much_as_the_limit_says(reception: Make) -> None:
    gate = Gate(read, reception(body_bytes=10, record_bytes=20))
    assert ask(gate, scope_of(method="POST"), b"12345", b"67890").body == b"10"
    assert ask(gate, scope_of("/api/records", "POST"), b"1234567890" * 2).body == b"20"


@pytest.mark.parametrize("pieces", [(b"12345678901",), (b"123456", b"78901"), (b"1",) * 11])
def test_a_body_that_is_too_large_is_refused(reception: Make, pieces: tuple[bytes, ...]) -> None:
    """FastAPI turns the exception into an answer; here it must reach it, and nothing else."""
    seen: list[int] = []

    async def careful(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await read(scope, receive, send)
        except Exception as error:
            seen.append(getattr(error, "status_code", 0))
            raise

    ask(Gate(careful, reception(body_bytes=10)), scope_of(method="POST"), *pieces)
    assert seen == [413]


@pytest.mark.parametrize("length", ["11", "99999999999999999999999999"])
def test_a_body_that_says_that_it_is_too_large_is_not_waited_for(reception: Make, length: str) -> None:
    answer = ask(Gate(fine, reception(body_bytes=10)), scope_of(method="POST", headers={"Content-Length": length}))
    assert (answer.status, answer.code) == (413, "too_large")


def test_a_body_that_comes_while_the_answer_goes_disturbs_nobody(reception: Make) -> None:
    got: list[Message] = []

    async def answer_first(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("fine")(scope, receive, send)
        got.extend([await receive() for _ in range(3)])

    pieces = (b"123", b"12345678901", b"1")
    answer = ask(Gate(answer_first, reception(body_bytes=10)), scope_of(), *pieces)
    assert (answer.status, [message["body"] for message in got]) == (200, [*pieces])


# What takes long.


def test_long_work_keeps_nobody_waiting(reception: Make) -> None:
    ours = reception()

    async def both() -> list[str]:
        done: list[str] = []
        turn = asyncio.Event()
        loop = asyncio.get_running_loop()

        def long() -> None:
            asyncio.run_coroutine_threadsafe(_set(turn), loop).result()  # which only somebody else can do
            done.append("long")

        async def short() -> None:
            await turn.wait()
            done.append("short")

        await asyncio.gather(ours.work(long), short())
        return done

    assert sorted(asyncio.run(both())) == ["long", "short"]


async def _set(event: asyncio.Event) -> None:
    event.set()


def test_long_work_may_refuse(reception: Make) -> None:
    def refuse() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(_await(reception().work(refuse)))


async def _await(work: Awaitable[Any]) -> Any:
    return await work


@pytest.mark.parametrize("router", [api.router, pages.router, sockets.router, tutorial.router, web.router])
def test_no_request_goes_through_a_thread_that_others_may_need(router: APIRouter) -> None:
    """FastAPI calls a function that is not asynchronous in one of forty threads."""
    dependants = [route.dependant for route in router.routes if isinstance(route, APIRoute | APIWebSocketRoute)]
    called = [one.call for dependant in dependants for one in (dependant, *dependant.dependencies)]
    assert called
    assert [call for call in called if not inspect.iscoroutinefunction(call)] == []
