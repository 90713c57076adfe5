"""A worker: a process beside the server that does jobs for it, one after the other."""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from fogline.maps.board import Board
from fogline.server.workers.jobs import GREETING, LENGTH, pack

ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""One core for each worker: the threads of several would only wait for each other."""

LONGEST = 120.0
"""Seconds after which a silent worker counts as dead."""

T = TypeVar("T")

Prepare = Callable[[Iterable[Board]], None]
"""What a process does first, so that no job waits for it."""


class WorkerDied(Exception):
    """The process has ended before it answered."""


class JobFailed(Exception):
    """What a job raised, with the traceback of its process."""


class Worker:
    """A process that starts with its first job, and again after it has died."""

    def __init__(self, boards: Iterable[Board], niceness: int, prepare: Prepare | None = None) -> None:
        self._boards = tuple(boards)
        self._niceness = niceness
        self._prepare = prepare
        self._process: Process | None = None

    async def do(self, function: Callable[..., T], *arguments: Any) -> T:
        """The function's result in that process. Raises Refused if the function does, or JobFailed, or WorkerDied."""
        try:
            process = self._process or await self._start()
            async with asyncio.timeout(LONGEST):
                return await ask(process, function, *arguments)
        except (OSError, EOFError) as error:  # a timeout is an OSError
            await self.close()
            raise WorkerDied("a worker has died") from error

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()

    async def _start(self) -> Process:
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fogline.server.workers.jobs", str(self._niceness)),
            stdin=PIPE,
            stdout=PIPE,
            env=os.environ | ALONE,
            start_new_session=True,  # Ctrl-C is for the server alone
        )
        await hear_greeting(process)
        await make_ready(process, self._boards, self._prepare)
        return process


async def hear_greeting(process: Process) -> str:
    """The version that a process says it has, after whatever a shell has said before it."""
    assert process.stdout is not None
    while not (line := await process.stdout.readline()).startswith(GREETING):
        if not line:
            raise EOFError
    return line.removeprefix(GREETING).decode().strip()


async def make_ready(process: Process, boards: tuple[Board, ...], prepare: Prepare | None) -> None:
    assert process.stdin is not None
    process.stdin.write(pickle.dumps(boards))
    if prepare is not None:
        await ask(process, prepare, boards)


async def ask(process: Process, function: Callable[..., T], *arguments: Any) -> T:
    assert process.stdin is not None
    assert process.stdout is not None
    if process.stdin.is_closing():  # it died while it had nothing to do; uvloop would raise what is no OSError
        raise BrokenPipeError
    process.stdin.write(pack(function, arguments))
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(LENGTH))
    value, error = pickle.loads(await process.stdout.readexactly(length))
    if error is not None:
        raise JobFailed(error) if isinstance(error, str) else error
    return value  # type: ignore[no-any-return]
