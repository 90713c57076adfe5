"""The network of `fogline.players.neural.network` in torch, to be trained, and the encoder of its inputs.

A test compares the two.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from fogline.knowledge.observation import take_apart
from fogline.maps.board import Board
from fogline.players.neural.inputs import (
    columns,
    feature_length,
    input_places,
    input_width,
    observation_width,
    scale,
)
from fogline.players.neural.network import CARD_FACTS, action_count_of, first_claim_of, still_facts
from fogline.rules.numbering import DRAW_DISPLAY
from fogline.rules.state import CARD_COUNT, COLOUR_COUNT, FERRY, SEATS
from research.training.features import Features


class Encoder:
    """Makes a network's input from observations: first the observation, as if four played, and then the features."""

    def __init__(self, board: Board, device: torch.device) -> None:
        self.features = Features(board, device)
        self.spare = input_width(board) - observation_width(board) - feature_length(board)
        self.places = {
            players: tuple(torch.as_tensor(part, device=device) for part in _places(board, players))
            for players in range(2, SEATS + 1)
        }

    def widen(self, observations: Tensor, players: int) -> Tensor:
        """Widens observations of this many players, as if four played and the others had nothing."""
        places, present = self.places[players]
        return observations[:, places] * present

    def __call__(self, wide: Tensor, players: Tensor) -> Tensor:
        """A row of input for each wide observation; `players` has the number of players of each."""
        return torch.concatenate([wide, self.features(wide, players), 0 * wide[:, : self.spare]], 1)


def _places(board: Board, players: int) -> tuple[np.ndarray, np.ndarray]:
    """For each number of a wide observation, its source, and 1 if it exists at all."""
    found = np.full(observation_width(board), -1)
    found[columns(board, players)] = np.arange(len(columns(board, players)))
    return np.maximum(found, 0), (found >= 0).astype(np.uint8)


class Network:
    """A network with these weights. `weights` may be changed in place: they are read anew every time."""

    def __init__(self, board: Board, weights: dict[str, Tensor], device: torch.device) -> None:
        self.weights, self.places = weights, input_places(board)
        self.claims = slice(first_claim_of(board), action_count_of(board))
        self.blocks = sum(name.startswith("first_bias") for name in weights)
        zero, unit = scale(board)
        self.zero, self.unit = torch.as_tensor(zero, device=device), torch.as_tensor(1 / unit, device=device)
        self.still = torch.as_tensor(still_facts(board), device=device)
        self.claim_route = torch.as_tensor(board.tables[0]["claim_route"].astype(np.int64), device=device)

    def __call__(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all actions, legal or not, and values from -1 to 1; a row for each input."""
        told, hidden = self.trunk(inputs)
        return self.logits(told, hidden), self.value(hidden)

    def trunk(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """The scaled inputs, and what the trunk makes of them."""
        weights = self.weights
        told = (self.wide(inputs) - self.zero) * self.unit
        hidden = self.relu(told @ weights["in"] + weights["in_bias"])
        for block in range(self.blocks):
            between = self.relu(self.level(hidden) @ weights[f"first{block}"] + weights[f"first_bias{block}"])
            hidden = hidden + between @ weights[f"second{block}"] + weights[f"second_bias{block}"]
        return told, self.relu(self.level(hidden))

    def value(self, hidden: Tensor, whose: str = "") -> Tensor:
        """The value, from -1 to 1. In training, tables with planners have a value head of their own, whose weights have
        the prefix `whose`.
        """
        weights = self.weights
        seen = self.relu(hidden @ weights[f"{whose}value"] + weights[f"{whose}value_bias"])
        return torch.tanh(self.wide(seen @ weights[f"{whose}worth"])[:, 0])

    def logits(self, told: Tensor, hidden: Tensor) -> Tensor:
        flat = self.wide(hidden @ self.weights["action"] + self.weights["action_bias"])
        routes = self.fit("route", self.route_facts(told), hidden)
        cards = self.fit("card", self.card_facts(told), hidden)
        drawn = DRAW_DISPLAY + CARD_COUNT
        parts = [flat[:, :DRAW_DISPLAY], flat[:, DRAW_DISPLAY:drawn] + cards, flat[:, drawn : self.claims.start]]
        return torch.concatenate([*parts, flat[:, self.claims] + routes[:, self.claim_route]], 1)

    def fit(self, name: str, facts: Tensor, hidden: Tensor) -> Tensor:
        """How well each route or card answers the trunk's question."""
        weights = self.weights
        answers = self.relu(facts @ weights[f"{name}_fact"] + weights[f"{name}_own"])
        question = hidden @ weights[f"{name}_question"] + weights[f"{name}_question_bias"]
        return (self.wide(answers) * self.wide(question)[:, None]).sum(2)

    def route_facts(self, told: Tensor) -> Tensor:
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
        return torch.concatenate([torch.stack(moving, 2), still, torch.stack(more, 2)], 2)

    def card_facts(self, told: Tensor) -> Tensor:
        """[row, card, input]"""
        part = take_apart(self.places, told)
        need, ferries = part["need"][:, :COLOUR_COUNT], part["need"][:, FERRY:]
        missing = torch.concatenate([need, 0 * ferries], 1)
        grey = 0 * missing + ferries
        facts = [missing, self.wide(missing > 0), part["hand"], part["display"], part["unseen"], part["discard"]]
        called = torch.concatenate([part["call"][:, :COLOUR_COUNT], 0 * ferries], 1)
        facts += [grey * part["hand"], grey, called, self.wide(called > 0)]
        return torch.stack([*facts, *[0 * grey] * (CARD_FACTS - len(facts))], 2)

    def relu(self, numbers: Tensor) -> Tensor:
        return torch.clip(numbers, 0, None)

    def level(self, hidden: Tensor) -> Tensor:
        """Every row with mean 0 and variance 1."""
        wide = self.wide(hidden)
        wide = wide - wide.mean(1)[:, None]
        return wide / torch.sqrt((wide * wide).mean(1)[:, None] + 1e-5)

    def wide(self, numbers: Tensor) -> Tensor:
        """In 32 bits, where torch computes with 16."""
        return numbers.float()
