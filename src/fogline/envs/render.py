"""A stand-in until pictures of games are here."""

from __future__ import annotations

import numpy as np

from fogline.game import Game

RENDER_MODES = ("ansi", "svg", "rgb_array")


def render(game: Game, mode: str) -> str | np.ndarray:
    if mode not in RENDER_MODES:
        raise ValueError(f"render_mode: one of {', '.join(RENDER_MODES)}, not {mode!r}")
    return np.zeros((1, 1, 3), np.uint8) if mode == "rgb_array" else repr(game)
