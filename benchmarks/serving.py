"""A server in a process of its own, on a core of its own."""

from __future__ import annotations

import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from types import TracebackType
from typing import Self

from fogline.server.http.limits import Limits

PATIENCE = 120.0
"""Seconds: more than anything should take."""

_HOW_MANY = [limit.name for limit in fields(Limits) if not limit.name.endswith(("_bytes", "_seconds"))]
"""Limits that would keep a crowd from one address out."""


@dataclass(frozen=True, slots=True)
class Cores:
    """Which cores the server has with its workers, and which the others; none where the system lets nobody choose."""

    server: frozenset[int]
    crowd: frozenset[int]
    troublemaker: frozenset[int]

    @classmethod
    def one(cls, available: Iterable[int]) -> Self:
        """One for the server, and another one for all others where there is one."""
        cores = sorted(available)
        others = frozenset(cores[1:2] or cores)
        return cls(frozenset(cores[:1]), others, others)

    @classmethod
    def two(cls, available: Iterable[int]) -> Self:
        """Two for the server, and one for each of the others; where there are fewer than four, two for all of them."""
        cores = sorted(available)
        server = frozenset(cores[:2])
        if len(cores) < 4:
            return cls(server, server, server)
        return cls(server, frozenset(cores[2:3]), frozenset(cores[3:4]))

    @property
    def apart(self) -> bool:
        return not self.server & self.crowd and bool(self.server)


def available_cores() -> frozenset[int]:
    return frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()


@contextmanager
def on_cores(cores: frozenset[int]) -> Iterator[None]:
    """Keeps processes that are started here on these cores."""
    if not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def no_cookies() -> CookieJar:
    """For people who share a client: nobody's cookie must go out with another's request."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=()))


class Served:
    """`fogline serve`, from the start of its process to its end; `limited`, for a crowd that comes from many places."""

    def __init__(
        self, database: str, folder: Path, cores: frozenset[int], *options: str, limited: bool = False
    ) -> None:
        self.port = _free_port()
        self.log = folder / f"server-{self.port}.log"
        self._cores = cores
        self._command = [
            *(sys.executable, "-m", "fogline", "serve", "--log=json", f"--port={self.port}"),
            *(f"--database={database}", *(f"--limit={name}=1000000" for name in _HOW_MANY if not limited), *options),
        ]
        self.start_seconds = 0.0  # from the start of the process to its first answer

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def process_id(self) -> int:
        return self._process.pid

    def __enter__(self) -> Self:
        with self.log.open("ab") as log, on_cores(self._cores):
            began = time.perf_counter()
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        try:
            self._await_health(began + PATIENCE)
        except BaseException:
            self._process.kill()
            raise
        self.start_seconds = time.perf_counter() - began
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise

    def health_seconds(self) -> float:
        """How long the server takes to answer `/health`."""
        began = time.perf_counter()
        status, text = self._get("/health")
        if status != 200:
            raise RuntimeError(f"the server is not well: {text} {self.log.read_text()[-2000:]}")
        return time.perf_counter() - began

    def metric(self, name: str) -> float:
        """One of the server's own metrics."""
        found = re.search(rf"^{name} (\S+)$", self._get("/metrics")[1], re.M)
        return float(found[1]) if found else 0.0

    def cpu_seconds(self) -> float:
        """Time that the process has computed so far, without its workers."""
        return cpu_seconds(self.process_id)

    def workers_cpu_seconds(self) -> float:
        """Time that those of its workers have computed so far that still live."""
        lists = Path(f"/proc/{self.process_id}/task").glob("*/children")
        return sum(cpu_seconds(int(child)) for text in lists for child in text.read_text().split())

    def memory(self) -> int:
        """Bytes that the process has in memory."""
        pages = int(Path(f"/proc/{self.process_id}/statm").read_text().split()[1])
        return pages * resource.getpagesize()

    def troubles(self) -> list[str]:
        """What the server has logged as an error, or with an exception."""
        found = []
        for line in self.log.read_text().splitlines():
            entry = json.loads(line) if line.startswith("{") else {}
            if entry.get("level") in ("error", "critical") or "exception" in entry or line.startswith("Traceback"):
                found.append(f"the server logged: {line[:300]}")
        return found

    def _await_health(self, deadline: float) -> None:
        while True:
            try:
                self.health_seconds()
                return
            except OSError:  # it does not listen yet
                if self._process.poll() is not None or time.perf_counter() > deadline:
                    raise RuntimeError(f"the server does not start: {self.log.read_text()[-2000:]}") from None
                time.sleep(0.002)

    def _get(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()


def cpu_seconds(process: int) -> float:
    """CPU seconds of a process so far, all its threads together."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
