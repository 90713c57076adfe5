"""The benchmark of the page runs. How fast anything is, no test says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance import ROOT

DOCUMENT = ROOT / "docs" / "performance-page.md"


def names(document: Path) -> list[str]:
    return re.findall(r"^\| ([a-z ,]+) \| (?!figure)", document.read_text("utf-8"), re.M)


@pytest.mark.thorough
def test_a_small_run_measures_all_that_the_document_tells(tmp_path: Path) -> None:
    written = tmp_path / DOCUMENT.name
    shutil.copy(DOCUMENT, written)
    program = str(ROOT / "benchmarks" / "page.py")
    options = ("--seconds=0.5", "--loads=1", f"--docs={written}")
    done = subprocess.run([sys.executable, program, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert names(written) == names(DOCUMENT)
    assert len(names(written)) == 10
