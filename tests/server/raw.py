"""Connections without a library in between: they send whatever they are told, and as much of it as they are told."""

from __future__ import annotations

import json
import socket
import struct
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from tests.server.serving import PATIENCE

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
CUT_OFF = 1006
"""What a socket ends with that ends without a word."""

HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for a request."""

    status: int
    headers: Mapping[str, str]  # in small letters
    body: bytes

    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)["error"]
        return found


class CutOff(Exception):
    """The server ended the connection."""


class Line:
    """A connection."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._buffer = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.hang_up()

    def hang_up(self) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        """All of it, or as much as the server takes before it ends the connection."""
        with suppress(BrokenPipeError, ConnectionResetError):  # what it said before can still be read
            self._socket.sendall(data)

    def send_all(self, data: bytes) -> None:
        """All of it; and where the server does not take it, that is an error."""
        self._socket.sendall(data)

    def finish(self) -> None:
        """Nothing more will be sent; what comes is still read."""
        with suppress(OSError):  # not connected: the server has ended it already, and what it said can still be read
            self._socket.shutdown(socket.SHUT_WR)

    def read(self, count: int) -> bytes:
        while len(self._buffer) < count:
            self._fill()
        return self._take(count)

    def read_until(self, end: bytes) -> bytes:
        while end not in self._buffer:
            self._fill()
        return self._take(self._buffer.index(end) + len(end)).removesuffix(end)

    def read_answer(self, *, head: bool = False) -> Answer:
        """The next answer; one to HEAD has no body."""
        first, *lines = self.read_until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = 0 if head else int(headers.get("content-length", 0))
        return Answer(int(first.split()[1]), headers, self.read(length))

    def read_to_the_end(self) -> bytes:
        try:
            while True:
                self._fill()
        except CutOff:
            return self._take(len(self._buffer))

    def _take(self, count: int) -> bytes:
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data

    def _fill(self) -> None:
        try:
            data = self._socket.recv(1 << 18)
        except ConnectionResetError:
            data = b""
        if not data:
            raise CutOff
        self._buffer += data


class Socket(Line):
    """A WebSocket, from its handshake on; `answer` is what came back for it, and 101 means that it is open."""

    def __init__(self, port: int, path: str, headers: Mapping[str, str] = {}) -> None:
        super().__init__(port)
        self.send(request("GET", path, HANDSHAKE | dict(headers)))
        self.answer = self.read_answer()

    def receive(self) -> dict[str, Any] | int:
        """The next message, or the code with which the socket was closed."""
        end = time.monotonic() + PATIENCE
        try:
            while True:
                if time.monotonic() > end:
                    raise TimeoutError("the server only pings")
                opcode, payload = self._read_frame()
                if opcode == TEXT:
                    message: dict[str, Any] = json.loads(payload)
                    return message
                if opcode == PING:
                    self.send(frame(PONG, payload))
                if opcode == CLOSE:
                    return int(struct.unpack("!H", payload[:2])[0])
        except CutOff:
            return CUT_OFF

    def closed(self) -> int:
        """The code with which the socket is closed, whatever is said before."""
        while True:
            message = self.receive()
            if isinstance(message, int):
                return message

    def _read_frame(self) -> tuple[int, bytes]:
        first, length = self.read(2)
        if length == 126:
            length = struct.unpack("!H", self.read(2))[0]
        elif length == 127:
            length = struct.unpack("!Q", self.read(8))[0]
        return first & 15, self.read(length)


def request(method: str, path: str, headers: Mapping[str, str] = {}, body: bytes = b"") -> bytes:
    """A request as it goes over the wire. Headers may hold anything; "Host" and the length are set where missing."""
    all_headers = {"Host": "127.0.0.1"} | dict(headers)
    if body and "Transfer-Encoding" not in all_headers:
        all_headers.setdefault("Content-Length", str(len(body)))
    lines = "".join(f"{name}: {value}\r\n" for name, value in all_headers.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1", "replace") + body


def frame(opcode: int, payload: bytes, *, fin: bool = True, reserved: int = 0, masked: bool = True) -> bytes:
    """A frame of a WebSocket. The mask is zero, which changes nothing."""
    head = bytes([(0x80 if fin else 0) | reserved | opcode])
    mask = 0x80 if masked else 0
    if len(payload) < 126:
        head += bytes([mask | len(payload)])
    else:
        head += bytes([mask | 126]) + struct.pack("!H", len(payload))
    return head + (b"\0\0\0\0" if masked else b"") + payload


def text(payload: str | bytes) -> bytes:
    return frame(TEXT, payload.encode() if isinstance(payload, str) else payload)
