"""The network of the neural player: from what a seat may know to a policy and a value.

One network plays with two, three and four players. It is written once: NumPy runs it to play, torch to train it.

A trunk sees everything at once. Beside its own logit for every action it asks two questions, the same of every route
and the same of every card: how well does this one fit what I want? So what it learns of one route holds for all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from fogline.knowledge.observation import Places, features, observation_length, places, split, take_apart
from fogline.maps.board import Board
from fogline.players.neural.features import Array, Features, Meaning, feature_length, feature_places, meanings
from fogline.rules.numbering import DRAW_DISPLAY, FIRST_PLACE
from fogline.rules.state import CARD_COUNT, COLOUR_COUNT, FERRY, SEATS

ALIGNED = 16
"""Rows are padded to a multiple of this, which suits matrix units."""

ROUTE_FACTS, CARD_FACTS = 24, 16
"""How many inputs describe each route, and each card."""

ROUTE_FEATURES, CARD_FEATURES = (*range(7), 8, 9, *range(15, 22)), (0, 1, 6, 7, 8, 9)
"""How many of these come from the features rather than the observation."""

ROUTE_WIDTH, CARD_WIDTH, VALUE_WIDTH = 32, 16, 128


class Encoder:
    """Makes a network's input from observations: first the observation, as if four played, and then the features."""

    def __init__(self, board: Board, xp: Any = np, array: Callable[[Any], Array] = np.asarray) -> None:
        self.xp = xp
        self.features = Features(board, xp, array)
        self.spare = input_width(board) - observation_width(board) - feature_length(board)
        self.places = {players: tuple(map(array, _places(board, players))) for players in range(2, SEATS + 1)}

    def widen(self, observations: Array, players: int) -> Array:
        """Widens observations of this many players, as if four played and the others had nothing."""
        places, present = self.places[players]
        return observations[:, places] * present

    def __call__(self, wide: Array, players: Array) -> Array:
        """A row of input for each wide observation; `players` has the number of players of each."""
        return self.xp.concatenate([wide, self.features(wide, players), 0 * wide[:, : self.spare]], 1)


def _places(board: Board, players: int) -> tuple[np.ndarray, np.ndarray]:
    """For each number of a wide observation, its source, and 1 if it exists at all."""
    found = np.full(observation_width(board), -1)
    found[columns(board, players)] = np.arange(len(columns(board, players)))
    return np.maximum(found, 0), (found >= 0).astype(np.uint8)


@lru_cache
def columns(board: Board, players: int) -> np.ndarray:
    """Where the numbers of an observation stand in one of four players."""
    numbers = split(board, SEATS, np.arange(observation_width(board)))
    found = [numbers[few.name][tuple(map(slice, few.shape))].ravel() for few in features(board, players)]
    return np.concatenate(found)


def observation_width(board: Board) -> int:
    return observation_length(board, SEATS)


def input_width(board: Board) -> int:
    return -(-(observation_width(board) + feature_length(board)) // ALIGNED) * ALIGNED


def input_places(board: Board) -> Places:
    """Where everything stands in an input: first the observation, then the features."""
    return places(board, SEATS) | feature_places(board, observation_width(board))


def _first_claim(board: Board) -> int:
    return FIRST_PLACE + 2 * len(board.locations)


def shapes(board: Board, width: int, blocks: int) -> dict[str, tuple[int, ...]]:
    """The names of all weights, and their shapes."""
    actions = -(-(_first_claim(board) + len(board.claims)) // ALIGNED) * ALIGNED
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


class Network:
    """A network with these weights. `weights` may be changed in place: they are read anew every time."""

    def __init__(
        self, board: Board, weights: dict[str, Array], xp: Any = np, array: Callable[[Any], Array] = np.asarray
    ) -> None:
        self.weights, self.xp, self.places = weights, xp, input_places(board)
        self.claims = slice(_first_claim(board), _first_claim(board) + len(board.claims))
        self.blocks = sum(name.startswith("first_bias") for name in weights)
        zero, unit = _scale(board)
        self.zero, self.unit = array(zero), array(1 / unit)
        tables = board.tables[0]
        lengths = tables["route_length"]
        points = tables["route_points"][lengths]
        still = np.stack([lengths / 3, points / 4, tables["route_ferries"], tables["route_colour"] < 0], 1)
        self.still = array(still.astype(np.float32))
        self.claim_route = array(tables["claim_route"].astype(np.int64))

    def __call__(self, inputs: Array) -> tuple[Array, Array]:
        """Logits of all actions, legal or not, and values from -1 to 1; a row for each input."""
        told, hidden = self.trunk(inputs)
        return self.logits(told, hidden), self.value(hidden)

    def trunk(self, inputs: Array) -> tuple[Array, Array]:
        """The scaled inputs, and what the trunk makes of them."""
        weights = self.weights
        told = (self.wide(inputs) - self.zero) * self.unit
        hidden = self.relu(told @ weights["in"] + weights["in_bias"])
        for block in range(self.blocks):
            between = self.relu(self.level(hidden) @ weights[f"first{block}"] + weights[f"first_bias{block}"])
            hidden = hidden + between @ weights[f"second{block}"] + weights[f"second_bias{block}"]
        return told, self.relu(self.level(hidden))

    def value(self, hidden: Array, whose: str = "") -> Array:
        """The value, from -1 to 1. In training, tables with planners have a value head of their own, whose weights have
        the prefix `whose`.
        """
        weights = self.weights
        seen = self.relu(hidden @ weights[f"{whose}value"] + weights[f"{whose}value_bias"])
        return self.xp.tanh(self.wide(seen @ weights[f"{whose}worth"])[:, 0])

    def logits(self, told: Array, hidden: Array) -> Array:
        flat = self.wide(hidden @ self.weights["action"] + self.weights["action_bias"])
        routes = self.fit("route", self.route_facts(told), hidden)
        cards = self.fit("card", self.card_facts(told), hidden)
        drawn = DRAW_DISPLAY + CARD_COUNT
        parts = [flat[:, :DRAW_DISPLAY], flat[:, DRAW_DISPLAY:drawn] + cards, flat[:, drawn : self.claims.start]]
        return self.xp.concatenate([*parts, flat[:, self.claims] + routes[:, self.claim_route]], 1)

    def fit(self, name: str, facts: Array, hidden: Array) -> Array:
        """How well each route or card answers the trunk's question."""
        weights = self.weights
        answers = self.relu(facts @ weights[f"{name}_fact"] + weights[f"{name}_own"])
        question = hidden @ weights[f"{name}_question"] + weights[f"{name}_question_bias"]
        return (self.wide(answers) * self.wide(question)[:, None]).sum(2)

    def route_facts(self, told: Array) -> Array:
        """[row, route, input]"""
        part = take_apart(self.places, told)
        path = part["path"]
        on_way = self.wide(path > 0)
        moving = [path, on_way, part["slack"], part["lack"], part["ready"], part["souvenirs"], part["pressure"]]
        moving += [part["open"], on_way * part["lack"], on_way * part["pressure"], part["owned"][:, 0]]
        still = 0 * path[:, :, None] + self.still
        quick, threat = part["quick"], part["threat"]
        on_quick = self.wide(quick > 0)
        more = [quick, on_quick, part["detour"], on_quick * part["lack"], on_quick * part["pressure"]]
        more += [threat, on_quick * threat, 0 * path, 0 * path]
        return self.xp.concatenate([self.xp.stack(moving, 2), still, self.xp.stack(more, 2)], 2)

    def card_facts(self, told: Array) -> Array:
        """[row, card, input]"""
        xp, part = self.xp, take_apart(self.places, told)
        need, ferries = part["need"][:, :COLOUR_COUNT], part["need"][:, FERRY:]
        missing = xp.concatenate([need, 0 * ferries], 1)
        grey = 0 * missing + ferries
        facts = [missing, self.wide(missing > 0), part["hand"], part["display"], part["unseen"], part["discard"]]
        called = xp.concatenate([part["call"][:, :COLOUR_COUNT], 0 * ferries], 1)
        facts += [grey * part["hand"], grey, called, self.wide(called > 0)]
        return xp.stack([*facts, *[0 * grey] * (CARD_FACTS - len(facts))], 2)

    def relu(self, numbers: Array) -> Array:
        return self.xp.clip(numbers, 0, None)

    def level(self, hidden: Array) -> Array:
        """Every row with mean 0 and variance 1."""
        wide = self.wide(hidden)
        wide = wide - wide.mean(1)[:, None]
        return wide / self.xp.sqrt((wide * wide).mean(1)[:, None] + 1e-5)

    def wide(self, numbers: Array) -> Array:
        """In 32 bits, where torch computes with 16."""
        return numbers.astype(np.float32) if self.xp is np else numbers.float()


@lru_cache
def _scale(board: Board) -> tuple[np.ndarray, np.ndarray]:
    """The byte that stands for 0 in each number of an input, and the step that stands for 1."""
    told = [Meaning(feature.name, feature.length, "", max(1, feature.most // 4)) for feature in features(board, SEATS)]
    told += meanings(board)
    told.append(Meaning("spare", input_width(board) - sum(part.length for part in told), ""))
    columns = [np.tile(np.array([[part.zero], [part.unit]], np.float32), part.length) for part in told]
    zero, unit = np.concatenate(columns, 1)
    return zero, unit
