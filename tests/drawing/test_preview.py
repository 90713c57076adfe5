"""The picture of a finished game for the preview of its link."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from fogline.drawing.geometry import Box
from fogline.drawing.palette import DAY, SEATS
from fogline.drawing.preview import SIZE, draw_preview
from fogline.drawing.raster import Raster, rgb
from fogline.maps.board import Board
from fogline.maps.reader import built_in_maps


@pytest.mark.parametrize("map", built_in_maps())
def test_the_picture_shows_whose_routes_are_whose(map: str) -> None:
    board = Board.load(map)
    owners = {route.id: seat for seat, route in enumerate(board.routes[:4])}
    empty, claimed = seen(draw_preview(board, {})), seen(draw_preview(board, owners))
    for _, colour in SEATS[: len(owners)]:
        assert amount(claimed, colour) > amount(empty, colour) + 50
    assert 0 < (claimed != empty).any(axis=2).mean() < 0.2, "nothing else has changed"


def test_the_picture_is_a_board_on_the_sea_and_the_same_every_time() -> None:
    board = Board.load("san_francisco")
    owners = {route.id: number % 4 for number, route in enumerate(board.routes[::2])}
    content = draw_preview(board, owners)
    assert content == draw_preview(board, owners)
    assert len(content) < 300_000
    picture = seen(content)
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert amount(picture, DAY.sea) > 0.2 * picture[..., 0].size
    assert amount(picture, DAY.land) > 0.2 * picture[..., 0].size


def test_edges_are_smooth_and_shapes_stay_in_the_picture() -> None:
    raster = Raster(20, 10, "#000000")
    raster.disc((5, 5), 3, "#FFFFFF")
    raster.box(Box(18, 5, 10, 4, 45), 1, "#FFFFFF")
    raster.line((-5, -5), (30, 30), 2, "#FF0000")
    raster.disc((100, 100), 3, "#FFFFFF")
    assert 0 <= raster.pixels.min() < raster.pixels.max() <= 1
    disc = Raster(20, 20, "#000000")
    disc.disc((10, 10), 6, "#FFFFFF")
    assert disc.pixels[..., 0].sum() == pytest.approx(np.pi * 36, rel=0.01)


def seen(content: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(content)))


def amount(picture: np.ndarray, colour: str) -> int:
    """How many pixels have a colour, about."""
    return int((np.abs(picture - 255 * rgb(colour)).max(axis=2) < 3).sum())
