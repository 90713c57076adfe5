"""Names: whatever somebody writes, the others see a short line of letters, and the lines around it stay whole."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fogline.server.tables.text import MARKS_IN_A_ROW, NAME_LENGTH, clean_name

INVISIBLE = {
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "Mongolian vowel separator": "\u180e",
    "right-to-left override": "\u202e",
    "left-to-right isolate": "\u2066",
    "pop directional isolate": "\u2069",
    "Arabic letter mark": "\u061c",
    "tag letter": "\U000e0041",
    "bell": "\a",
    "escape": "\x1b",
    "delete": "\x7f",
    "null": "\0",
    "surrogate": "\ud800",
    "private use": "\ue000",
    "unassigned": "\U000e0fff",
    "noncharacter": "\uffff",
    "Hangul filler": "\u3164",
    "half-width Hangul filler": "\uffa0",
    "Hangul choseong filler": "\u115f",
    "Hangul jungseong filler": "\u1160",
    "blank Braille pattern": "\u2800",
    "combining grapheme joiner": "\u034f",
    "Khmer inherent vowel": "\u17b4",
    "Mongolian variation selector": "\u180b",
    "variation selector": "\ufe00",
    "emoji variation selector": "\ufe0f",
    "ideographic variation selector": "\U000e0100",
}
"""Everything that Unicode calls ignorable by default is of one of these kinds."""

# Letters, marks, and what cannot be seen, close together.
pieces = st.text(max_size=2) | st.sampled_from(["\u0301", "\u0323", "e", " "]) | st.sampled_from([*INVISIBLE.values()])
writing = st.lists(pieces, max_size=40).map("".join)


@pytest.mark.parametrize("name", ["Ann", "Ærø Ø.", "Łukasz", "Ζωή", "Анна", "אנה", "عائشة", "さくら", "陳大文", "김민"])
def test_names_of_many_scripts_stay_as_they_are(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize("name", ["Nguyễn Thị Ánh", "नरेन्द्र", "สมชาย ตั้งใจ", "Ọ̀ṣun"])
def test_the_marks_that_living_scripts_need_stay(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", ["🚋 Ann", "🦭", "👍🏽", "🇩🇰", "Ann 🌉🌁"])
def test_emoji_are_fine(name: str) -> None:
    assert clean_name(name) == name


def test_a_heart_stays_a_heart() -> None:
    assert clean_name("❤️").startswith("❤")


@pytest.mark.parametrize("kind", INVISIBLE)
def test_what_cannot_be_seen_is_no_name(kind: str) -> None:
    assert clean_name(INVISIBLE[kind]) == ""
    assert clean_name(f" {INVISIBLE[kind] * 3}\t{INVISIBLE[kind]}") == ""


@pytest.mark.parametrize("kind", INVISIBLE)
def test_what_cannot_be_seen_does_not_tell_two_names_apart(kind: str) -> None:
    assert clean_name(f"An{INVISIBLE[kind]}n") == "Ann"


def test_a_name_cannot_turn_the_writing_around_it() -> None:
    assert clean_name("nnA \u202etsoh eht\u202c \u2067x\u2069") == "nnA tsoh eht x"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\u2028", "\u2029", "\v", "\f", "\x85", "\t", "\u3000", "\u00a0"])
def test_a_name_is_one_line_with_single_spaces(end: str) -> None:
    assert clean_name(f"{end}Ann{end}{end} Lee{end}") == "Ann Lee"


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u2003\u3000"])
def test_spaces_are_no_name(text: str) -> None:
    assert clean_name(text) == ""


def test_a_long_name_is_cut() -> None:
    assert clean_name("x" * 10_000_000) == "x" * NAME_LENGTH
    assert clean_name("x" * (NAME_LENGTH - 1) + " yz") == "x" * (NAME_LENGTH - 1)  # no space is left at its end


def test_letters_are_counted_when_they_are_put_together() -> None:
    assert clean_name("e\u0301" * NAME_LENGTH) == "é" * NAME_LENGTH


@pytest.mark.parametrize("between", ["", "\u200b", "\u200d", "\u202e", "\0", "\ufe0f", "\u3164"])
def test_marks_cannot_be_piled_up(between: str) -> None:
    scribble = "Z" + between.join(["\u0336", "\u0489", "\u0350", "\u031a"] * 10)
    assert len(clean_name(scribble)) <= 1 + MARKS_IN_A_ROW


def test_a_mark_stands_on_a_letter_or_not_at_all() -> None:
    """On its own it would stand on whatever the page shows before the name."""
    assert clean_name("\u0301") == ""
    assert clean_name("\u0336\u0489Ann \u0301Lee") == "Ann Lee"


@given(writing)
def test_a_clean_name_is_short_visible_and_on_one_line(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= NAME_LENGTH
    assert name == " ".join(name.split())
    assert not {unicodedata.category(letter) for letter in name} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert not set(name) & set(INVISIBLE.values())
    assert longest_pile(name) <= MARKS_IN_A_ROW


@given(writing)
def test_a_clean_name_is_not_cleaned_further(text: str) -> None:
    assert clean_name(clean_name(text)) == clean_name(text)


@given(writing)
def test_a_clean_name_can_be_stored_and_sent(text: str) -> None:
    assert clean_name(text).encode("utf-8").decode("utf-8") == clean_name(text)


def longest_pile(name: str) -> int:
    """How many marks stand on one letter, at most."""
    longest = pile = 0
    for letter in name:
        pile = pile + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        longest = max(longest, pile)
    return longest
