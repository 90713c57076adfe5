"""The stages of a trial: the tests that are most likely to notice a mutant come first."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from tests.survey.mutant import Mutant

DOCUMENTS = ("tests/conftest.py", "src", "README.md", "docs")
"""What the quick tier also runs: the examples in docstrings and pages."""


class Stage(NamedTuple):
    tests: tuple[str, ...]
    thorough: bool = False


def stages(root: Path, mutant: Mutant, *, thorough: bool) -> list[Stage]:
    """Those of its room, the ones that import the file first; then the other folders that import it, and the rest."""
    tests = sorted((root / "tests").rglob("test_*.py"))
    near = {path for path in tests if _imports(path.read_text("utf-8"), mutant)}
    often = Counter(path.parent for path in near)

    def rank(path: Path) -> tuple[bool, int, Path, bool]:
        at_home = path.parent.name == mutant.room
        return not at_home, -often[path.parent], path.parent, at_home and path not in near

    groups = [list(group) for _, group in groupby(sorted(tests, key=rank), rank)]
    folders = [Stage(tuple(str(path.relative_to(root)) for path in group)) for group in groups]
    documents = Stage(tuple(name for name in DOCUMENTS if (root / name).exists()))
    return [*folders, documents, *(Stage(folder.tests, thorough=True) for folder in folders if thorough)]


def _imports(test: str, mutant: Mutant) -> bool:
    parent, _, name = mutant.file.removeprefix("src/").removesuffix(".py").replace("/", ".").rpartition(".")
    return bool(re.search(rf"\b{parent}\.{name}\b|from {parent} import .*\b{name}\b", test))
