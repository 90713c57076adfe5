"""Small pieces of SVG text."""

from __future__ import annotations

from xml.sax.saxutils import escape

from fogline.drawing.geometry import Box, text_width

LINE = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'


def at(box: Box, svg: str, scale: float = 1.0) -> str:
    return f"<g {turned(box, scale)}>{svg}</g>"


def turned(box: Box, scale: float = 1.0) -> str:
    """Moved to the box's middle and turned with it, but never upside down."""
    angle = (box.angle + 90) % 180 - 90
    turn = f" rotate({angle:.1f})" if abs(angle) > 0.05 else ""
    size = f" scale({scale:.2f})" if abs(scale - 1) > 0.005 else ""
    return f'transform="translate({box.x:.1f} {box.y:.1f}){turn}{size}"'


def plate(box: Box, radius: float, paint: str) -> str:
    """A rounded rectangle; `paint` is its fill and stroke."""
    return (
        f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="{radius:g}" {paint}/>'
    )


def text(
    words: str, x: float, y: float, size: float, fill: str, *, width: float | None = None, weight: int = 700
) -> str:
    """Words around x, fitted to the width that the layout assumes, whatever the font; or spaced to `width`."""
    held = text_width(words, size) if width is None else width
    adjust = "spacingAndGlyphs" if width is None else "spacing"
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.4g}" font-weight="{weight}" text-anchor="middle" '
        f'fill="{fill}" textLength="{held:.1f}" lengthAdjust="{adjust}">{escape(words)}</text>'
    )
