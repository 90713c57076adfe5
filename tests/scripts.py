"""The programs in research/, run as a user would."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conformance import ROOT


def run(module: str, *arguments: str) -> str:
    """One thread: several would wait for each other more than they work."""
    command = [sys.executable, "-m", f"research.{module}", *arguments]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
