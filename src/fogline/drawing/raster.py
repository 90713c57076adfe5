"""Raster: shapes with smooth edges on an array of pixels, and the array as a PNG file. Needs nothing but NumPy."""

from __future__ import annotations

import math
import struct
import zlib
from typing import Any

import numpy as np

from fogline.drawing.geometry import Box, Point

Pixels = np.ndarray[Any, np.dtype[np.float32]]


class Raster:
    """A picture: `pixels` [row, column, colour], from 0 to 1."""

    def __init__(self, width: int, height: int, background: str) -> None:
        self.pixels: Pixels = np.empty((height, width, 3), np.float32)
        self.pixels[:] = rgb(background)

    def cover(self, colour: str, coverage: Pixels, top: int = 0, left: int = 0) -> None:
        """Paints a part of the picture: `coverage` [row, column] says how much of each pixel."""
        height, width = coverage.shape
        part = self.pixels[top : top + height, left : left + width]
        part += coverage[..., None] * (rgb(colour) - part)

    def box(self, box: Box, corner: float, colour: str, strength: float = 1.0) -> None:
        """A rounded rectangle, turned as the box is."""
        reach = math.hypot(box.width, box.height) / 2 + 1
        x, y, top, left = self._around(box.middle, reach)
        (along, _), (across, _) = box.axes, box.axes[::-1]
        u, v = x * along[0] + y * along[1], x * across[0] + y * across[1]
        over = np.abs(u) - (box.width / 2 - corner), np.abs(v) - (box.height / 2 - corner)
        outside = np.hypot(np.maximum(over[0], 0), np.maximum(over[1], 0))
        away = outside + np.minimum(np.maximum(*over), 0) - corner
        self.cover(colour, strength * smooth(away), top, left)

    def disc(self, middle: Point, radius: float, colour: str) -> None:
        x, y, top, left = self._around(middle, radius + 1)
        self.cover(colour, smooth(np.hypot(x, y) - radius), top, left)

    def line(self, start: Point, end: Point, width: float, colour: str) -> None:
        """A line with round ends."""
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
        self.box(Box(*middle, math.dist(start, end) + width, width, angle), width / 2, colour)

    def _around(self, middle: Point, reach: float) -> tuple[Pixels, Pixels, int, int]:
        """The pixels around a point, relative to it; the uppermost row and the leftmost column."""
        height, width, _ = self.pixels.shape
        left, right = (int(np.clip(middle[0] + way * reach, 0, width)) for way in (-1, 1))
        top, bottom = (int(np.clip(middle[1] + way * reach, 0, height)) for way in (-1, 1))
        x = np.arange(left, right, dtype=np.float32)[None, :] + np.float32(0.5 - middle[0])
        y = np.arange(top, bottom, dtype=np.float32)[:, None] + np.float32(0.5 - middle[1])
        return x, y, top, left

    def png(self) -> bytes:
        levels = (255 * np.clip(self.pixels, 0, 1) + 0.5).astype(np.uint8)
        height, width, _ = levels.shape
        rows = levels.reshape(height, 3 * width)
        changed = rows.copy()
        changed[1:] -= rows[:-1]  # each row as the change from the one above: filter 2, `up`
        lines = np.hstack([np.full((height, 1), 2, np.uint8), changed])
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def smooth(away: np.ndarray[Any, Any]) -> Pixels:
    """How much of a pixel a shape covers whose edge is so far away; less than nothing is inside."""
    covered: Pixels = np.clip(0.5 - away, 0, 1).astype(np.float32)
    return covered


def rgb(colour: str) -> Pixels:
    """`#24303F` as three numbers."""
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)], np.float32)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
