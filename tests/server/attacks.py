"""Attacks: what somebody sends who wishes a server ill, or a program that is broken. All of it comes from a seed.

Nothing in here may change anything at a table: whatever is well-formed is decided by somebody who may not, at the wrong
time, for the wrong step, or once more.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tests.server import raw

FOREIGN = ("https://elsewhere.example", "null", "http://127.0.0.1.elsewhere.example", "http://127.0.0.1:1", "file://")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "X" * 100)

NASTY = (
    *(
        "",
        " ",
        "\0",
        "a\0b",
        "\n",
        "\r\nSet-Cookie: fogline=x",
        "\u202etxet",
        "\ud800",
        "\udfff\ud800",
        "\uffff",
        "é" * 90,
    ),
    *("'; DROP TABLE games; --", "1 OR 1=1", "%s%s%n", "{0.__class__.__mro__}", "${jndi:ldap://x}", "{{7*7}}"),
    *("<script>alert(1)</script>", "../../../etc/passwd", "..%2f..", "%00", "\\x00", "__proto__", "constructor"),
    *(
        "NaN",
        "-0",
        "1e999",
        "0x10",
        "１２",
        "null",
        "undefined",
        "true",
        "𝕜𝕖𝕖𝕡 𝕓𝕠𝕥𝕙",
        "ﬀ",
        "\u0130",
        "Z\u0351\u034c" * 9,
    ),
    *("A" * 16, "A" * 43, "a" * 64, "z" * 201, "z" * 3000, "racer", "san_francisco", "keep both\n", " keep both"),
)
"""Texts that have broken programs before."""

NUMBERS = (
    *("-1", "-0", "0.0", "1.0", "1e1", "1e999", "-1e999", "1E400", "NaN", "Infinity", "-Infinity", "01", "+1", "1_0"),
    *(str(2**31 - 1), str(2**31), str(2**32), str(2**53 + 1), str(2**63 - 1), str(2**63), str(2**64), str(-(2**63))),
    *("9" * 100, "9" * 4000, "0" * 4000, "1." + "0" * 3000 + "1", "0x1", "true", "null", '"0"', "[]", "{}"),
)
"""JSON numbers, and what is none."""

NEVER = (
    *(
        "draw nothing",
        "claim nowhere-nowhere:1 red1",
        "claim",
        "claim mission-potrero_hill:1 red0",
        "keep none of them",
    ),
    *("token nowhere", "place nowhere", "deck draw", "draw", "pass pass pass", "0", "draw １"),
    *("claim mission-potrero_hill:1 red999999999999999999999", "claim mission-potrero_hill:1 red-1 ferry2"),
)
"""Actions that are never legal."""

ACTIONS = ("draw deck", "draw blue", "draw ferry", "draw tickets", "keep first", "keep second", "keep both", "pass")


@dataclass(frozen=True, slots=True)
class Insider:
    """Somebody who sits at a table: the step of its game, and what they have decided before."""

    token: str
    table: str
    step: int
    deciding: bool
    decided: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Stage:
    """The tables that are attacked, and what attackers know."""

    tables: dict[str, str]  # ids, by how the table stands
    insiders: list[Insider]
    stranger: str  # a token of somebody who sits nowhere
    revoked: str  # an invitation that is over
    record: dict[str, Any]  # of a game that is over
    operations: list[tuple[str, str]]  # methods and paths of the HTTP API
    secrets: set[str] = field(default_factory=set)  # what belongs in no log


class Messages:
    """What comes over a socket, as frames: each is to be answered once."""

    def __init__(self, seed: int, insider: Insider | None) -> None:
        self.random = random.Random(seed)
        self.insider = insider
        self._kinds = (
            *(self.mutated, self.wrong_value, self.wrong_number, self.nested, self.nasty, self.reshaped),
            *(self.wrong_time, self.wrong_time, self.question, self.noise, self.binary),
        )

    def batch(self, count: int) -> bytes:
        return b"".join(self.random.choice(self._kinds)() for _ in range(count))

    def mutated(self) -> bytes:
        return _text(mutate(self.random, json.dumps(self._never()).encode()).decode("utf-8", "replace"))

    def wrong_value(self) -> bytes:
        message = self._never()
        message[self.random.choice([*message])] = any_value(self.random)
        return _text(_dump(message))

    def wrong_number(self) -> bytes:
        key = self.random.choice(("id", "step"))
        message = json.dumps(self._never() | {key: "HERE"})
        return _text(message.replace('"HERE"', self.random.choice(NUMBERS)))

    def nested(self) -> bytes:
        opening = self.random.choice(("[", '{"a":', '[{"type":', '{"type": "play", "id": '))
        return _text(opening * self.random.randrange(2, 3900 // len(opening)))

    def nasty(self) -> bytes:
        message = self._never()
        message[self.random.choice(("type", "action", "id"))] = self.random.choice(NASTY)
        return _text(_dump(message))

    def reshaped(self) -> bytes:
        """A field less, a field more, twice the same, or no object at all."""
        message = self._never()
        kind = self.random.randrange(4)
        if kind == 0:
            del message[self.random.choice([*message])]
        elif kind == 1:
            message[self.random.choice(("seat", "person", "__class__", "admin", ""))] = any_value(self.random)
        elif kind == 2:
            return _text(_dump(message)[:-1] + ', "type": "play", "step": -1}')
        return _text(_dump([message] if kind == 3 else message))

    def wrong_time(self) -> bytes:
        """Well-formed, and not to be carried out: out of turn, for another step, or once more."""
        step, action = self.random.randrange(0, 100_001), self.random.choice(ACTIONS)
        if self.insider is not None:
            if self.insider.decided and self.random.random() < 0.3:
                step, action = self.random.choice(self.insider.decided)
            elif not self.insider.deciding and self.random.random() < 0.5:
                step = self.insider.step
            elif step == self.insider.step:
                step += 1
        return self._play(step, action)

    def question(self) -> bytes:
        action = self.random.choice((*NEVER, *ACTIONS, *NASTY))
        return _text(_dump({"type": "why_not", "id": self.random.randrange(2**31), "action": action}))

    def noise(self) -> bytes:
        length = self.random.randrange(200)
        return _text(
            "".join(chr(self.random.choice((self.random.randrange(128), 0x2028, 0x1F600))) for _ in range(length))
        )

    def binary(self) -> bytes:
        return raw.frame(raw.BINARY, self.random.randbytes(self.random.randrange(300)))

    def _never(self) -> dict[str, Any]:
        """A decision that is well-formed and never legal; where it would be one's turn, for another step as well."""
        step = self.insider.step + 1000 * self.insider.deciding if self.insider else self.random.randrange(300)
        return {"type": "play", "id": self.random.randrange(1000), "step": step, "action": self.random.choice(NEVER)}

    def _play(self, step: int, action: str) -> bytes:
        return _text(_dump({"type": "play", "id": self.random.randrange(1000), "step": step, "action": action}))


BREAKS: dict[str, tuple[bytes, set[int]]] = {
    "too long": (raw.text("x" * 4097), {1009}),
    "too long in pieces": (
        raw.frame(raw.TEXT, b"x" * 4000, fin=False) + raw.frame(0, b"x" * 97, fin=True),
        {1009},
    ),
    "announced as endless": (b"\x81\xff" + b"\x7f" + b"\xff" * 7 + b"\0\0\0\0", {1002, 1009}),
    "in endless pieces": (raw.frame(raw.TEXT, b"", fin=False) + raw.frame(0, b"", fin=False) * 5000, {4429}),
    "very many at once": (raw.text("") * 2000, {4429}),
    "not UTF-8": (raw.text(b"\xff\xfe"), {1007}),
    "half of a letter": (raw.text("é".encode()[:1]), {1007}),
    "a surrogate in UTF-8": (raw.text(b"\xed\xa0\x80"), {1007}),
    "not masked": (raw.frame(raw.TEXT, b"{}", masked=False), {1002}),
    "a reserved bit": (raw.frame(raw.TEXT, b"{}", reserved=0x40), {1002}),
    "an unknown kind": (raw.frame(3, b""), {1002}),
    "a long ping": (raw.frame(raw.PING, b"x" * 126), {1002}),
    "a ping in pieces": (raw.frame(raw.PING, b"", fin=False), {1002}),
    "a piece of nothing": (raw.frame(0, b"x"), {1002}),
    "a message within a message": (raw.frame(raw.TEXT, b"x", fin=False) + raw.text("{}"), {1002}),
    "a code that is none": (raw.frame(raw.CLOSE, b"\x00\x01"), {1002}),
    "half of a code": (raw.frame(raw.CLOSE, b"\x03"), {1002}),
    "a close": (raw.frame(raw.CLOSE, b"\x03\xe8"), {1000}),
    "HTTP": (b"GET / HTTP/1.1\r\n\r\n", {1002, 1009}),
}
"""What ends a socket, with the codes that say why."""


class Requests:
    """What comes over HTTP: requests that are answered one after the other."""

    def __init__(self, seed: int, stage: Stage) -> None:
        self.random = random.Random(seed)
        self.stage = stage

    def any(self) -> tuple[str, bytes]:
        """Its method, and the request as it goes over the wire."""
        method, pattern = self.random.choice(self.stage.operations)
        headers = self._who() | self._noise()
        if self.random.random() < 0.1:
            method = self.random.choice(METHODS)
        if (method, pattern) == ("POST", "/api/people"):  # which anybody may do
            headers |= {"Origin": self.random.choice(FOREIGN), "Host": "127.0.0.1"}
        path = self._path(pattern) + self._query()
        body = self._body(pattern) if method in ("POST", "PUT", "PATCH") or self.random.random() < 0.05 else b""
        if body:
            headers["Content-Type"] = self.random.choice(
                ("application/json",) * 8 + ("text/plain", "", "application/xml")
            )
        if body and self.random.random() < 0.1:
            headers["Transfer-Encoding"] = "chunked"
            body = chunked(self.random, body)
        return method, raw.request(method, path, headers, body)

    def _who(self) -> dict[str, str]:
        """Nobody, somebody forged, or somebody real who may not."""
        forged = "".join(self.random.choices("abcXYZ019-_", k=43))
        token = self.random.choice((forged, forged[:-1], forged + "A", self.stage.stranger[:-1], self.stage.stranger))
        bearer = {"Authorization": f"Bearer {self.stage.stranger}"}
        return self.random.choice(
            (
                *({}, bearer, bearer, bearer),
                *({"Authorization": f"Bearer {token}"}, {"Cookie": f"fogline={token}"}, {"Authorization": token}),
                *({"Cookie": f'a={{"b":1}}; fogline="{token}"; fogline={forged}'}, {"Cookie": ";=;=,\x80" + token * 9}),
                {"Authorization": "Bearer " + self.random.choice([text for text in NASTY if text.isprintable()])},
            )
        )

    def _noise(self) -> dict[str, str]:
        kinds: tuple[dict[str, str], ...] = (
            *({},) * 12,
            {"Origin": self.random.choice(FOREIGN)},
            {"X-Forwarded-For": self.random.choice(("1.2.3.4", "::1, 10.0.0.1", "x" * 300, "", "[::1]:99999"))},
            {"X-Forwarded-Proto": self.random.choice(("https", "wss", "gopher"))},
            {"Host": self.random.choice(("elsewhere.example", "[", "a b", "127.0.0.1:99999999", '"<>'))},
            {f"X-{number}": "y" * 50 for number in range(90)},
            {"Accept": "\x80\xff", "Accept-Encoding": "gzip;q=x", "Range": "bytes=9-1", "If-None-Match": "*"},
            {"X-HTTP-Method-Override": "DELETE", "X-Original-URL": "/metrics", "Content-Encoding": "gzip"},
            {"Sec-Fetch-Site": "cross-site", "Origin": self.random.choice(FOREIGN)},
        )
        return self.random.choice(kinds)

    def _path(self, pattern: str) -> str:
        for name in ("table", "invite", "chair", "map"):
            pattern = pattern.replace(f"{{{name}}}", self._name(name))
        tricks = ("{}", "{}", "{}", "{}", "{}/", "/{}", "{}//", "{}%2f", "/.{}", "{};x=1", "{}%00", "{}#x", "{}.json")
        return self.random.choice(tricks).format(pattern.replace("{", "").replace("}", ""))

    def _name(self, name: str) -> str:
        if self.random.random() < 0.2:
            return quote(self.random.choice(NASTY).encode("utf-8", "surrogatepass")[:300], safe="")
        if name == "table":
            return self.random.choice([*self.stage.tables.values()])
        if name == "invite":
            invented = "".join(self.random.choices("abcXYZ019-_", k=16))
            return self.random.choice((invented, self.stage.revoked, self.stage.tables["open"]))
        return self.random.choice(("0", "1", "3", "4", "-1", "1e0", "9" * 50, "tiny", "san_francisco"))

    def _query(self) -> str:
        name = self.random.choice(("after", "at", "eyes", "protocol", "x", "after[]", "%00", ""))
        value = quote(self.random.choice((*NASTY, *NUMBERS)).encode("utf-8", "surrogatepass")[:300])
        return self.random.choice(("",) * 4 + (f"?{name}={value}", f"?{name}", "?" + f"{name}={value}&" * 20))

    def _body(self, pattern: str) -> bytes:
        if self.random.random() < 0.3:
            return self._garbage()
        if pattern == "/api/records":
            return _dump({"record": damaged(self.random, self.stage.record), "names": ["x"]}).encode()
        if pattern == "/api/tables":
            return _dump(self._broken_table()).encode()
        bodies = (
            {"step": self.random.randrange(300), "action": self.random.choice((*ACTIONS, *NEVER))},
            {"name": self.random.choice(NASTY), "seal": self.random.choice(("", "ab", "AB" * 32, "0" * 64))},
            {"salt": self.random.choice(("", "ab", "AB", "z" * 65))},
            {"action": self.random.choice((*ACTIONS, *NEVER, *NASTY))},
            *({"player": self.random.choice(("", "racer", *NASTY))}, {"allowed": self.random.choice((True, 1, "yes"))}),
        )
        return _dump(self.random.choice(bodies) | self.random.choice(({}, {}, {"x": any_value(self.random)}))).encode()

    def _garbage(self) -> bytes:
        kinds: tuple[Callable[[], bytes], ...] = (
            lambda: self.random.randbytes(self.random.randrange(1, 400)),
            lambda: b"[" * self.random.randrange(1, 16_000),
            lambda: b'{"a":' * self.random.randrange(1, 3_000),
            lambda: self.random.choice(NUMBERS).encode() * 3,
            lambda: b'{"record": ' + b"[" * 400 + b"]" * 400 + b"}",
            lambda: b'\xef\xbb\xbf{"chairs": []}',
            lambda: '{"chairs": "\\ud800", "name": "\\u0000"}'.encode("utf-16"),
            lambda: b'{"record": {"\\ud800": NaN}}',
            lambda: b'{"record": {"format": "\\ud800", "events": [1e999]}, "names": ["\\udfff"]}',
            lambda: _dump(any_value(self.random)).encode(),
            lambda: b" " * 16_384,
            lambda: b"x" * 20_000,
        )
        return self.random.choice(kinds)()

    def _broken_table(self) -> dict[str, Any]:
        """A table that cannot be opened."""
        wanted: dict[str, Any] = {"chairs": [{"kind": "me"}, {"kind": "open"}]}
        wrong_chairs: tuple[Any, ...] = ([], [{"kind": "me"}], [{"kind": "open"}] * 5, {}, "me", [1, 2])
        breaks: tuple[dict[str, Any], ...] = (
            *({"chairs": chairs} for chairs in wrong_chairs),
            *({"chairs": [{"kind": "me"}] * 2}, {"chairs": [{"kind": "bot"}] * 2}, {"chairs": [{"kind": "host"}] * 2}),
            {"chairs": [{"kind": "bot", "player": self.random.choice(NASTY[:-9])}] * 2},
            *(
                {"map": "atlantis"},
                {"clock": "5s"},
                {"salt": "ab"},
                {"name": "x" * 241},
                {"spectators": "no"},
                {"id": 1},
            ),
            {self.random.choice(("map", "clock", "name", "spectators", "autostart")): [any_value(self.random)]},
        )
        return wanted | self.random.choice(breaks)


PROTOCOL_ERRORS = (
    *(
        b"\0" * 100,
        b"\xff" * 5000,
        b"GET\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"\r\n" * 999 + b"x\r\n\r\n",
    ),
    *(
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    ),
    *(
        b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01\0\x01",
    ),
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 200_000 + b"\r\n" * 0,
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000,
)
"""What is no HTTP: each on a connection of its own."""


HANDSHAKES: dict[str, tuple[str, str, dict[str, str], int]] = {
    "another method": ("POST", "", {}, 404),
    "a body": ("GET", "", {"Content-Length": "2"}, 404),
    "a body in pieces": ("GET", "", {"Transfer-Encoding": "chunked"}, 404),
    "no key": ("GET", "", {"Sec-WebSocket-Key": ""}, 404),
    "a wrong key": ("GET", "", {"Sec-WebSocket-Key": "x"}, 404),
    "another version": ("GET", "", {"Sec-WebSocket-Version": "8"}, 404),
    "another protocol": ("GET", "", {"Upgrade": "h2c"}, 404),
    "very many headers": ("GET", "", {f"X-{number}": "x" for number in range(500)}, 404),
    "a very long header": ("GET", "", {"X": "x" * 20_000}, 404),
    "a page of others": ("GET", "?protocol=1", {"Origin": "https://elsewhere.example"}, 403),
    "a page of nobody": ("GET", "?protocol=1", {"Origin": "null"}, 403),
    "no number": ("GET", "?protocol=one", {}, 422),
    "too large a number": ("GET", "?protocol=1&after=" + "9" * 5000, {}, 422),
    "another address": ("GET", "/x", {}, 404),
}
"""What does not open a socket: method, what follows the path, headers, and the status that says so."""


def damaged(rng: random.Random, record: dict[str, Any]) -> Any:
    """A record that breaks a rule, or is none."""
    record = copy.deepcopy(record)
    events: list[Any] = record["events"]
    at = rng.randrange(len(events))
    breaks: tuple[Callable[[], Any], ...] = (
        lambda: events.pop(at),
        lambda: events.insert(at, any_value(rng)),
        lambda: events.insert(at, {"e": "pass", "seat": 0}),
        lambda: events[at].update({rng.choice([*events[at]]): [any_value(rng)]}),
        lambda: events[at].update({rng.choice(NASTY): any_value(rng)}),
        lambda: record.update({rng.choice([*record]): [any_value(rng)]}),
        lambda: record.update({rng.choice(NASTY): any_value(rng)}),
        lambda: record.pop(rng.choice([key for key in record if key not in ("fairness", "scores", "winners")])),
        lambda: record.update(events=events * 50),
        lambda: record.update(events=events[: at // 2]),
        lambda: record.update(seed="0x1", map=rng.choice(NASTY)),
        lambda: record["fairness"].update(secret="0" * 64),
        lambda: record["fairness"].update(game="\ud800"),
        lambda: record["fairness"].update(salts=["\ud800"] * record["players"]),
        lambda: record["fairness"].update({rng.choice([*record["fairness"]]): any_value(rng)}),
        lambda: record.update(winners=[0, 1, 2]),
        lambda: record.update(scores=[10**30]),
    )
    rng.choice(breaks)()
    return record


def any_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(8 if depth < 3 else 6)
    if kind == 6:
        return [any_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 7:
        return {rng.choice(NASTY): any_value(rng, depth + 1) for _ in range(rng.randrange(4))}
    simple: tuple[Any, ...] = (None, rng.random() < 0.5, rng.randrange(-(2**70), 2**70), rng.random() * 1e300)
    return (*simple, rng.choice(NASTY), float("nan"))[kind]


def mutate(rng: random.Random, data: bytes) -> bytes:
    """A few letters other than they should be."""
    letters = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(letters) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            del letters[at : at + rng.randrange(1, 8)]
        elif kind == 1:
            letters[at:at] = bytes([rng.randrange(256)])
        elif kind == 2:
            letters[at : at + 1] = rng.choice((b'"', b"\\", b"{", b"}", b"\\u00", b"\0", b",", b"-", b"e9"))
        else:
            letters[at:at] = letters[: rng.randrange(len(letters) + 1)]
    return bytes(letters[:4000])


def chunked(rng: random.Random, body: bytes) -> bytes:
    size = rng.randrange(1, len(body) + 1)
    pieces = [body[at : at + size] for at in range(0, len(body), size)][:50]
    return b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces) + b"0\r\n\r\n"


def seeds(seed: int) -> Iterator[int]:
    rng = random.Random(seed)
    while True:
        yield rng.randrange(2**32)


def _text(message: str) -> bytes:
    """The frame of a message, as far as it is not too long to be read."""
    return raw.text(message.encode()[:4096].decode("utf-8", "ignore"))


def _dump(value: Any) -> str:
    """JSON, and what Python takes for JSON: NaN, and halves of letters."""
    return json.dumps(value)
