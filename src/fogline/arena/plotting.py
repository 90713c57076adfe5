"""How pictures of results are drawn: matplotlib, loaded only when one is asked for, and one style."""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from fogline.arena.faults import ArenaError

INK, FAINT, PAPER = "#24313d", "#d9dee3", "#ffffff"
_STYLE = {
    "svg.hashsalt": "fogline",  # the same picture is the same file
    "svg.fonttype": "none",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.facecolor": PAPER,
    "xtick.color": INK,
    "ytick.color": INK,
}


def picture_of(page: Path, name: str) -> Path:
    """Where a picture of a page goes: the folder `data` beside the page if there is one, else beside the page."""
    data = page.parent / "data"
    return (data if data.is_dir() else page.parent) / name


def check_matplotlib() -> None:
    """Raises before the games, rather than after them, if matplotlib is missing."""
    _matplotlib("matplotlib.figure")


def styled(size: int) -> AbstractContextManager[None]:
    """While it is entered, pictures have our style, with type of this size."""
    style: AbstractContextManager[None] = _matplotlib("matplotlib").rc_context(_STYLE | {"font.size": size})
    return style


def new_figure(width: float, height: float) -> Any:
    """The size on paper, in inches."""
    return _matplotlib("matplotlib.figure").Figure(figsize=(width, height), layout="constrained", facecolor=PAPER)


def _matplotlib(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ArenaError("pictures need matplotlib: pip install 'fogline[plots]'") from None
