"""The rules that the page shows are those of RULES.md, in every language as far as they are translated."""

from __future__ import annotations

import json
import re

import pytest

from tests.rules_text import ROOT, TARGET, packaged_rules, read_rules

RULES = (ROOT / "RULES.md").read_text("utf-8")
LANGUAGES = sorted(path for path in TARGET.parent.glob("*.json"))


def test_the_page_has_the_rules_of_the_document() -> None:
    assert packaged_rules() == read_rules(RULES), "run: python -m tests.rules_text"


def test_every_number_of_the_document_is_there() -> None:
    numbers = set(re.findall(r"^- \*\*(\d+\.\d+)\*\*", RULES, re.M))
    found = packaged_rules()
    assert numbers == set(found["rules"]) | set(found["rulings"])
    assert len(numbers) == RULES.count("\n- **")
    assert {number.split(".")[0] for number in numbers} == {chapter["number"] for chapter in found["chapters"]}


def test_nothing_but_bold_stands_in_the_texts() -> None:
    found = packaged_rules()
    for text in (*found["rules"].values(), *found["rulings"].values()):
        assert text.count("**") % 2 == 0
        assert not re.search(r"[<>`\[\]_\n]", text)


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: str(path.stem))
def test_a_translation_has_no_rule_of_its_own(path: object) -> None:
    english = packaged_rules()
    found = json.loads((TARGET.parent / str(path)).read_text("utf-8"))
    assert set(found) <= set(english)
    for part in ("rules", "rulings"):
        assert set(found.get(part, {})) <= set(english[part])
    numbers = [chapter["number"] for chapter in english["chapters"]]
    assert all(chapter["number"] in numbers for chapter in found.get("chapters", ()))
