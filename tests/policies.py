"""Ways to choose actions that lead random games into odd corners: hoarders, ticket drawers, racers and all between."""

import random
from collections.abc import Sequence

from fogline.game.actions import board_actions
from fogline.game.game import Game
from fogline.maps.board import Board

WEIGHTS = (0.01, 1.0, 1.0, 50.0)


def action_weights(board: Board, generator: random.Random) -> list[float]:
    """A weight for every action: each kind of action has its own, drawn at random."""
    kinds = {text: generator.choice(WEIGHTS) for text in ("draw deck", "draw", "draw tickets", "claim", "keep both")}
    texts = [str(action) for action in board_actions(board)]
    return [kinds.get(text) or kinds.get(text.split()[0]) or 1.0 for text in texts]


def choose(numbers: Sequence[int], weights: list[float], generator: random.Random) -> int:
    return generator.choices(numbers, [weights[number] for number in numbers])[0]


def play_out(game: Game, seed: int) -> Game:
    """Plays a game to its end, each seat with a policy of its own."""
    generator = random.Random(seed)
    weights = [action_weights(game.board, generator) for _ in range(game.players)]
    while not game.over:
        game.play(choose(game.legal_numbers(), weights[game.seat], generator))
    return game
