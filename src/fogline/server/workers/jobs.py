"""What a worker's process does: jobs come on its standard input, and their results go to its standard output.

It ends when the other ends are closed, however the server has ended. Anything else it writes goes to the server's log.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import IO, Any

from fogline import __version__
from fogline.compiler.sources import digest_of_sources
from fogline.maps.board import Board
from fogline.server.refused import Refused

GREETING = b"fogline worker "

LENGTH = 8
"""Bytes that tell how long an answer is."""

Answer = tuple[Any, Refused | str | None]
"""What a job returned, or why it refused, or the traceback of its error."""


class _Packer(pickle.Pickler):
    """Both sides have the boards: only their names travel, and cached work on a board is found again."""

    def persistent_id(self, thing: object) -> str | None:
        return thing.id if isinstance(thing, Board) else None


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: IO[bytes], boards: Iterable[Board]) -> None:
        super().__init__(file)
        self._boards = {board.id: board for board in boards}

    def persistent_load(self, name: str) -> Board:
        return self._boards[name]


def pack(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    packed = io.BytesIO()
    _Packer(packed, pickle.HIGHEST_PROTOCOL).dump((function, arguments))
    return packed.getvalue()


def unpack(packed: bytes, boards: Iterable[Board]) -> Any:
    return _Unpacker(io.BytesIO(packed), boards).load()


def carry_out(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Answer:
    try:
        return function(*arguments), None
    except Refused as refused:
        return None, refused
    except Exception:
        return None, traceback.format_exc()


def version() -> str:
    """Two sides that have the same one understand each other, and think alike."""
    return f"{__version__}, sources {digest_of_sources('fogline.server.workers.bots')[:16]}"


def _serve(jobs: IO[bytes], answers: IO[bytes]) -> None:
    answers.write(GREETING + version().encode() + b"\n")
    answers.flush()
    boards = pickle.load(jobs)
    while True:
        answer = pickle.dumps(carry_out(*_Unpacker(jobs, boards).load()))
        answers.write(len(answer).to_bytes(LENGTH) + answer)
        answers.flush()


def main() -> None:
    if hasattr(os, "nice"):  # Windows has no such thing
        os.nice(int(sys.argv[1]))
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.SIG_IGN)  # the server decides when to end
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(EOFError, BrokenPipeError):
        _serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
