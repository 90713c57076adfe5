"""Lanes: each plays one game after another, beside all the others of its batch.

These functions are for one lane, and the same on every device. What differs is who calls them for all lanes: a loop on
each core (`cpu`), or a thread for each lane on a GPU (`cuda`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from fogline.observation import observe
from fogline.rules.chance import advance
from fogline.rules.compiled import Record, rule, whole
from fogline.rules.legal import is_legal, legal_mask, sample_legal
from fogline.rules.random_play import chooser
from fogline.rules.scoring import count_winners, is_winner
from fogline.rules.setup import reset
from fogline.rules.state import OVER
from fogline.rules.turns import step
from fogline.tally import begin_tally, count_cards, counted_step

LANE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("seed", "u8"),  # of the next game
                ("chooser", "u8"),  # the generator that chooses in random play
                ("finished", "u8"),  # games played to their end
            ],
            align=True,
        ),
    )
)


class Outputs(NamedTuple):
    """What a step tells of every lane: arrays with a row for each."""

    masks: Any  # [lane, action]: whether it is legal
    observations: Any  # [lane, number]: see `fogline.observation`; no rows when nothing is to be observed
    rewards: Any  # [lane, seat]: 1 for who has won a game that has just ended
    scores: Any  # [lane, seat]: of the last game that ended
    dones: Any  # [lane]: whether a game has just ended; the next has begun
    seats: Any  # [lane]: who must decide
    refused: Any  # [lane]: whether the action was not legal; nothing has changed then


class Lanes(NamedTuple):
    """All that a batch keeps: arrays with a record for each lane."""

    games: Any
    tallies: Any  # None when nothing is to be observed
    lanes: Any


def record_at(records: Any, number: int) -> Any:
    """One of the records, or None where there are none."""
    return None if records is None else records[number]


@overload(record_at)
def _compiled_record_at(records: Any, number: int) -> Callable[..., Any]:
    def none(records: Any, number: int) -> Any:
        return None

    def one(records: Any, number: int) -> Any:
        return records[number]

    return none if isinstance(records, types.NoneType) else one


@rule
def begin_game(board: Record, game: Record, tally: Any, lane: Record, players: int, stride: Any) -> None:
    """The lane's next game. Its seed is that of the one before and the number of lanes, so no two are ever the same."""
    reset(board, game, players, lane.seed, None)
    lane.chooser = chooser(lane.seed)
    lane.seed += stride
    if tally is not None:
        begin_tally(game, tally)


@rule
def play_action(board: Record, game: Record, tally: Any, action: int) -> None:
    if tally is None:
        step(board, game, action, None)
    else:
        counted_step(board, game, tally, action)


@rule
def step_lane(
    board: Record,
    game: Record,
    tally: Any,
    lane: Record,
    count: Record,
    stride: Any,
    action: int,
    outputs: Any,
    number: int,
) -> None:
    """Carries out an action, if it is legal, and begins a new game when it was the last."""
    legal = is_legal(board, game, action)
    if legal:
        play_action(board, game, tally, action)
    outputs.refused[number] = not legal
    outputs.dones[number] = game.phase == OVER
    write_rewards(board, game, outputs, number)
    if game.phase == OVER:
        end_game(board, game, tally, lane, stride)
    write_outputs(board, game, tally, count, outputs, number)


@rule
def sample_action(board: Record, game: Record, lane: Record) -> int:
    """Any legal action, each with equal chance."""
    lane.chooser = advance(lane.chooser)
    return sample_legal(board, game, lane.chooser)


@rule
def end_game(board: Record, game: Record, tally: Any, lane: Record, stride: Any) -> None:
    lane.finished += np.uint64(1)
    begin_game(board, game, tally, lane, whole(game.players), stride)


@rule
def write_rewards(board: Record, game: Record, outputs: Any, number: int) -> None:
    """Nothing while a game goes on. At its end 1 for who has won alone; all rewards together are 0."""
    players = whole(game.players)
    winners = count_winners(board, game) if game.phase == OVER else 0
    for seat in range(players):
        reward = 0.0
        if game.phase == OVER:
            # One division, whatever the device: two operations in a row may be rounded once or twice.
            won = is_winner(board, game, seat)
            reward = (players - winners) / (winners * (players - 1.0)) if won else -1.0 / (players - 1.0)
            outputs.scores[number, seat] = game.score[seat]
        outputs.rewards[number, seat] = reward


@rule
def write_outputs(board: Record, game: Record, tally: Any, count: Record, outputs: Any, number: int) -> None:
    """What whoever must decide needs to know."""
    outputs.seats[number] = game.seat
    legal_mask(board, game, outputs.masks[number])
    if tally is not None:
        count_cards(game, tally, count)
        observe(board, game, count, outputs.observations[number])
