"""A remote worker: a process on another machine, behind `ssh`, that does jobs as one beside the server does."""

from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from tempfile import TemporaryFile
from typing import Any, TypeVar

from fogline.maps.board import Board
from fogline.server.workers.thinkers import ThinkersAt
from fogline.server.workers.worker import ALONE, LONGEST, JobFailed, Prepare, ask, hear_greeting, make_ready

FROZEN = 2.5
"""Seconds without an answer after which a machine is taken for frozen: more than a decision may take."""

LAST_WORDS_SECONDS = 1.0
"""That `ssh` has to say what is wrong, and to end."""

SSH = (
    *("ssh", "-T", "-a", "-x"),
    *("-o", "BatchMode=yes"),  # nobody is there to type a password
    *("-o", "ConnectTimeout=5"),
    *("-o", "ServerAliveInterval=2", "-o", "ServerAliveCountMax=2"),  # a machine may go away while it has nothing to do
    *("-o", "ControlPath=none"),  # a connection that workers share ends with the first of them
)

T = TypeVar("T")


class WorkerLost(Exception):
    """Why a remote worker is of no use, or no longer."""


class RemoteWorker:
    """Whatever goes wrong ends it, and it does not start again."""

    def __init__(self, at: ThinkersAt, boards: Iterable[Board], niceness: int, prepare: Prepare | None = None) -> None:
        self._command = (*SSH, "--", at.host, command_there(at.python, niceness))
        self._boards = tuple(boards)
        self._prepare = prepare
        self._process: Process | None = None
        self._said = TemporaryFile()  # noqa: SIM115  (what `ssh` or the machine says on standard error, until `close`)
        self._reason = ""

    async def start(self, version: str) -> None:
        """Connects, to a machine that must have this version."""
        async with self._explained():
            self._process = process = await self._spawn()
            there = await hear_greeting(process)
        if there != version:
            raise WorkerLost(f"it has version {there}; the server has {version}")

    async def prepare(self) -> None:
        """From then on no job waits for anything that can be done before."""
        assert self._process is not None
        async with self._explained():
            await make_ready(self._process, self._boards, self._prepare)

    async def do(self, function: Callable[..., T], *arguments: Any) -> T:
        """What the function returns there; raises Refused where it does, or JobFailed, or WorkerLost."""
        assert self._process is not None
        try:
            async with asyncio.timeout(FROZEN):
                return await ask(self._process, function, *arguments)
        except TimeoutError:
            self._reason = f"no answer within {FROZEN} seconds"
            self._kill()
        except (OSError, EOFError):
            self._kill_soon()
        raise WorkerLost

    async def ended(self) -> str:
        """Why, once it has."""
        assert self._process is not None
        await self._process.wait()
        return self._reason or self._last_words() or "the connection has ended"

    async def close(self) -> None:
        self._kill()
        if self._process is not None:
            await self._process.wait()
        self._said.close()

    @asynccontextmanager
    async def _explained(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(LONGEST):
                yield
        except TimeoutError:
            raise WorkerLost(f"not ready within {LONGEST:.0f} seconds") from None
        except JobFailed as failed:
            raise WorkerLost(last_line(str(failed))) from None
        except (OSError, EOFError, ValueError):  # ValueError: a line without an end
            self._kill_soon()
            raise WorkerLost(await self.ended()) from None

    async def _spawn(self) -> Process:
        try:
            return await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=self._said, start_new_session=True
            )
        except OSError as error:
            raise WorkerLost(f"ssh does not start: {error}") from None

    def _last_words(self) -> str:
        """It may have said much: the last kilobytes will do."""
        self._said.seek(max(0, self._said.seek(0, os.SEEK_END) - 4_000))
        return last_line(self._said.read().decode(errors="replace"))

    def _kill_soon(self) -> None:
        """It ends by itself, if it can, and says why."""
        asyncio.get_running_loop().call_later(LAST_WORDS_SECONDS, self._kill)

    def _kill(self) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()  # where `ssh` is a script, what that has started hears of it by this
            with suppress(ProcessLookupError):
                self._process.kill()


def command_there(python: str, niceness: int) -> str:
    """For the shell of the other machine."""
    alone = " ".join(f"{name}={value}" for name, value in ALONE.items())
    return f"exec env {alone} {python} -m fogline.server.workers.jobs {niceness}"


def last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2].strip()
