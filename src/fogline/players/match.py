"""Whole games between compiled players, without Python in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.players.policies import decide
from fogline.rules.chance import advance, seeded
from fogline.rules.compiled import door, whole
from fogline.rules.setup import reset
from fogline.rules.state import OVER, TURN
from fogline.rules.turns import step
from fogline.sight import see


@door
def play_games(
    board: Any,
    games: Any,
    sight: Any,
    plan: Any,
    seeds: Any,
    policies: Any,
    player_seeds: Any,
    decisions: Any,
    turns: Any = None,
) -> None:
    """Plays a game for each seed; the last three have a row a game and a column a seat. `decisions` are counted.

    So are the `turns` of each game, where there is an array for them.
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
            seat = whole(game.seat)
            see(game, sight[0])
            states[seat] = advance(states[seat])
            decisions[i, seat] += 1
            if turns is not None and game.phase == TURN:
                turns[i] += 1
            step(board[0], game, decide(board[0], sight[0], plan[0], policies[i, seat], states[seat]), None)
