"""A real server in a process of its own, and clients with real sockets."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import weakref
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection, connect

from fogline.server.wire.wire import PROTOCOL
from tests.ports import free_port

PATIENCE = 180.0
"""Seconds: more than a busy machine takes to start a server."""

GENEROUS = ("requests_per_second", "messages_per_second", "people_per_minute", "tables_per_person")
"""Limits that a test of something else must not run into."""


class Served:
    """`fogline serve`, to be started, killed and started again on the same database and port."""

    def __init__(self, database: str, folder: Path, *options: str, generous: bool = True) -> None:
        self.port = free_port()
        self.log = folder / f"server-{self.port}.log"
        limits = [f"--limit={name}=1000000" for name in GENEROUS] if generous else []
        self._command = [
            *(sys.executable, "-m", "fogline", "serve", "--log=json", f"--port={self.port}", "--bot-delay=0"),
            *(f"--database={database}", *limits, *options),
        ]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log)
        self._await_answer()
        return self

    @property
    def pid(self) -> int | None:
        """Of its process, while it runs."""
        return self.process.pid if self.process is not None and self.process.poll() is None else None

    def kill(self) -> None:
        """As if the power went: no time for a last word."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def entries(self) -> list[dict[str, Any]]:
        """What was logged; lines that are no JSON are what the program printed."""
        lines = self.log.read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def troubles(self) -> list[dict[str, Any]]:
        """What was logged as an error, or with an exception; tracebacks outside the log, too."""
        bad = [entry for entry in self.entries() if entry["level"] in ("error", "critical") or "exception" in entry]
        return bad + [{"event": "traceback"}] * self.log.read_text().count("\nTraceback")

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.pid is not None:
            self._end(signal.SIGKILL)

    def _await_answer(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            if self._has_died() or time.monotonic() > deadline:
                raise RuntimeError(f"the server does not start: {self.log.read_text()[-2000:]}")
            time.sleep(0.02)

    def _has_died(self) -> bool:
        return self.pid is None

    def _end(self, how: signal.Signals) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def _answers(self) -> bool:
        asking = HTTPConnection("127.0.0.1", self.port, timeout=5)  # httpx would read all certificates first
        try:
            asking.request("GET", "/health")
            return asking.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            asking.close()


class Person:
    """Somebody with a token, over HTTP and over a socket."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, verify=False)  # all certificates take a while to read
        weakref.finalize(self, self.http.close)
        self.token = str(self.http.post("/api/people").json()["token"])
        self.http.cookies.clear()
        self.headers = {"Authorization": f"Bearer {self.token}"}
        self.http.headers.update(self.headers)

    def get(self, path: str, **query: Any) -> Any:
        return self._checked(self.http.get(f"/api{path}", params=query))

    def post(self, path: str, **body: Any) -> Any:
        return self._checked(self.http.post(f"/api{path}", json=body))

    def put(self, path: str, **body: Any) -> Any:
        return self._checked(self.http.put(f"/api{path}", json=body))

    def open_table(self, *chairs: str, **settings: Any) -> Any:
        """Chairs are "me", "open", or a bot's name."""
        kinds = [{"kind": c} if c in ("me", "open") else {"kind": "bot", "player": c} for c in chairs]
        return self.post("/tables", chairs=kinds, **settings)

    def play(self, table: str, step: int, action: str) -> Any:
        return self.post(f"/tables/{table}/actions", step=step, action=action)

    def socket(
        self, table: str, *, after: int = 0, protocol: int = PROTOCOL, url: str | None = None, query: str = ""
    ) -> ClientConnection:
        address = (url or self.url).replace("http", "ws", 1)
        path = f"/api/tables/{table}/socket?protocol={protocol}&after={after}{query}"
        return connect(address + path, additional_headers=self.headers, open_timeout=PATIENCE)

    @staticmethod
    def _checked(response: httpx.Response) -> Any:
        assert response.is_success, f"{response.status_code} {response.text}"
        return response.json()


def receive(connection: ClientConnection, kind: str = "state") -> dict[str, Any]:
    """The next message of a kind; others that come before it are passed over."""
    while True:
        message: dict[str, Any] = json.loads(connection.recv(PATIENCE))
        if message["type"] == kind:
            return message


def send(connection: ClientConnection, **message: Any) -> None:
    connection.send(json.dumps(message))
