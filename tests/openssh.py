"""Another computer, for tests: this one, reached by way of an `sshd` on loopback that has keys of its own."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP, Signals
from types import TracebackType
from typing import Self

from tests.conformance import ROOT
from tests.ports import free_port

_PATIENCE = 180  # seconds: more than a busy machine needs to start a server

# Ends with the tests, however they end.
_GUARD = '"$0" -D -e -f "$1" 2>"$2" & read -r _; kill $!'

_SERVER = """
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/person.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
AuthenticationMethods publickey
SetEnv PYTHONPATH={sources}
"""

_CLIENT = """
Host {name}
HostName 127.0.0.1
Port {port}
User {user}
IdentityFile {folder}/person
IdentitiesOnly yes
UserKnownHostsFile {folder}/known
"""


class Computer:
    """Within `with` it is there, except while it is `frozen`. `bin` has the `ssh` that knows it by its name."""

    def __init__(self, folder: Path, name: str = "big-box") -> None:
        self.name = name
        self.bin = folder / "bin"
        self._folder = folder / name
        self._port = free_port()

    def __enter__(self) -> Self:
        self._sshd = _find_program()
        for key in ("host", "person"):
            _make_key(self._folder / key)
        self._write_settings()
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # sshd insists on it, and it is gone after every start
        files = [self._sshd, str(self._folder / "server"), str(self._folder / "log")]
        self._guard = subprocess.Popen(
            ["sh", "-c", _GUARD, *files], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self._await_listening()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.switch_off()

    def lose_connections(self) -> None:
        """They end without a last word, and it can be reached again at once."""
        (sshd,) = _children(self._guard.pid)
        _send(SIGKILL, _children(sshd))

    def listen_in(self) -> Path:
        """From now on a file has all that is sent to it."""
        heard = self._folder / "heard"
        (self.bin / "ssh").write_text(f"#!/bin/sh\ntee -a {heard} | {self._ssh}\n")
        return heard

    def forget_keys(self) -> None:
        """From now on it wants a password."""
        (self._folder / "person.pub").write_text("")

    def switch_off(self) -> None:
        processes = self._processes()
        self._guard.communicate()
        _send(SIGKILL, processes)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Within it, all that runs there stands still: the system accepts connections, and nobody answers."""
        stopped = self._processes()
        _send(SIGSTOP, stopped)
        try:
            yield
        finally:
            _send(SIGCONT, stopped)

    def _processes(self) -> list[int]:
        """The server, and all that it has started."""
        found = _children(self._guard.pid)
        for process in found:
            found += _children(process)
        return found

    def _write_settings(self) -> None:
        values = {"folder": self._folder, "port": self._port, "name": self.name, "user": getpass.getuser()}
        sources = f"{ROOT}/src:{ROOT}"
        (self._folder / "server").write_text(_SERVER.format(sources=sources, **values))
        (self._folder / "client").write_text(_CLIENT.format(**values))
        kind, key, *_ = (self._folder / "host.pub").read_text().split()
        (self._folder / "known").write_text(f"[127.0.0.1]:{self._port} {kind} {key}\n")
        self._write_client()

    def _write_client(self) -> None:
        """An `ssh` that reads our settings: the real one reads those of whoever runs the tests."""
        self.bin.mkdir(exist_ok=True)
        settings = self.bin / "settings"
        with settings.open("a") as file:
            file.write(f"Include {self._folder}/client\n")
        self._ssh = f'{shutil.which("ssh")} -F {settings} "$@"'
        (self.bin / "ssh").write_text(f"#!/bin/sh\nexec {self._ssh}\n")
        (self.bin / "ssh").chmod(0o755)

    def _await_listening(self) -> None:
        limit = time.monotonic() + _PATIENCE
        log = self._folder / "log"
        while not log.exists() or "Server listening" not in log.read_text():
            if self._guard.poll() is not None or time.monotonic() > limit:
                raise RuntimeError(f"sshd does not start:\n{log.read_text()}")
            time.sleep(0.01)


def _find_program() -> str:
    found = subprocess.run([ROOT / "scripts/openssh", "--find"], capture_output=True, text=True, check=False)
    if found.returncode:
        raise RuntimeError(found.stderr)
    return found.stdout.strip()


def _make_key(file: Path) -> None:
    file.parent.mkdir(exist_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file], check=True)


def _send(signal: Signals, processes: list[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):  # it has ended by itself
            os.kill(process, signal)


def _children(process: int) -> list[int]:
    with suppress(FileNotFoundError, ProcessLookupError):
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return []
