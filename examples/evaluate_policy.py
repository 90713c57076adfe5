"""A network that examples/ppo.py has trained, as a player: it decides from a view, as every player does.

    python examples/ppo.py --minutes 3
    fogline arena examples/evaluate_policy.py:Learned racer
    FOGLINE_CHECKPOINT=runs/mine.pt fogline arena examples/evaluate_policy.py:Learned planner --games 1000

The checkpoint is ppo.pt, or what FOGLINE_CHECKPOINT names. Run as a program, this file lets Learned play one game
against another player, and tells how it ended: python examples/evaluate_policy.py racer.
"""

from __future__ import annotations

import argparse
import os
from functools import cache

import torch
from ppo import Agent, Args, load  # it lies beside this file

from fogline import Game
from fogline.envs.torch import masked
from fogline.game.actions import Action, action_numbers, board_actions
from fogline.game.view import View
from fogline.knowledge.observation import observation_of
from fogline.players.player import PLAYERS


@cache
def trained() -> tuple[Agent, Args]:
    """The network, once for all games of this process."""
    torch.set_num_threads(1)  # the arena gives each core a process of its own
    path = os.environ.get("FOGLINE_CHECKPOINT", "ppo.pt")
    if not os.path.exists(path):  # noqa: PTH110
        raise FileNotFoundError(
            f"there is no checkpoint {path!r}: train one with examples/ppo.py, or set FOGLINE_CHECKPOINT"
        )
    return load(path)


class Learned:
    """Samples from the network's policy."""

    name = "learned"
    level = 3
    description = "plays as it has taught itself to"

    def __init__(self, seed: int) -> None:
        self.agent, self.args = trained()
        self.generator = torch.Generator().manual_seed(seed % 2**63)

    @torch.no_grad()
    def choose(self, view: View) -> Action:
        if view.players != self.args.players or view.board.id != self.args.board:
            raise ValueError(f"it has learnt to play with {self.args.players} players on {self.args.board} alone")
        actions, numbers = board_actions(view.board), action_numbers(view.board)
        mask = torch.zeros(len(actions), dtype=torch.bool)
        mask[[numbers[action] for action in view.legal_actions]] = True
        logits, _ = self.agent(torch.from_numpy(observation_of(view))[None])
        chances = masked(logits, mask[None]).probs[0]
        return actions[int(torch.multinomial(chances, 1, generator=self.generator))]

    def explain(self) -> None:
        """It cannot say why."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("opponent", nargs="?", default="racer", choices=PLAYERS, help="who sits at all other seats")
    parser.add_argument("--seed", type=int, default=0, help="of the game (default 0)")
    options = parser.parse_args()
    learned = Learned(options.seed)
    game = Game(learned.args.board, players=learned.args.players, seed=options.seed)
    others = [PLAYERS[options.opponent](options.seed + seat) for seat in range(1, game.players)]
    players = [learned, *others]
    while not game.over:
        game.play(players[game.seat].choose(game.view(game.seat)))
    for seat, score in enumerate(game.scores()):
        print(f"{getattr(players[seat], 'name', '?')} {score.total}{' won' if seat in game.winners else ''}")


if __name__ == "__main__":
    main()
