"""Gathers the pages of the site in one folder: `python site-docs/assemble.py build/site/pages`.

Pages come from docs/, from this folder, and from the root of the repository; a notebook becomes a page of its text and
code. Links between pages are adapted. A link to any other file leads to a copy of it; a link to a folder becomes plain
text.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "site-docs"
ELSEWHERE = {"RULES.md": "rules.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
ELSEWHERE |= {"research/training/README.md": "training-runs.md", "benchmarks/README.md": "benchmarks.md"}
ELSEWHERE |= {"examples/train.ipynb": "train-in-a-notebook.md"}
LINK = re.compile(r"(!?)\[([^\[\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def pages() -> dict[Path, str]:
    """Every page: where it is in the repository, and its name on the site."""
    found = {path: path.name for path in (ROOT / "docs").glob("*.md")}
    found |= {path: path.relative_to(HERE).as_posix() for path in HERE.rglob("*.md")}
    return found | {ROOT / path: name for path, name in ELSEWHERE.items()}


def read(path: Path) -> str:
    """The Markdown of a page."""
    text = path.read_text("utf-8")
    return "\n\n".join(map(cell_text, json.loads(text)["cells"])) + "\n" if path.suffix == ".ipynb" else text


def cell_text(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    return f"```python\n{source}\n```" if cell["cell_type"] == "code" else source


class Site:
    """The folder of the pages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages = pages()

    def write(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(ROOT / "docs/data", self.folder / "data")
        shutil.copytree(HERE / "_static", self.folder / "_static")
        for path, name in self.pages.items():
            page = self.folder / name
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(self.adapted(path, name), "utf-8")

    def adapted(self, path: Path, name: str) -> str:
        """The text of a page, with the links that it needs under its name on the site."""
        if path.is_relative_to(HERE):
            return read(path)  # written for the site
        up = "../" * name.count("/")
        return LINK.sub(lambda link: self.link(path, up, link), read(path))

    def link(self, page: Path, up: str, found: re.Match[str]) -> str:
        mark, words, target, anchor = found.groups("")
        file = (page.parent / target).resolve()
        if file.is_dir():
            return words
        return f"{mark}[{words}]({up}{self.name(file)}{anchor})" if file.exists() else found[0]

    def name(self, file: Path) -> str:
        """What a file is called on the site; one that is neither page nor picture is copied."""
        if file == ROOT / "README.md":
            return "index.md"
        if file in self.pages:
            return self.pages[file]
        if file.is_relative_to(ROOT / "docs/data"):
            return file.relative_to(ROOT / "docs").as_posix()
        copy = self.folder / "files" / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
        return copy.relative_to(self.folder).as_posix()


if __name__ == "__main__":
    Site(Path(sys.argv[1])).write()
