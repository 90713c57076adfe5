"""Information-set Monte-Carlo tree search, compiled: one tree over many games that may be the real one.

Every iteration takes one game of the belief, walks down the tree with the actions that are legal in that game, adds a
node, and plays on to the end by plans. A node stands for a sequence of actions, not for a position. Whatever chance
brings and others hold, the searching seat cannot tell those games apart, and must choose one action for all of them.
That keeps it from playing as if it saw the hidden cards (strategy fusion).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fogline.compiler.kernels import Record, as_int, entry_point, kernel
from fogline.players.scripted.plan import NONE
from fogline.players.scripted.planner import choose_keep, follow_plan
from fogline.players.scripted.planning import make_plan, refresh_plan
from fogline.rules.bits import count_bits, nth_bit
from fogline.rules.chance import advance, below
from fogline.rules.legal import legal_but_claims
from fogline.rules.numbering import PASS, first_claim
from fogline.rules.routes import payable_claims
from fogline.rules.scoring import share_of_victory
from fogline.rules.state import FERRY, KEEP_FIRST_TICKETS, KEEP_TICKETS, OVER, TURN
from fogline.rules.turns import step

CURIOSITY = 1.0
"""How much a node that was seldom tried is favoured."""
TRUST = 0.4
"""The share of exploration that goes to what the planner would do."""
MODESTY = 0.05
"""How much worse an untried action looks than the mean of its node."""
MARGIN_SHARE = 0.25
"""The weight of the margin in a game's worth, beside who won: it tells good from better where all is decided."""
MARGIN = 25.0
"""The lead in points beyond which more counts nothing."""
LARGE = 1 << 14
DEEPEST = 128
"""The most actions on one way down the tree; rollouts are not counted."""

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("worth", "f8"),  # of all its games together, to the seat that chose the action
                ("won", "f8"),  # of them by that seat
                ("visits", "i4"),
                ("action", "i2"),
                ("first", "i4"),  # child
                ("next", "i4"),  # sibling
            ],
            align=True,
        ),
    )
)


@entry_point
def search_more(board: Any, samples: Any, game: Any, plans: Any, tree: Any, used: Any, actions: Any, state: Any) -> Any:
    """Makes one iteration for each of these games; `used` counts the nodes. Returns the generator's next state."""
    for i in range(samples.shape[0]):
        game[0] = samples[i]
        state = iterate(board[0], game[0], plans, tree, used, actions, state)
    return state


@kernel
def iterate(board: Record, game: Record, plans: Any, tree: Any, used: Any, actions: Any, state: Any) -> Any:
    path, movers = np.zeros(DEEPEST, np.int64), np.zeros(DEEPEST, np.int64)
    node, depth = 0, 1
    while game.phase != OVER and depth < DEEPEST:
        mover = as_int(game.seat)
        node = select(board, game, plans, tree, used, actions, node, state)
        if node < 0:
            break
        movers[depth], path[depth] = mover, node
        depth += 1
        state = advance(state)
        step(board, game, as_int(tree[node].action), None)
        if tree[node].visits == 0 or used[0] == tree.shape[0]:
            break
    state = roll_out(board, game, plans, state)
    for place in range(depth):
        reached = tree[path[place]]
        reached.visits += 1
        if place > 0:
            won = share_of_victory(board, game, movers[place])
            reached.won += won
            reached.worth += (1.0 - MARGIN_SHARE) * won + MARGIN_SHARE * margin_worth(game, movers[place])
    return state


@kernel
def select(board: Record, game: Record, plans: Any, tree: Any, used: Any, actions: Any, node: int, state: Any) -> int:
    """The child to walk to: of the sensible actions in this game, the most promising or least known."""
    count = candidates(board, game, actions)
    if count > 1:
        state = advance(state)
        planned = plan_action(board, game, plans[as_int(game.seat)], state)
    else:
        planned = as_int(actions[0])
    parent = tree[node]
    spread = CURIOSITY * np.sqrt(parent.visits + 1.0)
    mean = mean_of_children(tree, node) - MODESTY
    best, best_score = NONE, -1e9
    for i in range(count + 1):
        action = planned if i == count else as_int(actions[i])
        if i < count and action == planned:
            continue
        child = find_child(tree, node, action)
        prior = TRUST if action == planned else (1.0 - TRUST) / count
        if child == NONE:
            score = mean + spread * prior
        else:
            score = tree[child].worth / max(1, tree[child].visits) + spread * prior / (1.0 + tree[child].visits)
        state = advance(state)
        score += 1e-6 * below(state, 1000)
        if score > best_score:
            best, best_score = action, score
    child = find_child(tree, node, best)
    return child if child != NONE else add_child(tree, used, node, best)


@kernel
def mean_of_children(tree: Any, node: int) -> float:
    worth, visits = 0.5, 1.0
    child = tree[node].first
    while child > 0:
        worth += tree[child].worth
        visits += tree[child].visits
        child = tree[child].next
    return worth / visits


@kernel
def find_child(tree: Any, node: int, action: int) -> int:
    child = tree[node].first
    while child > 0:
        if tree[child].action == action:
            return as_int(child)
        child = tree[child].next
    return NONE


@kernel
def add_child(tree: Any, used: Any, node: int, action: int) -> int:
    if used[0] >= tree.shape[0]:
        return NONE
    child = as_int(used[0])
    used[0] += 1
    fresh = tree[child]
    fresh.worth, fresh.won, fresh.visits, fresh.action, fresh.first = 0.0, 0.0, 0, action, 0
    fresh.next = tree[node].first
    tree[node].first = child
    return child


@kernel
def candidates(board: Record, game: Record, actions: Any) -> int:
    """The sensible actions: all legal ones, but only one payment for each route."""
    count = legal_but_claims(board, game, actions)
    if game.phase == TURN:
        count = candidate_claims(board, game, actions, count)
        if count == 0:
            actions[0] = PASS
            count = 1
    return count


@kernel
def candidate_claims(board: Record, game: Record, actions: Any, count: int) -> int:
    """The best payment of each payable route: fewest ferries, and the colour of which most are held."""
    route, best_score = NONE, 0
    for word in range(game.open.shape[1]):
        claims = payable_claims(board, game, word)
        for n in range(count_bits(claims)):
            claim = 64 * word + nth_bit(claims, n)
            colour = as_int(board.claim_colour[claim])
            held = as_int(game.hand[game.seat, colour]) if colour != FERRY else 0
            score = held - 100 * as_int(board.claim_ferries[claim])
            if as_int(board.claim_route[claim]) != route:
                route, best_score = as_int(board.claim_route[claim]), score
                actions[count] = first_claim(game) + claim
                count += 1
            elif score > best_score:
                best_score = score
                actions[count - 1] = first_claim(game) + claim
    return count


@kernel
def plan_action(board: Record, game: Record, plan: Record, state: Any) -> int:
    """What a planner would do in this game, making its plan anew."""
    if game.phase == KEEP_FIRST_TICKETS or game.phase == KEEP_TICKETS:
        return as_int(choose_keep(board, game, plan))
    make_plan(board, game, as_int(game.seat), game.tickets[game.seat], plan)
    return as_int(follow_plan(board, game, plan, state))


@kernel
def roll_out(board: Record, game: Record, plans: Any, state: Any) -> Any:
    """Plays to the end: every seat makes a plan and follows it until it is no longer possible."""
    for seat in range(game.players):
        plans[seat].count = 0
    while game.phase != OVER:
        seat = as_int(game.seat)
        state = advance(state)
        if game.phase == KEEP_FIRST_TICKETS or game.phase == KEEP_TICKETS:
            action = as_int(choose_keep(board, game, plans[seat]))
            plans[seat].count = 0
        else:
            refresh_plan(board, game, seat, plans[seat])
            action = as_int(follow_plan(board, game, plans[seat], state))
        step(board, game, action, None)
    return state


@kernel
def margin_worth(game: Record, seat: int) -> float:
    """The lead over the best other seat, scaled to 0 to 1."""
    best = -LARGE
    for other in range(game.players):
        if other != seat:
            best = max(best, as_int(game.score[other]))
    return min(1.0, max(0.0, 0.5 + 0.5 * (as_int(game.score[seat]) - best) / MARGIN))
