"""How the rules are compiled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

Record = Any
"""One numpy record: a board, a game or a tape. Numba knows its fields, the type checker does not."""

Tape = Any
"""A record of `chance.TAPE`, or None: no tape, and the compiler drops every line that would write on one."""

Function = TypeVar("Function", bound=Callable[..., Any])


_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_INSIDE: dict[str, Any] = _OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def rule(function: Function) -> Function:
    """Compiles a function that the rules call among themselves; Python cannot call it, which halves the compiling."""
    return cast(Function, njit(**_INSIDE)(function))


def door(function: Function) -> Function:
    """Compiles a function that Python calls, with all that it calls in turn, and keeps the result on disk."""
    return cast(Function, njit(**_OPTIONS, cache=True)(function))


def forget_stale_code() -> None:
    """Drops compiled code of older sources.

    Numba recompiles a function when its own file changes, but not when a function that it calls changes in another
    file. So a digest of all the rules' sources lies beside the compiled code, and when it differs the code goes.
    """
    folder = Path(__file__).parent
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sorted(folder.glob("*.py")))).hexdigest()
    stamp = folder / "__pycache__" / "sources.sha256"
    try:
        if stamp.exists() and stamp.read_text() == digest:
            return
        stamp.parent.mkdir(exist_ok=True)
        for package in (folder, folder.parent):
            for compiled in (package / "__pycache__").glob("*.nb[ic]"):
                compiled.unlink(missing_ok=True)
        stamp.write_text(digest)
    except OSError:
        # A folder that cannot be written to holds no compiled code either: Numba keeps it elsewhere.
        return


forget_stale_code()
