"""Every rule has a test that fails when the rule is broken: each is broken once, in a copy, and its tests are run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance import ROOT, marked_tests, rules
from tests.mutants import MUTANTS, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=[f"{mutant.rule}-{number}" for number, mutant in enumerate(MUTANTS)])
@pytest.mark.thorough
def test_breaking_a_rule_fails_its_tests(mutant: Mutant, tmp_path: Path) -> None:
    _copy_of_links(ROOT / "src", tmp_path / "src")
    broken = tmp_path / "src" / "fogline" / mutant.file
    source = broken.read_text("utf-8")
    assert source.count(mutant.source) == 1
    broken.unlink()
    broken.write_text(source.replace(mutant.source, mutant.broken), encoding="utf-8")
    # Interpreted, because compiling a mutant takes longer than to play with it; and without plugins, which take longer
    # to load than the tests to run.
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [*command, *sorted(_own_tests(mutant.rule))],
        cwd=ROOT,
        env=environment | {"PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stdout[-2000:]
    assert "1 failed" in run.stdout


def _copy_of_links(source: Path, copy: Path) -> None:
    """With Python's own compiled files, which fit all but the one that will be broken."""
    unwanted = shutil.ignore_patterns("client", "*.nbc", "*.tmp")
    shutil.copytree(source, copy, ignore=unwanted, copy_function=os.symlink)


def _own_tests(rule: str) -> set[str]:
    """The chapter's own tests of a rule; views at every step of many games would take too long interpreted."""
    return {test for test in marked_tests()[rule] if test.startswith("tests/rules/")}


def test_every_rule_is_broken_once() -> None:
    assert sorted({mutant.rule for mutant in MUTANTS}) == sorted(rules())
