"""What is installed beside the engine: the commands that need more name it, and all others do without."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fogline.server.storage.database import DatabaseError, connect
from tests.conformance import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def names(requirements: list[str]) -> set[str]:
    """What is required, those that other extras name included."""
    found = {re.split(r"[^\w\[\]-]", text)[0] for text in requirements}
    ours = {name for name in found if name.startswith("fogline[")}
    return {name.partition("[")[0] for name in found - ours}.union(*(names(EXTRAS[name[8:-1]]) for name in ours))


BARE = f"""
import sys
for name in {sorted(name.replace("-", "_") for name in names(EXTRAS["play"]))}:
    sys.modules[name] = None
from fogline.cli import main
sys.exit(main())
"""
"""The program, where the engine alone is installed."""


def bare(line: str, entered: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BARE, *line.split()]
    return subprocess.run(command, input=entered, capture_output=True, text=True, check=False)


def test_the_engine_needs_three_libraries() -> None:
    assert names(PROJECT["dependencies"]) == {"numpy", "numba", "rich"}


def test_who_plays_needs_no_database_but_the_one_in_python_and_who_learns_on_a_cpu_no_gpu() -> None:
    assert names(EXTRAS["play"]) == names(EXTRAS["server"])
    assert "psycopg" not in names(EXTRAS["play"])
    assert names(EXTRAS["postgresql"]) == names(EXTRAS["server"]) | {"psycopg"}
    assert names(EXTRAS["torch"]) == {"torch"}
    assert names(EXTRAS["gpu"]) == {"torch", "numba-cuda"}


@pytest.mark.parametrize(
    ("line", "what", "extra"),
    [("play --no-browser", "the game in the browser", "play"), ("serve --port=0", "the table server", "server")],
)
def test_a_command_names_the_extra_that_is_missing(line: str, what: str, extra: str) -> None:
    ran = bare(line)
    said = rf'fogline: {what} needs \w+, which is not installed: pip install "fogline\[{extra}\]"\n'
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(said, ran.stderr)


@pytest.mark.parametrize("line", ["play --help", "serve --help", "map check tiny"])
def test_other_commands_and_the_help_do_without(line: str) -> None:
    ran = bare(line)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_game_in_the_terminal_does_without() -> None:
    ran = bare("play --terminal --map tiny --opponents random --seed 7", "1\n" * 500)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_mistake_of_our_own_is_not_taken_for_a_missing_extra() -> None:
    code = BARE.replace("from fogline.cli", "sys.modules['fogline.server.run'] = None\nfrom fogline.cli", 1)
    code = re.sub(r"for name in \[.*\]", "for name in []", code)
    ran = subprocess.run([sys.executable, "-c", code, "serve"], capture_output=True, text=True, check=False)
    assert "pip install" not in ran.stderr
    assert "fogline.server.run" in ran.stderr.splitlines()[-1]


def test_postgresql_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DatabaseError, match=r'PostgreSQL needs psycopg .*: pip install "fogline\[postgresql\]"'):
        connect("postgresql://user:secret@127.0.0.1:1/name")


def test_a_server_with_sqlite_does_without_it() -> None:
    code = "import sys; sys.modules['psycopg'] = None; import fogline.server.run"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_extra_that_is_named_anywhere_is_one() -> None:
    places: list[Path] = [ROOT / "README.md"]
    for folder, kind in (("src", "py"), ("docs", "md"), ("examples", "py"), ("benchmarks", "md"), ("research", "md")):
        places += (ROOT / folder).rglob(f"*.{kind}")
    named = [re.findall(r"(?:fogline|\.whl|[\"']\.)\[([\w,]+)\]", path.read_text("utf-8")) for path in places]
    assert {extra for found in named for text in found for extra in text.split(",")} <= set(EXTRAS)
