"""The sources of a module: its own, and those of all modules that it imports in turn. Compiled code comes from these
alone.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_OURS = __name__.partition(".")[0]
_FROM = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|.*)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([\w., \t]+)", re.MULTILINE)


def digest_of_sources(module: str) -> str:
    """The SHA-256 of the sources that a module depends on, in its package and this one, without libraries.

    It is the same in every process, whatever else has been imported.
    """
    digest = hashlib.sha256()
    for _, source in sorted(_sources(module).items()):
        digest.update(hashlib.sha256(source).digest())
    return digest.hexdigest()


def _sources(module: str) -> dict[str, bytes]:
    """The sources by module name."""
    packages = {module.partition(".")[0], _OURS}
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = _file_of(name) if name.partition(".")[0] in packages else None
        if name in found or file is None:
            continue
        found[name] = file.read_bytes()
        waiting += _imported(found[name].decode("utf-8"))
    return found


def _file_of(module: str) -> Path | None:
    """The file of a module; None for a name that is no module."""
    package, *rest = module.split(".")
    folder = Path(str(sys.modules[package].__file__)).parent.joinpath(*rest)
    return next((file for file in (folder.with_suffix(".py"), folder / "__init__.py") if file.is_file()), None)


def _imported(source: str) -> Iterator[str]:
    """The names in a source's imports that may be modules."""
    for module, names in _FROM.findall(source):
        yield module
        yield from (f"{module}.{name}" for name in re.findall(r"\w+", names))
    for modules in _IMPORT.findall(source):
        yield from re.findall(r"[\w.]+", modules)
