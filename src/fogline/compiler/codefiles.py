"""Files of compiled code. Each is used only for the exact sources that it was compiled from."""

from __future__ import annotations

import hashlib
import pickle
import sys
import uuid
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.serialize import dumps

from fogline.compiler.sources import digest_of_sources


class CodeFiles:
    """A file for each compiled function and signature, behind the interface of Numba's own cache.

    Numba lists all signatures of a function in one index file. Two processes that compile for two maps at the same time
    may overwrite it, and then run each other's code. And Numba notices when the file of a function changes, but not
    when a function that it calls, or a constant, changes in another file. Here the file's name covers everything that
    the code depends on.
    """

    def __init__(self, folder: Path, module: str, name: str) -> None:
        self.folder = folder
        self.module = module
        self.name = name

    def path(self, key: tuple[Any, ...]) -> Path:
        """The file for one signature on one kind of machine."""
        signature, *machine = key
        depends = repr((str(signature), machine, numba.__version__, sys.implementation.cache_tag))
        return self.folder / f"{self._stem()}.{hashlib.sha256(depends.encode()).hexdigest()[:32]}.nbc"

    def load(self, key: tuple[Any, ...]) -> Any:
        """The stored code, or None."""
        try:
            return pickle.loads(self.path(key).read_bytes())
        except Exception:  # a damaged file can raise almost anything; then we compile
            return None

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Stores the code, where there is room, and deletes that of older sources."""
        unfinished = self.folder / f"{self.name}.{uuid.uuid4().hex}.tmp"
        try:
            unfinished.write_bytes(dumps(data))  # type: ignore[no-untyped-call]
            unfinished.replace(self.path(key))
            self._forget_older_sources()
        except OSError:  # a full disk, for example: what cannot be stored is compiled again
            unfinished.unlink(missing_ok=True)

    def flush(self) -> None:
        """Deletes all stored code of this function."""
        for path in self.folder.glob(f"{self.name}.*.nbc"):
            path.unlink(missing_ok=True)

    def _stem(self) -> str:
        return f"{self.name}.{_digest(self.module)}"

    def _forget_older_sources(self) -> None:
        for path in self.folder.glob(f"{self.name}.*.nbc"):
            if not path.name.startswith(f"{self._stem()}."):
                path.unlink(missing_ok=True)


@cache
def _digest(module: str) -> str:
    """The digest, once a process: what it compiles is what it has read, even if the files change later."""
    return digest_of_sources(module)[:16]
