"""The rules give the same bytes interpreted and compiled."""

import os
import subprocess
import sys

from tests.conformance import ROOT
from tests.tier import pick

GAMES = pick(36, 210)


def digests(**environment: str) -> list[str]:
    command = [sys.executable, "-m", "tests.interpreted", str(GAMES)]
    run = subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def test_interpreted_and_compiled_games_are_equal_byte_for_byte() -> None:
    compiled = digests()
    assert len(set(compiled)) == GAMES
    assert compiled == digests(NUMBA_DISABLE_JIT="1")
