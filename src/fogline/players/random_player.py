"""The random player."""

from __future__ import annotations

import random

from fogline.actions import Action
from fogline.view import View


class RandomPlayer:
    """Any legal action, each with equal chance."""

    name = "random"
    level = 1
    description = "does anything that is legal"

    def __init__(self, seed: int) -> None:
        self.generator = random.Random(seed)

    def choose(self, view: View) -> Action:
        return self.generator.choice(view.legal_actions)
