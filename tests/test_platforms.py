"""What other systems lack: modules and functions that Windows has not, and what macOS refuses, are taken away here."""

from __future__ import annotations

import errno
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from fogline.arena.contest import Contest, hold
from fogline.arena.pool import Processes
from fogline.commands.serve import listen
from fogline.game.record import audit
from fogline.server import run
from fogline.server.storage import filelock
from fogline.server.storage.database import DatabaseError, connect
from tests.arena.arrange import match_of
from tests.server.serving import Person

WITHOUT = """
import asyncio, multiprocessing.spawn, os, signal, socket, subprocess, sys, types
for name in ("fcntl", "grp", "pwd", "readline", "resource", "termios", "tty", "uvloop"):
    sys.modules[name] = None
del os.nice, os.fork, signal.pthread_sigmask, signal.SIGUSR1, signal.SIGHUP
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda descriptor, mode, count: None)
"""
"""A program that begins with this finds about as little as on Windows."""


def alone(code: str, *words: str, entered: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Runs a program that finds little."""
    entered = entered.encode() if isinstance(entered, str) else entered
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *words], input=entered, capture_output=True, check=False
    )


# Files that one process has for itself.


def test_a_file_is_locked_without_fcntl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on Windows: a byte of it, at once or not at all."""
    locked: set[int] = set()

    def locking(descriptor: int, mode: int, count: int) -> None:
        assert (mode, count) == (2, 1)
        if os.fstat(descriptor).st_ino in locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        locked.add(os.fstat(descriptor).st_ino)

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=2, locking=locking))
    with (tmp_path / "lock").open("w") as one, (tmp_path / "lock").open("w") as other:
        filelock.lock(one.fileno())
        with pytest.raises(OSError, match="Permission denied"):
            filelock.lock(other.fileno())


def test_on_windows_postgresql_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(DatabaseError, match="on Windows tables are kept in SQLite"):
        connect("postgresql://user:secret@127.0.0.1:1/name")


# The number of connections.


class Resource(ModuleType):
    """A system that grants so many open files, and more up to a number that it does not tell."""

    RLIMIT_NOFILE = 7

    def __init__(self, granted: int, most: int, really: int, infinity: int) -> None:
        super().__init__("resource")
        self.limits, self.really, self.RLIM_INFINITY = (granted, most), really, infinity

    def getrlimit(self, _kind: int) -> tuple[int, int]:
        return self.limits

    def setrlimit(self, _kind: int, limits: tuple[int, int]) -> None:
        if not 0 <= limits[0] <= self.really:
            raise ValueError("current limit exceeds maximum limit")
        self.limits = limits


LINUX, MACOS = -1, 2**63 - 1
"""What they call infinite."""


@pytest.mark.parametrize(
    ("system", "then"),
    [
        ((1024, 4096, 4096, LINUX), 4096),
        ((4096, 4096, 4096, LINUX), 4096),
        ((LINUX, LINUX, 10**6, LINUX), LINUX),
        ((256, MACOS, 245_760, MACOS), 65_536),
        ((256, MACOS, 10_240, MACOS), 10_240),
        ((256, MACOS, 5_000, MACOS), 256),
        ((100_000, MACOS, 245_760, MACOS), 100_000),
        ((MACOS, MACOS, 245_760, MACOS), MACOS),
        ((1024, LINUX, 10**6, LINUX), 65_536),
    ],
)
def test_as_many_files_as_the_system_allows_and_never_fewer(
    monkeypatch: pytest.MonkeyPatch, system: tuple[int, int, int, int], then: int
) -> None:
    resource = Resource(*system)
    monkeypatch.setitem(sys.modules, "resource", resource)
    run._allow_connections()
    assert resource.limits == (then, system[1])


def test_a_system_without_such_limits_needs_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    run._allow_connections()


# Ports.


def test_on_windows_too_a_port_is_for_one_server(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", ~socket.SO_REUSEADDR, raising=False)
    monkeypatch.setattr(socket.socket, "setsockopt", lambda self, level, option, value: asked.append(option))
    listen("127.0.0.1", 0).close()
    assert asked == [~socket.SO_REUSEADDR]


# Processes.


def test_a_pool_plays_without_signal_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = SimpleNamespace(SIGINT=signal.SIGINT, SIG_IGN=signal.SIG_IGN, signal=signal.signal)
    monkeypatch.setattr("fogline.arena.pool.signal", windows)  # for the pool alone: Python itself has looked already
    pool = Processes(1)
    try:
        assert len(hold(Contest(match_of("racer", "random", games=2)), pool).outcomes) > 0
    finally:
        pool.leave()


def test_a_pool_is_no_larger_than_windows_can_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    pool = Processes(200)
    assert pool.workers == 61
    pool.leave()


def test_a_worker_works_where_nobody_can_stand_back() -> None:
    ran = alone("from fogline.server.workers.jobs import main; main()", "5", entered=pickle.dumps(()))
    assert (ran.returncode, ran.stderr) == (0, b"")


# Whole commands.


def test_a_game_in_the_terminal_is_played_with_little() -> None:
    words = ("play", "--terminal", "--map", "tiny", "--opponents", "random", "--seed", "7")
    ran = alone("from fogline.cli import main; sys.exit(main())", *words, entered="1\n" * 500)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert "Welcome to Tiny!" in ran.stdout.decode()


@pytest.mark.thorough
def test_a_server_serves_with_little(tmp_path: Path) -> None:
    words = ("serve", "--port=0", "--bot-delay=0", "--thinkers=1", f"--database=sqlite:///{tmp_path}/tables.db")
    code = "from fogline.cli import main; sys.exit(main())"
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen([sys.executable, "-c", WITHOUT + code, *words], stdout=subprocess.PIPE, stderr=log) as server,
    ):
        try:
            assert server.stdout is not None
            (url,) = re.findall(r"http://\S+", server.stdout.readline().decode())
            _play_a_game(Person(url))
        finally:
            server.kill()
    assert "Traceback" not in (tmp_path / "log").read_text()


def _play_a_game(person: Person) -> None:
    from tests.server.playing import play_over_http

    table = person.open_table("me", "racer", map="tiny")["table"]["id"]
    play_over_http(person, table, 7)
    assert audit(person.get(f"/tables/{table}/record")).finished
