"""The rules as the page shows them, read from RULES.md. `python -m tests.rules_text` writes them into the package."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src/fogline/locales/rules/en.json"
RULING = "Ruling: "


def read_rules(text: str) -> dict[str, Any]:
    """Chapters, rules and rulings by number. What is not numbered stays where it is."""
    chapters = [{"number": number, "title": title} for number, title in re.findall(r"^## (\d+) (.+)$", text, re.M)]
    rules: dict[str, str] = {}
    rulings: dict[str, str] = {}
    for number, body in re.findall(r"^- \*\*(\d+\.\d+)\*\* (.+(?:\n  .+)*)", text, re.M):
        rule, _, ruling = " ".join(body.split()).partition(RULING)
        if rule:
            rules[number] = rule.strip()
        if ruling:
            rulings[number] = ruling[0].upper() + ruling[1:]
    return {"chapters": chapters, "rules": rules, "rulings": rulings}


def packaged_rules() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(TARGET.read_text("utf-8"))
    return found


if __name__ == "__main__":
    content = read_rules((ROOT / "RULES.md").read_text("utf-8"))
    TARGET.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", "utf-8")
