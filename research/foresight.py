"""How far should the master look? Plays positions on with the network, and measures the gain.

    python -m research.foresight                                        # 600 positions, some minutes on a GPU
    python -m research.foresight --device cpu --positions 8 --chosen-by 16 --judged-by 16

In positions of the network's own games, every action that it considers is tried, and the network plays on in all
seats of imagined games. `judged_by` games to the end measure what each action is worth. `chosen_by` other games choose
one, as the master does: by the network's value once the seat's own turn has come once, twice and so on. The gain is how
much more the choice is worth than the network's own preference, in percent of games won.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from fogline import Board, Game
from fogline.envs.torch import TorchBatch
from fogline.game.actions import board_actions
from fogline.game.view import View
from fogline.knowledge.belief import Belief
from fogline.knowledge.observation import take_apart
from fogline.players.neural.lookahead import MARGIN, MARGIN_SHARE
from fogline.players.neural.master import CANDIDATES, HABIT, candidates_of
from fogline.players.neural.neural import WEIGHTS, find_network
from fogline.players.neural.sampled_counters import counters_of
from fogline.players.neural.thought import Thought
from fogline.players.neural.ticket_prior import redeal_tickets
from fogline.players.neural.weights import load_weights
from fogline.rules.state import TURN
from research.training.network import Encoder, Network

HORIZONS = (1, 2, 3, 4, 6, 8)
"""How often the seat's own turn comes; after the last horizon comes the end of the game."""
EVERY = 5
"""One in this many decisions of a game is looked at."""
LANES = 1 << 17
"""Games at once."""


@dataclass
class Position:
    view: View
    actions: np.ndarray  # by number, highest logit first
    logits: np.ndarray


def find_positions(board: Board, weights: Path, players: int, count: int) -> list[Position]:
    """From games of the network against itself, where there is more than one thing to do."""
    network, found, seed = find_network(board, weights), list[Position](), 0
    if network is None:
        raise SystemExit(f"{weights} has not learnt {board.id}")
    generator = np.random.default_rng(players)
    while len(found) < count:
        game, seed = Game(board, players=players, seed=seed), seed + 1
        while not game.over:
            thought = Thought(game.view(game.seat), network)
            actions, logits = candidates_of(thought)
            if len(actions) > 1 and generator.random() < 1 / EVERY:
                found.append(Position(thought.view, actions, logits))
            game.play(board_actions(board)[int(actions[0])])
    return found[:count]


class Future:
    """Games that the network plays on: after each of some actions, in the same imagined games."""

    def __init__(self, board: Board, weights: Path, players: int, device: str) -> None:
        self.board, self.players, self.device = board, players, torch.device(device)
        self.encoder = Encoder(board, self.device)
        weights_there = {name: self.put(weight) for name, weight in load_weights(weights, board).items()}
        self.network = Network(board, weights_there, self.device)
        self.generator = np.random.default_rng(players)

    def put(self, array: np.ndarray) -> Tensor:
        return torch.as_tensor(array, device=self.device)

    @torch.no_grad()
    def play(self, positions: list[Position], games: int) -> list[np.ndarray]:
        """For each position [action, game, horizon]: what the game is worth to the seat, from -1 to 1.

        After the horizons come the end, worth what it is in training, and whether the game was won.
        """
        batch, actions, seats, luck = self.deal(positions, games)
        worth = torch.full((len(seats), len(HORIZONS) + 2), torch.nan, device=self.device)
        turns, away = torch.zeros_like(seats), torch.zeros_like(seats, dtype=torch.bool)
        while True:
            batch.step(actions)
            over = batch.dones & worth[:, -1].isnan()
            ends = self.ends(batch, seats)
            worth = torch.where(over[:, None] & worth.isnan(), ends[:, None], worth)
            worth[:, -1] = torch.where(over, batch.rewards.gather(1, seats[:, None])[:, 0], worth[:, -1])
            if not worth[:, -1].isnan().any():
                break
            logits, values, turn = self.think(batch)
            back = (batch.seats == seats) & away & turn
            away = (away | (batch.seats != seats)) & ~back
            turns += back
            for place, horizon in enumerate(HORIZONS):
                reached = back & (turns == horizon) & worth[:, place].isnan()
                worth[:, place] = torch.where(reached, values, worth[:, place])
            actions = self.sample(logits, luck)
        parts = worth.cpu().numpy().reshape(-1, games, worth.shape[1])
        return np.split(parts, np.cumsum([len(position.actions) for position in positions])[:-1])

    def deal(self, positions: list[Position], games: int) -> tuple[TorchBatch, Tensor, Tensor, Tensor]:
        """All the games, their first actions, the seat that acts, and their luck."""
        records, counters, actions, seats, luck = [], [], [], [], []
        for number, position in enumerate(positions):
            imagined = Belief(position.view).sample(games, int(self.generator.integers(1 << 62)))
            redeal_tickets(position.view, imagined, self.generator)
            same = np.tile(np.arange(games), len(position.actions))
            records.append(imagined[same])
            counters.append(counters_of(position.view, imagined)[same])
            actions.append(np.repeat(position.actions, games))
            seats.append(np.full(len(same), position.view.seat))
            luck.append(number * games + same)
        lanes = sum(map(len, actions))
        batch = TorchBatch(self.board, self.players, lanes, device=str(self.device), strict=False)
        batch.batch.device.fill(batch.batch.kept.games, np.concatenate(records))
        batch.batch.device.fill(batch.batch.kept.counters, np.concatenate(counters))
        return batch, *(self.put(np.concatenate(part)) for part in (actions, seats, luck))

    def ends(self, batch: TorchBatch, seats: Tensor) -> Tensor:
        """The worth of finished games, as in training."""
        scores, seat = batch.scores.float(), seats[:, None]
        best = scores.scatter(1, seat, -torch.inf).amax(1)
        lead = (scores.gather(1, seat)[:, 0] - best) / MARGIN
        return (1 - MARGIN_SHARE) * batch.rewards.gather(1, seat)[:, 0] + MARGIN_SHARE * lead.clamp(-1, 1)

    def think(self, batch: TorchBatch) -> tuple[Tensor, Tensor, Tensor]:
        """The logits and the value of the seat that decides, and whether its turn begins."""
        players = torch.full_like(batch.seats, self.players, dtype=torch.int64)
        inputs = self.encoder(self.encoder.widen(batch.observations, self.players), players)
        with torch.autocast(self.device.type, torch.bfloat16):
            logits, values = self.network(inputs)
        turn = take_apart(self.network.places, inputs)["phase"][:, TURN] > 0
        return logits.float().masked_fill(~batch.masks, -torch.inf), values.float(), turn

    def sample(self, logits: Tensor, luck: Tensor) -> Tensor:
        whims = torch.empty((int(luck.max()) + 1, logits.shape[1]), device=self.device).exponential_()
        return (logits - whims.clamp(min=1e-20).log()[luck]).argmax(1)


def gains(positions: list[Position], worth: list[np.ndarray], chosen_by: int) -> np.ndarray:
    """[position, horizon]: how many more games a choice wins than the network's own preference."""
    found = np.zeros((len(positions), len(HORIZONS) + 1))
    for row, (position, seen) in enumerate(zip(positions, worth, strict=True)):
        truth = seen[:, chosen_by:, -1].mean(1)
        promise = seen[:, :chosen_by, :-1].mean(1) + HABIT * position.logits[:, None]
        others = position.view.players - 1
        found[row] = (truth[promise.argmax(0)] - truth[0]) * others / (others + 1)  # from rewards to games won
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", nargs="?", type=Path, default=WEIGHTS, help="a file of them (default: neural's own)")
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--positions", type=int, default=600)
    parser.add_argument("--chosen-by", type=int, default=128, help="imagined games by which an action is chosen")
    parser.add_argument("--judged-by", type=int, default=1024, help="games that tell what it is worth")
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    arguments = parser.parse_args()
    board, games = Board.load(), arguments.chosen_by + arguments.judged_by
    positions = find_positions(board, arguments.weights, arguments.players, arguments.positions)
    future, worth = Future(board, arguments.weights, arguments.players, arguments.device), list[np.ndarray]()
    at_once = max(1, LANES // (games * CANDIDATES))
    for start in range(0, len(positions), at_once):
        worth += future.play(positions[start : start + at_once], games)
        print(f"{len(worth)} of {len(positions)} positions", end="\r", flush=True)
    found = gains(positions, worth, arguments.chosen_by)
    print("\nown turns ahead   gain a decision, %")
    for name, gain in zip((*map(str, HORIZONS), "to the end"), found.T, strict=True):
        print(f"{name:>15}   {100 * gain.mean():.2f} ± {196 * gain.std() / math.sqrt(len(gain)):.2f}")


if __name__ == "__main__":
    main()
