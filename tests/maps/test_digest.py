"""A map's digest tells what plays otherwise, and nothing else; it is the same for ever."""

import hashlib
import json
import re

import pytest

from fogline.maps.board import Board
from fogline.maps.digest import digest_rules
from tests.boards import tiny_but
from tests.conformance import ROOT

TINY = "163c972f0846febdb6fbbdbcf8c168dc9240ec3917477d380de1fd1882f78b5c"
SAN_FRANCISCO = "6c0b5caa60678901aba71d48708bf3cb0a85c1fb82cf433598d978b8e480e655"
MICRO = "d6bd48230f202d7cbb3c7243a59c95254936236836e33a893754dab5d8e27265"


@pytest.mark.parametrize(("name", "digest"), [("tiny", TINY), ("san_francisco", SAN_FRANCISCO), ("micro", MICRO)])
def test_the_built_in_maps_play_as_they_always_did(name: str, digest: str) -> None:
    assert digest_rules(Board.load(name).map_file) == digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('id = "tiny"', 'id = "small"'),
        ('name = "Tiny"', 'name = "Lille"'),
        ('name = "Hill"', 'name = "Høj"'),
        ("x = 960", "x = 961"),
        ("y = 520", "y = 521"),
        ("bend = 40", "bend = -40"),
        ("cars = 3", "cars = 3\nland = [[[0, 0], [1200, 0], [600, 900]]]"),
        ("[locations]", "# where\n[locations]"),
    ],
)
def test_names_and_places_do_not_matter(old: str, new: str) -> None:
    assert digest_rules(tiny_but(old, new).map_file) == TINY


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cars = 3", "cars = 4"),
        ("blue = 3", "blue = 4"),
        ("route_points = [0, 1, 2]", "route_points = [0, 1, 3]"),
        ("token_points = [0, 0, 1, 2]", "token_points = [0, 0, 1, 3]"),
        ('souvenirs = ["bell", "heart"', 'souvenirs = ["heart", "bell"'),
        ("value = 2", "value = 3"),
        ("length = 1", "length = 2"),
        ('colours = ["blue", "red"]', 'colours = ["red", "blue"]'),
        (", ferries = 1", ""),
        ('["harbour", "market"], length', '["market", "harbour"], length'),
        ('["harbour", "hill"], value', '["hill", "harbour"], value'),
        (", landmark = true }", " }\nrock = { name = 'Rock', x = 9, y = 9, landmark = true }"),
        ("[locations]", "[locations]\nrock = { name = 'Rock', x = 9, y = 9 }"),
    ],
)
def test_whatever_plays_otherwise_has_another_digest(old: str, new: str) -> None:
    assert digest_rules(tiny_but(old, new).map_file) != TINY


def test_the_digest_is_that_of_the_documented_object() -> None:
    text = (ROOT / "docs/maps.md").read_text("utf-8")
    (example,), (rules,) = (re.findall(rf"```{kind}\n(.*?)```", text, re.S) for kind in ("toml", "json"))
    canonical = json.dumps(json.loads(rules), sort_keys=True, separators=(",", ":"))
    assert digest_rules(Board.parse(example).map_file) == hashlib.sha256(canonical.encode("ascii")).hexdigest()
