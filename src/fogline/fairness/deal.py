"""Games whose cards and tickets come from a source that anyone can check afterwards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fogline.fairness.secret import Source
from fogline.fairness.stream import Chance, shuffled
from fogline.game.actions import Action, action_numbers, parse_action
from fogline.game.events import Event
from fogline.game.game import Game
from fogline.game.position import copy_record
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from fogline.rules import calls
from fogline.rules.chance import TAPE
from fogline.rules.state import new_games


def deal_fairly(board: Board, players: int, source: Source) -> Game:
    """A new game; its cards and its ticket deck come from the source's first numbers."""
    chance = source.chance(0)

    def deal(tape: np.ndarray) -> None:
        calls.begin(board.tables, new_games(board, 1), players, np.uint64(0), tape)

    game = Game._dealt(board, players=players, seed=source.record_seed, cards=_cards_to_come(deal, chance))
    game._stack_tickets(shuffled(board.ticket_number, chance))
    return game


def play_fairly(game: Game, action: Action | str, source: Source) -> list[Event]:
    """Carries out an action of the acting seat, with the source's numbers for this step; refuses like `Game.play`."""
    value = parse_action(action) if isinstance(action, str) else action
    number = action_numbers(game.board).get(value, -1)

    def step(tape: np.ndarray) -> None:
        calls.play(game.board.tables, copy_record(game.position.array), number, tape)

    return game._play(value, _cards_to_come(step, source.chance(len(game.actions) + 1)))


def _cards_to_come(attempt: Callable[[np.ndarray], None], chance: Chance) -> list[str]:
    """Found by trying: the tape forces the cards known so far, and tells from which deck the next one comes."""
    cards: list[int] = []
    while True:
        tape = np.zeros(1, TAPE)
        tape["forced_count"] = len(cards)
        tape["forced"][0, : len(cards)] = cards
        attempt(tape)
        if tape["used"][0] <= len(cards):
            return [CARDS[card] for card in cards]
        deck = [card for card, count in enumerate(tape["deck"][0].tolist()) for _ in range(count)]
        cards.append(deck[chance.below(len(deck))])
