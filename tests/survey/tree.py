"""Copies of the working tree, in which the tests run."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "node_modules", ".*_cache", ".hypothesis")
PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "-p", "no:cacheprovider")
ENDS = ("-o", "faulthandler_timeout=200", "-o", "faulthandler_exit_on_timeout=true")
ITSELF = "pytest itself, which ends early or would never end"


def copy_tree(root: Path, copy: Path) -> None:
    """With the compiled code that lies beside the sources, and the tools of the page."""
    shutil.copytree(root, copy, ignore=LEFT_OUT, symlinks=True)
    if (tools := root / "web/node_modules").exists():
        (copy / "web/node_modules").symlink_to(tools.resolve())


def first_failure(tree: Path, *words: str) -> str | None:
    """The first test that fails, if pytest is called with these words."""
    status, output = _run([*PYTEST, *ENDS, *words], tree)
    if failed := re.search(r"^(?:FAILED|ERROR) (.+?::.+?)(?: - .*)?$", output, re.M):
        return failed[1]
    # 0: all passed. 1: some were too slow, as they may be where they compile. 5: nothing was left to run.
    return None if status in (0, 5) or (status == 1 and "Timeout (" not in output) else ITSELF


def _run(command: list[str], tree: Path) -> tuple[int, str]:
    """Ends what a broken program has left running, too."""
    path = os.pathsep.join((str(tree / "src"), str(tree)))
    environment = os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    out, err = subprocess.PIPE, subprocess.STDOUT
    process = subprocess.Popen(command, cwd=tree, env=environment, stdout=out, stderr=err, start_new_session=True)
    output, _ = process.communicate()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, output.decode(errors="replace")
