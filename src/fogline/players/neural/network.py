"""The network of the neural player: from what a seat may know to a policy and a value.

One network plays with two, three and four players. A trunk sees everything at once. Beside its own logit for every
action it asks two questions, the same of every route and the same of every card: how well does this one fit what I
want? So what it learns of one route holds for all.

Weights and their width are values, not constants: the code is compiled once for a map, whatever the network's size.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fogline.compiler.kernels import Record, entry_point, kernel
from fogline.maps.board import Board
from fogline.players.neural.inputs import ALIGNED, input_dtype, input_places, input_width, scale
from fogline.players.neural.products import ZERO, add_product, add_row, begin_rows, dot, level, relu, relu_row
from fogline.rules.numbering import DRAW_DISPLAY, FIRST_PLACE
from fogline.rules.state import CARD_COUNT, COLOUR_COUNT, FERRY

ROUTE_FACTS, CARD_FACTS = 24, 16
"""How many inputs describe each route, and each card."""

ROUTE_FEATURES, CARD_FEATURES = (*range(7), 8, 9, *range(15, 22)), (0, 1, 6, 7, 8, 9)
"""How many of these come from the features rather than the observation."""

STILL = 11
"""The first of the facts of a route that stay the same all game."""

ROUTE_WIDTH, CARD_WIDTH, VALUE_WIDTH = 32, 16, 128

HEADS = "action", "route_question", "card_question", "value"
"""What is made of all that the trunk sees: a logit for every action, two questions, and what the value is made of."""

ROWS = 64
"""Inputs that are judged together: what is worked out of them on the way still fits into a core's cache."""


def first_claim_of(board: Board) -> int:
    return FIRST_PLACE + 2 * len(board.locations)


def action_count_of(board: Board) -> int:
    return first_claim_of(board) + len(board.claims)


def shapes(board: Board, width: int, blocks: int) -> dict[str, tuple[int, ...]]:
    """The names of all weights, and their shapes."""
    actions = -(-action_count_of(board) // ALIGNED) * ALIGNED
    found: dict[str, tuple[int, ...]] = {"in": (input_width(board), width), "in_bias": (width,)}
    for block in range(blocks):
        found |= {f"first{block}": (width, width), f"first_bias{block}": (width,)}
        found |= {f"second{block}": (width, width), f"second_bias{block}": (width,)}
    found |= {"action": (width, actions), "action_bias": (actions,)}
    for name, count, facts, room in (
        ("route", len(board.routes), ROUTE_FACTS, ROUTE_WIDTH),
        ("card", CARD_COUNT, CARD_FACTS, CARD_WIDTH),
    ):
        found |= {f"{name}_fact": (facts, room), f"{name}_own": (count, room)}
        found |= {f"{name}_question": (width, room), f"{name}_question_bias": (room,)}
    return found | {"value": (width, VALUE_WIDTH), "value_bias": (VALUE_WIDTH,), "worth": (VALUE_WIDTH, 1)}


def still_facts(board: Board) -> np.ndarray:
    """[route, fact]: what stays the same all game."""
    tables = board.tables[0]
    lengths = tables["route_length"]
    points = tables["route_points"][lengths]
    still = np.stack([lengths / 3, points / 4, tables["route_ferries"], tables["route_colour"] < 0], 1)
    return still.astype(np.float32)


class Question(NamedTuple):
    """What the answers to a question are made of: the question goes to all routes, or to all cards."""

    fact: Any  # [fact, number]
    own: Any  # [route or card, number]


class Weights(NamedTuple):
    """All weights, as the compiled network reads them, and the constants of the map."""

    zero: Any  # [input]: the byte that stands for 0
    unit: Any  # [input]: what one more stands for
    still: Any  # [route, fact]
    input: Any  # [input, width]
    input_bias: Any  # [width]
    first: Any  # [block, width, width]
    first_bias: Any  # [block, width]
    second: Any  # [block, width, width]
    second_bias: Any  # [block, width]
    head: Any  # [width, number]: side by side all that is made of what the trunk sees, in the order of `HEADS`
    head_bias: Any  # [number]
    route: Question
    card: Question
    worth: Any  # [number]


def arrange_weights(board: Board, weights: dict[str, np.ndarray]) -> Weights:
    """The weights of a file."""
    zero, unit = scale(board)
    return Weights(
        zero=zero,
        unit=1 / unit,
        still=still_facts(board),
        input=weights["in"],
        input_bias=weights["in_bias"],
        first=_of_blocks(weights, "first"),
        first_bias=_of_blocks(weights, "first_bias"),
        second=_of_blocks(weights, "second"),
        second_bias=_of_blocks(weights, "second_bias"),
        head=np.concatenate([weights[name] for name in HEADS], 1),
        head_bias=np.concatenate([weights[f"{name}_bias"] for name in HEADS]),
        route=_question(weights, "route"),
        card=_question(weights, "card"),
        worth=weights["worth"][:, 0].copy(),
    )


def _of_blocks(weights: dict[str, np.ndarray], name: str) -> np.ndarray:
    """[block, ...]: the weights of this name in all blocks, of which there may be none."""
    blocks = sum(other.startswith("first_bias") for other in weights)
    width = len(weights["in_bias"])
    found = np.zeros((blocks, width) if name.endswith("bias") else (blocks, width, width), np.float32)
    for block in range(blocks):
        found[block] = weights[f"{name}{block}"]
    return found


def _question(weights: dict[str, np.ndarray], kind: str) -> Question:
    return Question(*(weights[f"{kind}_{name}"] for name in Question._fields))


class Room(NamedTuple):
    """Room for what the network works out of some inputs on the way to its logits."""

    numbers: Any  # [row, input]: what the bytes stand for
    told: Any  # [row]: the same memory, as records
    hidden: Any  # [row, width]
    levelled: Any  # [row, width]
    between: Any  # [row, width]
    heads: Any  # [row, number]
    route_facts: Any  # [route, fact]
    route_answers: Any  # [route, number]
    route_fits: Any  # [route]
    card_facts: Any  # [card, fact]
    card_answers: Any  # [card, number]
    card_fits: Any  # [card]


@kernel
def judge(board: Record, weights: Weights, room: Room, inputs: Any, logits: Any, values: Any) -> None:
    """Writes the logits of all actions, legal or not, and the values before their tanh, for at most as many inputs as
    there is room for.
    """
    rows = inputs.shape[0]
    numbers, hidden, levelled = room.numbers[:rows], room.hidden[:rows], room.levelled[:rows]
    for row in range(rows):
        write_numbers(inputs[row], weights.zero, weights.unit, numbers[row])
    begin_rows(weights.input_bias, hidden)
    add_product(numbers, weights.input, hidden)
    relu(hidden)
    for block in range(weights.first.shape[0]):
        add_block(weights, block, hidden, levelled, room.between[:rows])
    level(hidden, levelled)
    relu(levelled)
    begin_rows(weights.head_bias, room.heads[:rows])
    add_product(levelled, weights.head, room.heads[:rows])
    for row in range(rows):
        values[row] = write_logits(board, weights, room, room.told[row], room.heads[row], logits[row])


@kernel
def write_numbers(inputs: Any, zero: Any, unit: Any, numbers: Any) -> None:
    """What the bytes of an input stand for."""
    for place in range(numbers.shape[0]):
        numbers[place] = (np.float32(inputs[place]) - zero[place]) * unit[place]


@kernel
def add_block(weights: Weights, block: int, hidden: Any, levelled: Any, between: Any) -> None:
    """A residual block: it adds something to what is there."""
    level(hidden, levelled)
    begin_rows(weights.first_bias[block], between)
    add_product(levelled, weights.first[block], between)
    relu(between)
    for row in range(hidden.shape[0]):
        for number in range(hidden.shape[1]):
            hidden[row, number] += weights.second_bias[block, number]
    add_product(between, weights.second[block], hidden)


@kernel
def write_logits(board: Record, weights: Weights, room: Room, told: Record, head: Any, logits: Any) -> Any:
    """A logit of its own for every action, and for claims and draws from the display how well route and card fit.

    Returns the value before its tanh.
    """
    at = head.shape[0] - ROUTE_WIDTH - CARD_WIDTH - VALUE_WIDTH
    claims = board.claim_route.shape[0]
    first_claim = logits.shape[0] - claims
    for action in range(logits.shape[0]):
        logits[action] = head[action]
    write_route_facts(told, weights.still, room.route_facts)
    answer(weights.route, room.route_facts, room.route_answers, head[at : at + ROUTE_WIDTH], room.route_fits)
    for claim in range(claims):
        logits[first_claim + claim] += room.route_fits[board.claim_route[claim]]
    at += ROUTE_WIDTH
    write_card_facts(told, room.card_facts)
    answer(weights.card, room.card_facts, room.card_answers, head[at : at + CARD_WIDTH], room.card_fits)
    for card in range(CARD_COUNT):
        logits[DRAW_DISPLAY + card] += room.card_fits[card]
    seen = head[at + CARD_WIDTH :]
    relu_row(seen)
    return dot(seen, weights.worth)


@kernel
def answer(question: Question, facts: Any, answers: Any, asked: Any, fits: Any) -> None:
    """How well each route, or each card, answers the trunk's question."""
    for row in range(answers.shape[0]):
        answered = answers[row]
        for number in range(answered.shape[0]):
            answered[number] = question.own[row, number]
        add_row(facts[row], question.fact, answered, 0, facts.shape[1])
        relu_row(answered)
        fits[row] = dot(answered, asked)


@kernel
def flag(number: Any) -> Any:
    return np.float32(1) if number > ZERO else ZERO


@kernel
def write_route_facts(told: Record, still: Any, facts: Any) -> None:
    for route in range(facts.shape[0]):
        write_facts_of_route(told, route, still[route], facts[route])


@kernel
def write_facts_of_route(told: Record, route: int, still: Any, facts: Any) -> None:
    """What describes one route; the rest of the facts stay 0."""
    lack, pressure, threat = told.lack[route], told.pressure[route], told.threat[route]
    on_way, on_quick = flag(told.path[route]), flag(told.quick[route])
    facts[0], facts[1], facts[2], facts[3] = told.path[route], on_way, told.slack[route], lack
    facts[4], facts[5], facts[6] = told.ready[route], told.souvenirs[route], pressure
    facts[7], facts[8], facts[9], facts[10] = told.open[route], on_way * lack, on_way * pressure, told.owned[0, route]
    for fact in range(still.shape[0]):
        facts[STILL + fact] = still[fact]
    facts[15], facts[16], facts[17] = told.quick[route], on_quick, told.detour[route]
    facts[18], facts[19], facts[20], facts[21] = on_quick * lack, on_quick * pressure, threat, on_quick * threat


@kernel
def write_card_facts(told: Record, facts: Any) -> None:
    """What describes each card; ferry cards are never missing by themselves, and the rest of the facts stay 0."""
    grey = told.need[FERRY]
    for card in range(CARD_COUNT):
        coloured = card < COLOUR_COUNT
        missing, called = told.need[card] if coloured else ZERO, told.call[card] if coloured else ZERO
        hand = told.hand[card]
        facts[card, 0], facts[card, 1], facts[card, 2] = missing, flag(missing), hand
        facts[card, 3], facts[card, 4], facts[card, 5] = told.display[card], told.unseen[card], told.discard[card]
        facts[card, 6], facts[card, 7], facts[card, 8], facts[card, 9] = grey * hand, grey, called, flag(called)


@entry_point
def judge_all(board: Any, weights: Weights, room: Room, inputs: Any, logits: Any, values: Any) -> None:
    """The same for any number of inputs."""
    rows = room.hidden.shape[0]
    for begin in range(0, inputs.shape[0], rows):
        end = min(begin + rows, inputs.shape[0])
        judge(board[0], weights, room, inputs[begin:end], logits[begin:end], values[begin:end])


class Network:
    """A network with these weights."""

    def __init__(self, board: Board, weights: dict[str, np.ndarray]) -> None:
        self.board, self.places = board, input_places(board)
        self.weights = arrange_weights(board, weights)
        self.claims = slice(first_claim_of(board), action_count_of(board))

    def __call__(self, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Logits of all actions, legal or not, and values from -1 to 1; a row for each input."""
        logits = np.empty((len(inputs), self.claims.stop), np.float32)
        values = np.empty(len(inputs), np.float32)
        room = self.room(min(ROWS, max(1, len(inputs))))
        judge_all(self.board.tables, self.weights, room, inputs, logits, values)
        return logits, np.tanh(values)

    def room(self, rows: int) -> Room:
        """Room for so many inputs at once."""
        width, heads = self.weights.head.shape

        def zeros(count: int, *shape: int) -> np.ndarray:
            return np.zeros((count, *shape), np.float32)

        numbers, routes = zeros(rows, input_width(self.board)), len(self.board.routes)
        return Room(
            *(numbers, numbers.view(input_dtype(self.board, "f4"))[:, 0]),
            *(zeros(rows, width), zeros(rows, width), zeros(rows, width), zeros(rows, heads)),
            *(zeros(routes, ROUTE_FACTS), zeros(routes, ROUTE_WIDTH), zeros(routes)),
            *(zeros(CARD_COUNT, CARD_FACTS), zeros(CARD_COUNT, CARD_WIDTH), zeros(CARD_COUNT)),
        )
