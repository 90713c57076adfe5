"""The page about the architecture says what is so."""

import re

from tests.conformance import ROOT
from tests.layers import PICTURE, draw

PAGE = (ROOT / "docs/architecture.md").read_text("utf-8")
PACKAGE = ROOT / "src/fogline"


def test_the_picture_of_the_layers_is_up_to_date() -> None:
    assert PICTURE.read_text("utf-8") == draw(), "draw it anew: python -m tests.layers"


def test_every_room_is_told_of() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms <= set(re.findall(r"^\| `([a-z]+)/` \|", PAGE, re.M))


def test_every_file_that_is_named_exists() -> None:
    named = re.findall(r"`([\w./-]+\.(?:py|toml|ts|svelte|css|json|md)|[\w./-]+/)`", PAGE)
    missing = [name for name in named if not any((folder / name).exists() for folder in (ROOT, PACKAGE))]
    assert not missing
    assert len(named) > 40


def test_every_name_in_the_table_of_changes_stands_in_its_file() -> None:
    rows = re.findall(r"^\| [^|`]+ \| `([\w./-]+)`(?:, `([\w.]+)`)? \|$", PAGE, re.M)
    assert len(rows) >= 25
    for file, name in rows:
        found = next((folder / file for folder in (PACKAGE, ROOT) if (folder / file).exists()), None)
        assert found, file
        assert not name or found.is_dir() or name in found.read_text("utf-8"), (file, name)
