"""The catalogues: every language says everything, and everything that is said is wanted somewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.conformance import ROOT
from tests.page.words import LANGUAGES, LOCALES, Message, catalogue

TRANSLATIONS = [language for language in LANGUAGES if language != "en"]

SAME = {
    "da": {"card.orange", "cards.orange", "invite.link", "players.bot", "replay.pause", "tutorial.souvenirs"},
    "nb": {"players.bot", "replay.pause"},
    "nl": {
        *("about.openTitle", "about.privacyTitle", "end.routes", "pay.title", "player.planner", "player.search"),
        *("players.bot", "tutorial.coach", "tutorial.routes", "tutorial.souvenirs"),
    },
}
"""What a language says with the same words as English: looked at, and meant."""

ENGLISH = re.compile(r"\b(the|and|you|your|with|from|that|this|not|are|which|what|when|its|were|they|their)\b", re.I)
"""Words that stand in no text of another language of ours."""

NAMES = re.compile("The Embarcadero")

ROOM = 13
"""Letters that every button and tab has room for, whatever the English text."""


def test_every_catalogue_belongs_to_a_language_of_the_page() -> None:
    listed = re.search(r"NAMES = \{(.*?)\}", (ROOT / "web/src/lib/settings.svelte.ts").read_text("utf-8"), re.S)
    assert listed
    assert sorted(re.findall(r"(\w+):", listed[1])) == sorted(LANGUAGES)
    assert sorted(path.stem for path in (LOCALES / "rules").glob("*.json")) == sorted(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_are_in_order_and_every_text_says_something(language: str) -> None:
    words = catalogue(language)
    assert list(words) == sorted(words)
    assert [key for key, message in words.items() if not all(form.strip() for form in forms(message).values())] == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_the_keys_of_english(language: str) -> None:
    assert catalogue(language).keys() ^ catalogue("en").keys() == set()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_the_plurals_and_places_of_english(language: str) -> None:
    english = catalogue("en")
    translated = {key: message for key, message in catalogue(language).items() if key in english}
    assert [key for key, message in translated.items() if type(message) is not type(english[key])] == []
    assert [key for key, message in translated.items() if places(message) != places(english[key])] == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_text_is_left_in_english(language: str) -> None:
    english = catalogue("en")
    words = {key for key, message in english.items() if re.search("[a-z]{2}", PLACE.sub("", forms(message)["other"]))}
    same = {key for key in words if forms(catalogue(language)[key])["other"] == forms(english[key])["other"]}
    assert same - {"bot.elo"} == SAME.get(language, set())
    texts = [text for message in catalogue(language).values() for text in forms(message).values()]
    rules = (LOCALES / f"rules/{language}.json").read_text("utf-8")
    assert [text for text in (*texts, *rules.splitlines()) if ENGLISH.search(NAMES.sub("", text))] == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_buttons_and_tabs_have_room_for_their_words(language: str) -> None:
    assert len(keys_of_buttons()) > 50
    longest = {key: max(ROOM, 1.6 * length(catalogue("en")[key])) for key in keys_of_buttons()}
    assert {key for key in longest if length(catalogue(language)[key]) > longest[key]} == set()


PLACE = re.compile(r"\{(\w+)\}")


def forms(message: Message) -> dict[str, str]:
    return message if isinstance(message, dict) else {"other": message}


def places(message: Message) -> set[str]:
    """The {places} of a text. A form that stands for one number, or for few, need not give it."""
    found = {form: set(PLACE.findall(text)) for form, text in forms(message).items()}
    assert all(here | {"count"} == found["other"] | {"count"} for here in found.values()), message
    return found["other"]


def length(message: Message) -> int:
    """In letters; a soft hyphen is none, and what stands in the places has its own test in the browser."""
    return len(PLACE.sub("", forms(message)["other"]).replace("\u00ad", ""))


@cache
def keys_of_buttons() -> frozenset[str]:
    """The keys of what stands on buttons and tabs, as against what is only said of them."""
    buttons = re.findall(r"<button\b.*?</button>|<a\b[^>]*class=\"button.*?</a>", page_sources(), re.S)
    seen = [re.sub(r"(aria-label|title|placeholder)=\{.*?\}", "", button) for button in buttons]
    named = {key for button in seen for key in re.findall(r'\bt\([^`]*?"([\w.]+)"', button)}
    return frozenset(key for key in catalogue("en") if key in named or key.startswith("tabs."))


@cache
def page_sources() -> str:
    folder = ROOT / "web/src"
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.rglob("*")) if path.suffix in (".ts", ".svelte"))


@cache
def package_sources() -> str:
    folder = ROOT / "src/fogline"
    paths = [path for suffix in ("py", "toml") for path in folder.rglob(f"*.{suffix}")]
    return "\n".join(path.read_text("utf-8") for path in (*paths, folder / "server/tables/tutorial.json"))


@cache
def words_of_the_code() -> frozenset[str]:
    """Whatever is quoted or named in the sources: what a key may be put together from."""
    words = frozenset(re.findall(r"\w+", page_sources() + package_sources()))
    stems = re.findall(r'f"(\w+_)\{', package_sources())
    return words | {stem + word for stem in stems for word in words}


def test_every_text_is_said_somewhere() -> None:
    quoted = set(re.findall(r'"([\w.]+)"', page_sources()))
    prefixes = set(re.findall(r"\bt(?:Maybe)?\(`([\w.]+\.)\$\{", page_sources()))
    assert prefixes
    put_together = {
        key
        for key in catalogue("en")
        for prefix in prefixes
        if key.startswith(prefix) and key.removeprefix(prefix) in words_of_the_code()
    }
    assert catalogue("en").keys() - quoted - put_together == set()


def test_every_key_that_the_page_asks_for_is_there() -> None:
    asked = set(asked_keys(page_sources()))
    assert len(asked) > 100
    assert asked - catalogue("en").keys() == set()


def asked_keys(source: str) -> Iterator[str]:
    """The keys in the first argument of every call of `t`."""
    for call in re.finditer(r"\bt\(", source):
        depth, end = 1, call.end()
        while depth and not (depth == 1 and source[end] == ","):
            depth += {"(": 1, ")": -1}.get(source[end], 0)
            end += 1
        argument = source[call.end() : end]
        plain = re.fullmatch(r'\s*"([^"]+)"\s*\)?', argument)
        yield from [plain[1]] if plain else re.findall(r'"([\w]+(?:\.[\w]+)+)"', argument)


def test_every_refusal_of_the_rules_has_words() -> None:
    tree = ast.parse((ROOT / "src/fogline/game/refusals.py").read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Refusal"]
    keys = {key.value for call in calls if isinstance(key := call.args[2], ast.Constant)}
    assert len(keys) > 20
    assert [key for key in keys if f"refusal.{key!s}" not in catalogue("en")] == []
