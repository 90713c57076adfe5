"""What chance needs to know of a map."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .faults import Damaged, FairnessError, require
from .files import read

CARDS = ("blue", "green", "black", "purple", "red", "orange", "ferry")
SOUVENIRS = ("bell", "lantern", "sourdough", "heart", "crab", "sea_lion", "fortune_cookie")


@dataclass(frozen=True, slots=True)
class Pieces:
    """What chance needs to know of a map."""

    map: str
    cards: tuple[str, ...]  # sorted by kind
    tickets: tuple[str, ...]
    landmarks: dict[str, str]  # locations, and the souvenirs that lie there
    digest: str  # of all that the rules need of it


def digest_map(map_data: dict[str, Any], souvenirs: list[str]) -> str:
    """The SHA-256 of what the rules need of a good map, in the form that docs/maps.md states."""
    cards = map_data.get("cards", {card: 8 if card == "ferry" else 6 for card in CARDS})
    locations, token_points = map_data["locations"], [0, 0, 1, 2, 4, 6, 9, 12][: len(souvenirs) + 1]
    form = {
        "form": "fogline-map/1",
        "cars": map_data.get("cars", 20),
        "cards": [cards.get(card, 0) for card in CARDS],
        "landmarks": [key for key, location in locations.items() if location.get("landmark")],
        "locations": list(locations),
        "route_points": map_data["route_points"],
        "routes": [
            [*route["between"], route["length"], route["colours"], route.get("ferries", 0)]
            for route in map_data["routes"]
        ],
        "souvenirs": souvenirs,
        "tickets": [[*ticket["between"], ticket["value"]] for ticket in map_data["tickets"]],
        "token_points": map_data.get("token_points", token_points),
    }
    return hashlib.sha256(json.dumps(form, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def read_pieces(map_data: dict[str, Any]) -> Pieces:
    """The pieces of a good map; `fogline map check` says whether it is one."""
    try:
        counts = map_data.get("cards", {card: 8 if card == "ferry" else 6 for card in CARDS})
        cards = [card for card in CARDS for _ in range(min(counts.get(card, 0), 40))]
        tickets = ["-".join(ticket["between"]) for ticket in map_data["tickets"]]
        landmarks = [key for key, location in map_data["locations"].items() if location.get("landmark")]
        souvenirs = [str(souvenir) for souvenir in map_data.get("souvenirs", SOUVENIRS)]
        stacks, digest = dict(zip(landmarks, souvenirs, strict=False)), digest_map(map_data, souvenirs)
        pieces = Pieces(map_data["id"], tuple(cards), tuple(tickets), stacks, digest)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise FairnessError("the map is damaged: `fogline map check` says where") from None
    require(min(len(cards), len(tickets)) >= 8, "the map is too small: four seats need 8 cards and 8 tickets")
    return pieces


def load_map(path: Path) -> dict[str, Any]:
    text = read(path)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FairnessError(f"{path} is not TOML: {error}") from None


def built_in_map(name: str) -> dict[str, Any]:
    """A map of the folder beside this one: a record does not choose which file is read."""
    path = Path(__file__).parents[1] / "maps" / f"{name}.toml"
    if path.is_file():
        return load_map(path)
    raise Damaged(f"the map {name} does not come with the program: give its file")
