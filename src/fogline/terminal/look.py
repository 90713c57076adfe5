"""Characters and colours that a console can show. Colour never carries information alone."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from rich.console import Console
from rich.style import Style

from fogline.maps.mapfile import FERRY, GREY

LETTERS = {"blue": "b", "green": "g", "black": "k", "purple": "p", "red": "r", "orange": "o", FERRY: "f", GREY: "#"}
"""A letter for every colour, on the board's picture and wherever a card is typed."""

PAINTS = {
    "blue": "#2F6BD8",
    "green": "#2C9A63",
    "black": "#474C54",
    "purple": "#8A4FC3",
    "red": "#D23B3B",
    "orange": "#EE8A1D",
    FERRY: "#3E7C8C",
    GREY: "#9AA4AE",
}
SEAT_PAINTS = ("#0E8C93", "#F0B429", "#2B3A67", "#D94F86")
ACCENT = "#D9532C"
BAY = "#4F94B0"
DARK_INK, LIGHT_INK = "#1B1E22", "#FFFFFF"
BRIGHT = ("orange", GREY)
"""Paints that need dark letters."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    dot: str = "○"
    stack: str = "★"
    track: str = "·"
    sea: str = "~"
    rail: str = "═"
    line: str = "─"
    dash: str = "–"
    bullet: str = "·"
    done: str = "✓"
    failed: str = "✗"
    seats: tuple[str, ...] = ("▲", "●", "■", "◆")


ASCII = Glyphs("@", "*", ".", " ", "=", "-", "-", "-", "+", "x", ("A", "B", "C", "D"))


@dataclass(frozen=True, slots=True)
class Look:
    glyphs: Glyphs
    coloured: bool

    @staticmethod
    def of(console: Console) -> Look:
        coloured = console.color_system is not None and not console.no_color
        return Look(_glyphs(console), coloured)

    def style(self, words: str) -> Style:
        """A style by its words, or none at all where there is no colour."""
        return Style.parse(words) if self.coloured else Style.null()

    def card(self, card: str) -> Style:
        """The paint of a card or of a route's colour."""
        return self.style(f"{DARK_INK if card in BRIGHT else LIGHT_INK} on {PAINTS[card]}")

    def seat(self, seat: int) -> Style:
        return self.style(f"bold {DARK_INK if seat == 1 else LIGHT_INK} on {SEAT_PAINTS[seat]}")

    @property
    def faint(self) -> Style:
        return self.style("dim")

    @property
    def strong(self) -> Style:
        return self.style("bold")

    @property
    def accent(self) -> Style:
        return self.style(f"bold {ACCENT}")

    @property
    def bay(self) -> Style:
        return self.style(BAY)


def _glyphs(console: Console) -> Glyphs:
    """The finer characters, if the console can show them."""
    if console.legacy_windows:
        return ASCII
    try:
        "".join("".join(part) for part in astuple(Glyphs())).encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return Glyphs()
