"""The scripts in training/: run as a user would, or loaded to look inside."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from types import ModuleType

from tests.conformance import ROOT


def run(script: str, *arguments: str) -> str:
    """One thread: several would wait for each other more than they work."""
    command = [sys.executable, str(ROOT / "training" / script), *arguments]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def load_script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "training" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look for it there
    spec.loader.exec_module(module)
    return module
