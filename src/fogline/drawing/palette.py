"""The colours of a drawn board, by day and by night: paper, bay blues, muted greens, and the bridge's orange."""

from __future__ import annotations

from dataclasses import dataclass

ROUTE_COLOURS = {
    "blue": "#2F6BD8",
    "green": "#2C9A63",
    "black": "#2A2D31",
    "purple": "#8A4FC3",
    "red": "#D23B3B",
    "orange": "#EE8A1D",
    "grey": "#9AA4AE",
}
SEATS = (("gull", "#45BDB6"), ("lantern", "#F2B92F"), ("anchor", "#2B3A67"), ("bell", "#C23B72"))
"""Emblem and colour of each seat: never the colour alone, and the colours differ in lightness too."""

INK, PAPER, BRIDGE, GOLD = "#24303F", "#FFF8E7", "#C4412A", "#F6C95B"
"""What looks the same by day and by night: souvenirs, cars and the title."""


@dataclass(frozen=True, slots=True)
class Palette:
    theme: str  # goes before ids, so that a page may hold both pictures
    # The poster
    frame: str
    accent: str
    text: str
    plate: str
    plate_line: str
    # The game
    rim: str  # of spaces
    halo: str  # of tracks and landmarks
    track: str
    wake: str
    dot: str
    lamp: float  # how brightly dots shine
    grey: str
    # The town
    sea: str
    ray: str
    shallow: str
    wave: str
    beach: str
    land: str
    street: str
    meadow: str
    hill: str
    hill_near: str
    hill_shade: str
    tree: str
    trunk: str
    walls: tuple[str, str, str]
    roof: str
    window: str
    sail: str
    hull: str
    fog: str
    fog_strength: float
    # The title's little view
    sky: str
    halo_of_sun: str
    sun: str
    far_hill: str
    near_hill: str


DAY = Palette(
    theme="day",
    frame="#FBF1DC",
    accent=BRIDGE,
    text=INK,
    plate=PAPER,
    plate_line="#C9B48A",
    rim=PAPER,
    halo=PAPER,
    track="#7A6F5C",
    wake="#FFFFFF",
    dot=PAPER,
    lamp=0.0,
    grey=ROUTE_COLOURS["grey"],
    sea="#7DB4C6",
    ray="#89BDCC",
    shallow="#A9D3D6",
    wave="#C3E0E2",
    beach="#FBF1DC",
    land="#EBDDB5",
    street="#F3E8C9",
    meadow="#DDD9A8",
    hill="#B9C794",
    hill_near="#A3B77F",
    hill_shade="#8CA36D",
    tree="#88A471",
    trunk="#4F6B4A",
    walls=("#E9B7A0", "#F9F0DC", "#A9C6C4"),
    roof="#8A5A44",
    window="#5C6F7D",
    sail=PAPER,
    hull="#24465C",
    fog="#FFFFFF",
    fog_strength=0.55,
    sky="#F3A545",
    halo_of_sun="#F6B95A",
    sun="#FBE3A4",
    far_hill="#5E93A6",
    near_hill="#3F6B57",
)
NIGHT = Palette(
    theme="night",
    frame="#0E1430",
    accent="#EC6A45",
    text="#F3E4C0",
    plate="#12183A",
    plate_line="#8F86A8",
    rim="#9AA3CF",
    halo="#0E1430",
    track="#8F97BF",
    wake="#C8D2F5",
    dot="#FFD36B",
    lamp=0.16,
    grey="#7F899B",
    sea="#1D2A5C",
    ray="#23326A",
    shallow="#2C3F7C",
    wave="#3E5294",
    beach="#5A6291",
    land="#323A63",
    street="#3A436E",
    meadow="#2E4363",
    hill="#35566C",
    hill_near="#2B4A5C",
    hill_shade="#223B4C",
    tree="#2C5F63",
    trunk="#1A3A44",
    walls=("#6B4A66", "#565C8C", "#3F5F7E"),
    roof="#1C2247",
    window="#FFD36B",
    sail="#D9D4C8",
    hull="#0E1430",
    fog="#AEB9E6",
    fog_strength=0.3,
    sky="#2A3A78",
    halo_of_sun="#3B4C8E",
    sun="#F9EBC1",
    far_hill="#1B2757",
    near_hill="#16324A",
)
