"""Whole games between compiled players, without Python in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import as_int, entry_point
from fogline.knowledge.seat_state import see
from fogline.players.scripted.policies import decide
from fogline.rules.chance import advance, seeded
from fogline.rules.setup import reset
from fogline.rules.state import OVER, TURN
from fogline.rules.turns import step


@entry_point
def play_games(
    board: Any,
    games: Any,
    seat_state: Any,
    plan: Any,
    seeds: Any,
    policies: Any,
    player_seeds: Any,
    decisions: Any,
    turns: Any = None,
) -> None:
    """Plays a game for each seed. The last three arguments have a row a game and a column a seat. `decisions` are
    counted.

    So are the `turns` of each game, if there is an array for them.
    """
    players = policies.shape[1]
    states = np.zeros(players, np.uint64)
    for i in range(games.shape[0]):
        game = games[i]
        reset(board[0], game, players, seeds[i], None)
        for seat in range(players):
            states[seat] = seeded(player_seeds[i, seat])
            decisions[i, seat] = 0
        while game.phase != OVER:
            seat = as_int(game.seat)
            see(game, seat_state[0])
            states[seat] = advance(states[seat])
            decisions[i, seat] += 1
            if turns is not None and game.phase == TURN:
                turns[i] += 1
            step(board[0], game, decide(board[0], seat_state[0], plan[0], policies[i, seat], states[seat]), None)
