"""The rules that the page shows are those of RULES.md, whole in every language, and none out of date."""

from __future__ import annotations

import re

import pytest

from tests.page.words import LANGUAGES, catalogue
from tests.rules_text import KINDS, ROOT, packaged_rules, read_rules
from tests.translated import digests, stored, texts

RULES = (ROOT / "RULES.md").read_text("utf-8")
TRANSLATIONS = [language for language in LANGUAGES if language != "en"]


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
    numbered = [text for kind in ("rules", *KINDS.values()) for text in found[kind].values()]
    for text in numbered + [text for part in found["brief"] for text in part["texts"]]:
        assert text.count("**") % 2 == 0
        assert not re.search(r"[<>`\[\]_\n]", text)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_every_text_and_no_other(language: str) -> None:
    assert texts(language).keys() ^ texts("en").keys() == set()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_translation_is_older_than_the_english_text(language: str) -> None:
    made_from = stored().get(language, {})
    older = [name for name, digest in digests().items() if made_from.get(name) != digest]
    assert not older, f"translate these, then run: python -m tests.translated {language}"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_the_numbers_of_the_english_text(language: str) -> None:
    english = texts("en")
    other = {name for name, text in texts(language).items() if numbers_in(text) != numbers_in(english[name])}
    assert other == set()


def numbers_in(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", text))


def test_every_figure_of_the_page_has_its_words() -> None:
    source = (ROOT / "web/src/lib/rules.ts").read_text("utf-8")
    figures = re.findall(r'^  "(\d+\.\d+)": "(\w+)",$', source, re.M)
    assert len(figures) > 15
    assert [figure for _, figure in figures if f"rules.figure.{figure}" not in catalogue("en")] == []
    assert [rule for rule, _ in figures if rule not in packaged_rules()["rules"]] == []
