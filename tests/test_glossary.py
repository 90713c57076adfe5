"""One word for each thing: words that docs/glossary.md bans stand nowhere."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance import ROOT

GLOSSARY = ROOT / "docs/glossary.md"
PLACES = ("src", "docs", "tests", "research", "web/src")
KINDS = {".py", ".md", ".ts", ".svelte", ".css", ".toml", ".html"}
EXCEPT = {GLOSSARY, Path(__file__)}
LIBRARIES = {"guess_type"}
ROWS = re.findall(r"^\| ([a-z, ]+) \| (names|text) \| [^|]+ \|$", GLOSSARY.read_text("utf-8"), re.M)


def banned(where: str) -> re.Pattern[str]:
    """As words, of prose or of identifiers: `new_tally`, `Tally` and `tally_of`, but not what only contains them."""
    words = [word for row, place in ROWS if place == where for word in row.split(", ")]
    return re.compile(rf"(?<![a-z])({'|'.join(word.replace(' ', '[ _-]') for word in words)})(?![a-z])", re.IGNORECASE)


def files() -> Iterator[Path]:
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*")):
            built = "node_modules" in path.parts or "client" in path.parts
            if path.suffix in KINDS and path not in EXCEPT and not built:
                yield path


def apart(text: str) -> str:
    """`CardTally` as `Card_Tally`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)


def names(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME and token.string not in LIBRARIES:
            yield f"{token.start[0]}: {token.string}"


def test_no_file_says_a_banned_word() -> None:
    pattern = banned("text")
    said = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in files()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(apart(line))
    ]
    assert not said


def test_no_name_has_a_banned_word() -> None:
    pattern = banned("names")
    said = [
        f"{path.relative_to(ROOT)}:{name}"
        for path in files()
        if path.suffix == ".py"
        for name in names(path.read_text("utf-8"))
        if pattern.search(apart(name))
    ]
    assert not said


@pytest.mark.parametrize(
    ("line", "where", "found"),
    [
        ("new_tally = 3", "text", True),
        ("a Best answer", "text", True),
        ("best_answer", "text", True),
        ("class CardTally:", "text", True),
        ("it opens, and happens", "names", False),
        ("self.new_sights", "names", True),
        ("an oversight", "names", False),
    ],
)
def test_a_banned_word_is_found_as_a_word(line: str, where: str, found: bool) -> None:
    assert bool(banned(where).search(apart(line))) == found


def test_every_word_is_told_of_once() -> None:
    tables = GLOSSARY.read_text("utf-8").partition("## Say this")[0]
    words = re.findall(r"^\| ([\w -]+) \|", tables, re.M)
    words = [word for word in words if word != "word"]
    assert len(words) > 80
    assert len(set(words)) == len(words)
