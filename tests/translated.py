"""What each translation of the rules was made from.

`python -m tests.translated da` notes that the Danish texts say what the English ones say now.
"""

from __future__ import annotations

import hashlib
import json
import sys

from tests.conformance import ROOT
from tests.page.words import LOCALES, catalogue
from tests.rules_text import KINDS

STORED = ROOT / "tests/data/translated.json"


def texts(language: str) -> dict[str, str]:
    """Every text of the page of rules, its figures included, by name."""
    rules = json.loads((LOCALES / f"rules/{language}.json").read_text("utf-8"))
    found = {f"brief {number}": plain(part) for number, part in enumerate(rules["brief"])}
    found |= {f"chapter {chapter['number']}": chapter["title"] for chapter in rules["chapters"]}
    found |= {f"{kind} {rule}": text for kind in ("rules", *KINDS.values()) for rule, text in rules[kind].items()}
    return found | {key: plain(words) for key, words in catalogue(language).items() if key.startswith("rules.")}


def plain(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


def digests() -> dict[str, str]:
    """Of the English texts, as they are now."""
    return {name: hashlib.sha256(text.encode()).hexdigest()[:8] for name, text in texts("en").items()}


def stored() -> dict[str, dict[str, str]]:
    """By language: the digest of the English text that each translation was made from."""
    found: dict[str, dict[str, str]] = json.loads(STORED.read_text("utf-8"))
    return found


if __name__ == "__main__":
    STORED.write_text(json.dumps(stored() | dict.fromkeys(sys.argv[1:], digests()), indent=1) + "\n", "utf-8")
