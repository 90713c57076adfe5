"""The racer."""

from __future__ import annotations

import random

from fogline.actions import Action, Claim, Draw, DrawTickets, Keep
from fogline.mapfile import FERRY
from fogline.view import View


class Racer:
    """Claims the longest route that it can pay for, and otherwise gathers the colour that it has most of."""

    name = "racer"
    level = 2
    description = "claims the longest route it can, and hurries to the end"

    def __init__(self, seed: int) -> None:
        self.generator = random.Random(seed)

    def choose(self, view: View) -> Action:
        legal = view.legal_actions
        claims = [action for action in legal if isinstance(action, Claim)]
        if claims:
            return max(claims, key=lambda claim: (view.board.route(claim.route).length, -claim.ferries))
        draws = [action for action in legal if isinstance(action, Draw)]
        if draws:
            return max(draws, key=lambda draw: self._worth(draw, view))
        keeps = [action for action in legal if isinstance(action, Keep) and action.which != "both"]
        if keeps:
            return min(keeps, key=lambda keep: view.board.ticket(view.offer[keep.which == "second"]).value)
        others = [action for action in legal if not isinstance(action, DrawTickets)]
        return self.generator.choice(others or legal)

    def _worth(self, draw: Draw, view: View) -> tuple[float, float]:
        """A colour is worth what one has of it, the deck a bit more than a new one; a displayed ferry costs a card."""
        worth = {"deck": 0.5, FERRY: 1.5}.get(draw.source, view.hand.get(draw.source, 0))
        return worth, self.generator.random()
