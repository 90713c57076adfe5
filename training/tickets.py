"""How much does what a player has built tell of its tickets? Learns it from games of the network against itself.

    python training/tickets.py                  # the numbers of `fogline.players.guess.TELLS`, some minutes on a CPU
    python training/tickets.py --games 64

It looks at tickets that another seat holds, each among all that the looking seat has not got, and finds the weights of
the facts under which they are likeliest. Every other game is kept apart, to tell how well that guesses.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from fogline import Board
from fogline.batch import Batch
from fogline.players.guess import FACTS, ticket_facts
from fogline.players.network import Network
from fogline.players.neural import WEIGHTS, encode, find_network
from fogline.rules.state import TURN

LOOKS = 0.2
"""The share of turns that is looked at: the next turn looks much the same."""


def find_sights(board: Board, network: Network, players: int, games: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Games as somebody saw them at the beginning of a turn, and which games these are: until all have ended once."""
    batch, generator = Batch(board, players, games, seed=players), np.random.default_rng(players)
    ended = np.zeros(games, bool)
    while not ended.all():
        looked_at = ~ended & (batch.kept.games["phase"] == TURN) & (generator.random(games) < LOOKS)
        yield batch.kept.games[looked_at].copy(), looked_at.nonzero()[0]
        logits, _ = network(encode(board, players, batch.observations))
        likings = np.where(batch.masks, logits, -np.inf) + generator.gumbel(size=logits.shape)
        batch.step(likings.argmax(1))
        ended |= batch.dones


def find_cases(board: Board, network: Network, players: int, games: int) -> list[Tensor]:
    """[case, ticket, fact] twice, the second time by the share of cars used; [case, ticket]: whether it comes into
    question; the ticket that it was; and the number of the game.
    """
    found: list[tuple[np.ndarray, ...]] = []
    tickets = np.arange(len(board.tickets), dtype=np.uint64)
    for records, numbers in find_sights(board, network, players, games):
        held = (records["tickets"][:, :, None] >> tickets & np.uint64(1)) > 0
        mine = held[np.arange(len(records)), records["seat"]]
        for seat in range(players):
            rows, ticket = (held[:, seat] & (records["seat"] != seat)[:, None]).nonzero()
            facts = ticket_facts(board, records, seat)[rows]
            used = 1 - records["cars"][rows, seat] / board.cars
            asked = ~(mine | held[:, seat])[rows]
            asked[np.arange(len(rows)), ticket] = True
            found.append((facts, facts * used[:, None, None], asked, ticket, numbers[rows]))
    return [torch.from_numpy(np.concatenate(parts)) for parts in zip(*found, strict=True)]


def fit(facts: Tensor, asked: Tensor, ticket: Tensor, apart: Tensor) -> tuple[Tensor, float, float]:
    """The weights, how likely they make the tickets of the games apart, and how likely chance does (as e-folds)."""
    weights = torch.zeros(facts.shape[2], requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss(rows: Tensor) -> Tensor:
        scores = (facts[rows] @ weights).masked_fill(~asked[rows], -torch.inf)
        return torch.nn.functional.cross_entropy(scores, ticket[rows])

    def closure() -> Tensor:
        optimiser.zero_grad()
        found = loss(~apart)
        found.backward()
        return found

    optimiser.step(closure)
    with torch.no_grad():
        return weights.detach(), float(loss(apart)), float(asked[apart].sum(1).log().mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1500, help="games of two, three and four players each")
    parser.add_argument("--board", default="san_francisco", help="a map that the network has learnt")
    args = parser.parse_args()
    board = Board.load(args.board)
    network = find_network(board, WEIGHTS)
    if network is None:
        raise SystemExit(f"{WEIGHTS.name} has not learnt {board.id}")
    parts = []
    for players in (2, 3, 4):
        print(f"watching {args.games:,} games of {players}", flush=True)
        parts.append(find_cases(board, network, players, args.games))
    plain, used, asked, ticket, game = (torch.cat(part) for part in zip(*parts, strict=True))
    weights, guessed, by_chance = fit(torch.cat([plain, used], 2).float(), asked, ticket, game % 2 == 1)
    right = f"{np.exp(-guessed):.1%} instead of {np.exp(-by_chance):.1%}"
    print(f"{len(ticket):,} tickets; chance of the right one, in the geometric mean: {right}")
    for title, row in zip(("at first", "in the end, more"), weights.reshape(2, -1).tolist(), strict=True):
        print(f"{title:17}" + "".join(f"  {fact} {number:.2f}" for fact, number in zip(FACTS, row, strict=True)))


if __name__ == "__main__":
    main()
