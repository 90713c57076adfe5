"""The site of the documents: every page has its place. `make site-docs` builds it, and fails at a dead link."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.conformance import ROOT


@pytest.fixture
def assemble() -> ModuleType:
    spec = importlib.util.spec_from_file_location("assemble", ROOT / "site-docs/assemble.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_stands_once_in_the_contents(assemble: ModuleType) -> None:
    contents = []
    for page in (ROOT / "site-docs").rglob("*.md"):
        for tree in re.findall(r"```{toctree}\n(.*?)```", page.read_text("utf-8"), re.S):
            lines = [
                re.sub(r".*<(.*)>", r"\1", line) for line in tree.splitlines() if line and not line.startswith(":")
            ]
            folder = page.parent.relative_to(ROOT / "site-docs")
            contents += [(ROOT / folder / f"{line}.md").resolve().relative_to(ROOT).as_posix() for line in lines]
    assert sorted(set(contents) - {"self.md"} | {"index.md"}) == sorted(assemble.pages().values())
    assert len(contents) == len(set(contents))


def test_the_pages_are_gathered_with_links_that_lead_somewhere(assemble: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    assemble.Site(folder).write()
    for page in folder.glob("*.md"):
        for _, _, target, _ in assemble.LINK.findall(page.read_text("utf-8")):
            assert (page.parent / target).exists(), (page.name, target)
    assert (folder / "files/examples/bot.py").exists()
