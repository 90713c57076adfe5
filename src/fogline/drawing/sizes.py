"""Sizes of what is drawn on a board, at scale 1: one source for the picture and for the page."""

from __future__ import annotations

from fogline.drawing.geometry import Box

TRACK, WAKE, WAKE_GAP = 2.2, 4.0, 9.0
"""How wide the line of a route is, and of a route with ferries, which is dotted."""

LABEL_SIZE, LABEL_LINE, LABEL_PADDING, LABEL_CORNER = 15.5, 16.5, (7.0, 4.5), 5.0
"""The type of a label, its lines, the room around it, and the radius of its corners."""

LOCATION_STACK = 0.74
"""The scale of a stack at a location that is no landmark."""


def space_corner(box: Box, scale: float) -> float:
    """The radius of a space's corners."""
    return min(7.0 * scale, box.height / 3)


def space_fit(box: Box, scale: float) -> float:
    """The scale of what stands on a space: the board's, or less where the space had to shrink."""
    return min(scale, box.width / 44, box.height / 20)


def car_fit(box: Box, scale: float) -> float:
    """The scale of a car, which leaves a rim of its space visible."""
    return 0.94 * space_fit(box, scale)
