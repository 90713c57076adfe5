"""What pictures of results are drawn with: matplotlib, loaded only when one is asked for, and a style."""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager
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


def check_pens() -> None:
    """Says before the games, rather than after them, that matplotlib is missing."""
    _matplotlib("matplotlib.figure")


def styled(size: int) -> AbstractContextManager[None]:
    """Within it, what is drawn and saved has our style, with letters of a size."""
    style: AbstractContextManager[None] = _matplotlib("matplotlib").rc_context(_STYLE | {"font.size": size})
    return style


def new_figure(width: float, height: float) -> Any:
    """On paper, in inches."""
    return _matplotlib("matplotlib.figure").Figure(figsize=(width, height), layout="constrained", facecolor=PAPER)


def _matplotlib(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ArenaError("pictures need matplotlib: pip install 'fogline[plots]'") from None
