"""An SVG as pixels."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import numpy as np

try:
    from PIL import Image, ImageFont
    from resvg_py import svg_to_bytes
except ImportError as error:
    raise ImportError('pictures of pixels need resvg-py and Pillow: pip install "fogline[rl]"') from error


@lru_cache(maxsize=8)
def pixels(svg: str, width: int, *, own_face: bool) -> np.ndarray:
    """Height x width x 3 bytes.

    With `own_face` it uses only the typeface inside Pillow, so the picture is the same on all machines. That face has
    the letters of English alone; others need the machine's own.
    """
    face = ImageFont.load_default(12)
    assert isinstance(face, ImageFont.FreeTypeFont)
    name = face.getname()[0]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "face.ttf"
        file.write_bytes(face.font_bytes)
        png = svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=[str(file)],
            font_family=name,
            sans_serif_family=name,
            skip_system_fonts=own_face,
        )
    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))
