"""Compiled players as opponents in the lanes of a batch: they move without Python in between.

In every lane one seat is the learner's. The others sit around it and are counted in places after it. A compiled player
moves by itself, from its seat state alone; all others are asked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fogline.batch.lanes import begin_game, play_action, write_outputs, write_rewards
from fogline.compiler.kernels import Record, as_int, entry_point, kernel
from fogline.knowledge.card_counter import count_cards
from fogline.knowledge.observation import observe
from fogline.knowledge.seat_state import see
from fogline.players.scripted.policies import decide
from fogline.rules.chance import advance, below
from fogline.rules.state import OVER

ASKED = -1
"""Stands for the number of a policy: this place is decided elsewhere. The learner's is."""

WAITS = -1
"""Stands for an action: nobody has decided anything in this lane."""

IN_TURN, BY_LOT = -1, -2
"""Stands for the learner's seat in all games: one seat after the other, or a random one."""


class Around(NamedTuple):
    """Who sits around the learners, and what the batch's own outputs do not say."""

    policies: Any  # [place]: the policy of the player this many places after the learner, or ASKED
    seating: int  # the learner's seat in all games, IN_TURN or BY_LOT
    learners: Any  # [lane]: the learner's seat
    rewards: Any  # [lane]: the learner's, when a game has just ended
    last_learners: Any  # [lane]: the learner's seat in the last game that ended
    last_observations: Any  # [lane, number]: of the learner at the end of the last game
    last_games: Any  # [lane]: that game


class Scratch(NamedTuple):
    """Room for one decision: arrays of one record each."""

    seat_state: Any
    plan: Any
    count: Any


@entry_point
def play_lanes(
    board: Any, kept: Any, scratch: Any, stride: Any, around: Any, actions: Any, outputs: Any, part: Any
) -> None:
    """Carries out the actions, which must be legal, and lets compiled players answer until somebody must be asked."""
    for number in range(part[0], part[1]):
        action = as_int(actions[number])
        if action != WAITS:
            play_action(board[0], kept.games[number], kept.counters[number], action)
        elif around.policies[place_of(kept.games[number], around, number)] == ASKED:
            continue  # and so nothing is new here
        let_answer(board[0], kept, scratch, stride, around, outputs, number)


@entry_point
def seat_learners(board: Any, kept: Any, around: Any, part: Any) -> None:
    """Seats the learners of games that have just begun."""
    for number in range(part[0], part[1]):
        around.learners[number] = number % as_int(kept.games[number].players)
        seat_learner(kept.games[number], kept.lanes[number], around, number)


@kernel
def let_answer(board: Record, kept: Any, scratch: Any, stride: Any, around: Any, outputs: Any, number: int) -> None:
    game, counter, lane = kept.games[number], kept.counters[number], kept.lanes[number]
    while True:
        if game.phase == OVER:
            tell_end(board, game, counter, scratch.count[0], around, outputs, number)
            begin_next(board, game, counter, lane, stride, around, number)
        policy = around.policies[place_of(game, around, number)]
        if policy == ASKED:
            break
        action = choose_action(board, game, lane, scratch.seat_state[0], scratch.plan[0], policy)
        play_action(board, game, counter, action)
    write_outputs(board, game, counter, scratch.count[0], outputs, number)


@kernel
def choose_action(board: Record, game: Record, lane: Record, seat_state: Record, plan: Record, policy: int) -> int:
    """The action of a policy in a lane, from the deciding seat's state and the lane's own generator alone."""
    see(game, seat_state)
    lane.chooser = advance(lane.chooser)
    return decide(board, seat_state, plan, policy, lane.chooser)


@kernel
def place_of(game: Record, around: Any, number: int) -> int:
    """How many places after the learner the deciding seat is."""
    place = as_int(game.seat) - as_int(around.learners[number])
    return place if place >= 0 else place + as_int(game.players)


@kernel
def tell_end(
    board: Record, game: Record, counter: Record, count: Record, around: Any, outputs: Any, number: int
) -> None:
    learner = around.learners[number]
    outputs.dones[number] = True
    write_rewards(board, game, outputs, number)
    around.rewards[number] = outputs.rewards[number, learner]
    around.last_learners[number] = learner
    around.last_games[number] = game
    game.seat = learner  # nobody decides any more: the learner observes
    count_cards(game, counter, count)
    observe(board, game, count, around.last_observations[number])


@kernel
def begin_next(
    board: Record, game: Record, counter: Record, lane: Record, stride: Any, around: Any, number: int
) -> None:
    lane.finished += np.uint64(1)
    begin_game(board, game, counter, lane, as_int(game.players), stride)
    if around.seating == IN_TURN:
        learner = as_int(around.learners[number]) + 1
        around.learners[number] = learner if learner < game.players else 0
    else:
        seat_learner(game, lane, around, number)


@kernel
def seat_learner(game: Record, lane: Record, around: Any, number: int) -> None:
    """Seats the learner: at random, in a fixed seat, or in turn where it is already."""
    if around.seating == BY_LOT:
        lane.chooser = advance(lane.chooser)
        around.learners[number] = below(lane.chooser, as_int(game.players))
    elif around.seating != IN_TURN:
        around.learners[number] = around.seating
