"""Servers that start in a fraction of the time, so that many tests can have their own, and kill it.

Most of a start is imports. One process does them once, and forks a process of its own for every server, which then runs
`fogline serve` from its beginning to its end. They wait for the database longer than `Served` does.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
from functools import cache
from itertools import count
from pathlib import Path
from typing import Self

from tests.conformance import ROOT
from tests.seeds import RUN, Lots
from tests.server.patience import be_patient
from tests.server.serving import Served


class Nursery:
    """The process that is forked."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.server.nursery"]
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # whoever forks has no other threads
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
        )

    def close(self) -> None:
        self._process.communicate()

    def bear(self, arguments: list[str], log: Path, name: str) -> int:
        """Starts a server in today's environment, and returns its process's number."""
        return self._ask("bear", arguments, str(log), dict(os.environ), str(RUN.stamp_file), name)

    def bury(self, process: int) -> int:
        """How a server's process ended; waits for it."""
        return self._ask("bury", process)

    def _ask(self, *words: object) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(words), file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())


@cache
def nursery() -> Nursery:
    """One for each process of tests, from when it is first needed."""
    found = Nursery()
    atexit.register(found.close)
    return found


class Forked(Served):
    """A server of the nursery."""

    def __init__(self, database: str, folder: Path, *options: str, generous: bool = True) -> None:
        super().__init__(database, folder, *options, generous=generous)
        self.number: int | None = None
        self._name = RUN.number_server()
        self._launches = count(1)

    def launch(self) -> None:
        """Starts it, and does not wait until it answers."""
        self.number = nursery().bear(self._command[3:], self.log, f"{self._name} {next(self._launches)}")

    def start(self) -> Self:
        self.launch()
        self._await_answer()
        return self

    @property
    def pid(self) -> int | None:
        return self.number

    def _has_died(self) -> bool:
        return Path(f"/proc/{self.number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"

    def _end(self, how: signal.Signals) -> int:
        assert self.number is not None
        number, self.number = self.number, None
        os.kill(number, how)
        return nursery().bury(number)


def _bear(arguments: list[str], log: str, environment: dict[str, str], stamp: str, name: str) -> int:
    """What the server draws at random comes from the stamp of the test that runs, and from which server it is."""
    process = os.fork()
    if process:
        return process
    from fogline.cli import main

    Lots(lambda: f"{Path(stamp).read_text()} {name}").take_over()
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    status = 1
    try:
        status = main(arguments)
    finally:
        os._exit(status)


def _bury(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def warm_up() -> None:
    """What a server loads, compiles and draws before it serves; those that are forked have it already."""
    import fogline.commands.serve  # noqa: F401
    from fogline.maps.board import Board
    from fogline.maps.reader import maps_for_tables
    from fogline.server import run

    for board in map(Board.load, maps_for_tables()):
        run.warm_up(board)
        run._make_ready([board])
    gc.collect()
    gc.freeze()  # whoever is forked need not look at all that again


def _serve() -> None:
    """Answers until nobody asks any more; then no server stays."""
    be_patient()
    warm_up()
    alive: set[int] = set()
    for line in sys.stdin:
        order, *words = json.loads(line)
        if order == "bear":
            alive.add(answer := _bear(*words))
        else:
            answer = _bury(*words)
            alive.discard(*words)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
    for process in alive:
        os.kill(process, signal.SIGKILL)


if __name__ == "__main__":
    _serve()
