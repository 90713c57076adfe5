"""Positions for tests: a game at its first turn, and what the test wants to lie on the table."""

from __future__ import annotations

import re
from typing import Any

from fogline.game.actions import board_actions
from fogline.game.game import Game
from fogline.maps.mapfile import CARDS
from fogline.rules.state import TURN


def first_turn(board: str = "san_francisco", players: int = 2, seed: int = 1) -> Game:
    """A game whose setting up is over: everyone kept both tickets, the stacks lie on the first free locations."""
    game = Game(board, players=players, seed=seed)
    while game.phase != "turn":
        game.play("keep both" if game.phase == "keep_first_tickets" else game.legal_actions()[0])
    return game


def dealt(cards: list[str], *, board: str = "san_francisco", players: int = 2) -> Game:
    """A new game in which these cards come first from the deck."""
    return Game._dealt(board, players=players, seed=1, cards=cards)


def arrange(game: Game, *, turn: int | None = None, hands: dict[int, str] | None = None, **fields: Any) -> Game:
    """Lays out cards such as deck="blue2 ferry1", and sets fields such as cars={0: 3} or ticket_count=1."""
    array = game.position.array
    if turn is not None:
        array["seat"], array["phase"] = turn, TURN
    for seat, cards in (hands or {}).items():
        game.position.hand[seat] = _counts(cards)
    for name, value in fields.items():
        if name in ("deck", "display", "discard"):
            array[name][0] = _counts(value)
            array[f"{name}_count"] = sum(_counts(value))
        elif isinstance(value, dict):
            for index, number in value.items():
                array[name][0][index] = number
        else:
            array[name] = value
    return game


def claim(game: Game, seat: int, route: str) -> list[dict[str, Any]]:
    """Lets a seat claim a route with just the right cards, whoever's turn it is; its hand is empty afterwards."""
    length = game.board.route(route).length
    arrange(game, turn=seat, hands={seat: f"ferry{length}"})
    return game.play(f"claim {route} ferry{length}")


def texts(game: Game) -> set[str]:
    """The legal actions as texts."""
    return {str(action) for action in game.legal_actions()}


def claims_of(game: Game, route: str) -> set[str]:
    """The payments with which a route can be claimed now."""
    prefix = f"claim {route} "
    return {text.removeprefix(prefix) for text in texts(game) if text.startswith(prefix)}


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["e"] for event in events]


def all_texts(game: Game) -> list[str]:
    return [str(action) for action in board_actions(game.board)]


def _counts(cards: str) -> list[int]:
    counts = dict.fromkeys(CARDS, 0)
    for card, count in re.findall(r"([a-z]+)(\d+)", cards):
        counts[card] = int(count)
    return list(counts.values())
