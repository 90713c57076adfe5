"""What docs/arena.md says is so, and its commands run: with fewer games, on the tiny map and one core."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from fogline.arena.bootstrap import LEVEL, RESAMPLES
from fogline.cli import main
from fogline.commands.arena import COMMANDS, FEW_BLOCKS, GAMES
from tests.arena.test_cluster import FakeRay
from tests.conformance import ROOT

DOCUMENT = (ROOT / "docs/arena.md").read_text("utf-8")
SHELL = "\n".join(re.findall(r"^```sh\n(.*?)^```", DOCUMENT, re.M | re.S))
LINES = [shlex.split(line, comments=True)[1:] for line in SHELL.splitlines() if line]
LINES += [shlex.split(line)[1:] for line in re.findall(r"`(fogline [^`]+)`", DOCUMENT)]
(PLAYER,) = re.findall(r"^```python\n(import .*?)^```", DOCUMENT, re.M | re.S)
SMALL = ["--map", "tiny", "--games", "4", "--cores", "1"]


def case(line: list[str]) -> Any:
    """A ladder with the search takes a while."""
    return pytest.param(line, id=" ".join(line), marks=[pytest.mark.thorough] if "search@100" in line else [])


@pytest.mark.parametrize("line", [*map(case, LINES)])
def test_every_command_of_the_document_runs(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "ray", FakeRay())
    (tmp_path / "mine.py").write_text(PLAYER, encoding="utf-8")
    monkeypatch.setattr("fogline.commands.arena._EVERYONE", ["random", "racer"])  # the others would think for long
    assert main([*line, *SMALL]) == 0
    said = capsys.readouterr().out
    assert "won by seat" in said or "# The ladder" in said or "ladder.svg" in said
    for name in re.findall(r"\w+\.(?:json|svg|md)\b", " ".join(line)):
        assert (tmp_path / name).stat().st_size > 0


def test_every_option_of_its_own_is_in_the_document() -> None:
    """Those that other commands have too are in the help."""
    for command in COMMANDS:
        parser = argparse.ArgumentParser(add_help=False)
        command.arguments(parser)
        options = {option for action in parser._actions for option in action.option_strings if option.startswith("--")}
        assert {option for option in options - {"--map", "--output"} if option not in DOCUMENT} == set()


def test_the_numbers_of_the_document_are_those_of_the_code() -> None:
    assert f"two players, {GAMES:,} games" in DOCUMENT
    assert f"**Intervals** of {LEVEL:.0%}".replace("%", " %") in DOCUMENT
    assert RESAMPLES == 1000
    assert "a thousand times" in DOCUMENT
    assert f"fewer than {FEW_BLOCKS} blocks" in " ".join(DOCUMENT.split())
