"""How the rules are compiled, and where the compiled code is kept."""

from __future__ import annotations

import hashlib
import pickle
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import njit
from numba.core.serialize import dumps

Record = Any
"""One numpy record: a board, a game or a tape. Numba knows its fields, the type checker does not."""

Tape = Any
"""A record of `chance.TAPE`, or None: no tape, and the compiler drops every line that would write on one."""

Function = TypeVar("Function", bound=Callable[..., Any])


def _mangle_by_layout(record: Any) -> tuple[str, tuple[str, ...]]:
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:24],)


# Numba names compiled code after its arguments, and a record after a number that counts up in each process. Code for
# two maps, compiled by two processes and loaded by a third, could then have one name, and one map run the other's code.
numba.types.Record.mangling_args = property(_mangle_by_layout)  # type: ignore[assignment,method-assign]

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_INSIDE: dict[str, Any] = _OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def rule(function: Function) -> Function:
    """Compiles a function that the rules call among themselves; Python cannot call it, which halves the compiling."""
    return cast(Function, njit(**_INSIDE)(function))


def door(function: Function) -> Function:
    """Compiles a function that Python calls, with all that it calls in turn, and keeps the result on disk."""
    try:
        dispatcher = njit(**_OPTIONS, cache=True)(function)
    except RuntimeError:  # nowhere to keep anything: compile in every process
        return cast(Function, njit(**_OPTIONS)(function))
    cache = getattr(dispatcher, "_cache", None)  # interpreted, it is the plain function
    if cache is not None:
        cache._cache_file = CodeFiles(Path(cache.cache_path), function.__name__)
    return cast(Function, dispatcher)


@rule
def whole(number: Any) -> int:
    """A number of a record as a plain one: of 64 bits and with a sign, so that nothing computed with it wraps."""
    return np.int64(number)  # type: ignore[return-value]


class CodeFiles:
    """A file for each compiled function and signature, in place of Numba's files, and with their interface.

    Numba lists all signatures of a function in one index. Two processes that compile for two maps at the same time may
    write it one over the other, and then run each other's code. And Numba sees when the file of a function changes, but
    not when a function that it calls changes in another file. Here a file's name tells all that its code depends on.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name

    def path(self, key: tuple[Any, ...]) -> Path:
        signature, *machine = key
        depends = repr((str(signature), machine, numba.__version__, sys.implementation.cache_tag))
        return self.folder / f"{self.name}.{_SOURCES[:16]}.{hashlib.sha256(depends.encode()).hexdigest()[:32]}.nbc"

    def load(self, key: tuple[Any, ...]) -> Any:
        try:
            return pickle.loads(self.path(key).read_bytes())
        except Exception:  # a damaged file can raise almost anything, and means only that we compile
            return None

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        unfinished = self.folder / f"{self.name}.{uuid.uuid4().hex}.tmp"
        try:
            unfinished.write_bytes(dumps(data))  # type: ignore[no-untyped-call]
            unfinished.replace(self.path(key))
            self._forget_older_sources()
        except OSError:  # a full disk, say: what cannot be kept is compiled again
            unfinished.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forgets all code of this function."""
        for path in self.folder.glob(f"{self.name}.*.nbc"):
            path.unlink(missing_ok=True)

    def _forget_older_sources(self) -> None:
        for path in self.folder.glob(f"{self.name}.*.nbc"):
            if not path.name.startswith(f"{self.name}.{_SOURCES[:16]}."):
                path.unlink(missing_ok=True)


def _digest_of_sources() -> str:
    """Of the rules, and of all that is compiled with them: whatever imports this file."""
    package = Path(__file__).parent.parent
    sources = [source.read_bytes() for source in sorted(package.glob("rules/*.py"))]
    others = [source.read_bytes() for source in sorted(package.glob("*.py"))]
    for folder in ("players", "batch"):
        others += [source.read_bytes() for source in sorted(package.glob(f"{folder}/*.py"))]
    sources += [source for source in others if _IMPORT in source]
    return hashlib.sha256(b"".join(sources)).hexdigest()


_IMPORT = b"from fogline.rules.compiled import"


_SOURCES = _digest_of_sources()
