"""Lanes: each plays one game after another, beside all the others of its batch.

These functions are for one lane and the same on every device. Only the caller differs: a loop on each core (`cpu`), or
a thread for each lane on a GPU (`cuda`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from fogline.compiler.kernels import Record, as_int, kernel
from fogline.knowledge.card_counter import begin_counter, count_cards, counted_step
from fogline.knowledge.observation import observe
from fogline.rules.chance import advance
from fogline.rules.legal import is_legal, legal_mask, sample_legal
from fogline.rules.random_play import chooser
from fogline.rules.scoring import count_winners, is_winner
from fogline.rules.setup import reset
from fogline.rules.state import OVER
from fogline.rules.turns import step

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
    """The outputs of a step: arrays with a row for each lane."""

    masks: Any  # [lane, action]: whether it is legal
    observations: Any  # [lane, number]: see `fogline.knowledge.observation`; no rows without observations
    rewards: Any  # [lane, seat]: 1 for a sole winner, at the end of a game
    scores: Any  # [lane, seat]: of the last game that ended
    dones: Any  # [lane]: whether a game has just ended; the next has begun
    seats: Any  # [lane]: the seat that decides next
    refused: Any  # [lane]: whether the action was illegal and changed nothing


class Lanes(NamedTuple):
    """The state of a batch: arrays with a record for each lane."""

    games: Any
    counters: Any  # None without observations
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


@kernel
def begin_game(board: Record, game: Record, counter: Any, lane: Record, players: int, stride: Any) -> None:
    """Begins the lane's next game. Its seed is the last one plus the number of lanes, so no two are the same."""
    reset(board, game, players, lane.seed, None)
    lane.chooser = chooser(lane.seed)
    lane.seed += stride
    if counter is not None:
        begin_counter(game, counter)


@kernel
def play_action(board: Record, game: Record, counter: Any, action: int) -> None:
    if counter is None:
        step(board, game, action, None)
    else:
        counted_step(board, game, counter, action)


@kernel
def step_lane(
    board: Record,
    game: Record,
    counter: Any,
    lane: Record,
    count: Record,
    stride: Any,
    action: int,
    outputs: Any,
    number: int,
) -> None:
    """Carries out a legal action, and begins a new game when it was the last."""
    legal = is_legal(board, game, action)
    if legal:
        play_action(board, game, counter, action)
    outputs.refused[number] = not legal
    outputs.dones[number] = game.phase == OVER
    write_rewards(board, game, outputs, number)
    if game.phase == OVER:
        end_game(board, game, counter, lane, stride)
    write_outputs(board, game, counter, count, outputs, number)


@kernel
def sample_action(board: Record, game: Record, lane: Record) -> int:
    """A legal action, all equally likely."""
    lane.chooser = advance(lane.chooser)
    return sample_legal(board, game, lane.chooser)


@kernel
def end_game(board: Record, game: Record, counter: Any, lane: Record, stride: Any) -> None:
    lane.finished += np.uint64(1)
    begin_game(board, game, counter, lane, as_int(game.players), stride)


@kernel
def write_rewards(board: Record, game: Record, outputs: Any, number: int) -> None:
    """The rewards: nothing while a game goes on; at its end 1 for a sole winner. All rewards add up to 0."""
    players = as_int(game.players)
    winners = count_winners(board, game) if game.phase == OVER else 0
    for seat in range(players):
        reward = 0.0
        if game.phase == OVER:
            # One division, on every device: two operations in a row may be rounded once or twice.
            won = is_winner(board, game, seat)
            reward = (players - winners) / (winners * (players - 1.0)) if won else -1.0 / (players - 1.0)
            outputs.scores[number, seat] = game.score[seat]
        outputs.rewards[number, seat] = reward


@kernel
def write_outputs(board: Record, game: Record, counter: Any, count: Record, outputs: Any, number: int) -> None:
    """Writes the observation of the deciding seat."""
    outputs.seats[number] = game.seat
    legal_mask(board, game, outputs.masks[number])
    if counter is not None:
        count_cards(game, counter, count)
        observe(board, game, count, outputs.observations[number])
