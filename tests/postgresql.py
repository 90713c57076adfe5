"""A PostgreSQL server for tests: its own data, its own port on loopback, and gone whatever becomes of the tests."""

from __future__ import annotations

import itertools
import os
import pwd
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGCONT, SIGINT, SIGKILL, SIGSTOP
from types import TracebackType
from typing import Any, Self

import psycopg

from tests.conformance import ROOT
from tests.ports import free_port

_PATIENCE = 180  # seconds: more than a busy machine needs to start a server

# Waits until the tests are done or dead; then nothing of the server stays. $0 is the folder of PostgreSQL's programs.
# A server that was frozen hears of it when it goes on, and kills those of its processes that do not.
_GUARD = """
read -r _
if [ -e data/postmaster.pid ]; then
    kill -CONT "$(head -n 1 data/postmaster.pid)"
    "$0/pg_ctl" stop -s -D data -m immediate
fi
rm -rf "$PWD"
"""


class PostgreSQL:
    """Within `with` the server runs, from empty data on, except between `stop` or `kill` and `start`."""

    def __init__(self, *, fsync: bool = True) -> None:
        self._fsync = fsync
        self._names = (f"test{number}" for number in itertools.count(1))
        self._databases: list[str] = []
        self._emptied: list[str] = []  # to be given again, which is quicker than to create one
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._bin = _find_programs()
        # Short, because it holds a socket; and PostgreSQL's user cannot look into the folders of pytest.
        self._folder = Path(tempfile.mkdtemp(prefix="fogline-", dir="/tmp"))
        self._user: dict[str, Any] = _unprivileged()
        if self._user:
            shutil.chown(self._folder, self._user["user"], self._user["group"])
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._guard = self._spawn("sh", "-c", _GUARD, str(self._bin), stdin=subprocess.PIPE, **quiet)
        try:
            self._initialise()
            self._port = free_port()
            self.start()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self._port}/{database}"

    def create_database(self) -> str:
        """The URL of a new, empty database."""
        name = next(self._names)
        if self._emptied:
            self._execute(f"ALTER DATABASE {self._emptied.pop()} RENAME TO {name}")
        else:
            self._execute(f"CREATE DATABASE {name}")
        self._databases.append(name)
        return self.url(name)

    def empty_databases(self) -> None:
        """Whatever `create_database` made is gone for those who know its name, connected or not."""
        while self._databases:
            name = self._databases.pop()
            emptied = f"emptied_{name}"
            self._execute(
                f"ALTER DATABASE {name} ALLOW_CONNECTIONS false",
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'",
                f"ALTER DATABASE {name} RENAME TO {emptied}",  # which waits for connections that are about to end
                f"ALTER DATABASE {emptied} ALLOW_CONNECTIONS true",
            )
            self._execute("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", database=emptied)
            self._emptied.append(emptied)

    def start(self) -> None:
        """Back once the server answers; at once where it runs already."""
        if self._server:
            return
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self._port,
            "unix_socket_directories": self._folder,
            "fsync": "on" if self._fsync else "off",
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        self._alive, end = os.pipe()
        with (self._folder / "log").open("ab") as log:
            # Every process of the server holds `end`: when the last one is gone, `_alive` reads as at its end.
            self._server = self._spawn(
                str(self._bin / "postgres"), "-D", "data", *options, pass_fds=[end], stdout=log, stderr=log
            )
        os.close(end)
        try:
            self._await_answer(self._server)
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """An orderly stop: transactions under way are rolled back, connections closed."""
        self._end(SIGINT)

    def restart(self) -> None:
        self.stop()
        self.start()

    def kill(self) -> None:
        """All its processes die on the spot (kill -9). What was committed is there again after `start`."""
        if self._server and self._server.poll() is None:
            self._server.send_signal(SIGSTOP)  # so that no child is born or lost meanwhile
            for child in _children(self._server.pid):
                os.kill(child, SIGKILL)
        self._end(SIGKILL)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Within it, all its processes stand still: the system accepts connections for it, and nobody answers."""
        assert self._server is not None
        self._server.send_signal(SIGSTOP)  # so that no child is born meanwhile
        children = _children(self._server.pid)
        _send(SIGSTOP, children)
        try:
            yield
        finally:
            _send(SIGCONT, [*children, self._server.pid])

    def _end(self, signal: int) -> None:
        if self._server:
            self._server.send_signal(signal)
            self._server.wait(_PATIENCE)
            self._server = None
            select.select([self._alive], [], [], _PATIENCE)
            os.close(self._alive)

    def _close(self) -> None:
        self.stop()
        self._guard.communicate()

    def _initialise(self) -> None:
        initdb = self._spawn(
            str(self._bin / "initdb"),
            "-D",
            "data",
            *("--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        said, _ = initdb.communicate()
        if initdb.returncode:
            raise RuntimeError(f"initdb failed:\n{said.decode()}")

    def _await_answer(self, server: subprocess.Popen[bytes]) -> None:
        limit = time.monotonic() + _PATIENCE
        while True:
            try:
                self._execute("SELECT 1")
            except psycopg.OperationalError:
                if server.poll() is not None or time.monotonic() > limit:
                    raise RuntimeError(f"PostgreSQL does not start:\n{(self._folder / 'log').read_text()}") from None
                time.sleep(0.02)
            else:
                return

    def _execute(self, *statements: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def _spawn(self, *command: str, **options: Any) -> subprocess.Popen[bytes]:
        """Runs it in the server's folder, as the server's user, out of reach of a Ctrl-C in the terminal."""
        environment = os.environ | {"LC_ALL": "C"}
        return subprocess.Popen(
            command, cwd=self._folder, env=environment, start_new_session=True, **self._user, **options
        )


def _find_programs() -> Path:
    found = subprocess.run([ROOT / "scripts/postgresql", "--find"], capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(found.stderr)
    return Path(found.stdout.strip())


def _unprivileged() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: then, how to run it as somebody else."""
    if os.geteuid() != 0:
        return {}
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        user = pwd.getpwnam("nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _send(signal: int, processes: Iterable[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):  # it has ended by itself
            os.kill(process, signal)


def _children(process: int) -> list[int]:
    """None where the system is not Linux: there they end once they notice that they are alone."""
    listed = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []
