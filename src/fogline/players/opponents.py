"""Compiled players as opponents in the lanes of a batch: they move without Python in between.

In every lane one seat is the learner's. Around it sit the others, counted in places after it. A place whose player is
compiled moves by itself, from its sight alone; all others are asked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fogline.batch.lanes import begin_game, play_action, write_outputs, write_rewards
from fogline.observation import observe
from fogline.players.policies import decide
from fogline.rules.chance import advance, below
from fogline.rules.compiled import Record, door, rule, whole
from fogline.rules.state import OVER
from fogline.sight import see
from fogline.tally import count_cards

ASKED = -1
"""In place of the number of a policy: whoever sits there decides elsewhere. The learner does."""

WAITS = -1
"""In place of an action: nobody has decided anything in this lane."""

IN_TURN, BY_LOT = -1, -2
"""In place of the learner's seat in all games: one seat after the other, or any."""


class Around(NamedTuple):
    """Who sits around the learners, and what a batch's own outputs do not tell."""

    policies: Any  # [place]: of who sits so many places after the learner, or ASKED
    seating: int  # the learner's seat in all games, IN_TURN or BY_LOT
    learners: Any  # [lane]: the learner's seat
    rewards: Any  # [lane]: the learner's, when a game has just ended
    last_learners: Any  # [lane]: the learner's seat in the last game that ended
    last_observations: Any  # [lane, number]: of the learner at the end of the last game
    last_games: Any  # [lane]: that game


class Scratch(NamedTuple):
    """Room for one decision: arrays of one record each."""

    sight: Any
    plan: Any
    count: Any


@door
def play_lanes(
    board: Any, kept: Any, scratch: Any, stride: Any, around: Any, actions: Any, outputs: Any, part: Any
) -> None:
    """Carries out the actions, which must be legal, and lets compiled players answer until somebody must be asked."""
    for number in range(part[0], part[1]):
        action = whole(actions[number])
        if action != WAITS:
            play_action(board[0], kept.games[number], kept.tallies[number], action)
        elif around.policies[place_of(kept.games[number], around, number)] == ASKED:
            continue  # and so nothing is new here
        let_answer(board[0], kept, scratch, stride, around, outputs, number)


@door
def seat_learners(board: Any, kept: Any, around: Any, part: Any) -> None:
    """In games that have just begun."""
    for number in range(part[0], part[1]):
        around.learners[number] = number % whole(kept.games[number].players)
        seat_learner(kept.games[number], kept.lanes[number], around, number)


@rule
def let_answer(board: Record, kept: Any, scratch: Any, stride: Any, around: Any, outputs: Any, number: int) -> None:
    game, tally, lane = kept.games[number], kept.tallies[number], kept.lanes[number]
    while True:
        if game.phase == OVER:
            tell_end(board, game, tally, scratch.count[0], around, outputs, number)
            begin_next(board, game, tally, lane, stride, around, number)
        policy = around.policies[place_of(game, around, number)]
        if policy == ASKED:
            break
        action = choose_action(board, game, lane, scratch.sight[0], scratch.plan[0], policy)
        play_action(board, game, tally, action)
    write_outputs(board, game, tally, scratch.count[0], outputs, number)


@rule
def choose_action(board: Record, game: Record, lane: Record, sight: Record, plan: Record, policy: int) -> int:
    """What a policy does in a lane, by the sight of the deciding seat alone and by the lane's own generator."""
    see(game, sight)
    lane.chooser = advance(lane.chooser)
    return decide(board, sight, plan, policy, lane.chooser)


@rule
def place_of(game: Record, around: Any, number: int) -> int:
    """How many places after the learner the deciding seat is."""
    place = whole(game.seat) - whole(around.learners[number])
    return place if place >= 0 else place + whole(game.players)


@rule
def tell_end(board: Record, game: Record, tally: Record, count: Record, around: Any, outputs: Any, number: int) -> None:
    learner = around.learners[number]
    outputs.dones[number] = True
    write_rewards(board, game, outputs, number)
    around.rewards[number] = outputs.rewards[number, learner]
    around.last_learners[number] = learner
    around.last_games[number] = game
    game.seat = learner  # nobody decides any more: it is the learner who looks
    count_cards(game, tally, count)
    observe(board, game, count, around.last_observations[number])


@rule
def begin_next(board: Record, game: Record, tally: Record, lane: Record, stride: Any, around: Any, number: int) -> None:
    lane.finished += np.uint64(1)
    begin_game(board, game, tally, lane, whole(game.players), stride)
    if around.seating == IN_TURN:
        learner = whole(around.learners[number]) + 1
        around.learners[number] = learner if learner < game.players else 0
    else:
        seat_learner(game, lane, around, number)


@rule
def seat_learner(game: Record, lane: Record, around: Any, number: int) -> None:
    """By lot or where it always sits; in turn it stays where it is."""
    if around.seating == BY_LOT:
        lane.chooser = advance(lane.chooser)
        around.learners[number] = below(lane.chooser, whole(game.players))
    elif around.seating != IN_TURN:
        around.learners[number] = around.seating
