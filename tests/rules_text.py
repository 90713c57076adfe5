"""The rules as the page shows them, read from RULES.md. `python -m tests.rules_text` writes them into the package."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src/fogline/locales/rules/en.json"
KINDS = {"Example": "examples", "Ruling": "rulings", "Note": "notes"}
"""What stands under a rule, by the word before it."""


def read_rules(text: str) -> dict[str, Any]:
    """The rules in brief, the chapters, and what is said by number. What is not numbered stays where it is."""
    chapters = [{"number": number, "title": title} for number, title in re.findall(r"^## (\d+) (.+)$", text, re.M)]
    content: dict[str, Any] = {"brief": list(brief(text)), "chapters": chapters}
    content |= {kind: {} for kind in ("rules", *KINDS.values())}
    for number, body in re.findall(r"^- \*\*(\d+\.\d+)\*\* (.+(?:\n  .+)*)", text, re.M):
        for kind, words in parts(" ".join(body.split())):
            content[kind][number] = words
    return content


def brief(text: str) -> Iterator[dict[str, Any]]:
    """The titles of "In short", each with its paragraphs."""
    for title, body in re.findall(r"^### (.+)\n((?:(?!#).*\n)+)", text, re.M):
        texts = re.split(r"\n+(?=\d\. )", body)
        yield {"title": title, "texts": [" ".join(words.split()) for words in texts]}


def parts(body: str) -> Iterator[tuple[str, str]]:
    """The rule itself, if there is one, and what stands under it."""
    rule, *rest = re.split(rf"\b({'|'.join(KINDS)}): ", body)
    if rule:
        yield "rules", rule.strip()
    for kind, words in zip(rest[::2], rest[1::2], strict=True):
        yield KINDS[kind], (words[0].upper() + words[1:]).strip()


def packaged_rules() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(TARGET.read_text("utf-8"))
    return found


if __name__ == "__main__":
    content = read_rules((ROOT / "RULES.md").read_text("utf-8"))
    TARGET.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", "utf-8")
