"""Two ways to compile a function: as a kernel, for other compiled code, or as an entry point, for Python."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import njit

from fogline.compiler.codefiles import CodeFiles

Record = Any
"""One NumPy record: a board, a game or a tape. Numba knows its fields, the type checker does not."""

Tape = Any
"""A record of `chance.TAPE`, or None: without a tape the compiler drops every line that would write on one."""

Function = TypeVar("Function", bound=Callable[..., Any])


def _mangle_by_layout(record: Any) -> tuple[str, tuple[str, ...]]:
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:24],)


# Numba names compiled code after its arguments, and a record after a number that counts up in each process. Code for
# two maps, compiled by two processes and loaded by a third, could then share a name, and one map would run the other's
# code.
numba.types.Record.mangling_args = property(_mangle_by_layout)  # type: ignore[assignment,method-assign]

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_INSIDE: dict[str, Any] = _OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Compiles a function for other compiled code only; Python cannot call it, which halves the compile time."""
    return cast(Function, njit(**_INSIDE)(function))


def entry_point(function: Function) -> Function:
    """Compiles a function that Python calls, with everything it calls in turn, and keeps the result on disk."""
    try:
        dispatcher = njit(**_OPTIONS, cache=True)(function)
    except RuntimeError:  # nowhere to keep it: compile in every process
        return cast(Function, njit(**_OPTIONS)(function))
    cache = getattr(dispatcher, "_cache", None)  # interpreted, it is the plain function
    if cache is not None:
        cache._cache_file = CodeFiles(Path(cache.cache_path), function.__module__, function.__name__)
    return cast(Function, dispatcher)


@kernel
def as_int(number: Any) -> int:
    """A field of a record as a signed 64-bit number, so that arithmetic with it does not wrap."""
    return np.int64(number)  # type: ignore[return-value]
