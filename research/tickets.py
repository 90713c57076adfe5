"""What does a player's network of routes say about its tickets? Learns it from games of the network against itself.

    python -m research.tickets                  # `fogline.players.neural.ticket_prior.TELLS`, some minutes on a CPU
    python -m research.tickets --games 64       # to see it work

It looks at tickets that another seat holds, among all that the looking seat does not have. It finds the weights of
the facts that make them likeliest. Every other game is held out, to measure how well that predicts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from fogline import Board
from fogline.batch import Batch
from fogline.players.neural.encoder import encode
from fogline.players.neural.network import Network
from fogline.players.neural.neural import WEIGHTS, find_network
from fogline.players.neural.ticket_prior import FACTS, ticket_facts
from fogline.rules.state import TURN, tickets_held

LOOKS = 0.2
"""The share of turns that is looked at: consecutive turns look much the same."""


def find_seat_states(board: Board, network: Network, players: int, games: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Games as a seat saw them at the beginning of a turn, with their numbers, until all have ended once."""
    batch, generator = Batch(board, players, games, seed=players), np.random.default_rng(players)
    ended = np.zeros(games, bool)
    while not ended.all():
        looked_at = ~ended & (batch.kept.games["phase"] == TURN) & (generator.random(games) < LOOKS)
        yield batch.kept.games[looked_at].copy(), looked_at.nonzero()[0]
        logits, _ = network(encode(board, players, batch.observations))
        noisy = np.where(batch.masks, logits, -np.inf) + generator.gumbel(size=logits.shape)
        batch.step(noisy.argmax(1))
        ended |= batch.dones


@dataclass
class Cases:
    """Tickets that another seat holds, as a seat may see it."""

    facts: Tensor  # [case, ticket, fact]
    used: Tensor  # the share of its cars that the seat has built with
    asked: Tensor  # [case, ticket]: whether the seat may hold it
    ticket: Tensor  # the one that it holds
    game: Tensor

    def scores(self, weights: Tensor) -> Tensor:
        """[case, ticket], for weights [at first and in the end, fact]."""
        found = self.facts @ weights[0] + self.used[:, None] * (self.facts @ weights[1])
        return found.masked_fill(~self.asked, -torch.inf)

    def surprise(self, weights: Tensor) -> Tensor:
        """The negative log likelihood of each ticket under the weights, in e-folds."""
        return torch.nn.functional.cross_entropy(self.scores(weights), self.ticket, reduction="none")


def find_cases(board: Board, network: Network, players: int, games: int) -> Iterator[Cases]:
    for records, numbers in find_seat_states(board, network, players, games):
        held = tickets_held(records)
        mine = held[np.arange(len(records)), records["seat"]]
        for seat in range(players):
            rows, ticket = (held[:, seat] & (records["seat"] != seat)[:, None]).nonzero()
            asked = ~(mine | held[:, seat])[rows]
            asked[np.arange(len(rows)), ticket] = True
            facts = ticket_facts(board, records, seat)[rows].astype(np.float32)
            used = (1 - records["cars"][rows, seat] / board.cars).astype(np.float32)
            yield Cases(*map(torch.from_numpy, (facts, used, asked, ticket, numbers[rows])))


def together(parts: list[Cases], rows: Callable[[Cases], Tensor]) -> Cases:
    """The cases at these numbers."""
    return Cases(*(torch.cat([getattr(part, f.name)[rows(part)] for part in parts]) for f in fields(Cases)))


def fit(cases: Cases) -> Tensor:
    """The weights that make the tickets likeliest."""
    weights = torch.zeros((2, len(FACTS)), requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> Tensor:
        optimiser.zero_grad()
        loss = cases.surprise(weights).mean()
        loss.backward()
        return loss

    optimiser.step(closure)
    return weights.detach()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1500, help="games of two, three and four players each")
    parser.add_argument("--board", default="san_francisco", help="a map that the network has learnt")
    args = parser.parse_args()
    if args.games < 20:
        parser.error("--games: at least 20, or too few tickets are seen")
    board = Board.load(args.board)
    network = find_network(board, WEIGHTS)
    if network is None:
        raise SystemExit(f"{WEIGHTS.name} has not learnt {board.id}")
    parts: list[Cases] = []
    for players in (2, 3, 4):
        print(f"watching {args.games:,} games of {players}", flush=True)
        parts += find_cases(board, network, players, args.games)
    weights = fit(together(parts, lambda part: part.game % 2 == 0))
    for title, row in zip(("at first", "in the end, more"), weights.tolist(), strict=True):
        print(f"{title:17}" + "".join(f"  {fact} {number:.2f}" for fact, number in zip(FACTS, row, strict=True)))
    tell_chances(together(parts, lambda part: part.game % 2 == 1), weights)


def tell_chances(apart: Cases, weights: Tensor) -> None:
    print("the chance of the ticket that a seat holds, so and if all were alike, in the geometric mean:")
    predicted, alike = (apart.surprise(found) for found in (weights, torch.zeros_like(weights)))
    for least, most in ((0, 1), (0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1)):
        rows = (apart.used >= least) & ((apart.used < most) | (most == 1))
        chances = (float((-part[rows].mean()).exp()) for part in (predicted, alike))
        shares = "  ".join(f"{chance:5.1%}" for chance in chances)
        print(f"{least:4.0%} to {most:4.0%} of its cars used  {shares}  ({int(rows.sum()):,} tickets)")


if __name__ == "__main__":
    main()
